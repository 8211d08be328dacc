"""Judges the moves of a game: each beside the best one, the last one first. Draws nothing.

Going backwards, the engine's table knows what came of a move when it judges the move: most of the
work of a position is done when the one after it has been searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace

from reversi.analysis.checks import check_engine
from reversi.analysis.results import GameAnalysis, MoveAnalysis
from reversi.board import Board
from reversi.engine import Engine
from reversi.game import Game
from reversi.levels import level_of
from reversi.limits import Limit, check_integer
from reversi.results import Certainty, SearchInfo, Solution
from reversi.squares import PASS, square_name

__all__ = ["DEFAULT_LIMIT", "EXACT_EMPTIES", "analyse_game", "analyse_moves"]

# Games of 60 moves took 15 to 26 s so on one core; at level 16 they took 2 to 6, at 24 up to 140.
# The time is for wild games: moves of one that was played by chance took a minute each.
DEFAULT_LIMIT = Limit(level=21, time_ms=4000)
EXACT_EMPTIES = 20


def analyse_game(
    game: Game,
    limit: Limit | None = None,
    *,
    exact_empties: int = EXACT_EMPTIES,
    engine: Engine | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> GameAnalysis:
    """Judge each move of a game's main line: its value, the best move's, the loss in discs.

    Positions of ``exact_empties`` empty squares (0 to 60) or fewer are solved, without a limit; the
    others are searched to ``limit``, which says what a move may take: by default level 21, which
    solves from 24 empty squares on by itself, and at most four seconds; some twenty a game. The
    move played and the best one are compared by one search of the two, so that neither value is of
    a deeper search than the other, and the best is never worth less.

    ``engine`` (default: one of its own) searches by the learned evaluation; ``on_progress`` gets
    the number of moves done and of all, after each. Raises ValueError for a level below 5, which
    plays by chance, and for an engine with the classic evaluation, which counts no discs;
    `SearchStopped` where `Engine.stop` ends a solve.

    >>> game = Game.from_transcript("f5d6c3d3c4")
    >>> analysis = analyse_game(game, Limit(depth=4))
    >>> [move.move for move in analysis.moves], analysis.moves[0].loss < 4
    (['f5', 'd6', 'c3', 'd3', 'c4'], True)
    """
    limit = DEFAULT_LIMIT if limit is None else limit
    judging = analyse_moves(game, limit, exact_empties=exact_empties, engine=engine)
    total = len(game)
    moves = []
    for move in judging:
        moves.append(move)
        if on_progress:
            on_progress(len(moves), total)
    return GameAnalysis(game.copy(), tuple(reversed(moves)), limit, exact_empties)


def analyse_moves(
    game: Game,
    limit: Limit | None = None,
    *,
    exact_empties: int = EXACT_EMPTIES,
    engine: Engine | None = None,
) -> Iterator[MoveAnalysis]:
    """Yield the judged moves of a game's main line as `analyse_game` has them, the last one first;
    who breaks off keeps what there is. Arguments and errors are those of `analyse_game`.

    >>> [move.number for move in analyse_moves(Game.from_transcript("f5d6"), Limit(depth=2))]
    [2, 1]
    """
    if not isinstance(game, Game):
        raise TypeError(f"game is {game!r}; expected a Game (Game.from_transcript makes one)")
    limit = DEFAULT_LIMIT if limit is None else limit
    if not isinstance(limit, Limit):
        raise TypeError(f"limit is {limit!r}; expected a Limit, such as Limit(level=21)")
    check_integer("exact_empties", exact_empties, 0, 60)
    if limit.level is not None and level_of(limit.level).slack:
        raise ValueError(f"level is {limit.level}; expected 5 to 60: lower ones play by chance")
    check_engine(engine)
    if engine is not None and engine.evaluator != "pattern":
        raise ValueError(f"evaluator is {engine.evaluator!r}; expected 'pattern': it counts discs")
    return _moves(list(game.boards()), game.moves, limit, exact_empties, engine)


def _moves(
    boards: list[Board], moves: list[int], limit: Limit, exact_empties: int, given: Engine | None
) -> Iterator[MoveAnalysis]:
    limit = _halved(limit)
    with Engine() if given is None else nullcontext(given) as engine:
        solution: Solution | None = None  # of the position after the move, where it was solved
        judged: MoveAnalysis | None = None  # the move after it
        for number in range(len(moves), 0, -1):
            board, child, move = boards[number - 1], boards[number], moves[number - 1]
            if board.empties <= exact_empties:
                before = engine.solve(board)
                after = engine.solve(child) if solution is None else solution
                judged, solution = _solved(number, board, move, before, after), before
            elif move == PASS:
                judged = _passed(number, board, judged or _last_step(engine, child, limit))
            else:
                judged = _searched(number, board, move, engine, limit, judged)
            yield judged


def _halved(limit: Limit) -> Limit:
    """Return the limit of each of the two searches that a move may take."""
    time_ms, nodes = limit.time_ms, limit.nodes
    return replace(
        limit,
        time_ms=None if time_ms is None else time_ms // 2,
        nodes=None if nodes is None else max(1, nodes // 2),
    )


def _solved(
    number: int, board: Board, move: int, before: Solution, after: Solution
) -> MoveAnalysis:
    """Judge a move by the exact values of the positions before and after it."""
    value, best = float(-after.value), float(before.value)
    return MoveAnalysis(
        number=number,
        side=board.turn,
        move=square_name(move),
        empties=board.empties,
        choices=len(board.legal_moves),
        value=value,
        certainty=_exact(board, value),
        best_value=best,
        best_certainty=_exact(board, best),
        best_moves=tuple(sorted(before.best_moves, key=lambda name: name != before.best_move)),
        line=before.pv,
        loss=None if move == PASS else best - value,
    )


def _passed(number: int, board: Board, after: MoveAnalysis | SearchInfo) -> MoveAnalysis:
    """Judge a pass: it is worth what the position after it is worth to the other side."""
    if isinstance(after, MoveAnalysis):
        worth, sure, line = after.best_value, after.best_certainty, after.line
    else:
        assert after.value is not None and after.certainty is not None
        worth, sure, line = _in_range(after.value), after.certainty, after.pv
    value, certainty = 0.0 - worth, _turned(sure)  # not -0.0
    return MoveAnalysis(
        number=number,
        side=board.turn,
        move="pass",
        empties=board.empties,
        choices=1,
        value=value,
        certainty=certainty,
        best_value=value,
        best_certainty=certainty,
        best_moves=("pass",),
        line=("pass", *line),
        loss=None,
    )


def _searched(
    number: int,
    board: Board,
    move: int,
    engine: Engine,
    limit: Limit,
    after: MoveAnalysis | None,
) -> MoveAnalysis:
    """Judge a move by a search for the best one, and a second one of these two."""
    name = square_name(move)
    found = _last_step(engine, board, limit)
    if found.move != name:
        found = _last_step(engine, board, limit, (found.move, name))
    values = {line.move: _in_range(line.value or 0.0) for line in found.lines}
    best, value = found.lines[0], values[name]
    best_value = values[best.move]
    # The table cuts a search's line short where it knows the rest; the next move's line tells it.
    line = (name, *after.line) if best.move == name and after else best.pv
    assert found.certainty is not None
    certainty = found.certainty
    return MoveAnalysis(
        number=number,
        side=board.turn,
        move=name,
        empties=board.empties,
        choices=len(board.legal_moves),
        value=value,
        # Both lines are of one step: where it solved the position it solved both.
        certainty=_exact(board, value) if certainty.kind == "exact" else certainty,
        best_value=best_value,
        best_certainty=certainty,
        best_moves=tuple(line.move for line in found.lines if values[line.move] == best_value),
        line=line,
        loss=best_value - value,
    )


def _last_step(
    engine: Engine, board: Board, limit: Limit, moves: tuple[str, ...] | None = None
) -> SearchInfo:
    """Return the last completed step of a search: all its lines are searched alike."""
    steps: list[SearchInfo] = []
    count = 1 if moves is None else len(moves)
    engine.search(board, limit, moves, multipv=count, on_info=steps.append)
    return steps[-1]


def _in_range(value: float) -> float:
    """Return a value as a game may have it: the evaluation expects a little more at times."""
    return max(-64.0, min(value, 64.0))


def _exact(board: Board, value: float) -> Certainty:
    return Certainty("exact", board.empties, 100, int(value), int(value))


def _turned(certainty: Certainty) -> Certainty:
    """Return a certainty in the view of the other side."""
    if certainty.lower is None or certainty.upper is None:
        return certainty
    return replace(certainty, lower=-certainty.upper, upper=-certainty.lower)
