"""The exceptions of the package. Each message says what came, where, and what was expected."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "EngineError",
    "FormatError",
    "IllegalMoveError",
    "InvalidBoardError",
    "InvalidMoveError",
    "SearchStopped",
    "TrainingError",
    "WeightsError",
]


class InvalidMoveError(ValueError):
    """What was given is no move on any board: ``'z9'``, ``65``, ``-1``, a value of a wrong type.

    >>> issubclass(InvalidMoveError, ValueError)
    True
    """


class IllegalMoveError(ValueError):
    """A square or a pass that is well formed, but not allowed in this position.

    >>> issubclass(IllegalMoveError, ValueError)
    True
    """


class InvalidBoardError(ValueError):
    """Text, cells or bitboards that describe no board; the message names the offending place.

    >>> issubclass(InvalidBoardError, ValueError)
    True
    """


class EngineError(RuntimeError):
    """An external engine that failed, or that cannot do what it was asked for.

    ``engine`` is its name and ``reason`` what happened; ``kind`` is one of ``"start"`` (it cannot
    be started, or does not greet), ``"crash"`` (it ended), ``"timeout"`` (no answer in time),
    ``"garbage"`` (an answer that is none), ``"illegal move"`` and ``"refused"`` (it says that it
    cannot, or lacks a command that is needed); ``output`` are the last lines of its standard error.

    >>> str(EngineError("edax", "crash", "ended with exit status 1", ["no book"]))
    "edax: ended with exit status 1; the last of its standard error: 'no book'"
    """

    def __init__(self, engine: str, kind: str, reason: str, output: Sequence[str] = ()) -> None:
        super().__init__(engine, kind, reason, output)
        self.engine = engine
        self.kind = kind
        self.reason = reason
        self.output = tuple(output)

    def __str__(self) -> str:
        text = f"{self.engine}: {self.reason}"
        if self.output:
            text += f"; the last of its standard error: {' / '.join(self.output)!r}"
        return text


class FormatError(ValueError):
    """A game or position in a file, or a pasted one, that cannot be read.

    ``reason`` says what came and what was expected; ``kind`` is one of ``"syntax"``,
    ``"truncated"``, ``"too long"``, ``"board"``, ``"illegal move"``, ``"result"`` (one that is not
    the board's), ``"ambiguous"`` and ``"unsupported"``; ``source`` is the file's name or None,
    ``game`` the number of the game in it from 1 (None where it has no games), and ``place`` where
    in it: ``"line 3, column 12"``, ``"byte 84"``, ``"move 7"``.

    >>> str(FormatError("'Z9' is not a move", "syntax", "old.ggf", 12, "line 12, column 90"))
    "old.ggf: game 12: line 12, column 90: 'Z9' is not a move"
    """

    def __init__(
        self,
        reason: str,
        kind: str = "syntax",
        source: str | None = None,
        game: int | None = None,
        place: str | None = None,
    ) -> None:
        super().__init__(reason, kind, source, game, place)
        self.reason = reason
        self.kind = kind
        self.source = source
        self.game = game
        self.place = place

    def __str__(self) -> str:
        numbered = None if self.game is None else f"game {self.game}"
        return ": ".join(part for part in (self.source, numbered, self.place, self.reason) if part)


class WeightsError(ValueError):
    """A file of weights that cannot be used; the message names the file and what is wrong with it.

    >>> issubclass(WeightsError, ValueError)
    True
    """


class TrainingError(ValueError):
    """A step of training that cannot go on; the message names the file or setting at fault.

    >>> issubclass(TrainingError, ValueError)
    True
    """


class SearchStopped(RuntimeError):  # noqa: N818  (an order that was followed, not an error)
    """A solve was ended by ``Engine.stop()`` before it had an answer.

    >>> issubclass(SearchStopped, RuntimeError)
    True
    """
