"""``reversi compare``: the middle-game choice beside the exact one, and what the first costs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict

import click

from reversi import Comparison
from reversi.cli import render, words
from reversi.cli.arguments import (
    board_argument,
    engine_of,
    evaluator_option,
    json_option,
    limit_of,
    limit_options,
    scoring_option,
    weights_option,
)
from reversi.cli.boards import open_source
from reversi.results import Scoring

_COLUMNS = {
    "line": 5, "empty": 5, "midgame": -7, "score": 8, "value": 5, "exact": -5, "best": 5, "loss": 4,
}  # fmt: skip


@click.command("compare")
@board_argument()
@limit_options("depth", "time_ms")
@evaluator_option
@weights_option
@scoring_option
@json_option
def command(
    board: str | None,
    depth: int | None,
    time_ms: int | None,
    evaluator: str,
    weights: str | None,
    scoring: Scoring,
    as_json: bool,
) -> None:
    """Compare the middle-game search with the exact one.

    On BOARD, or on each position of an OBF file: searches to depth 6, or as --depth or --time-ms
    say, without the exact endgame; solves the position; and tells how many discs the middle-game
    move gives away. A set ends with how often and how much, by empty squares.

    The limits are the middle-game search's; the solving has none. 20 empty squares take a tenth
    of a second, 24 some seconds, 28 minutes.

    \b
    Example:
      reversi compare endgames.obf --depth 8
    """
    source = open_source(board)
    limit = limit_of(time_ms, depth)
    by_empties: defaultdict[int, list[Comparison]] = defaultdict(list)
    rows = render.Rows(_COLUMNS)
    with (
        engine_of(evaluator, weights) as engine,
        render.Working("comparing", visible=not (as_json and render.out().is_terminal)) as working,
    ):
        for problem in source.problems:
            if not source.is_set and not as_json:
                render.show_board(problem.board)
            working.say(f"comparing {problem.place}, {problem.board.empties} empty")
            if problem.board.is_game_over():
                raise click.ClickException(f"{problem.place}: the game is over; nothing to compare")
            if problem.board.empties > words.FEASIBLE_EMPTIES:
                # The limits are the middle-game search's alone.
                working.warn_once(
                    f"{problem.board.empties} empty squares may take hours; Ctrl-C ends it"
                )
            result = engine.compare(problem.board, limit, scoring)
            by_empties[result.empties].append(result)
            if as_json:
                render.json_line(
                    {
                        "line": problem.line,
                        "board": problem.board.obf(),
                        "scoring": scoring,
                        **asdict(result),
                    }
                )
                continue
            rows.add(
                "" if problem.line is None else str(problem.line),
                str(result.empties),
                result.midgame_move,
                words.score(result.midgame_score, discs=evaluator == "pattern"),
                f"{result.midgame_value:+d}",
                result.exact_move,
                f"{result.exact_value:+d}",
                str(result.loss) if result.loss else "",
                style="yellow" if result.loss else "",
            )
    if not source.is_set:
        return
    groups = [by_empties[empties] for empties in sorted(by_empties)]
    overall = [result for group in groups for result in group]
    if as_json:
        summaries = [{"empties": group[0].empties, **summary(group)} for group in groups]
        render.json_line({"by_empties": summaries, "total": summary(overall)})
        return
    drawn = render.table("empty", "positions", "other move", "worse", "mean loss", "largest")
    for name, group in [*((str(group[0].empties), group) for group in groups), ("all", overall)]:
        found = summary(group)
        drawn.add_row(
            name,
            f"{found['positions']}",
            f"{found['other_move']}",
            f"{found['disagree']} ({found['disagree'] / found['positions']:.0%})",
            f"{found['mean_loss']:.2f}",
            f"{found['largest_loss']}",
        )
    render.out().print("", drawn)


def summary(results: list[Comparison]) -> dict[str, float]:
    """Return how often, and by how many discs, the middle-game moves of a set are worse."""
    losses = [result.loss for result in results]
    return {
        "positions": len(results),
        "other_move": sum(result.midgame_move != result.exact_move for result in results),
        "disagree": sum(result.disagree for result in results),
        "mean_loss": sum(losses) / len(losses),
        "largest_loss": max(losses),
    }
