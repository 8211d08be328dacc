"""The builds of the core: which one is chosen; all give the same values and node counts."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import brute
import pytest
from commandline import ENVIRONMENT

import reversi

INFO = reversi.cpu_info()
RUNNABLE = [build for build in INFO.builds if build in INFO.supported]
LEVELS = {"portable": 0, "x86-64-v2": 2, "x86-64-v3": 3, "x86-64-v4": 4}

# Positions as text on standard input; what every build must find, on standard output.
SEARCHES = """
import json, sys
from reversi import *
from reversi._load import core

found = {"build": cpu_info().build, "forced": cpu_info().forced, "answers": []}
def note(*answer): found["answers"].append(answer)

for text in json.load(sys.stdin):
    board = Board.from_obf(text)
    note(text, board.perft(3), board.legal_moves.mask, board.stable(True), board.stable(False))
    note(core.evaluate(board.own, board.opp), board.zobrist)
    classic = {"evaluator": "classic"}
    for settings in ({}, {"use_hash": False}, classic, {**classic, "use_ordering": False}):
        slow = "use_hash" in settings or "use_ordering" in settings
        with Engine(hash_mb=1, **settings) as engine:
            limits = [Limit(depth=5)] if slow else [Limit(depth=7), Limit(nodes=20_000)]
            for limit in limits:
                result = engine.search(board, limit)
                note(result.move, result.score, result.depth, result.nodes, result.pv, result.exact)
            if board.empties <= (12 if slow else 16):
                for scoring in ("tournament", "discs"):
                    solution = engine.solve(board, scoring)
                    note(solution.value, solution.best_moves, solution.pv, solution.nodes)
            stats = engine.table_stats
            note(stats.hits, stats.stores, stats.fill)
print(json.dumps(found))
"""
STUB = """
import sys, types
stub = types.ModuleType("reversi._cpu")
stub.x86_64_level = lambda: {level}
sys.modules["reversi._cpu"] = stub
"""


def python(
    code: str, reversi_cpu: str | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "REVERSI_CPU"}
    if reversi_cpu is not None:
        environment["REVERSI_CPU"] = reversi_cpu
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(reversi.__file__).parents[1],
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
    )


def answers_of(build: str) -> Any:
    drawn = [brute.from_game(0, empties) for empties in (58, 45, 33, 24, 16, 12, 9)]
    drawn += [brute.odd_board(seed, 11) for seed in range(4)]
    drawn += [brute.sparse_board(seed, 12) for seed in range(2)]
    done = python(SEARCHES, build, json.dumps([brute.obf(*position) for position in drawn]))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def portable() -> Any:
    return answers_of("portable")


@pytest.mark.parametrize("build", RUNNABLE)
def test_every_build_counts_the_same_nodes(build: str, portable: Any) -> None:
    found = answers_of(build)
    assert (found["build"], found["forced"]) == (build, True)
    assert len(found["answers"]) > 60
    assert found["answers"] == portable["answers"]


# Networks by seed: of chance, of chance with large outputs, of the largest numbers.
VALUES = """
import hashlib, sys
sys.path.insert(0, sys.stdin.read())
import networks, numpy as np
from reversi._load import core

rows = np.frombuffer(core.play_games(None, 1, 0, 8, 1), "<u8").reshape(-1, 3)
boards, found = np.ascontiguousarray(rows[:, :2]), []
for seed in range(8):
    drawn = networks.chance(seed), networks.chance(seed, 1500), networks.farthest(seed)
    for rows, layers in drawn:
        classes = networks.classes_of(boards)[0]
        layers[networks.CONSTANT] = -networks.uncut(rows, layers, classes)
        values = np.zeros(len(boards), np.int16)
        core.Weights(rows, layers).evaluate_boards(boards, values)
        found.append((len(np.unique(values)), hashlib.sha256(values.tobytes()).hexdigest()))
print(found)
"""


def values_of(build: str) -> str:
    done = python(VALUES, build, str(Path(__file__).parent))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_build_finds_the_same_values_of_any_network() -> None:
    portable = values_of("portable")
    assert portable.count("(") == 24
    for build in RUNNABLE[1:]:
        assert values_of(build) == portable


LEARNED = """
import hashlib, sys
sys.path.insert(0, sys.stdin.read())
import networks, numpy as np
from reversi._load import core

drawn = np.frombuffer(core.play_games(None, 2, 0, 20, 1), "<u8").reshape(-1, 3)
boards, rng = np.ascontiguousarray(drawn[:, :2]), np.random.default_rng(1)
values = rng.normal(0, 20, len(boards)).astype(np.float32)
layers = np.zeros((3, core.LAYERS), np.float32)
layers[0, networks.INPUTS.start : networks.CONSTANT] = rng.normal(0, 0.3, 544)
learned = np.zeros(networks.SHAPE, np.float32), np.full(networks.SHAPE, 1e-4, np.float32), layers
order = np.arange(len(boards), dtype=np.uint32)
core.learn(*learned, boards, values, order, (0.05, 0.002, 0.001), 0, len(boards))
print([hashlib.sha256(part.tobytes()).hexdigest() for part in learned])
"""


def test_every_build_learns_the_same() -> None:
    found = set()
    for build in RUNNABLE:
        done = python(LEARNED, build, str(Path(__file__).parent))
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
    assert len(found) == 1


# The choice.


def test_the_highest_build_that_runs_is_chosen() -> None:
    done = python("import reversi; print(reversi.cpu_info())")
    assert done.returncode == 0, done.stderr
    assert f"build={RUNNABLE[-1]!r}" in done.stdout and "forced=False" in done.stdout
    assert "portable" in INFO.builds and "portable" in INFO.supported


def test_an_empty_setting_forces_nothing() -> None:
    done = python("import reversi; print(reversi.cpu_info().forced)", "")
    assert done.stdout == "False\n"


@pytest.mark.parametrize("level", range(5))
def test_each_processor_gets_the_best_build_for_it(level: int) -> None:
    expected = [build for build in INFO.builds if LEVELS[build] <= level][-1]
    if expected not in RUNNABLE:
        pytest.skip("this processor cannot run that build")
    done = python(STUB.format(level=level) + "import reversi; print(reversi.cpu_info().build)")
    assert done.stdout == f"{expected}\n", done.stderr


@pytest.mark.parametrize("build", ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
def test_a_build_that_the_processor_cannot_run_is_refused(build: str) -> None:
    done = python(STUB.format(level=LEVELS[build] - 1) + "import reversi", build)
    assert done.returncode == 1
    message = done.stderr.splitlines()[-1]
    assert message.startswith("ImportError: ") and repr(build) in message
    assert "processor" in message and "portable" in message


@pytest.mark.parametrize("name", ["x86-64-v5", "v3", "avx2", "PORTABLE", " "])
def test_an_unknown_build_is_refused(name: str) -> None:
    done = python("import reversi", name)
    assert done.returncode == 1
    message = done.stderr.splitlines()[-1]
    assert message.startswith("ImportError: ") and f"REVERSI_CPU={name!r}" in message
    assert all(known in message for known in LEVELS)


@pytest.mark.parametrize("start", [["-m", "reversi"], ["reversi"]])
def test_the_command_refuses_it_in_a_line(start: list[str], tmp_path: Path) -> None:
    script = tmp_path / "reversi"  # as an installation makes it
    script.write_text("from reversi.cli import main\nmain()\n")
    done = subprocess.run(
        [sys.executable, *start, "best", "start"],
        cwd=tmp_path,
        env={**ENVIRONMENT, "REVERSI_CPU": "nonsense"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "reversi: error: REVERSI_CPU='nonsense' is not a build of the core;"
        f" known: {', '.join(LEVELS)}\n"
    )


def test_a_program_with_the_command_among_its_arguments_can_catch_it() -> None:
    code = "try: import reversi\nexcept ImportError: print('caught')"
    environment = {**ENVIRONMENT, "REVERSI_CPU": "nonsense"}
    done = subprocess.run(
        [sys.executable, "-c", code, "reversi"], env=environment, capture_output=True, text=True
    )
    assert done.stdout == "caught\n"


def test_a_build_that_is_not_installed_is_refused() -> None:
    hide = (
        "import importlib.util as u; find = u.find_spec; u.find_spec = lambda n, *a: ("
        "None if n.endswith('v2') else find(n, *a))\n"
    )
    done = python(STUB.format(level=4) + hide + "import reversi", "x86-64-v2")
    assert done.returncode == 1
    message = done.stderr.splitlines()[-1]
    assert message.startswith("ImportError: ") and "installation" in message
