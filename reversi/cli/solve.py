"""``reversi solve``: exact values of a board or a file of positions, checked against the file's."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import click

from reversi import Engine, Solution, parse_move
from reversi.cli import render, words
from reversi.cli.arguments import board_argument, hash_option, json_option, scoring_option
from reversi.cli.boards import Problem, open_source
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
@scoring_option
@hash_option()
@json_option
@click.pass_context
def command(
    ctx: click.Context, board: str | None, scoring: Scoring, hash_mb: int, as_json: bool
) -> None:
    """Show the exact value of BOARD, or of each in an OBF file.

    Values are discs in the view of the side to move. Where a line gives values of its own
    ("... X; h5:+6; g6:-2;") they are checked; the exit status is 1 if one differs. A best move is
    right if the line knows no better one.

    \b
    Examples:
      reversi solve endgames.obf
      head -5 endgames.obf | reversi solve --json
    """
    source = open_source(board)
    totals = Totals()
    rows = render.Rows(_COLUMNS)
    with (
        Engine(hash_mb=hash_mb) as engine,
        render.Working("solving", visible=not (as_json and render.out().is_terminal)) as working,
    ):
        for problem in source.problems:
            if not source.is_set and not as_json:
                render.show_board(problem.board)
            working.say(f"solving {problem.place}, {problem.board.empties} empty")
            # A file asks for the value and a best move: proving every best one costs far more.
            solution = engine.solve(problem.board, scoring=scoring, all_best=not source.is_set)
            verdict = judge(problem, solution)
            totals.add(solution, verdict)
            if as_json:
                render.json_line(_record(problem, solution, verdict))
            elif source.is_set:
                _add_row(rows, problem, solution, verdict)
            else:
                render.out().print(render.facts(_facts(problem, solution, verdict)))
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


def judge(problem: Problem, solution: Solution) -> bool | None:
    """Return whether a solution agrees with its line; None where the line gives no value.

    Lines state values by the tournament's rule, and say nothing about other ones.
    """
    expected = problem.expected
    if expected is None or solution.scoring != "tournament":
        return None
    if solution.value != expected:
        return False
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
        "expected": problem.expected,
        "right": verdict,
    }


def _add_row(rows: render.Rows, problem: Problem, solution: Solution, verdict: bool | None) -> None:
    rows.add(
        str(problem.line),
        str(problem.board.empties),
        f"{solution.value:+d}",
        solution.best_move or "-",
        "" if problem.expected is None else f"{problem.expected:+d}",
        _VERDICTS[verdict],
        words.count(solution.nodes),
        words.duration(solution.elapsed_ms),
        words.speed(solution.nodes, solution.elapsed_ms),
        style="bold red" if verdict is False else "",
    )


def _facts(problem: Problem, solution: Solution, verdict: bool | None) -> list[tuple[str, str]]:
    side = words.color_name(problem.board.turn)
    outcome = "a draw"
    if solution.value:
        outcome = f"{side} {'wins' if solution.value > 0 else 'loses'} by {abs(solution.value)}"
    facts = [("value", f"{solution.value:+d}  ({outcome}; scoring: {solution.scoring})")]
    if solution.best_move is None:
        facts.append(("best", "none: the game is over"))
    else:
        facts.append(("best", " ".join(solution.best_moves)))
        facts.append(("line", " ".join(solution.pv)))
    if verdict is not None:
        facts.append(("given", f"{problem.expected:+d}, {_VERDICTS[verdict]}"))
    speed = words.speed(solution.nodes, solution.elapsed_ms)
    elapsed = words.duration(solution.elapsed_ms)
    work = f"{words.count(solution.nodes)} in {elapsed}" + (f", {speed} a second" if speed else "")
    return [*facts, ("nodes", work)]
