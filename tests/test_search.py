"""The classic search against the slow twin, and what must not change its value."""

from collections.abc import Callable
from functools import partial
from itertools import permutations

import brute
import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from reference import Position, own_and_opp, to_text
from strategies import few_empties, positions

from reversi import Board, Engine, Limit, SearchResult, parse_move

Classic = partial(Engine, evaluator="classic")
Kind = Callable[[int, int], brute.Discs]

THIRTY_FIVE_MOVES = "-X-------OXOOOO--OX-XX----O---OX-X--OXX--OXXXXO--OXO-OO--------- X"
MINUS_30 = "XOOXXXXXXOOXXOXXXOXXOXXXXOOOOXXXXOOOOXXX-OOXOXXXOOOOXXXX-XXXXXX- O"
SWITCHES = [(True, True), (True, False), (False, True), (False, False)]


def board_of(position: brute.Discs, side: str = "X") -> Board:
    return Board.from_obf(brute.obf(*position, side))


def answer(result: SearchResult) -> tuple[object, ...]:
    """All of a result that does not depend on the clock."""
    return (result.move, result.score, result.depth, result.nodes, result.pv, result.exact)


def leads_to_passes(position: brute.Discs) -> bool:
    """Some move leaves the opponent without one, and the game goes on."""
    return any(
        not brute.children(own, opp) and brute.children(opp, own)
        for _, own, opp in brute.children(*position)
    )


def plays_out(board: Board, result: SearchResult) -> None:
    """The line of a solved root is legal, ends the game, and ends it with the difference."""
    end = board.copy()
    for move in result.pv:
        end.push(move)
    outcome = end.outcome()
    assert outcome is not None
    assert result.disc_diff == -board.turn * outcome.discs
    assert result.score == reference.terminal_score(-board.turn * outcome.discs)


def agrees(position: brute.Discs, depth: int, exact_empties: int, side: str = "X") -> None:
    """Score and move are those of the slow search; a cold and a warm table, and what is switched
    off, make no difference."""
    board = board_of(position, side)
    slow = brute.Classic(exact_empties)
    solved = max(1, board.empties - exact_empties) <= depth
    values = slow.move_values(*position, board.empties if solved else depth)
    best = max(values.values())
    moves = set()
    for use_hash, use_ordering in SWITCHES:
        with Classic(
            hash_mb=1,
            exact_endgame_empties=exact_empties,
            use_hash=use_hash,
            use_ordering=use_ordering,
        ) as engine:
            for _ in range(2):
                result = engine.search(board, Limit(depth=depth))
                assert result.score == best, board.obf()
                assert result.move is not None and result.pv[0] == result.move
                assert values[parse_move(result.move)] == best
                assert result.exact == solved
                assert result.depth == (board.empties if solved else depth)
                assert result.nodes > 0
                moves.add(result.move)
                if solved:
                    plays_out(board, result)
                else:
                    assert result.disc_diff is None
                    Board.from_transcript("".join(result.pv), board)
    assert len(moves) == 1, board.obf()


# The twin of the twin.


@given(positions())
def test_the_fast_twin_evaluates_as_the_slow_one(position: Position) -> None:
    own, opp = own_and_opp(*position)
    assert brute.evaluate(own, opp) == reference.evaluate(*position, view=position[1])


@given(few_empties(max_empties=6), st.integers(1, 3), st.sampled_from([0, 2, 4]))
def test_the_fast_twin_searches_as_the_slow_one(
    position: Position, depth: int, exact_empties: int
) -> None:
    expected = reference.classic_values(*position, depth, exact_empties)
    slow = brute.Classic(exact_empties)
    assert slow.move_values(*own_and_opp(*position), depth) == expected


# Values.


@given(few_empties(min_empties=1, max_empties=6), st.integers(1, 3), st.sampled_from([0, 2, 4]))
def test_the_search_agrees_with_the_slow_twin(
    position: Position, depth: int, exact_empties: int
) -> None:
    board = Board.from_obf(to_text(*position))
    if not board.legal_moves.mask:
        return
    with Classic(hash_mb=1, exact_endgame_empties=exact_empties) as engine:
        result = engine.search(board, Limit(depth=depth))
    solved = max(1, board.empties - exact_empties) <= depth
    values = reference.classic_values(*position, board.empties if solved else depth, exact_empties)
    assert result.score == max(values.values())
    assert result.move is not None
    assert values[parse_move(result.move)] == result.score


@pytest.mark.parametrize("exact_empties", [0, 4, 8])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("kind", [brute.from_game, brute.odd_board])
def test_near_the_end(kind: Kind, depth: int, exact_empties: int) -> None:
    for seed in range(4):
        for empties in (5, 8, 10):
            position = kind(seed, empties)
            if brute.children(*position):
                agrees(position, depth, exact_empties, "XO"[seed % 2])


@pytest.mark.parametrize("exact_empties", [0, 4])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_passes_near_the_leaves(depth: int, exact_empties: int) -> None:
    tried = 0
    for seed in range(200):
        position = brute.odd_board(seed, 7)
        if leads_to_passes(position):
            agrees(position, depth, exact_empties)
            tried += 1
            if tried == 8:
                return
    raise AssertionError("too few positions with passes")


@pytest.mark.parametrize("empties", [20, 40, 55])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_in_the_middle_game(depth: int, empties: int) -> None:
    for seed in range(2):
        agrees(brute.from_game(seed, empties), depth, 14, "XO"[seed % 2])


@pytest.mark.parametrize("discs", [3, 5, 8])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_on_boards_with_hardly_a_disc(depth: int, discs: int) -> None:
    """More than 60 squares may be empty, and the game may be over after a move."""
    for seed in range(6):
        position = brute.sparse_board(seed, discs)
        if brute.children(*position):
            agrees(position, depth, 14)


def test_35_moves() -> None:
    agrees(own_and_opp(*reference.from_text(THIRTY_FIVE_MOVES)), 2, 14)


@pytest.mark.parametrize("exact_empties", [0, 1, 2, 14])
def test_the_board_where_depth_spent_on_passes_gives_minus_21(exact_empties: int) -> None:
    with Classic(hash_mb=1, exact_endgame_empties=exact_empties) as engine:
        result = engine.search(Board.from_obf(MINUS_30), Limit(depth=60))
    assert (result.score, result.disc_diff, result.move) == (-10_300_000, -30, "h8")
    assert result.exact and result.depth == 3


def test_a_deeper_search_is_the_same_with_everything_switched_off() -> None:
    for seed in range(3):
        board = board_of(brute.from_game(seed, 30 + 8 * seed))
        found = set()
        for use_hash, use_ordering in SWITCHES:
            with Classic(hash_mb=1, use_hash=use_hash, use_ordering=use_ordering) as engine:
                result = engine.search(board, Limit(depth=6))
                found.add((result.move, result.score, result.depth))
        assert len(found) == 1


def test_the_exact_end_is_the_same_with_everything_switched_off() -> None:
    for seed in range(3):
        board = board_of(brute.from_game(seed, 16))
        found = set()
        for use_hash, use_ordering in SWITCHES:
            with Classic(
                hash_mb=1, use_hash=use_hash, use_ordering=use_ordering, exact_endgame_empties=12
            ) as engine:
                for depth in (2, 3, 4):
                    result = engine.search(board, Limit(depth=depth))
                    found.add((depth, result.move, result.score, result.exact))
        assert len(found) == 3


# Solved roots.


@pytest.mark.parametrize("empties", [1, 4, 9, 14])
def test_a_solved_root(empties: int) -> None:
    for seed in range(4):
        board = board_of(brute.from_game(seed, empties))
        if not board.legal_moves.mask:
            continue
        with Classic(hash_mb=4) as engine:
            result = engine.search(board, Limit(time_ms=600_000))
            value = engine.solve(board, "discs").value
        assert result.exact and result.depth == empties
        assert result.disc_diff == value
        plays_out(board, result)
        # It stops when it has solved: a search that filled its time would take minutes.
        assert result.elapsed_ms < 60_000


def test_a_root_above_the_exact_end_stops_once_its_leaves_are_exact() -> None:
    board = board_of(brute.from_game(0, 17))
    with Classic(hash_mb=4) as engine:
        infos = list(engine.analyse(board, Limit(time_ms=600_000)))
    assert [info.depth for info in infos] == [1, 2, 17]
    assert [info.exact for info in infos] == [False, False, True]


def test_solving_is_not_repeated_at_every_depth() -> None:
    board = board_of(brute.from_game(0, 12))
    with Classic(hash_mb=4) as engine:
        assert [(i.depth, i.exact) for i in engine.analyse(board)] == [(12, True)]


def test_the_exact_end_can_be_switched_off() -> None:
    board = board_of(brute.from_game(0, 12))
    with Classic(hash_mb=4, exact_endgame_empties=0) as engine:
        infos = list(engine.analyse(board, Limit(depth=60)))
    assert [info.depth for info in infos] == list(range(1, 13))
    assert [info.exact for info in infos] == [False] * 11 + [True]


# Ties, determinism, limits.


def test_of_equal_moves_the_first_allowed_one_is_chosen() -> None:
    with Classic(hash_mb=1) as engine:
        for moves in permutations(["d3", "c4", "f5", "e6"]):
            for depth in (1, 2, 5):
                assert engine.search(Board(), Limit(depth=depth), moves).move == moves[0]


@pytest.mark.parametrize("limit", [Limit(depth=7), Limit(nodes=30_000), Limit(nodes=1)])
def test_the_same_call_gives_the_same_result(limit: Limit) -> None:
    for seed in range(4):
        board = board_of(brute.from_game(seed, 22 + 10 * seed))
        answers = []
        for _ in range(2):
            with Classic(hash_mb=1) as engine:
                answers.append(answer(engine.search(board, limit)))
        assert answers[0] == answers[1]


def test_a_warm_table_changes_neither_move_nor_score() -> None:
    boards = [board_of(brute.from_game(0, empties)) for empties in (50, 40, 30, 21, 16, 12)]
    cold = []
    for board in boards:
        with Classic(hash_mb=1) as engine:
            cold.append(engine.search(board, Limit(depth=6)))
    with Classic(hash_mb=1) as engine:
        for depth in (3, 8, 5):
            for board in boards:
                engine.search(board, Limit(depth=depth))
        warm = [engine.search(board, Limit(depth=6)) for board in boards]
    assert [(r.move, r.score, r.depth) for r in warm] == [(r.move, r.score, r.depth) for r in cold]


def test_one_table_serves_several_exact_ranges() -> None:
    """The value of a node depends on where the exact end begins: entries must not be mixed."""
    board = board_of(brute.from_game(1, 18))
    expected = []
    for exact_empties in (8, 12, 15):
        with Classic(hash_mb=1, exact_endgame_empties=exact_empties) as engine:
            expected.append(engine.search(board, Limit(depth=3)).score)
    with Classic(hash_mb=1) as engine:
        for exact_empties, score in zip((8, 12, 15), expected, strict=True):
            engine.exact_endgame_empties = exact_empties
            assert engine.search(board, Limit(depth=3)).score == score


@pytest.mark.parametrize("nodes", [1, 2, 100, 1024, 5_000, 100_000])
def test_a_node_limit_is_kept_within_a_poll(nodes: int) -> None:
    """Depth 1 is always completed; a last ply is counted in one go."""
    for board in (Board(), board_of(brute.from_game(0, 30)), Board.from_obf(THIRTY_FIVE_MOVES)):
        with Classic(hash_mb=1) as engine:
            result = engine.search(board, Limit(nodes=nodes))
        assert result.depth >= 1
        assert 0 < result.nodes <= nodes + 1024


def test_a_node_limit_ends_a_search_for_the_end_of_the_game() -> None:
    """The last seven empty squares are searched without a look at the limits."""
    with Classic(hash_mb=1, exact_endgame_empties=60) as engine:
        result = engine.search(Board(), Limit(nodes=100_000))
    assert result.depth >= 1 and not result.exact and result.disc_diff is None
    assert result.nodes <= 100_000 + 20_000


def test_more_nodes_reach_no_smaller_depth() -> None:
    depths = []
    for nodes in (1, 1000, 10_000, 100_000, 1_000_000):
        with Classic(hash_mb=1) as engine:
            depths.append(engine.search(Board(), Limit(nodes=nodes)).depth)
    assert depths == sorted(depths)
    assert depths[0] == 1 and depths[-1] > 6


@pytest.mark.parametrize("exact_empties", [0, 14, 60])
def test_the_depth_limit_bounds_every_search_that_did_not_solve(exact_empties: int) -> None:
    for board in (Board(), board_of(brute.from_game(0, 20)), board_of(brute.from_game(0, 40))):
        for depth in (1, 2, 3):
            with Classic(hash_mb=1, exact_endgame_empties=exact_empties) as engine:
                result = engine.search(board, Limit(depth=depth, nodes=5_000))
            assert result.exact or result.depth <= depth


def test_the_ordering_and_the_hash_save_nodes() -> None:
    boards = [board_of(brute.from_game(seed, 34)) for seed in range(4)]
    nodes = []
    for use_hash, use_ordering in SWITCHES:
        with Classic(hash_mb=4, use_hash=use_hash, use_ordering=use_ordering) as engine:
            nodes.append(sum(engine.search(b, Limit(depth=7)).nodes for b in boards))
    both, hash_only, ordering_only, neither = nodes
    assert both < ordering_only < neither
    assert both < hash_only < neither
