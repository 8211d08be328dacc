"""The moves of a game beside the best ones: judged again by plain solves, drawn, written."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import networks
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st

import reversi
from reversi import (
    BLACK,
    PASS,
    Board,
    Certainty,
    Color,
    Engine,
    Game,
    Limit,
    analyse_game,
    square_name,
)
from reversi.analysis import (
    GameAnalysis,
    MoveAnalysis,
    Tally,
    analyse_moves,
    graph_svg,
    html_page,
    plot,
    write_png,
)
from reversi.analysis.graph import Graph
from reversi.analysis.results import curve
from reversi.analysis.texts import ending, value_text
from reversi.formats import read_games, write_games
from reversi.weights import write_weights

# Passes in it, mistakes of both sides, and a mean end.
GAME = (
    "d3e3f6c3f4f5e2d6c6f3c2d2d7e6f7f2c4c7d1d8e1c1b1e7g4g8f1g5h6h4h5h7g6b6b7c5f8e8c8g2g3g7h8b5a7a6"
    "g1h1b4a8b8a1h3b2b3a3h2a5a4a2"
)
EARLY_END = "e6f4e3f6g5d6e7f5c5"
PASS_IN_THE_OPENING = "d3c3b3b2f5a3a1c1"
ONE_PASS = "OOOXXXXOOOOOOOOOOOOOOXOXOOOOXOXXOOOOXX-XOOOOOXX-OOXXXOXXOOOOOOOO X"
DOCS = Path(__file__).parents[1] / "docs" / "analysis.md"


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mb=1) as made:
        yield made


@pytest.fixture(scope="module")
def analysis(engine) -> GameAnalysis:
    headers = {
        "black": "Ann <script>alert(1)</script>",
        "white": '"Bob" & \N{LATIN SMALL LETTER E WITH ACUTE}',
        "event": "<img src=https://example.org/x.png>",
    }
    game = Game.from_transcript(GAME, headers=headers)
    nodes = list(game.main_line())
    nodes[3].comment = "<script>alert(2)</script>"
    game.root.comment = "</style><b>all</b>"
    return analyse_game(game, Limit(depth=5), exact_empties=12, engine=engine)


def check(moves: list[MoveAnalysis], game: Game) -> None:
    """What holds of every move, whatever was searched."""
    boards = list(game.boards())
    for move in moves:
        board = boards[move.number - 1]
        assert move.side is board.turn
        assert move.move == square_name(game.moves[move.number - 1])
        assert (move.empties, move.choices) == (board.empties, len(board.legal_moves))
        assert -64 <= move.value <= move.best_value <= 64
        assert move.best_moves[0] == move.line[0]
        assert len(set(move.best_moves)) == len(move.best_moves)
        for name in move.line:
            assert name in board.legal_moves
            board.push(name)
        if move.move == "pass":
            assert move.loss is None and move.best_moves == ("pass",)
        else:
            assert move.loss == move.best_value - move.value
            assert (move.loss == 0) == (move.move in move.best_moves)
        if move.choices == 1:
            assert move.value == move.best_value and not move.loss
        for value, sure in (
            (move.value, move.certainty),
            (move.best_value, move.best_certainty),
        ):
            assert sure.kind in ("exact", "search")
            assert sure.kind != "exact" or sure.lower == sure.upper == value


# Judging


@settings(max_examples=25)
@given(strategies.games(min_plies=48))
def test_exact_losses_are_those_of_plain_solves(engine, moves):
    game = Game.from_moves(moves)
    boards = list(game.boards())
    found = analyse_game(game, Limit(depth=1), exact_empties=9, engine=engine)
    assert found.complete and [move.number for move in found.moves] == [*range(1, len(moves) + 1)]
    check(found.moves, game)
    solved = [move for move in found.moves if move.empties <= 9]
    assert all(move.exact for move in solved)
    with Engine(hash_mb=1) as other:
        for move in solved:
            board = boards[move.number - 1]
            worth = {}
            for legal in board.legal_moves:
                child = board.copy()
                child.push(legal)
                worth[square_name(legal)] = -other.solve(child).value
            best = max(worth.values())
            assert (move.value, move.best_value) == (worth[move.move], best)
            assert sorted(move.best_moves) == sorted(m for m in worth if worth[m] == best)
            for name in move.line:
                board.push(name)
            assert board.is_game_over()
            sign = 1 if move.side == BLACK else -1
            assert board.outcome().tournament == sign * best


@settings(max_examples=25)
@given(strategies.positions(), st.integers(0, 8), st.integers(0, 2**32))
def test_any_start_and_any_length_is_judged(engine, position, plies, chance):
    cells, turn = position
    game = Game(Board.from_cells(cells, Color(turn)))
    for _ in range(plies):
        legal = list(game.board.legal_moves)
        if not legal:
            break
        game.push(legal[chance % len(legal)])
    found = analyse_game(game, Limit(depth=2), exact_empties=5, engine=engine)
    assert found.complete
    check(found.moves, game)
    assert html_page(found) and graph_svg(found) and found.as_dict()


def test_the_board_that_is_not_over(engine):
    for move, loss in (("g5", None), ("h6", None)):
        game = Game.from_moves([PASS, move], Board.from_obf(ONE_PASS))
        found = analyse_game(game, engine=engine)
        first, second = found.moves
        assert (first.move, first.side, first.value, first.loss) == ("pass", BLACK, -48.0, loss)
        assert second.best_value == 48.0 and second.choices == 2
        assert second.value == -reversi.solve(game.final_board()).value
        assert found.players[0].whole.moves == 0 and found.players[1].whole.choices == 1


def test_a_game_that_ends_early(engine):
    found = analyse_game(Game.from_transcript(EARLY_END), Limit(depth=2), engine=engine)
    last = found.moves[-1]
    assert found.outcome.tournament == 64 and last.empties == 52
    assert (last.value, last.loss, last.line) == (64.0, 0.0, ("c5",))
    assert ending(found) == "black wins, 13 to 0 (+64)"


def test_a_pass_in_the_middle_game_is_worth_what_the_other_side_has(engine):
    game = Game.from_transcript(PASS_IN_THE_OPENING + "pa")
    assert list(game.moves)[-1] == PASS
    last = analyse_game(game, Limit(depth=3), engine=engine).moves[-1]
    assert (last.move, last.loss, last.certainty.kind) == ("pass", None, "search")
    answered = game.copy()
    answered.push(next(iter(game.final_board().legal_moves)))
    *_, passed, reply = analyse_game(answered, Limit(depth=3), engine=engine).moves
    assert passed.value == -reply.best_value
    assert passed.line == ("pass", *reply.line)


def test_no_game_is_worth_more_than_all_discs(tmp_path):
    # An evaluation of 64 discs, and what the move is worth beside it.
    rows, layers = networks.zeros()
    layers[networks.CONSTANT] = 64 * 128
    write_weights(tmp_path / "all.rvw", rows, layers, {})
    game = Game.from_transcript("d3c3b3b2b1a1c4c1c2d2d1e1a2a3f5")
    with Engine(hash_mb=1, weights=tmp_path / "all.rvw") as engine:
        found = analyse_game(game, Limit(depth=1), engine=engine)
        assert min(move.value for move in found.moves) == -64.0
    check(found.moves, game)
    assert graph_svg(found)


def test_a_game_without_moves_and_a_finished_start(engine):
    for start in (Board(), Board.from_obf("X" * 40 + "O" * 24 + " X")):
        found = analyse_game(Game(start), engine=engine)
        assert found.moves == () and found.complete
        assert found.players[0].whole == Tally.of([])
        assert "<svg" in html_page(found)


def test_the_move_played_and_the_best_are_of_one_search(engine):
    game = Game.from_transcript(GAME[:40])
    found = analyse_game(game, Limit(depth=4), exact_empties=0, engine=engine)
    check(found.moves, game)
    for move in found.moves:
        assert move.certainty == move.best_certainty == Certainty("search", 4, 100)


def test_a_limit_is_what_a_move_may_take():
    game = Game.from_transcript(GAME[:16])
    with Engine(hash_mb=1) as engine:
        found = analyse_game(game, Limit(nodes=4000), exact_empties=0, engine=engine)
    check(found.moves, game)
    assert all(0 < move.certainty.depth < 20 for move in found.moves)


def test_several_threads_judge_as_well():
    game = Game.from_transcript(GAME[:40])
    with Engine(hash_mb=1, threads=2) as engine:
        found = analyse_game(game, Limit(depth=4), engine=engine)
    check(found.moves, game)


def test_it_goes_from_the_end_and_can_be_broken_off(engine):
    game = Game.from_transcript(GAME)
    some = analyse_moves(game, Limit(depth=1), exact_empties=6, engine=engine)
    last = [next(some) for _ in range(5)]
    assert [move.number for move in last] == [62, 61, 60, 59, 58]
    part = GameAnalysis(game, tuple(reversed(last)), Limit(depth=1), 6)
    assert not part.complete
    values = [node.value for node in part.annotated().main_line()]
    assert values[:57] == [None] * 57 and values[57:] == [move.value for move in part.moves]
    assert "<tr" in html_page(part) and Graph.of(part).points[0][0] == 57


def test_progress_is_told(engine):
    told = []
    analyse_game(
        Game.from_transcript("f5d6c3"),
        Limit(depth=1),
        engine=engine,
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_what_cannot_judge_is_refused(engine):
    game = Game.from_transcript("f5")
    with pytest.raises(ValueError, match="level is 4; expected 5 to 60"):
        analyse_game(game, Limit(level=4))
    with pytest.raises(ValueError, match="exact_empties is 61"):
        analyse_game(game, exact_empties=61)
    with (
        Engine(hash_mb=1, evaluator="classic") as classic,
        pytest.raises(ValueError, match="evaluator is 'classic'"),
    ):
        analyse_game(game, engine=classic)
    for text in ("f5d6", None):
        with pytest.raises(TypeError, match=f"game is {text!r}; expected a Game"):
            analyse_game(text)
    with pytest.raises(TypeError, match="limit is 5; expected a Limit"):
        analyse_game(game, 5)
    with pytest.raises(TypeError, match="engine is 5; expected an Engine, or None"):
        analyse_game(game, engine=5)


# Summing up


def made(loss: float | None, choices: int = 3, kind: str = "search") -> MoveAnalysis:
    sure = Certainty(kind, 9, 100)
    best = loss or 0.0
    return MoveAnalysis(1, BLACK, "f5", 20, choices, 0.0, sure, best, sure, ("d3",), ("d3",), loss)


def test_marks_begin_at_their_thresholds():
    marks = [made(loss).mark for loss in (None, 0.0, 1.99, 2.0, 3.99, 4.0, 7.99, 8.0, 64.0)]
    assert marks == [None] * 3 + ["inaccuracy"] * 2 + ["mistake"] * 2 + ["blunder"] * 2


def test_a_tally_counts_choices_and_leaves_out_what_was_forced():
    moves = [made(None, 1), made(0.0, 1), made(0.0), made(0.0), made(3.0), made(9.0)]
    assert Tally.of(moves) == Tally(
        moves=5,
        choices=4,
        best_share=0.5,
        mean_loss=3.0,
        total_loss=12.0,
        inaccuracies=1,
        mistakes=0,
        blunders=1,
    )


def test_players_have_their_names_and_an_exact_part(analysis):
    black, white = analysis.players
    assert (black.side, black.name) == (BLACK, analysis.game.headers["black"])
    assert black.whole.moves + white.whole.moves == 60  # of 62, two are passes
    exact = [move for move in analysis.moves if move.exact and move.side == BLACK]
    assert black.exact == Tally.of(exact)
    assert 0 < black.exact.moves < black.whole.moves


def test_the_curve_is_blacks_and_ends_with_the_result(analysis):
    points = list(curve(analysis.moves))
    assert [number for number, _, _ in points] == [*range(63)]
    assert points[-1] == (62, float(analysis.outcome.tournament), True)
    assert points[0][1] == analysis.moves[0].best_value
    graph = Graph.of(analysis)
    exact = [number for number, _, sure in points if sure]
    assert graph.exact_from == exact[0]
    assert exact == [*range(exact[0], 63)]
    above, below = graph.areas
    assert all(value >= 0 for _, value in above) and all(value <= 0 for _, value in below)
    assert len(above) == len(below) >= len(points)


def test_values_in_words():
    assert value_text(-0.0, Certainty("search", 4, 100)) == "0.00"
    assert value_text(-6.0, Certainty("exact", 4, 100, -6, -6)) == "-6"
    assert value_text(-3.0, Certainty("bound", 4, 73, -64, -2)) == "-3.00 (loss)"
    assert value_text(1.0, Certainty("bound", 4, 73, -2, 6)) == "+1.00 (-2..+6)"


# Files


@pytest.mark.parametrize("ending", ["ggf", "sgf", "json"])
def test_a_judged_game_can_be_saved(analysis, ending, tmp_path):
    path = tmp_path / f"game.{ending}"
    write_games(path, [analysis.annotated()])
    [again] = read_games(path)
    assert [node.value for node in again.main_line()] == [move.value for move in analysis.moves]
    assert all(node.value is None for node in analysis.game.main_line())


def test_every_key_of_the_record_is_documented(analysis):
    text = DOCS.read_text(encoding="utf-8")
    record = analysis.as_dict()
    move, player = record["moves"][0], record["players"][0]
    for part in (record, record["outcome"], move, move["certainty"], player, player["whole"]):
        for key in part:
            assert f"`{key}`" in text, key


class Page(HTMLParser):
    """Reads a page as a browser does, and keeps what it is made of."""

    VOID = ("meta", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name in ("href", "src")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def test_the_page_is_whole_and_its_links_lead_somewhere(analysis):
    page = Page(html_page(analysis))
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    targets = {link.removeprefix("#") for link in page.links}
    assert targets <= set(page.ids)
    assert {f"board-{move.number}" for move in analysis.marked} <= targets
    assert page.tags.count("svg") == 1 + len(analysis.marked) + 1
    assert page.tags.count("h1") == 1
    # A cross and rings on the board of each marked move.
    strokes = [value for name, value in page.attributes if name == "stroke"]
    assert strokes.count("#ff8f73") == strokes.count("#ffe27a") == len(analysis.marked)


def test_the_page_has_nothing_of_other_hosts_and_no_script(analysis):
    text = html_page(analysis)
    page = Page(text)
    assert not {"script", "img", "link", "iframe", "b/"} & set(page.tags)
    assert all(link.startswith("#") for link in page.links)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert "url(" not in text and "@import" not in text
    # Names of hosts stand in the escaped header alone, and in the name of SVG's namespace.
    bare = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert re.findall(r"https?://\S+", bare) == ["https://example.org/x.png&gt;</dd></div>"]


def test_what_people_wrote_stays_text(analysis):
    page = Page(html_page(analysis))
    for wrote in (
        *analysis.game.headers.values(),
        analysis.game.root.comment,
        "<script>alert(2)</script>",
    ):
        assert wrote in page.words
    picture = ElementTree.fromstring(graph_svg(analysis))
    assert analysis.game.headers["black"] in picture.attrib["aria-label"]


def test_the_graph_is_xml_with_a_shape_for_each_mark(analysis):
    picture = ElementTree.fromstring(graph_svg(analysis))
    space = "{http://www.w3.org/2000/svg}"
    marks = [
        path for path in picture.iter(f"{space}path") if "mark" in path.get("class", "").split()
    ]
    assert len(marks) == len(analysis.marked) > 3
    titles = [mark.find(f"{space}title").text for mark in marks]
    assert all(
        title.startswith(f"{move.number}. ")
        for title, move in zip(titles, analysis.marked, strict=True)
    )


def test_the_graph_as_png(analysis, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "game.png"
    write_png(analysis, path)
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG") and int.from_bytes(data[16:20], "big") == 1280


def test_a_graph_as_png_names_what_it_lacks(analysis, tmp_path, monkeypatch):
    monkeypatch.setattr(plot, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"reversi-engine\[train\]"):
        write_png(analysis, tmp_path / "game.png")
