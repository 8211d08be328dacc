"""What `import reversi` brings with it: the standard library and the compiled core alone."""

import subprocess
import sys
from pathlib import Path

import pytest

import reversi

# Modules that Cython's runtime makes up; no files stand behind them.
MADE_UP = ("cython_runtime", "_cython_")


def printed_by(code: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(reversi.__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    "use",
    [
        "",
        "reversi.search_best_move(reversi.Board().cells(), True, 0)",
        "reversi.compare(reversi.Board.from_obf('X' * 8 + 'O' * 24 + 'X' * 31 + '- O'))",
        "reversi.Engine(hash_mb=1, threads=2).search(reversi.Board(), reversi.Limit(depth=2))",
        "reversi.analyse_game(reversi.parse_any('f5d6').game, reversi.Limit(depth=1))",
        "reversi.EngineProcess, reversi.read_games",
    ],
)
def test_no_third_party_module_comes_along(use: str) -> None:
    modules = printed_by(
        f"import sys; before = set(sys.modules); import reversi; {use}\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    roots = {name.partition(".")[0] for name in modules if not name.startswith(MADE_UP)}
    assert "reversi" in roots
    assert roots - {"reversi"} <= set(sys.stdlib_module_names)


def test_neither_the_command_line_nor_other_builds_come_along() -> None:
    modules = printed_by("import sys, reversi; print(*sys.modules)")
    for rooms in ("cli", "formats", "analysis", "protocols", "match"):
        assert not [name for name in modules if name.startswith(f"reversi.{rooms}")]
    assert len([name for name in modules if name.startswith("reversi._core")]) == 1


def test_importing_prints_nothing() -> None:
    assert printed_by("import reversi") == []


def test_every_public_name_is_there() -> None:
    assert len(set(reversi.__all__)) == len(reversi.__all__)
    for name in reversi.__all__:
        assert hasattr(reversi, name), name
    assert set(reversi.__all__) <= set(dir(reversi))
    assert not set(dir(reversi)) & {"core", "engine", "annotations"}
    names = set(printed_by("from reversi import *; print(*dir())"))
    assert set(reversi.__all__) <= names
    assert not names & {"core", "engine", "annotations"}


def test_the_version_is_the_distribution_s() -> None:
    assert reversi.__version__ == "0.1.0"
    assert (Path(reversi.__file__).parent / "py.typed").exists()
