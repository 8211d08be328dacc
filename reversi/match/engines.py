"""Who plays: the text that describes an engine, and engines that play by it. Knows no match.

pattern,level=10,weights=FILE    an evaluation of the package, with its settings
nboard:COMMAND ARGUMENTS         a program that speaks NBoard
gtp:COMMAND ARGUMENTS            a program that speaks GTP
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from reversi.checks import EVALUATORS
from reversi.engine import Engine
from reversi.game import Game
from reversi.limits import Limit, check_integer
from reversi.protocols.child import arguments_of
from reversi.protocols.clock import Clock, TimeControl
from reversi.protocols.process import Answer, EngineProcess, check_limit

__all__ = ["Player", "Spec", "make_player", "parse_spec"]

Kind: TypeAlias = Literal["pattern", "classic", "nboard", "gtp"]

# Where nothing says how long to think: some hundredths of a second a move.
_DEFAULT_LIMIT = Limit(level=10)
_LIMITS = {"time-ms": "time_ms", "depth": "depth", "nodes": "nodes", "level": "level"}
_SETTINGS = (*_LIMITS, "threads", "hash-mb", "weights")
_PROTOCOLS: dict[str, Literal["nboard", "gtp"]] = {"nboard": "nboard", "gtp": "gtp"}
_EXPECTED = "pattern or classic with settings such as level=10, nboard:COMMAND or gtp:COMMAND"


@dataclass(frozen=True, slots=True)
class Spec:
    """An engine's description. ``text`` is what was written, and its name; ``limit`` its own limit
    of a move, None where it takes the match's."""

    text: str
    kind: Kind
    command: tuple[str, ...] = ()
    limit: Limit | None = None
    weights: str | None = None
    threads: int = 1
    hash_mb: int = 64


def parse_spec(text: str) -> Spec:
    """Return what a description says.

    ``pattern`` and ``classic`` take settings behind commas: ``time-ms``, ``depth``, ``nodes`` and
    ``level`` limit a move, ``threads``, ``hash-mb``, and with pattern ``weights``, a file. Raises
    ValueError that names what is wrong.

    >>> parse_spec("pattern,level=10,threads=2").threads
    2
    >>> parse_spec("nboard:edax -nboard").command
    ('edax', '-nboard')
    >>> parse_spec("pattern,levle=10")
    Traceback (most recent call last):
    ValueError: 'pattern,levle=10': 'levle' is no setting; expected one of time-ms, depth, nodes, \
level, threads, hash-mb, weights
    """
    protocol, _, command = text.partition(":")
    if protocol in _PROTOCOLS:
        try:
            return Spec(text, _PROTOCOLS[protocol], tuple(arguments_of(command)))
        except ValueError as error:
            raise ValueError(f"{text!r}: {error}") from None
    kind, *settings = (part.strip() for part in text.split(","))
    if kind not in EVALUATORS:
        raise ValueError(f"{text!r}: {kind!r} is no engine; expected {_EXPECTED}")
    try:
        return _built_in(text, "pattern" if kind == "pattern" else "classic", settings)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None


def _built_in(text: str, kind: Literal["pattern", "classic"], settings: list[str]) -> Spec:
    given: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if name not in _SETTINGS:
            raise ValueError(f"{name!r} is no setting; expected one of {', '.join(_SETTINGS)}")
        if not equals or not value:
            raise ValueError(f"{name!r} has no value; expected {name}=...")
        if name in given:
            raise ValueError(f"{name!r} is given twice")
        given[name] = value
    weights = given.pop("weights", None)
    if weights is not None and kind == "classic":
        raise ValueError("'weights' goes with pattern")
    numbers = {name: _number(name, value) for name, value in given.items()}
    limits = {_LIMITS[name]: value for name, value in numbers.items() if name in _LIMITS}
    threads, hash_mb = numbers.get("threads", 1), numbers.get("hash-mb", 64)
    check_integer("threads", threads, 1)
    check_integer("hash-mb", hash_mb, 1)
    limit = Limit(**limits) if limits else None
    return Spec(text, kind, limit=limit, weights=weights, threads=threads, hash_mb=hash_mb)


def _number(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit()):
        raise ValueError(f"{name} is {value!r}; expected an integer, 0 or more")
    return int(value)


class Player(Protocol):
    """An engine at a board; it keeps nothing from one game to the next but its process."""

    def begin(self, seed: int) -> None:
        """Make ready for a game; ``seed`` is for those who play by chance."""

    def choose(self, game: Game, clock: Clock | None) -> Answer:
        """Return a move in a game at its place. Raises EngineError."""

    def stop(self) -> None:
        """End a search, from any thread; what it answers is of no interest."""

    def close(self) -> None:
        """Give all back."""


class _BuiltIn:
    """The package's own engine, a new one for each game, so that none knows of others."""

    def __init__(self, spec: Spec, limit: Limit | None) -> None:
        self._spec = spec
        self._limit = limit
        self._engine: Engine | None = None

    def begin(self, seed: int) -> None:
        spec = self._spec
        self.close()
        self._engine = Engine(
            hash_mb=spec.hash_mb,
            threads=spec.threads,
            evaluator=spec.kind,
            weights=spec.weights,
            seed=seed,
        )

    def choose(self, game: Game, clock: Clock | None) -> Answer:
        assert self._engine is not None
        board = game.board
        began = time.perf_counter()
        limit = self._limit
        if clock is not None:
            limit = clock.limit(board.empties, limit.level if limit else None)
        found = self._engine.search(board, limit)
        assert found.move is not None
        return Answer(found.move, found.value, 1000 * (time.perf_counter() - began))

    def stop(self) -> None:
        engine = self._engine  # which another thread may take away meanwhile
        if engine is not None:
            engine.stop()

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None


class _External:
    """A program, which is started again after a fault."""

    def __init__(
        self,
        spec: Spec,
        protocol: Literal["nboard", "gtp"],
        limit: Limit | None,
        control: TimeControl | None,
    ) -> None:
        self._spec = spec
        self._protocol = protocol
        self._limit = limit
        self._control = control
        self._process: EngineProcess | None = None

    def begin(self, seed: int) -> None:
        if self._process is None or not self._process.is_alive:
            self._process = EngineProcess(self._spec.command, self._protocol, name=self._spec.text)

    def choose(self, game: Game, clock: Clock | None) -> Answer:
        assert self._process is not None
        return self._process.choose(game, self._limit, control=self._control)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        if self._process is not None:
            self._process.close()


def make_player(spec: Spec, limit: Limit | None, control: TimeControl | None) -> Player:
    """Return who plays by a description, with the match's limit or time control. Nothing runs yet.

    Raises ValueError where the engine cannot be told of its limit.
    """
    protocol = _PROTOCOLS.get(spec.kind)
    try:
        if protocol is not None:
            check_limit(protocol, limit)
            return _External(spec, protocol, limit, control)
        if spec.limit is not None:
            limit = _own_limit(spec.limit, control)
        return _BuiltIn(spec, limit or (_DEFAULT_LIMIT if control is None else None))
    except ValueError as error:
        raise ValueError(f"{spec.text!r}: {error}") from None


def _own_limit(limit: Limit, control: TimeControl | None) -> Limit:
    """Return an engine's own limit; beside a clock it can be a level alone."""
    if control is not None and limit != Limit(level=limit.level or 0):
        raise ValueError(f"limit is {limit}; expected level alone: the clock limits the time")
    return limit
