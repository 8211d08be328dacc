"""Games that come to the page and go from it: a real server, a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commandline import CHOICE, START
from webserver import need_the_extra

import reversi
from reversi import Board, square_name

need_the_extra("playwright")
from playwright.sync_api import Page, Route, expect  # noqa: E402
from webpage import OPENING, Witness, legal, rows, shows, square  # noqa: E402

pytest_plugins = ("pagefixtures",)


def in_formats() -> dict[str, str]:
    """One game, or its position, in each format that is read."""
    board = Board.from_transcript(OPENING)
    cells = board.obf().split()[0]
    drawn = "\n".join(" ".join(cells[8 * row : 8 * row + 8]) for row in range(8))
    ggf = "".join(
        f"{'BW'[index % 2]}[{square_name(move)}]" for index, move in enumerate(board.move_stack)
    )
    sgf = "".join(
        f";{'BW'[index % 2]}[{square_name(move)}]" for index, move in enumerate(board.move_stack)
    )
    return {
        "transcript": "1. F5 d6 2. c3 D3 c4f4f6f3e6e7",
        "obf": board.obf(),
        "grid": f"{drawn}\nX",
        "ggf": f"(;GM[Othello]PB[Ann]PW[Bo]TY[8]BO[8 {START[:64]} *]{ggf};)",
        "sgf": f"(;GM[2]FF[4]SZ[8]PB[Ann]PW[Bo]{sgf})",
    }


@pytest.mark.parametrize("name", list(in_formats()))
def test_pasted_games_and_positions_are_opened(name: str, open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.click("#open")
    page.fill("#open-text", in_formats()[name])
    page.click("#open-done")
    expect(page.get_by_role("dialog")).to_have_count(0)
    shows(page, Board.from_transcript(OPENING))
    if name in ("ggf", "sgf"):
        expect(page.locator("#card-black")).to_contain_text("Ann")
        expect(page.locator("#card-white")).to_contain_text("Bo")


def test_a_text_pasted_on_the_page_is_opened(witness: Witness) -> None:
    page = witness.open(permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", OPENING)
    page.keyboard.press("Control+v")
    shows(page, Board.from_transcript(OPENING))


def test_of_several_games_one_is_chosen(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.click("#open")
    one = in_formats()["ggf"]
    page.fill("#open-text", one + "\n" + one.replace("PB[Ann]", "PB[Eve]"))
    page.click("#open-done")
    page.get_by_role("button", name=re.compile("Eve . Bo")).click()
    shows(page, Board.from_transcript(OPENING))
    expect(page.locator("#card-black")).to_contain_text("Eve")


def test_what_can_be_read_in_two_ways_is_asked_about(witness: Witness) -> None:
    page = witness.open()
    page.click("#open")
    page.fill("#open-text", CHOICE[:64])
    page.click("#open-done")
    page.get_by_role("button", name=re.compile("white to move")).click()
    shows(page, Board.from_obf(CHOICE))
    expect(page.locator("#status-main")).to_have_text("White to move")
    witness.refusals -= 1


def test_what_cannot_be_read_is_told_in_words(witness: Witness) -> None:
    page = witness.open()
    page.click("#open")
    page.fill("#open-text", "f5d6a1")
    page.click("#open-done")
    expect(page.get_by_role("alert")).to_contain_text("a1")
    expect(page.locator("#open-text")).to_have_attribute("aria-invalid", "true")
    witness.refusals -= 1


@pytest.mark.parametrize("format", ["transcript", "obf", "ggf", "sgf", "json"])
def test_games_are_given_in_formats_that_are_read_again(
    format: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(moves=OPENING, white="person")
    page.click("#share")
    page.click(f"[data-format={format}]")
    expect(page.locator("#share-text")).not_to_have_value(re.compile("^http"))
    text = page.locator("#share-text").input_value()
    assert reversi.parse_any(text).board == Board.from_transcript(OPENING)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert Path(download.value.path()).read_text() == text


def test_what_is_given_says_where_branches_are_left_out(open_page: Callable[..., Page]) -> None:
    page = open_page(moves=OPENING, white="person")
    left_out = page.get_by_role("dialog").get_by_text("without branches")
    page.click("#share")
    expect(page.get_by_role("dialog")).to_contain_text("the whole game")
    expect(left_out).to_have_count(0)
    page.keyboard.press("Escape")
    page.click("#first")
    square(page, "d3").click()
    page.click("#share")
    expect(left_out).to_be_visible()


def test_a_link_reopens_the_position(witness: Witness) -> None:
    page = witness.open(
        moves=OPENING, white="level-7-classic-2", permissions=["clipboard-read", "clipboard-write"]
    )
    rows(page).nth(5).click()
    expect(page.locator("tr.current .number")).to_have_text("6")
    page.click("#share")
    page.click("#copy")
    expect(page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(witness.address)
    other = witness.open()
    other.goto(link)
    shows(other, Board.from_transcript(OPENING[:12]))
    expect(rows(other)).to_have_count(10)
    expect(other.locator("#card-white")).to_contain_text("Engine · level 7")


def test_a_link_shows_nothing_to_play_until_its_game_is_there(witness: Witness) -> None:
    held: list[Route] = []
    page = witness.open()
    link = page.url.split("#")[0] + "#moves=f5d6c3&black=person&white=person"
    page.goto("about:blank")
    page.route("**/api/position", lambda route: held.append(route))
    page.goto(link)
    expect(page.locator("#new-game")).to_contain_text("New game")
    assert legal(page) == set() and page.locator(".card.turn").count() == 0
    square(page, "f5").click()
    page.click("#language")
    assert page.url == link
    held[0].continue_()
    expect(page.locator(".card.turn")).to_have_count(1)
    shows(page, Board.from_transcript("f5d6c3"))


def test_a_link_followed_while_the_editor_comes_is_what_is_shown(witness: Witness) -> None:
    held: list[Route] = []
    page = witness.open(black="person", white="person")
    page.route("**/editor.js", lambda route: held.append(route))
    page.click("#edit")
    page.evaluate("location.hash = '#moves=f5d6'")
    expect(page.locator("tr[data-node]")).to_have_count(2)
    held[0].continue_()
    page.wait_for_load_state("networkidle")
    assert not page.locator("#editor").is_visible()
    page.unroute("**/editor.js")
    page.click("#edit")
    expect(page.locator("#editor")).to_be_visible()
    page.evaluate("location.hash = '#moves=f5d6c3'")
    expect(page.locator("tr[data-node]")).to_have_count(3)
    expect(page.locator("#editor")).to_be_hidden()


def test_a_bad_link_opens_the_usual_start(witness: Witness) -> None:
    page = witness.open(moves="f5a1")
    expect(page.locator("#toast")).to_contain_text("a1")
    shows(page, Board())
    witness.refusals -= 1


def test_the_editor_places_discs(open_page: Callable[..., Page]) -> None:
    page = open_page(white="person")
    page.click("#edit")
    page.click("#editor-clear")
    expect(page.locator("#editor [role=alert]")).to_have_text(
        "Neither side can move on this board."
    )
    expect(page.locator("#editor-done")).to_be_disabled()
    square(page, "d4").click()
    page.locator("#editor label", has_text="White").first.click()
    square(page, "e4").click()
    square(page, "h8").click()
    square(page, "h8").click()
    expect(page.locator("#editor-done")).to_be_enabled()
    page.click("#editor-done")
    board = Board.from_bitboards(black=1 << 27, white=1 << 28)
    shows(page, board)
    assert legal(page) == {"f4"}


def test_the_editor_takes_a_board_as_text(open_page: Callable[..., Page]) -> None:
    page = open_page(white="person")
    page.click("#edit")
    page.fill("#editor-obf", CHOICE)
    page.press("#editor-obf", "Enter")
    shows(page, Board.from_obf(CHOICE))
    page.click("#editor-done")
    expect(page.locator("#status-main")).to_have_text("White to move")


def test_the_editor_takes_the_board_that_was_seen(open_page: Callable[..., Page]) -> None:
    page = open_page(white="time-1000-pattern-1")
    held: list[Route] = []
    page.route("**/editor.js", lambda route: held.append(route))
    square(page, "f5").click()
    expect(page.locator("#status-main")).to_have_text("White is thinking")
    page.click("#edit")
    expect(rows(page)).to_have_count(2)
    held[0].continue_()
    board = Board.from_transcript("f5")
    expect(page.locator("#editor-obf")).to_have_value(board.obf())
    shows(page, board)


def test_the_editor_can_be_left(open_page: Callable[..., Page]) -> None:
    page = open_page(moves=OPENING)
    page.click("#edit")
    page.click("#editor-clear")
    page.click("#editor-cancel")
    shows(page, Board.from_transcript(OPENING))
    expect(page.locator("#status-main")).to_have_text("Black to move")
    expect(page.locator("#continue")).to_be_hidden()


def test_sides_are_chosen_for_a_new_game(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.click("#new-game")
    black = page.get_by_role("group", name="Black")
    black.get_by_role("radio", name="Engine").check()
    black.get_by_role("radio", name="Level").check()
    black.get_by_role("slider").fill("3")
    expect(black.locator(".side-note")).to_contain_text("weaker move")
    page.get_by_role("group", name="White").get_by_role("radio", name="Person").check()
    page.click("#sides-done")
    expect(page.locator("#card-black")).to_contain_text("Engine · level 3")
    expect(rows(page)).to_have_count(1)
    expect(page.locator("#status-main")).to_have_text("White to move")
