"""Playing on the page, against persons and engines: a real server, a real browser."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable

from commandline import CHOICE, PATIENCE_S
from webserver import need_the_extra, running

from reversi import Board, Engine

need_the_extra("playwright")
from playwright.sync_api import Browser, Page, expect  # noqa: E402
from webpage import (  # noqa: E402
    MINUS,
    OPENING,
    WIPEOUT,
    Witness,
    cells,
    legal,
    row_texts,
    rows,
    said,
    shows,
    signed,
    square,
)

pytest_plugins = ("pagefixtures",)

# Black has no move and passes; white has two.
PASSES = "OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X"


def test_a_page_opens_on_the_start(open_page: Callable[..., Page]) -> None:
    page = open_page()
    shows(page, Board())
    expect(page.locator("#status-main")).to_have_text("Black to move")
    assert legal(page) == {"d3", "c4", "f5", "e6"}
    expect(page.locator("#card-white")).to_contain_text("Engine · 4 s")
    expect(page.locator("#card-black")).to_contain_text("Person")


def test_a_whole_game_against_the_engine(open_page: Callable[..., Page]) -> None:
    page = open_page(black="person", white="level-1-pattern-1", reduced_motion="reduce")
    for _ in range(60):
        page.wait_for_function(
            """() => document.querySelector("#status.ended, .can-play .cell.legal")"""
        )
        if page.locator("#status.ended").count():
            break
        page.locator(".can-play .cell.legal").first.click()
        page.wait_for_function("() => !document.querySelector('.can-play .cell.legal')")
    moves = page.locator("#moves-body .row-move").all_inner_texts()
    board = Board()
    for move in moves:
        board.push(move)
    outcome = board.outcome()
    assert outcome is not None
    shows(page, board)
    score = page.locator("#status-more")
    expect(score).to_contain_text(f"disc score {signed(outcome.discs)},")
    expect(score).to_contain_text(f"tournament score {signed(outcome.tournament)}")
    more, less = sorted((outcome.black_discs, outcome.white_discs), reverse=True)
    expect(page.locator("#status-main")).to_contain_text(f"{more} to {less}")
    assert f"{more} to {less}" in said(page)


def test_two_engines_play_by_themselves(open_page: Callable[..., Page]) -> None:
    engine = "level-2-classic-1"
    page = open_page(start=CHOICE, black=engine, white=engine)
    expect(page.locator("#status.ended")).to_be_visible()
    texts = [row_texts(page, number) for number in range(1, rows(page).count() + 1)]
    assert all(text[2] == "Engine" for text in texts)


def test_undo_and_redo_go_by_the_persons_turns(open_page: Callable[..., Page]) -> None:
    page = open_page(white="level-1-pattern-1")
    square(page, "f5").click()
    expect(rows(page)).to_have_count(2)
    page.wait_for_selector(".can-play .cell.legal")
    after = cells(page)
    page.keyboard.press("Control+z")
    shows(page, Board())
    assert legal(page) == {"d3", "c4", "f5", "e6"}
    page.click("#redo")
    expect(page.locator("tr.current .number")).to_have_text("2")
    assert cells(page) == after
    page.click("#first")
    shows(page, Board())
    page.click("#last")
    expect(page.locator("tr.current .number")).to_have_text("2")


def test_a_finished_game_is_walked_through_move_by_move(open_page: Callable[..., Page]) -> None:
    page = open_page(moves=WIPEOUT)
    expect(page.locator("#status-main")).to_have_text("Black wins, 13 to 0")
    expect(page.locator("#status-more")).to_contain_text("disc score +13, tournament score +64")
    for number in range(len(WIPEOUT) // 2 - 1, -1, -1):
        page.click("#undo")
        shows(page, Board.from_transcript(WIPEOUT[: 2 * number]))
    expect(page.locator("#undo")).to_be_disabled()


def test_branches_are_kept(open_page: Callable[..., Page]) -> None:
    page = open_page(moves="f5d6c3", white="person")
    page.click("#undo")
    square(page, "c4").click()
    shows(page, Board.from_transcript("f5d6c4"))
    branch = page.get_by_role("button", name="Branch 3. c3")
    branch.click()
    shows(page, Board.from_transcript("f5d6c3"))
    page.get_by_role("button", name="Branch 3. c4").click()
    shows(page, Board.from_transcript("f5d6c4"))


def test_a_pass_is_announced_and_gets_a_row(open_page: Callable[..., Page]) -> None:
    page = open_page(start=PASSES, white="person")
    expect(page.locator("#toast")).to_have_text("Black has no move and passes")
    assert "Black has no move and passes" in said(page)
    expect(rows(page)).to_have_count(1)
    assert row_texts(page, 1)[3] == "pass"
    expect(page.locator("#status-main")).to_have_text("White to move")
    assert legal(page) == {"g5", "h6"}


def test_an_illegal_square_plays_nothing(open_page: Callable[..., Page]) -> None:
    page = open_page()
    square(page, "a1").click()
    square(page, "d4").click()
    page.wait_for_timeout(100)
    shows(page, Board())
    expect(rows(page)).to_have_count(0)


# --- The engine at work -------------------------------------------------------------------------


def test_the_row_of_a_thinking_engine_is_alive(open_page: Callable[..., Page]) -> None:
    page = open_page(white="time-2500-pattern-1")
    square(page, "f5").click()
    live = page.locator("#moves-body tr.live")
    expect(live.locator(".depth")).to_have_text(re.compile(r"\d+"))
    # Both cells of one moment, and both of a later one: steps come fast.
    cells = (
        "['.depth', '.elapsed'].map(name => document.querySelector(`tr.live ${name}`)?.innerText)"
    )
    before = page.evaluate(cells)
    later = page.wait_for_function(
        f"depth => {{ const now = {cells}; return Number(now[0]) > depth && now; }}",
        arg=int(before[0]),
    ).json_value()
    assert later[1] != before[1]
    expect(page.locator("#line-moves")).to_have_text(re.compile(r"([a-h][1-8] ?)+"))
    expect(page.locator("#status-main")).to_have_text("White is thinking")
    expect(rows(page)).to_have_count(2)
    expect(live).to_have_count(0)
    number, _side, source, move, depth, nodes, nps, elapsed, score = row_texts(page, 2)
    assert (number, source) == ("2", "Engine")
    assert move in ("d6", "f4", "f6")
    assert int(depth) >= int(later[0])
    assert re.fullmatch(r"\d+(\.\d)?[kM]", nodes)
    assert re.fullmatch(r"\d+(\.\d)?[kM]", nps)
    assert re.fullmatch(r"\d\.\d\d s", elapsed)
    assert re.fullmatch(rf"[+{MINUS}]?\d+\.\d\d", score)


def test_a_row_that_is_clicked_shows_its_position(open_page: Callable[..., Page]) -> None:
    page = open_page(moves=OPENING)
    rows(page).nth(3).click()
    shows(page, Board.from_transcript(OPENING[:8]))
    expect(page.locator("tr.current .number")).to_have_text("4")
    assert "at=4" in page.url


def test_a_solved_row_bears_the_final_difference(open_page: Callable[..., Page]) -> None:
    page = open_page(start=CHOICE, white="level-10-pattern-1")
    expect(rows(page)).to_have_count(1)
    value = Engine().solve(Board.from_obf(CHOICE)).value
    expect(rows(page).first.locator(".score .solved")).to_contain_text(f"+{value}")
    assert "(solved)" in rows(page).first.inner_text()


def test_an_engine_is_stopped_in_mid_thought(open_page: Callable[..., Page]) -> None:
    page = open_page(white="time-60000-pattern-1")
    square(page, "f5").click()
    expect(page.locator("tr.live .depth")).to_have_text(re.compile(r"\d+"))
    page.click("#stop")
    expect(page.locator("tr.live")).to_have_count(0)
    expect(page.locator("#status-more")).to_have_text("The engine waits")
    # The move is now anybody's; afterwards it is black's turn, a person's.
    square(page, "d6").click()
    shows(page, Board.from_transcript("f5d6"))
    assert row_texts(page, 2)[2] == "Person"
    expect(page.locator("#status-main")).to_have_text("Black to move")
    expect(page.locator("#continue")).to_be_hidden()


def test_an_engine_moves_when_it_is_told_to(open_page: Callable[..., Page]) -> None:
    page = open_page(white="time-60000-pattern-1")
    square(page, "f5").click()
    page.click("#stop")
    page.click("#continue")
    expect(page.locator("tr.live .depth")).to_have_text(re.compile(r"\d+"))
    page.click("#move-now")
    expect(rows(page)).to_have_count(2)
    assert row_texts(page, 2)[2] == "Engine"


def test_a_full_server_is_waited_for(browser: Browser) -> None:
    with running("--searches", "1") as server:
        witness = Witness(browser, server.address)
        page = witness.open(white="level-4-pattern-1")
        body = b'{"limit": {"time_ms": 60000}}'
        with socket.create_connection(server.place) as other:
            host, port = server.place
            head = (
                f"POST /api/search/stream HTTP/1.1\r\nHost: {host}:{port}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            other.sendall(head.encode() + body)
            assert other.recv(100).startswith(b"HTTP/1.1 200")
            square(page, "f5").click()
            expect(page.locator("#status-more")).to_contain_text("The server is busy")
        expect(rows(page)).to_have_count(2)
        assert witness.complaints == []
        witness.contexts[0].close()


def test_a_server_that_allows_less_is_asked_for_less(browser: Browser) -> None:
    with running("--max-time-ms", "200", "--max-threads", "1") as server:
        witness = Witness(browser, server.address)
        page = witness.open(black="time-4000-pattern-8")
        expect(page.locator("#card-black")).to_contain_text("0.2 s")
        expect(rows(page)).to_have_count(1)
        page.locator("#hints").click()
        expect(page.locator(".hinted")).not_to_have_count(0)
        witness.contexts[0].close()
        page = witness.open()
        expect(page.locator("#card-white")).to_contain_text("0.2 s")
        assert (witness.complaints, witness.refusals) == ([], 0)
        witness.contexts[1].close()


def test_a_server_that_is_gone_is_told_of(browser: Browser) -> None:
    with running() as server:
        witness = Witness(browser, server.address)
        page = witness.open(white="person")
        server.process.terminate()
        server.process.wait(PATIENCE_S)
        square(page, "f5").click()
        expect(page.locator("#status-main")).to_contain_text("The server does not answer")
        assert all("ERR_CONNECTION" in text for text in witness.complaints)
        witness.contexts[0].close()


def test_rooms_that_did_not_come_are_asked_for_again(browser: Browser) -> None:
    with running() as server:
        witness = Witness(browser, server.address)
        page = witness.open(white="person")
    for press in ("#terms summary", "#new-game", "#open", "#edit", "#share"):
        page.evaluate("document.querySelector('#toast').hidden = true")
        page.click(press)
        expect(page.locator("#toast")).to_contain_text("did not come")
    assert page.locator("dialog, details[open], #editor:visible").count() == 0
    with running("--port", str(server.place[1])):
        page.click("#terms summary")
        expect(page.locator("#terms-body table")).to_be_visible()
        for press in ("#new-game", "#open", "#share"):
            page.click(press)
            expect(page.get_by_role("dialog")).to_be_visible()
            page.keyboard.press("Escape")
        page.click("#edit")
        expect(page.locator("#editor-done")).to_be_enabled()
    assert all("ERR_CONNECTION" in text for text in witness.complaints)
    witness.contexts[0].close()
