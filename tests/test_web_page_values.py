"""Hints, solving, terms, graph and analysis on the page: a real server, a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

from commandline import CHOICE, WORKED
from webserver import need_the_extra

import reversi
from reversi import Board, Engine

need_the_extra("playwright")
from playwright.sync_api import Page, expect  # noqa: E402
from webpage import (  # noqa: E402
    BLUNDERS,
    OPENING,
    legal,
    row_texts,
    rows,
    signed,
    square,
)

pytest_plugins = ("pagefixtures",)


# All at one time: the values go on deepening.
SEEN = """() => [...document.querySelectorAll(".cell.hinted")].map(cell => ({
    square: cell.dataset.square,
    value: Number(cell.querySelector("text").textContent.replace("\u2212", "-")),
    best: cell.matches(".best"),
    worth: cell.querySelector(".hint").getAttribute("class"),
    label: cell.getAttribute("aria-label"),
}))"""


def test_hints_stand_on_every_legal_square(open_page: Callable[..., Page]) -> None:
    page = open_page(moves=OPENING, white="person")
    page.click("#hints")
    hinted = page.locator(".cell.hinted")
    expect(hinted).to_have_count(len(Board.from_transcript(OPENING).legal_moves))
    expect(page.locator("#status-more")).to_contain_text("Values of the moves")
    seen = page.evaluate(SEEN)
    assert {one["square"] for one in seen} == legal(page)
    highest = max(one["value"] for one in seen)
    best = [one for one in seen if one["best"]]
    assert best
    for one in best:
        assert one["value"] == highest
        assert one["worth"] == "hint worth-0"
        assert one["label"].endswith(", best")
    page.click("#hints")
    expect(hinted).to_have_count(0)


def test_solving_gives_every_move_its_exact_value(open_page: Callable[..., Page]) -> None:
    page = open_page(start=CHOICE, white="person")
    solution = Engine().solve(Board.from_obf(CHOICE), every_move=True)
    page.click("#solve")
    for move, value in solution.values.items():
        expect(square(page, move).locator(".hint-text")).to_have_text(signed(value))
    winner = f"White wins by {solution.value} with best play"
    expect(page.locator("#status-more")).to_contain_text(winner)
    best = page.locator(".cell.best").evaluate_all("cells => cells.map(c => c.dataset.square)")
    assert set(best) == set(solution.best_moves)


def test_solving_is_offered_near_the_end_only(open_page: Callable[..., Page]) -> None:
    page = open_page(white="person")
    expect(page.locator("#solve")).to_be_disabled()


def test_the_eight_terms_are_shown_on_request(open_page: Callable[..., Page]) -> None:
    page = open_page(start=WORKED, white="person", black="person")
    page.click("#terms summary")
    terms = reversi.evaluate(Board.from_obf(WORKED))
    table = page.locator("#terms-body table")
    for name, value in (
        ("Squares", terms.positional),
        ("Mobility", terms.mobility),
        ("Frontier", -terms.frontier),
        ("Danger", -terms.danger),
        ("Total", terms.total),
    ):
        row = table.locator("tr", has=page.get_by_role("rowheader", name=name, exact=True))
        expect(row.locator("td").first).to_have_text(signed(value))
    expect(table.locator("tr")).to_have_count(10)


def test_the_graph_marks_blunders_and_leads_to_them(open_page: Callable[..., Page]) -> None:
    page = open_page(start=BLUNDERS, white="level-10-pattern-1")
    expect(rows(page)).to_have_count(1)
    page.wait_for_selector(".can-play .cell.legal")
    board = Board.from_obf(BLUNDERS)
    board.push(row_texts(page, 1)[3])
    values = Engine().solve(board, every_move=True).values
    worst = min(values, key=lambda move: values[move])
    assert max(values.values()) - values[worst] >= 8
    square(page, worst).click()
    expect(page.locator(".graph-mark.blunder")).to_have_count(1)
    expect(page.locator("#graph svg")).to_have_attribute("aria-label", re.compile("blunder"))
    assert "blunder" in rows(page).nth(1).inner_text()
    page.locator(".graph-mark.blunder").click()
    expect(page.locator("tr.current .number")).to_have_text("2")


def test_a_game_is_analysed(open_page: Callable[..., Page]) -> None:
    start = Board.from_obf(BLUNDERS)
    # White plays its best move, and black the worst.
    game = reversi.Game(start)
    game.push(Engine().solve(start).best_move)
    values = Engine().solve(game.board, every_move=True).values
    game.push(min(values, key=lambda move: values[move]))
    page = open_page(start=BLUNDERS, moves=game.transcript(), white="person")
    page.click("#analyse")
    expect(page.locator("tr.current .score")).to_contain_text("??")
    expect(page.locator("#analysis-progress")).to_be_empty()
    for number, move in enumerate(reversi.analyse_game(game).moves, start=1):
        assert signed(int(move.value)) in row_texts(page, number)[8]
    expect(page.locator("#line-label")).to_have_text("Better")
    shown = page.locator("#line-moves").inner_text().split()[0]
    assert values[shown] == max(values.values())
    expect(page.locator(".graph-mark.blunder")).to_have_count(1)


def test_an_analysis_ends_with_its_game(open_page: Callable[..., Page]) -> None:
    page = open_page(moves=OPENING, white="person")
    page.click("#analyse")
    expect(page.locator("#analyse")).to_have_text("Stop")
    page.click("#new-game")
    page.click("#sides-done")
    expect(page.locator("#analyse")).to_have_text("Analyse")
    expect(page.locator("#analysis-progress")).to_be_empty()
