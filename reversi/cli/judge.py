"""``reversi bench judge``: the searches' choices and values beside the exact ones of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import click

from reversi import Limit, SearchResult, parse_square
from reversi.cli import render, words
from reversi.cli.arguments import (
    Integer,
    engine_of,
    evaluator_option,
    hash_option,
    json_option,
    selectivity_option,
    weights_option,
)
from reversi.cli.boards import open_source
from reversi.formats.obf import Problem


@dataclass(frozen=True, slots=True)
class Judgement:
    """One search beside its position's values. ``error``: discs above the true value, None by the
    classic evaluation, which counts none."""

    best: bool
    top2: bool
    error: float | None
    nodes: int
    elapsed_ms: float


@click.command("judge")
@click.argument("file")
@click.option(
    "--depth", type=Integer(1, 60), default=15, show_default=True, metavar="N", help="Plies."
)
@selectivity_option
@evaluator_option
@weights_option
@hash_option()
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    depth: int,
    selectivity: int | None,
    evaluator: str,
    weights: str | None,
    hash_mb: int,
    as_json: bool,
) -> None:
    """Measure how well the search judges the positions of FILE.

    FILE is OBF with the exact value of each move ("... X; h5:+6; g6:-2;"). Each position is
    searched to a depth, from an empty table. A choice is a best move if the file knows no better
    one, and among the top 2 if the file knows at most one better one. The classic search is
    judged without its exact end. Errors are those of the
    value, in discs: mean absolute error, bias (above zero: too hopeful), shares within 3 and 6
    discs.

    \b
    Example:
      reversi bench judge hard.obf --depth 15 --json
    """
    # `bench --json judge FILE` means the same as `bench judge FILE --json`.
    as_json = as_json or (ctx.parent is not None and ctx.parent.params["as_json"])
    judged: list[Judgement] = []
    least = 100
    with (
        engine_of(
            evaluator,
            weights,
            hash_mb=hash_mb,
            exact_empties=0 if evaluator == "classic" else None,
        ) as engine,
        render.Working("judging") as working,
    ):
        for problem in open_source(file).problems:
            working.say(f"judging {problem.place}")
            if not problem.move_values:
                raise click.ClickException(
                    f"{problem.place}: no values to judge by; expected MOVE:score; behind the board"
                )
            engine.clear()
            found = engine.search(problem.board, Limit(depth=depth), selectivity=selectivity)
            judged.append(judgement(problem, found, evaluator == "pattern"))
            if found.certainty is not None:
                least = min(least, found.certainty.selectivity)
    answer = summary(judged)
    if as_json:
        settings = {"depth": depth, "selectivity": least, "evaluator": evaluator}
        render.json_line({"file": file, **settings, **answer})
        return
    drawn = render.table("", file, left=("",))
    for name, text in _facts(answer):
        drawn.add_row(name, text)
    render.out().print(drawn)


def judgement(problem: Problem, found: SearchResult, counts_discs: bool) -> Judgement:
    """Return how good a search's choice and value are."""
    values = sorted(problem.move_values.values(), reverse=True)
    chosen = None
    if found.move not in (None, "pass"):
        chosen = problem.move_values.get(parse_square(found.move or ""))
    error = None
    if counts_discs and found.value is not None:
        error = found.value - values[0]
    return Judgement(
        best=chosen is not None and chosen >= values[0],
        top2=chosen is not None and chosen >= values[:2][-1],
        error=error,
        nodes=found.nodes,
        elapsed_ms=found.elapsed_ms,
    )


def summary(judged: Sequence[Judgement]) -> dict[str, float | int | None]:
    """Return the figures of a set; those of the value are None where no discs are counted."""
    errors = [each.error for each in judged if each.error is not None]

    def percent(hits: Sequence[bool]) -> float | None:
        return 100 * sum(hits) / len(hits) if hits else None

    return {
        "positions": len(judged),
        "best_move_percent": percent([each.best for each in judged]),
        "top2_percent": percent([each.top2 for each in judged]),
        "mae": sum(map(abs, errors)) / len(errors) if errors else None,
        "bias": sum(errors) / len(errors) if errors else None,
        "within3_percent": percent([abs(error) <= 3 for error in errors]),
        "within6_percent": percent([abs(error) <= 6 for error in errors]),
        "nodes": sum(each.nodes for each in judged),
        "elapsed_ms": sum(each.elapsed_ms for each in judged),
    }


def _facts(answer: dict[str, float | int | None]) -> list[tuple[str, str]]:
    """Return the figures in words."""
    shown = [("positions", f"{answer['positions']}")]
    for key, name, form in (
        ("best_move_percent", "best move", "{:.1f} %"),
        ("top2_percent", "among the top 2", "{:.1f} %"),
        ("mae", "mean absolute error", "{:.2f}"),
        ("bias", "bias", "{:+.2f}"),
        ("within3_percent", "within 3 discs", "{:.1f} %"),
        ("within6_percent", "within 6 discs", "{:.1f} %"),
    ):
        if answer[key] is not None:
            shown.append((name, form.format(answer[key])))
    shown.append(("nodes", words.count(answer["nodes"] or 0)))
    shown.append(("time", words.duration(answer["elapsed_ms"] or 0.0)))
    return shown
