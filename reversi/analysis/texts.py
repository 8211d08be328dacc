"""Values, certainties and results in words, as the table, the page and the graph show them."""

from __future__ import annotations

from collections.abc import Sequence

from reversi.analysis.results import MARK_SIGNS, GameAnalysis, MoveAnalysis, Player
from reversi.board import Outcome
from reversi.results import Certainty

__all__ = [
    "certainty_text",
    "ending",
    "loss_text",
    "move_text",
    "player_rows",
    "players_text",
    "settings_text",
    "value_text",
]


def value_text(value: float, certainty: Certainty) -> str:
    """Return a value in discs: whole where it is exact, with what is proved where it has bounds.

    >>> value_text(4.0, Certainty("exact", 12, 100, 4, 4))
    '+4'
    >>> value_text(2.5, Certainty("search", 21, 73)), value_text(0.0, Certainty("search", 21, 73))
    ('+2.50', '0.00')
    >>> value_text(2.5, Certainty("bound", 21, 73, 1, 64))
    '+2.50 (win)'
    """
    if certainty.kind == "exact":
        return f"{value:+.0f}" if value else "0"
    text = f"{value:+.2f}" if value else "0.00"
    if certainty.kind == "search" or certainty.lower is None or certainty.upper is None:
        return text
    lower, upper = certainty.lower, certainty.upper
    known = "win" if lower > 0 else "loss" if upper < 0 else f"{lower:+d}..{upper:+d}"
    return f"{text} ({known})"


def certainty_text(certainty: Certainty) -> str:
    """Return how sure a value is: ``12!`` solved with 12 empty squares, ``21@73%`` searched so many
    plies and so surely.

    >>> certainty_text(Certainty("exact", 12, 100, 4, 4))
    '12!'
    >>> certainty_text(Certainty("search", 6, 99))
    '6@99%'
    """
    if certainty.kind == "exact":
        return f"{certainty.depth}!"
    if certainty.selectivity == 100:
        return f"{certainty.depth}"
    return f"{certainty.depth}@{certainty.selectivity}%"


def loss_text(move: MoveAnalysis) -> str:
    """Return the loss of a move in discs, empty for none."""
    if not move.loss:
        return ""
    return f"{move.loss:.0f}" if move.exact else f"{move.loss:.2f}"


def move_text(move: MoveAnalysis) -> str:
    """Return a marked move in a line: what it lost, and what was best."""
    sign = f" {MARK_SIGNS[move.mark]}" if move.mark else ""
    best = " ".join(move.best_moves)
    side = move.side.name.lower()
    return f"{move.number}. {side} {move.move}{sign} loses {loss_text(move)}; best {best}"


def players_text(analysis: GameAnalysis) -> str:
    """Return who plays: ``Ann - Bob``, black first; the sides where the names are not known.

    >>> from reversi import Game, Limit
    >>> players_text(GameAnalysis(Game(headers={"white": "Bob"}), (), Limit(level=21), 20))
    'black - Bob'
    """
    return " - ".join(player.name or player.side.name.lower() for player in analysis.players)


def player_rows(players: Sequence[Player]) -> list[tuple[str, list[str]]]:
    """Return the rows of the table of players: what is counted, and what each comes to;
    of the exact part where there is one."""
    rows = [
        ("moves", [f"{player.whole.moves}" for player in players]),
        ("with a choice", [f"{player.whole.choices}" for player in players]),
        ("best move chosen", [_share(player.whole.best_share) for player in players]),
        ("mean loss", [_mean(player.whole.mean_loss) for player in players]),
        ("blunders ??", [f"{player.whole.blunders}" for player in players]),
        ("mistakes ?", [f"{player.whole.mistakes}" for player in players]),
        ("inaccuracies ?!", [f"{player.whole.inaccuracies}" for player in players]),
    ]
    if any(player.exact.choices for player in players):
        rows += [
            ("exact: with a choice", [f"{player.exact.choices}" for player in players]),
            ("exact: best move chosen", [_share(player.exact.best_share) for player in players]),
            ("exact: mean loss", [_mean(player.exact.mean_loss) for player in players]),
        ]
    return rows


def ending(analysis: GameAnalysis) -> str:
    """Return how the main line ends; where the game is not over there, what it is worth there.

    >>> from reversi import Game, Limit
    >>> ending(GameAnalysis(Game(), (), Limit(level=21), 20))
    'not over after 0 moves'
    """
    ended = analysis.outcome
    stated = analysis.game.headers.get("result", "")
    if ended is not None:
        return _outcome_text(ended)
    text = f"not over after {len(analysis.game)} moves"
    last = analysis.moves[-1] if analysis.moves else None
    if last is not None:
        text += f"; {last.side.name.lower()}'s value there"
        text += f" {value_text(last.value, last.certainty)}"
    return f"{text}; stated result {stated}" if stated else text


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def _mean(loss: float | None) -> str:
    return "-" if loss is None else f"{loss:.2f}"


def _outcome_text(ended: Outcome) -> str:
    discs = f"{ended.black_discs} to {ended.white_discs}"
    if ended.winner is None:
        return f"a draw, {discs}"
    text = f"{ended.winner.name.lower()} wins, {discs}"
    return text if ended.discs == ended.tournament else f"{text} ({ended.tournament:+d})"


def settings_text(analysis: GameAnalysis) -> str:
    """Return how an analysis was made, in a sentence.

    >>> from reversi import Game, Limit
    >>> settings_text(GameAnalysis(Game(), (), Limit(depth=8), 20))
    'Solved from 20 empty squares on, searched to depth 8 before that.'
    """
    words = {"level": "level {}", "depth": "depth {}", "time_ms": "{} ms a move",
             "nodes": "{} nodes a move"}  # fmt: skip
    limits = [
        text.format(getattr(analysis.limit, name))
        for name, text in words.items()
        if getattr(analysis.limit, name) is not None
    ]
    text = f"Solved from {analysis.exact_empties} empty squares on, searched to "
    return f"{text}{', '.join(limits)} before that."
