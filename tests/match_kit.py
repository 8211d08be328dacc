"""What the tests of matches share: quick engines and toy ones, and the games of a file."""

from __future__ import annotations

import sys
from pathlib import Path

from reversi.formats import ggf

TOY = Path(__file__).with_name("toy_engine.py")
FAST = ("pattern,depth=2,hash-mb=1", "classic,depth=1,hash-mb=1")


def toy(protocol: str, *fault: str) -> str:
    quoted = " ".join(f"'{word}'" for word in (sys.executable, str(TOY), protocol, *fault))
    return f"{protocol}:{quoted}"


def games_of(path: Path) -> dict[str, str]:
    with path.open("rb") as file:
        games = list(ggf.read(file))
    found = {game.headers["round"]: game.transcript(passes=True) for game in games}
    assert len(found) == len(games)
    return found
