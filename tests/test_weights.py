"""Files of weights: what is written is read again, and what is no good is named."""

from __future__ import annotations

import hashlib
import json
import random
import struct
import threading
import zlib
from array import array
from pathlib import Path

import networks
import pytest

from reversi import WeightsError
from reversi._load import core
from reversi.weights import (
    DEVIATIONS,
    default_weights,
    read_deviations,
    read_header,
    read_parts,
    read_weights,
    write_deviations,
    write_weights,
)

SHAPE = (core.weight_classes(), core.CHANNELS)
Parts = tuple[memoryview, memoryview]
BOARDS = [
    (0x0000000810000000, 0x0000001008000000),
    (0x0000000818080000, 0x0000001000000000),
    (0xFFFFFFFF00000000, 0x00000000FFFFFFF0),
]


def some_weights() -> Parts:
    """Rows of every size, and layers as large as they may be."""
    rng = random.Random(1)
    rows = array("b", rng.randbytes(SHAPE[0] * SHAPE[1]))
    inputs, units = core.CHANNELS * core.HIDDEN, core.HIDDEN
    layers = array("i", [0] * units)  # the first channel is no input
    layers += array("i", (rng.randint(-127, 127) for _ in range(inputs - units)))
    layers += array("i", (rng.randint(-(1 << 24), 1 << 24) for _ in range(units)))
    layers += array("i", (rng.randint(-16383, 16383) for _ in range(units)))
    layers.append(-12345)
    return memoryview(rows).cast("B").cast("b", SHAPE), memoryview(layers)


def some_deviations() -> memoryview:
    rng = random.Random(2)
    table = array("H", (rng.randint(0, 65535) for _ in range(DEVIATIONS * DEVIATIONS)))
    return memoryview(table).cast("B").cast("H", (DEVIATIONS, DEVIATIONS))


@pytest.fixture(scope="module")
def weights() -> Parts:
    return some_weights()


@pytest.fixture(scope="module")
def written(weights: Parts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "some.rvw"
    write_weights(path, *weights, {"seed": 1})
    return path


@pytest.fixture
def copy(written: Path, tmp_path: Path) -> Path:
    path = tmp_path / "copy.rvw"
    path.write_bytes(written.read_bytes())
    return path


def change_header(path: Path, name: str, value: object) -> None:
    line, _, payload = path.read_bytes().partition(b"\n")
    word, _, text = line.partition(b" ")
    header = {**json.loads(text), name: value}
    path.write_bytes(word + b" " + json.dumps(header).encode() + b"\n" + payload)


def test_what_is_written_is_read_again(weights: Parts, written: Path) -> None:
    given, read = core.Weights(*weights), read_weights(written)
    for own, opp in BOARDS:
        assert read.evaluate(own, opp) == given.evaluate(own, opp)
    assert read_header(written)["provenance"] == {"seed": 1}
    assert read_parts(written) == weights


def test_a_file_is_a_line_and_then_rows_and_layers(weights: Parts, written: Path) -> None:
    """As docs/training.md has it, so that others can read and write them."""
    line, _, packed = written.read_bytes().partition(b"\n")
    word, _, text = line.partition(b" ")
    data = zlib.decompress(packed)
    assert word == b"reversi-weights"
    assert json.loads(text) == {
        "version": 2,
        "network": f"{core.NETWORK_ID:016x}",
        "classes": core.weight_classes(),
        "channels": 16,
        "layers": 577,
        "unit": 128,
        "coding": "zlib; int8 rows, little-endian int32 layers",
        "bytes": len(packed),
        "sha256": hashlib.sha256(packed).hexdigest(),
        "provenance": {"seed": 1},
    }
    rows, layers = weights
    assert data[: rows.nbytes] == rows.tobytes()
    assert list(struct.unpack("<577i", data[rows.nbytes :])) == layers.tolist()


@pytest.mark.parametrize("change", [-1, 1])
def test_a_file_that_unpacks_to_another_size(change: int, copy: Path) -> None:
    packed = copy.read_bytes().partition(b"\n")[2]
    size = SHAPE[0] * SHAPE[1] + 4 * 577
    packed = zlib.compress((zlib.decompress(packed) + b"\0")[: size + change])
    copy.write_bytes(copy.read_bytes().partition(b"\n")[0] + b"\n" + packed)
    change_header(copy, "bytes", len(packed))
    change_header(copy, "sha256", hashlib.sha256(packed).hexdigest())
    with pytest.raises(WeightsError, match=f"holds {size + change} bytes; expected {size}"):
        read_weights(copy)


def test_nothing_else_is_left_in_the_folder(written: Path) -> None:
    assert list(written.parent.iterdir()) == [written]


@pytest.mark.parametrize("kept", [0, 10, 200, 5000, -1])
def test_a_file_that_was_cut_short(kept: int, copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[:kept])
    with pytest.raises(WeightsError, match=r"copy.rvw: .*(not a file of weights|cut short)"):
        read_weights(copy)


def test_a_file_with_more_than_it_says(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes() + b"\0")
    with pytest.raises(WeightsError, match=r"copy.rvw: longer than it says"):
        read_weights(copy)


def test_a_damaged_file(copy: Path) -> None:
    data = bytearray(copy.read_bytes())
    data[-1000] ^= 1
    copy.write_bytes(data)
    with pytest.raises(WeightsError, match=r"copy.rvw: damaged: the checksum"):
        read_weights(copy)


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"reversi", b"x" * 3_000_000])
def test_a_foreign_file(data: bytes, copy: Path) -> None:
    copy.write_bytes(data)
    with pytest.raises(WeightsError, match=r"copy.rvw: not a file of weights"):
        read_weights(copy)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("version", 1),
        ("network", "0"),
        ("channels", 8),
        ("classes", 1),
        ("layers", 3),
        ("unit", 64),
        ("coding", "zlib"),
    ],
)
def test_a_file_of_another_kind(name: str, value: object, copy: Path) -> None:
    change_header(copy, name, value)
    with pytest.raises(WeightsError, match=f"copy.rvw: {name} {value!r}; this package reads"):
        read_weights(copy)


@pytest.mark.parametrize("text", ["[]", "{}", "nothing", '{"version": ', "[" * 200_000])
def test_a_header_that_says_nothing(text: str, copy: Path) -> None:
    copy.write_bytes(b"reversi-weights " + text.encode() + b"\n")
    with pytest.raises(WeightsError, match=r"copy.rvw: "):
        read_weights(copy)


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("bytes", 10**30, "bytes 10{30}"),
        ("bytes", 10**18, "bytes 10{18}"),
        ("bytes", -1, "bytes -1"),
        ("sha256", None, "sha256 None"),
        ("provenance", None, "no provenance"),
    ],
)
def test_a_header_that_is_damaged(name: str, value: object, named: str, copy: Path) -> None:
    change_header(copy, name, value)
    for read in (read_weights, read_header):
        with pytest.raises(WeightsError, match=f"copy.rvw: its first line is damaged: {named}"):
            read(copy)


def test_a_file_that_cannot_be_written_is_named(weights: Parts, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "none" / "x.rvw", tmp_path / "file" / "x.rvw"):
        with pytest.raises(OSError, match=r"[/\\]x.rvw'$"):
            write_weights(path, *weights, {})
    (tmp_path / "x.rvw").mkdir()
    with pytest.raises(OSError, match=r"[/\\]x.rvw'$"):
        write_weights(tmp_path / "x.rvw", *weights, {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "x.rvw"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none.rvw"):
        read_weights(tmp_path / "none.rvw")


def test_weights_of_another_shape(weights: Parts, tmp_path: Path) -> None:
    rows, layers = weights
    for given, said in (
        ((array("b", [1]), layers), r"rows of shape \(1,\) and format 'b'"),
        ((rows, array("i", [1])), r"layers of shape \(1,\) and format 'i'"),
        ((rows, layers.cast("B").cast("I")), r"layers of shape \(577,\) and format 'I'"),
    ):
        with pytest.raises(WeightsError, match=f"one.rvw: {said}"):
            write_weights(tmp_path / "one.rvw", *given, {})
    assert not list(tmp_path.iterdir())


def test_layers_that_no_network_has(weights: Parts, tmp_path: Path) -> None:
    layers = array("i", weights[1])
    layers[5] = 1000
    write_weights(tmp_path / "odd.rvw", weights[0], layers, {})
    with pytest.raises(WeightsError, match=r"odd.rvw: number 5 of the layers is 1000; expected"):
        read_weights(tmp_path / "odd.rvw")


# The deviations of Multi-ProbCut


def test_deviations_come_and_go_and_the_weights_stay(written: Path, copy: Path) -> None:
    before, table = read_header(copy), some_deviations()
    assert read_deviations(copy) is None
    write_deviations(copy, table, {"seed": 2})
    assert read_deviations(copy) == table
    own, opp = BOARDS[1]
    assert read_weights(copy).evaluate(own, opp) == read_weights(written).evaluate(own, opp)
    assert read_header(copy)["sha256"] == before["sha256"]
    assert read_header(copy)["provenance"] == {"seed": 2}
    write_deviations(copy, None, {"seed": 1})
    assert read_deviations(copy) is None
    assert read_header(copy) == before


def test_deviations_are_written_with_weights(weights: Parts, written: Path, tmp_path: Path) -> None:
    path = tmp_path / "both.rvw"
    write_weights(path, *weights, {"seed": 1}, some_deviations())
    assert read_deviations(path) == some_deviations()
    write_deviations(path, None, {"seed": 1})
    assert path.read_bytes() == written.read_bytes()


def test_deviations_cut_searches(copy: Path) -> None:
    write_weights(copy, *networks.chance(1), {})
    own, opp = 0x0000000810000000, 0x0000001008000000
    nodes = []
    for width in (None, 65535, 20):
        table = None
        if width is not None:
            row = array("H", [width] * DEVIATIONS**2)
            table = memoryview(row).cast("B").cast("H", (DEVIATIONS, DEVIATIONS))
        write_deviations(copy, table, {})
        searcher = core.Searcher(core.Table(1), weights=read_weights(copy))
        searcher.search_strong(own, opp, [19, 26, 37, 44], 6, 1, must_finish=True)
        nodes.append(searcher.nodes)
    assert nodes[0] == nodes[1] > nodes[2]


def test_damaged_deviations(copy: Path) -> None:
    write_deviations(copy, some_deviations(), {})
    whole = copy.read_bytes()
    copy.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(WeightsError, match=r"copy.rvw: damaged: the checksum of the deviations"):
        read_weights(copy)
    copy.write_bytes(whole[:-1])
    with pytest.raises(WeightsError, match=r"copy.rvw: cut short"):
        read_weights(copy)
    for value in (1, [], {"bytes": -1}, {"bytes": 3}):
        copy.write_bytes(whole)
        change_header(copy, "deviations", value)
        with pytest.raises(WeightsError, match=r"copy.rvw: its first line is damaged"):
            read_weights(copy)


def test_deviations_of_another_shape(copy: Path) -> None:
    before = copy.read_bytes()
    with pytest.raises(WeightsError, match=r"copy.rvw: deviations of shape \(1,\)"):
        write_deviations(copy, array("H", [1]), {})
    assert copy.read_bytes() == before


# The package's own weights


def test_the_packages_weights_are_read_once(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reversi.weights._DEFAULT", copy)
    monkeypatch.setattr("reversi.weights._default", None)
    found: list[core.Weights] = []
    threads = [threading.Thread(target=lambda: found.append(default_weights())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(map(id, found))) == 1


def test_a_package_without_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reversi.weights._DEFAULT", tmp_path / "pattern.rvw")
    monkeypatch.setattr("reversi.weights._default", None)
    with pytest.raises(WeightsError, match=r"pattern.rvw is missing: this installation has no"):
        default_weights()
