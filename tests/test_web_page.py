"""The page as people meet it: a real server, a real browser. Skipped where there is no browser."""

from __future__ import annotations

import re
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from commandline import CHOICE, PATIENCE_S, START, WORKED
from webserver import Server, need_the_extra, running

import reversi
from reversi import Board, Engine, square_name
from reversi.web import pages

need_the_extra("playwright")
from playwright.sync_api import (  # noqa: E402
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    expect,
    sync_playwright,
)

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PROGRAM = next(filter(None, map(shutil.which, BROWSERS)), None)
pytestmark = pytest.mark.skipif(PROGRAM is None, reason=f"needs a browser: {', '.join(BROWSERS)}")

# Black has no move and passes; white has two.
PASSES = "OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X"
# White to move and win by 24 with f1; then black has two moves that cost much.
BLUNDERS = "O--XO-XOXXXXXXO-XXXXXXX-XOXXXXXOXOOXOXX-XOOXOOXOX-OOOXOO-XO-O-OO O"
WIPEOUT = "e6f4e3f6g5d6e7f5c5"
OPENING = "f5d6c3d3c4f4f6f3e6e7"
MINUS = "\N{MINUS SIGN}"
STATIC = Path(pages.__file__).parent / "static"

expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running("--searches", "3", "--max-threads", "2") as it:
        yield it


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        it = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield it
        it.close()


class Witness:
    """Opens pages, and bears witness of what no page may do: complain, or ask another host."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.complaints: list[str] = []
        self.refusals = 0  # answers of 4xx, which the browser writes to the console by itself
        self.foreign: list[str] = []
        self.contexts: list[BrowserContext] = []

    def open(self, *, width: int = 1280, height: int = 800, **wishes: object) -> Page:
        """A page in a fresh browser context; what names no option of it stands in the link."""
        options = {name: wishes.pop(name) for name in list(wishes) if name in OPTIONS}
        size = {"width": width, "height": height}
        context = self.browser.new_context(viewport=size, **{"locale": "en-US", **options})
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._look)
        page.goto(self.address + ("#" + urlencode(wishes) if wishes else ""))
        expect(page.locator(".card.turn, .ended")).to_have_count(1)
        return page

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            if "status of 4" in message.text:
                self.refusals += 1
            else:
                self.complaints.append(message.text)

    def _look(self, request: Request) -> None:
        if urlsplit(request.url).netloc not in ("", urlsplit(self.address).netloc):
            self.foreign.append(request.url)


OPTIONS = ("locale", "color_scheme", "reduced_motion", "has_touch", "permissions")


@pytest.fixture
def witness(browser: Browser, server: Server) -> Iterator[Witness]:
    it = Witness(browser, server.address)
    yield it
    for context in it.contexts:
        context.close()
    assert it.complaints == []
    assert it.foreign == []
    assert it.refusals == 0


@pytest.fixture
def open_page(witness: Witness) -> Callable[..., Page]:
    return witness.open


def cells(page: Page) -> str:
    """The board that is seen, as OBF writes its cells."""
    script = """cells => cells.map(cell => cell.matches(".black") ? "X"
        : cell.matches(".white") ? "O" : "-").join("")"""
    return page.locator(".cell").evaluate_all(script)


def legal(page: Page) -> set[str]:
    squares = page.locator(".can-play .cell.legal")
    return set(squares.evaluate_all("cells => cells.map(cell => cell.dataset.square)"))


def shows(page: Page, board: Board) -> None:
    """Wait until the page shows this board."""
    wanted = board.obf().split()[0]
    deadline = time.monotonic() + 20
    while cells(page) != wanted and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    assert cells(page) == wanted


def square(page: Page, name: str) -> Locator:
    return page.locator(f"[data-square={name}]")


def rows(page: Page) -> Locator:
    return page.locator("#moves-body tr[data-node]")


def row_texts(page: Page, number: int) -> list[str]:
    return rows(page).nth(number - 1).locator("td").all_inner_texts()


def said(page: Page) -> str:
    return " ".join(page.locator("#announcer p").all_inner_texts())


# --- Playing ------------------------------------------------------------------------------------


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


def signed(number: float) -> str:
    return f"{number:+d}".replace("-", MINUS) if number else "0"


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
    before = int(live.locator(".depth").inner_text()), live.locator(".elapsed").inner_text()
    page.wait_for_function(
        "depth => Number(document.querySelector('tr.live .depth')?.innerText) > depth",
        arg=before[0],
    )
    assert live.locator(".elapsed").inner_text() != before[1]
    expect(page.locator("#line-moves")).to_have_text(re.compile(r"([a-h][1-8] ?)+"))
    expect(page.locator("#status-main")).to_have_text("White is thinking")
    expect(rows(page)).to_have_count(2)
    expect(live).to_have_count(0)
    number, _side, source, move, depth, nodes, nps, elapsed, score = row_texts(page, 2)
    assert (number, source) == ("2", "Engine")
    assert move in ("d6", "f4", "f6")
    assert int(depth) >= before[0]
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


# --- Hints, values, terms -----------------------------------------------------------------------


def hint_of(cell: Locator) -> float:
    return float(cell.locator("text").text_content().replace(MINUS, "-"))


def test_hints_stand_on_every_legal_square(open_page: Callable[..., Page]) -> None:
    page = open_page(moves=OPENING, white="person")
    page.click("#hints")
    hinted = page.locator(".cell.hinted")
    expect(hinted).to_have_count(len(Board.from_transcript(OPENING).legal_moves))
    expect(page.locator("#status-more")).to_contain_text("Values of the moves")
    values = {cell.get_attribute("data-square"): hint_of(cell) for cell in hinted.all()}
    best = page.locator(".cell.hinted.best").first.get_attribute("data-square")
    assert best is not None
    assert values[best] == max(values.values())
    assert page.locator(".cell.hinted.best .hint.worth-0").count() >= 1
    assert ", best" in (square(page, best).get_attribute("aria-label") or "")
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
    best = max(values, key=lambda move: values[move])
    assert page.locator("#line-moves").inner_text().split()[0] == best
    expect(page.locator(".graph-mark.blunder")).to_have_count(1)


# --- Games from elsewhere, and to elsewhere -----------------------------------------------------


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


def test_a_link_reopens_the_position(witness: Witness) -> None:
    page = witness.open(
        moves=OPENING, white="level-7-classic-2", permissions=["clipboard-read", "clipboard-write"]
    )
    rows(page).nth(5).click()
    expect(page.locator("tr.current .number")).to_have_text("6")
    page.click("#share")
    page.click("#copy")
    expect(page.locator("#toast")).to_have_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(witness.address)
    other = witness.open()
    other.goto(link)
    shows(other, Board.from_transcript(OPENING[:12]))
    expect(rows(other)).to_have_count(10)
    expect(other.locator("#card-white")).to_contain_text("Engine · level 7")


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


# --- Everyone's page ----------------------------------------------------------------------------


def test_a_game_by_keyboard_alone(open_page: Callable[..., Page]) -> None:
    page = open_page(white="person")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("aria-label", "d3, empty, legal")
    page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("aria-label", "d4, White")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    shows(page, Board.from_transcript("f5"))
    expect(focused).to_have_attribute("aria-label", "f5, Black")
    assert "Black plays f5 and turns 1" in said(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    shows(page, Board.from_transcript("f5f6"))
    page.keyboard.press("Home")
    expect(focused).to_have_attribute("aria-label", "a6, empty")
    page.keyboard.press("Control+End")
    expect(focused).to_have_attribute("aria-label", "h8, empty")
    page.keyboard.press("Control+z")
    shows(page, Board.from_transcript("f5"))


def test_rows_and_dialogs_by_keyboard(open_page: Callable[..., Page]) -> None:
    page = open_page(moves=OPENING, white="person")
    page.locator("tr.current .row-move").focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    shows(page, Board.from_transcript(OPENING[:14]))
    page.locator("#new-game").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    shows(page, Board())


@pytest.mark.parametrize("width", [320, 380, 768, 1280])
def test_any_width_shows_everything(width: int, open_page: Callable[..., Page]) -> None:
    page = open_page(width=width, start=CHOICE, white="level-10-pattern-1", has_touch=True)
    expect(rows(page)).to_have_count(1)
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) <= 0
    table = page.evaluate(
        "(box => box.scrollWidth - box.clientWidth)(document.querySelector('#moves'))"
    )
    assert table <= 0
    page.wait_for_selector(".can-play .cell.legal")
    page.locator(".can-play .cell.legal").first.tap()
    expect(rows(page)).not_to_have_count(1)


def test_chinese_is_chosen_from_the_browser_and_switched(open_page: Callable[..., Page]) -> None:
    page = open_page(locale="zh-CN")
    expect(page.locator("#status-main")).to_have_text("轮到黑方")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    assert page.title() == "黑白棋"
    page.click("#language")
    expect(page.locator("#status-main")).to_have_text("Black to move")
    page.reload()
    expect(page.locator("#status-main")).to_have_text("Black to move")
    page.click("#language")
    expect(page.locator("#new-game")).to_have_text("新对局")


def test_both_languages_say_the_same(open_page: Callable[..., Page]) -> None:
    english, chinese = (
        dict(re.findall(r'^  (\w+): "(.*)",$', (STATIC / "js" / name).read_text(), re.MULTILINE))
        for name in ("en.js", "zh.js")
    )
    assert english.keys() == chinese.keys()
    for key, words in english.items():
        assert set(re.findall(r"\{\w+\}", words)) == set(re.findall(r"\{\w+\}", chinese[key])), key


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_the_systems_until_it_is_switched(
    scheme: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(color_scheme=scheme)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    colours = {"light": "rgb(245, 244, 240)", "dark": "rgb(18, 22, 21)"}
    assert page.evaluate(ground) == colours[scheme]
    page.click("#theme")
    assert page.evaluate(ground) == colours["light"]
    page.click("#theme")
    assert page.evaluate(ground) == colours["dark"]
    page.reload()
    assert page.evaluate(ground) == colours["dark"]


def test_discs_turn_at_once(open_page: Callable[..., Page]) -> None:
    page = open_page(white="person")
    turned = page.evaluate("""() => {
        const click = new MouseEvent("click", {bubbles: true});
        document.querySelector("[data-square=f5]").dispatchEvent(click);
        const turning = document.querySelector(".cell.turning");
        return [turning.dataset.square, turning.matches(".black")];
    }""")
    assert turned == ["e5", True]


def test_reduced_motion_is_respected(open_page: Callable[..., Page]) -> None:
    page = open_page(white="person", reduced_motion="reduce")
    duration = page.evaluate("""() => {
        const click = new MouseEvent("click", {bubbles: true});
        document.querySelector("[data-square=f5]").dispatchEvent(click);
        return getComputedStyle(document.querySelector(".turning .disc")).animationDuration;
    }""")
    assert float(duration.removesuffix("s")) < 0.001
    shows(page, Board.from_transcript("f5"))


def check_with_axe(page: Page, state: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.wait_for_timeout(200)  # dialogs have appeared
    found = axe.run(page)
    assert found.violations_count == 0, f"{state}: {found.generate_report()}"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 380)])
def test_axe_finds_no_violation(scheme: str, width: int, open_page: Callable[..., Page]) -> None:
    page = open_page(width=width, moves=OPENING, white="time-60000-pattern-1", color_scheme=scheme)
    page.click("#hints")
    expect(page.locator(".cell.hinted").first).to_be_visible()
    page.click("#terms summary")
    expect(page.locator("#terms-body table")).to_be_visible()
    check_with_axe(page, "hints and terms")
    page.click("#undo")
    page.locator(".can-play .cell.legal").first.click()
    expect(page.locator("tr.live .depth")).to_have_text(re.compile(r"\d+"))
    check_with_axe(page, "thinking, with a branch")
    page.click("#stop")
    rows(page).nth(2).click()
    check_with_axe(page, "an earlier position")
    for name in ("new-game", "open", "share"):
        page.click(f"#{name}")
        check_with_axe(page, name)
        page.keyboard.press("Escape")
    page.click("#edit")
    page.click("#editor-clear")
    check_with_axe(page, "editor")
    page.click("#editor-cancel")
    other = open_page(width=width, moves=WIPEOUT, color_scheme=scheme, locale="zh-CN")
    check_with_axe(other, "ended, in Chinese")


def test_the_page_weighs_under_200_kb() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 200_000
