"""``reversi solve``: exact values of a board or a file of positions, checked against the file's."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import click

from reversi import Solution, parse_move, square_name
from reversi.cli import render, words
from reversi.cli.arguments import (
    board_argument,
    engine_of,
    hash_option,
    json_option,
    limit_of,
    limit_options,
    scoring_option,
    weights_option,
)
from reversi.cli.boards import open_source
from reversi.formats.obf import Problem
from reversi.results import Scoring

MISMATCH = 1

_VERDICTS = {True: "right", False: "WRONG", None: ""}
_COLUMNS = {
    "line": 5, "empty": 5, "value": 5, "best": -4, "file": 4, "check": -5,
    "nodes": 7, "time": 9, "nodes/s": 7,
}  # fmt: skip


@dataclass(slots=True)
class Totals:
    """What a set of positions came to."""

    positions: int = 0
    right: int = 0
    wrong: int = 0
    unchecked: int = 0
    nodes: int = 0
    elapsed_ms: float = 0.0

    def add(self, solution: Solution, verdict: bool | None) -> None:
        self.positions += 1
        self.right += verdict is True
        self.wrong += verdict is False
        self.unchecked += verdict is None
        self.nodes += solution.nodes
        self.elapsed_ms += solution.elapsed_ms


@click.command("solve")
@board_argument()
@click.option("--all", "every_move", is_flag=True, help="Show the value of every move.")
@click.option("--outcome", "outcome_only", is_flag=True, help="Ask only who wins, which is faster.")
@limit_options("time_ms", "nodes")
@scoring_option
@weights_option
@hash_option()
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    board: str | None,
    every_move: bool,
    outcome_only: bool,
    time_ms: int | None,
    nodes: int | None,
    scoring: Scoring,
    weights: str | None,
    hash_mb: int,
    as_json: bool,
) -> None:
    """Show the exact value of BOARD, or of each in an OBF file.

    Values are discs in the view of the side to move. Where a line gives values of its own
    ("... X; h5:+6; g6:-2;") they are checked; the exit status is 1 if one differs. A best move is
    right if the line knows no better one; with --all each move that it lists is checked.

    20 empty squares take a tenth of a second, 24 some seconds, 28 minutes. --time-ms or --nodes
    ends each position with the bounds proved by then (-4..+12), which are checked as far as they
    go.

    With --outcome the move, best_move in JSON, is one that is proved to win or draw; of a lost
    position it may be any. Others may be worth more discs.

    \b
    Examples:
      reversi solve endgames.obf
      reversi solve endgames.obf --outcome --time-ms 10000
      head -5 endgames.obf | reversi solve --all --json
    """
    if every_move and outcome_only:
        raise click.UsageError("--all and --outcome exclude each other")
    source = open_source(board)
    limit = limit_of(time_ms, nodes=nodes)
    totals = Totals()
    show = _Show(outcome_only, every_move, limited=limit is not None)
    with (
        engine_of("pattern", weights, hash_mb=hash_mb) as engine,
        render.Working("solving", visible=not (as_json and render.out().is_terminal)) as working,
    ):
        for problem in source.problems:
            empties = problem.board.empties
            if not source.is_set and not as_json:
                render.show_board(problem.board)
            working.say(f"solving {problem.place}, {empties} empty")
            if limit is None and empties > words.FEASIBLE_EMPTIES:
                working.warn_once(f"{empties} empty squares may take hours; --time-ms ends it")
            solution = engine.solve(
                problem.board,
                scoring,
                # A file asks for the value and a best move: proving every best one costs more.
                all_best=not source.is_set,
                every_move=every_move,
                outcome_only=outcome_only,
                limit=limit,
            )
            verdict = judge(problem, solution, outcome_only)
            totals.add(solution, verdict)
            if as_json:
                render.json_line(_record(problem, solution, verdict))
            elif source.is_set:
                show.row(problem, solution, verdict)
            else:
                show.facts(problem, solution, verdict)
    if source.is_set:
        nps = totals.nodes / totals.elapsed_ms * 1000 if totals.elapsed_ms else 0.0
        if as_json:
            render.json_line({"total": {**asdict(totals), "nps": nps}})
        else:
            render.out().print(
                f"\n{totals.positions} positions: {totals.right} right, {totals.wrong} wrong, "
                f"{totals.unchecked} unchecked; {words.count(totals.nodes)} nodes in "
                f"{totals.elapsed_ms / 1000:.3f} s, {nps / 1e6:.1f} Mn/s",
                style="bold red" if totals.wrong else "bold",
            )
    if totals.wrong:
        ctx.exit(MISMATCH)


def judge(problem: Problem, solution: Solution, outcome_only: bool = False) -> bool | None:
    """Return whether a solution agrees with its line; None where that cannot be told: the line
    gives no value, or a limit struck and the bounds allow the line's value.

    Lines state values by the tournament's rule, and say nothing about other ones.
    """
    expected = problem.expected
    if expected is None or solution.scoring != "tournament":
        return None
    if not solution.lower <= expected <= solution.upper:
        return False
    if not solution.exact:
        return True if outcome_only and solution.outcome else None
    if solution.values:
        found = {move: solution.values.get(square_name(move)) for move in problem.move_values}
        if any(found[move] not in (value, None) for move, value in problem.move_values.items()):
            return False
        return None if None in found.values() else True
    if solution.best_move is None:
        return True
    given = problem.move_values.get(parse_move(solution.best_move), expected)
    return given >= max(problem.move_values.values(), default=given)


def _record(problem: Problem, solution: Solution, verdict: bool | None) -> dict[str, object]:
    return {
        "file": problem.name if problem.line is not None else None,
        "line": problem.line,
        "board": problem.board.obf(),
        **asdict(solution),
        "outcome": solution.outcome,
        "expected": problem.expected,
        "right": verdict,
    }


class _Show:
    """Shows solutions to people, as rows or one with all that is known of it."""

    def __init__(self, outcome_only: bool, every_move: bool, limited: bool) -> None:
        self._outcome_only = outcome_only
        self._every_move = every_move
        columns = dict(_COLUMNS)
        if outcome_only:  # a move that wins may not be the best one
            columns = {"move" if name == "best" else name: n for name, n in columns.items()}
        if limited and not outcome_only:
            columns["value"] = len("-64..+64")
        if every_move:
            columns["moves"] = -5
        self._rows = render.Rows(columns)

    def row(self, problem: Problem, solution: Solution, verdict: bool | None) -> None:
        """Print a row of the table."""
        value = words.bounds(solution.lower, solution.upper)
        self._rows.add(
            str(problem.line),
            str(problem.board.empties),
            solution.outcome or "?" if self._outcome_only else value,
            solution.best_move or "-",
            "" if problem.expected is None else f"{problem.expected:+d}",
            _VERDICTS[verdict],
            words.count(solution.nodes),
            words.duration(solution.elapsed_ms),
            words.speed(solution.nodes, solution.elapsed_ms),
            *([_values(solution)] if self._every_move else []),
            style="bold red" if verdict is False else "",
        )

    def facts(self, problem: Problem, solution: Solution, verdict: bool | None) -> None:
        """Print a solution, a line for each thing known."""
        value = f"{self._value(problem, solution)}; scoring: {solution.scoring})"
        facts = [("outcome" if self._outcome_only else "value", value)]
        if problem.board.is_game_over():
            facts.append(("best", "none: the game is over"))
        elif solution.best_move is not None:
            best = " ".join(solution.best_moves)
            facts.append(("best" if solution.exact else "move", best))
        if solution.values:
            facts.append(("moves", _values(solution)))
        if solution.pv:
            facts.append(("line", " ".join(solution.pv)))
        if verdict is not None:
            facts.append(("given", f"{problem.expected:+d}, {_VERDICTS[verdict]}"))
        speed = words.speed(solution.nodes, solution.elapsed_ms)
        elapsed = words.duration(solution.elapsed_ms)
        work = f"{words.count(solution.nodes)} in {elapsed}"
        facts.append(("nodes", f"{work}, {speed} a second" if speed else work))
        render.out().print(render.facts(facts))

    def _value(self, problem: Problem, solution: Solution) -> str:
        side = words.color_name(problem.board.turn)
        judgement = {
            "win": f"{side} wins", "draw": "a draw", "loss": f"{side} loses", None: "undecided",
        }[solution.outcome]  # fmt: skip
        if self._outcome_only:
            return f"{solution.outcome or '?'}  ({judgement}"
        if solution.exact and solution.value:
            judgement += f" by {abs(solution.value)}"
        elif not solution.exact:
            judgement += ", the limit struck"
        return f"{words.bounds(solution.lower, solution.upper)}  ({judgement}"


def _values(solution: Solution) -> str:
    return ", ".join(f"{move} {value:+d}" for move, value in solution.values.items())
