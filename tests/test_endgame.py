"""The exact solver against brute force: value, best moves and line, under both scoring rules."""

from collections.abc import Callable

import brute
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from reference import Position, own_and_opp, to_text
from strategies import few_empties

from reversi import Board, Engine, Limit, Solution, solve, square_name
from reversi.results import Scoring

MINUS_30 = "XOOXXXXXXOOXXOXXXOXXOXXXXOOOOXXXXOOOOXXX-OOXOXXXOOOOXXXX-XXXXXX- O"
PERFECT_DRAW = (
    "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5B7A3A4"
    "A1A2C1H2H1G2B8A8G7H8H7H6"
)
GAME_WITH_23_PASSES = (
    "F5d6C4g5D7c7H5d8B8b7B6a7b5A6a5b4B3c6E8f8C8a8e7a4b2A2c2D2d1e2F2c5c3a1a3e6d3f6F7f1g2H2e3F4b1g1c1"
    "e1g8g7f3h1h3h4h6"
)
Kind = Callable[[int, int], brute.Discs]
SCORINGS: tuple[Scoring, Scoring] = ("tournament", "discs")
# How many positions of each kind with so many empty squares: 552 in all.
COUNTS = {1: 30, 2: 40, 3: 40, 4: 40, 5: 40, 6: 30, 7: 20, 8: 16, 9: 12, 10: 8}


def engine() -> Engine:
    return Engine(hash_mb=4)


ENGINES = {
    "all on": Engine(hash_mb=4),
    "no hash": Engine(hash_mb=1, use_hash=False),
    "no ordering": Engine(hash_mb=4, evaluator="classic", use_ordering=False),
    "neither": Engine(hash_mb=1, evaluator="classic", use_hash=False, use_ordering=False),
}


def plays_out(board: Board, solution: Solution) -> None:
    """The line is legal, ends the game, and ends it with the value."""
    turn, end = board.turn, board.copy()
    for move in solution.pv:
        end.push(move)
    outcome = end.outcome()
    assert outcome is not None
    black = outcome.tournament if solution.scoring == "tournament" else outcome.discs
    assert solution.value == -turn * black
    assert solution.best_move == (solution.pv[0] if solution.pv else None)


def agrees(position: brute.Discs, engines: list[Engine], side: str = "X") -> None:
    """The solver says what brute force says, in both rules."""
    board = Board.from_obf(brute.obf(*position, side))
    for scoring in SCORINGS:
        slow = brute.Exact(scoring == "tournament")
        value = slow.value(*position)
        best = [square_name(sq) for sq in slow.best_moves(*position)] or ["pass"]
        for fast in engines:
            solution = fast.solve(board, scoring)
            assert (solution.value, list(solution.best_moves)) == (value, best), board.obf()
            assert solution.best_move in best
            assert solution.scoring == scoring
            assert solution.nodes > 0
            plays_out(board, solution)


# The brute force itself.


@given(few_empties(max_empties=5), st.booleans())
def test_brute_force_agrees_with_the_slow_twin(position: Position, tournament: bool) -> None:
    own, opp = own_and_opp(*position)
    slow = brute.Exact(tournament)
    assert slow.value(own, opp) == reference.exact_value(*position, tournament)
    moves = reference.moves(*position)
    values = {sq: slow.move_value(own, opp, sq) for sq in moves}
    if moves:
        assert values == reference.exact_values(*position, tournament)
        assert slow.best_moves(own, opp) == [m for m in moves if values[m] == max(values.values())]


# The solver.


@pytest.mark.parametrize("empties", COUNTS)
@pytest.mark.parametrize("kind", [brute.from_game, brute.odd_board])
def test_the_solver_agrees_with_brute_force(kind: Kind, empties: int) -> None:
    few = list(ENGINES.values()) if empties <= 8 else [ENGINES["all on"], ENGINES["no hash"]]
    for seed in range(COUNTS[empties]):
        agrees(kind(seed, empties), few, "XO"[seed % 2])


def test_the_positions_have_passes_and_early_ends_among_them() -> None:
    drawn = [
        kind(seed, empties)
        for kind in (brute.from_game, brute.odd_board)
        for empties, count in COUNTS.items()
        for seed in range(count)
    ]
    boards = [Board.from_obf(brute.obf(*position)) for position in drawn]
    assert sum(board.legal_moves[0] == 64 for board in boards) > 20
    solutions = [ENGINES["all on"].solve(board) for board in boards]
    assert sum("pass" in solution.pv[1:] for solution in solutions) > 20
    placed = [sum(move != "pass" for move in solution.pv) for solution in solutions]
    early = [n < board.empties for n, board in zip(placed, boards, strict=True)]
    assert sum(early) > 20


@given(few_empties(max_empties=6), st.sampled_from(SCORINGS))
def test_the_solver_agrees_with_the_slow_twin(position: Position, scoring: Scoring) -> None:
    board = Board.from_obf(to_text(*position))
    solution = ENGINES["all on"].solve(board, scoring)
    values = reference.exact_values(*position, scoring == "tournament")
    if not values:
        assert solution.value == reference.final_score(*position, scoring == "tournament")
        assert (solution.best_move, solution.best_moves, solution.pv) == (None, (), ())
        return
    assert solution.value == max(values.values())
    best = [square_name(move) for move, value in values.items() if value == solution.value]
    assert list(solution.best_moves) == best
    plays_out(board, solution)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", [brute.from_game, brute.odd_board])
def test_the_children_s_table_entries_cut_rightly(kind: Kind, seed: int) -> None:
    """From 11 empty squares on every child is looked up before one is searched."""
    position = kind(seed, 11)
    board = Board.from_obf(brute.obf(*position))
    with engine() as fast:
        for scoring in SCORINGS:
            value = brute.Exact(scoring == "tournament").value(*position)
            assert [fast.solve(board, scoring).value for _ in range(2)] == [value, value]


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("empties", [12, 13, 14])
def test_hash_and_ordering_change_no_value(scoring: Scoring, empties: int) -> None:
    for seed in range(3):
        board = Board.from_obf(brute.obf(*brute.from_game(seed, empties)))
        found = [fast.solve(board, scoring) for fast in ENGINES.values()]
        assert {(s.value, s.best_moves) for s in found} == {(found[0].value, found[0].best_moves)}
        for solution in found:
            plays_out(board, solution)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_a_table_that_is_too_small_changes_no_value(scoring: Scoring) -> None:
    """At 23 empty squares a megabyte is overwritten."""
    board = Board.from_obf(brute.obf(*brute.from_game(1, 23)))
    with Engine(hash_mb=1) as small, Engine(hash_mb=64) as large:
        found, expected = small.solve(board, scoring), large.solve(board, scoring)
        assert small.table_stats.stores > small.table_stats.entries
    assert (found.value, found.best_moves) == (expected.value, expected.best_moves)
    plays_out(board, found)


def test_both_rules_share_a_table_and_keep_apart() -> None:
    """The same position under one rule after the other, and back."""
    position = next(
        position
        for position in (brute.odd_board(seed, 8) for seed in range(100))
        if brute.Exact(True).value(*position) != brute.Exact(False).value(*position)
    )
    board = Board.from_obf(brute.obf(*position))
    expected = [brute.Exact(rule).value(*position) for rule in (True, False, True, False)]
    with engine() as fast:
        assert [fast.solve(board, scoring).value for scoring in SCORINGS * 2] == expected


def test_the_value_turns_with_the_colors() -> None:
    for seed in range(10):
        position = brute.from_game(seed, 9)
        as_black, as_white = (Board.from_obf(brute.obf(*position, side)) for side in "XO")
        one, other = ENGINES["all on"].solve(as_black), engine().solve(as_white)
        assert (one.value, one.best_moves) == (other.value, other.best_moves)


@pytest.mark.parametrize("scoring", SCORINGS)
def test_one_best_move_is_enough_where_it_is_asked_so(scoring: Scoring) -> None:
    several = 0
    for seed in range(20):
        board = Board.from_obf(brute.obf(*brute.odd_board(seed, 8)))
        every = engine().solve(board, scoring)
        one = engine().solve(board, scoring, all_best=False)
        assert (one.value, one.pv, one.best_moves) == (every.value, every.pv, every.pv[:1])
        several += len(every.best_moves) > 1
    assert several > 2


# Reference values.


@pytest.mark.parametrize("scoring", SCORINGS)
def test_the_board_where_depth_spent_on_passes_gives_minus_21(scoring: Scoring) -> None:
    """The board is full at the end of the best line, so both rules give the same."""
    solution = solve(Board.from_obf(MINUS_30), scoring, hash_mb=1)
    assert (solution.value, solution.best_moves) == (-30, ("h8",))
    assert "pass" in solution.pv


@pytest.mark.parametrize("scoring", SCORINGS)
def test_every_late_position_of_a_perfect_game_is_a_draw(scoring: Scoring) -> None:
    board = Board.from_transcript(PERFECT_DRAW)
    played: list[str] = []
    while board.empties < 14:
        played.insert(0, square_name(board.pop()))
        solution = ENGINES["all on"].solve(board, scoring)
        assert solution.value == 0
        assert played[0] in solution.best_moves


def test_the_positions_of_a_game_with_23_passes() -> None:
    board = Board.from_transcript(GAME_WITH_23_PASSES)
    while board.empties < 10:
        board.pop()
        agrees((board.own, board.opp), [ENGINES["all on"]], board.turn.symbol)


@pytest.mark.parametrize(
    ("obf", "move", "plain"),
    [
        ("-" * 6 + "OX" + "-" * 56 + " X", "f1", 3),
        ("-" * 6 + "OX" + "-" * 56 + " O", "pass", -3),
        ("XO" + "-" * 62 + " O", "pass", -3),
    ],
)
def test_a_wipe_out_with_nearly_all_squares_empty(obf: str, move: str, plain: int) -> None:
    board = Board.from_obf(obf)
    prize = 64 if plain > 0 else -64
    for scoring, value in zip(SCORINGS, (prize, plain), strict=True):
        solution = solve(board, scoring, hash_mb=1)
        assert (solution.value, solution.best_move) == (value, move)
        plays_out(board, solution)


@pytest.mark.parametrize(
    ("cells", "plain", "tournament"),
    [
        ("-" * 64, 0, 0),
        ("X" * 20 + "-" * 44, 20, 64),
        ("O" * 63 + "-", -63, -64),
        ("XO" * 32, 0, 0),
    ],
)
@pytest.mark.parametrize("side", ["X", "O"])
def test_a_finished_game_has_a_value_and_no_move(
    cells: str, plain: int, tournament: int, side: str
) -> None:
    board = Board.from_obf(f"{cells} {side}")
    sign = 1 if side == "X" else -1
    for scoring, value in zip(SCORINGS, (tournament, plain), strict=True):
        solution = solve(board, scoring, hash_mb=1)
        assert solution.value == sign * value
        assert (solution.best_move, solution.best_moves, solution.pv) == (None, (), ())


@pytest.mark.parametrize("scoring", ["", "plain", "TOURNAMENT", None, 1])
def test_another_scoring_is_refused(scoring: Scoring) -> None:
    with pytest.raises(ValueError, match="expected 'tournament' or 'discs'"):
        solve(Board.from_obf(MINUS_30), scoring, hash_mb=1)


def test_solving_leaves_the_board_as_it_was() -> None:
    board = Board.from_transcript(PERFECT_DRAW)
    for _ in range(10):
        board.pop()
    before, history = board.obf(), board.move_stack
    ENGINES["all on"].solve(board)
    assert (board.obf(), board.move_stack) == (before, history)


def test_solving_again_needs_fewer_nodes() -> None:
    board = Board.from_obf(brute.obf(*brute.from_game(0, 14)))
    with engine() as fast:
        first, again = fast.solve(board), fast.solve(board)
        fast.clear()
        cleared = fast.solve(board)
    assert again.nodes < first.nodes
    assert cleared.nodes == first.nodes
    assert (again.value, again.best_moves) == (first.value, first.best_moves)


def test_ordering_saves_nodes() -> None:
    boards = [Board.from_obf(brute.obf(*brute.from_game(seed, 12))) for seed in range(5)]
    with (
        engine() as ordered,
        Engine(hash_mb=4, evaluator="classic", use_ordering=False) as unordered,
    ):
        with_it = sum(ordered.solve(board).nodes for board in boards)
        without = sum(unordered.solve(board).nodes for board in boards)
    assert with_it * 2 < without


def test_what_an_older_search_stored_makes_room_first() -> None:
    """A table full of deep entries serves the next search as an empty one does."""
    board = Board.from_obf(brute.obf(*brute.from_game(1, 16)))
    # (The learned evaluation would order moves by what the older search found.)
    with Engine(1, evaluator="classic") as fresh, Engine(1, evaluator="classic") as full:
        full.search(Board(), Limit(depth=14))
        assert full.table_stats.fill > 0.99
        nodes, expected = full.solve(board).nodes, fresh.solve(board).nodes
    assert nodes == pytest.approx(expected, rel=0.001)
