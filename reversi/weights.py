"""Files of weights (.rvw) of the learned evaluation: reads and writes them, finds what is wrong.

A file is one line, the word ``reversi-weights`` and a JSON object, and then the compressed weights,
those of a network (core/network.pxd): int8, a row for each class of contents, and int32, its
layers. The deviations of Multi-ProbCut follow, where there are any. All are integers, so that every
machine finds the same values and cuts the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import reprlib
import sys
import threading
import zlib
from array import array
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal

from reversi._load import core
from reversi.errors import WeightsError

__all__ = [
    "default_weights",
    "read_deviations",
    "read_header",
    "read_weights",
    "write_deviations",
    "write_weights",
]

DEVIATIONS = 65  # rows, for so many empty squares, and columns, for so many plies

_MAGIC = b"reversi-weights "
_VERSION = 2
_CODING = "zlib; int8 rows, little-endian int32 layers"
_EFFORT = 6
_LONGEST_HEADER = 1 << 20  # a foreign file of one endless line is not read to its end
_DEVIATIONS_BYTES = 2 * DEVIATIONS * DEVIATIONS
_MOST_BYTES = 1 << 26  # weights unpack to 4 MB; a size beyond is refused, not read
_DEFAULT = Path(__file__).with_name("data") / "pattern.rvw"

_default: core.Weights | None = None
_default_lock = threading.Lock()


def default_weights() -> core.Weights:
    """Return the weights that come with the package. The first call reads them, in 25 ms; any
    number of threads may call.

    Raises WeightsError if the package has none, or a damaged file.
    """
    global _default
    with _default_lock:
        if _default is None:
            try:
                _default = read_weights(_DEFAULT)
            except FileNotFoundError as error:
                raise WeightsError(
                    f"{_DEFAULT} is missing: this installation has no weights of its own"
                ) from error
        return _default


def read_weights(path: str | os.PathLike[str]) -> core.Weights:
    """Return the weights that a file holds.

    Raises WeightsError, which names the file, if it is no file of weights, is cut short or damaged,
    or was written for another version of the format or another network; OSError as `open` does.
    """
    _header, packed, deviations = _read(path)
    return _weights(path, _parts(path, packed), _table(path, deviations))


def read_parts(path: str | os.PathLike[str]) -> tuple[memoryview, memoryview]:
    """Return rows and layers that a file holds, as `write_weights` takes them. Raises as
    `read_weights`."""
    parts = _parts(path, _read(path)[1])
    _weights(path, parts, None)
    return parts


def read_deviations(path: str | os.PathLike[str]) -> memoryview | None:
    """Return the deviations of Multi-ProbCut that a file holds, uint16 in 1/128 disc by empty
    squares and depth; None where it has none. Raises as `read_weights`."""
    return _table(path, _read(path)[2])


def read_header(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what a file says of itself: format, network, checksum and ``provenance``.

    Raises WeightsError if it is no file of weights, or not one for this package.
    """
    with Path(path).open("rb") as file:
        return _header(path, file)


def write_weights(
    path: str | os.PathLike[str],
    rows: Any,
    layers: Any,
    provenance: Mapping[str, Any],
    deviations: Any = None,
) -> None:
    """Write weights to a file, whole or not at all.

    ``rows`` and ``layers`` are C-contiguous buffers as core.Weights takes them: int8, core.CHANNELS
    numbers for each of core.weight_classes(), and int32, core.LAYERS numbers. ``provenance`` is
    what JSON can hold; ``deviations`` are as core.Weights takes them. Raises WeightsError for
    another shape.
    """
    packed = _buffer(path, "rows", rows, (core.weight_classes(), core.CHANNELS), "b")
    packed += _bytes(array("i", _buffer(path, "layers", layers, (core.LAYERS,), "i")))
    _write(Path(path), zlib.compress(packed, _EFFORT), provenance, deviations)


def write_deviations(
    path: str | os.PathLike[str], deviations: Any, provenance: Mapping[str, Any]
) -> None:
    """Give a file of weights other deviations, or none, and another ``provenance``; it is written
    whole or not at all. Raises as `read_weights`, and WeightsError for another shape."""
    _write(Path(path), _read(path)[1], provenance, deviations)


def write_whole(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Let ``write`` fill a file that takes its name only once it is complete and on the disk."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink()
        if isinstance(error, OSError) and error.errno is not None:
            # By the name that the caller knows.
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _layout() -> dict[str, Any]:
    """What every file that this package reads says of its weights."""
    return {
        "version": _VERSION,
        "network": f"{core.NETWORK_ID:016x}",
        "classes": core.weight_classes(),
        "channels": core.CHANNELS,
        "layers": core.LAYERS,
        "unit": core.UNIT,
        "coding": _CODING,
    }


def _write(path: Path, packed: bytes, provenance: Mapping[str, Any], deviations: Any) -> None:
    header = {
        **_layout(),
        "bytes": len(packed),
        "sha256": hashlib.sha256(packed).hexdigest(),
    }
    parts = [packed]
    if deviations is not None:
        table = _buffer(path, "deviations", deviations, (DEVIATIONS, DEVIATIONS), "H")
        parts.append(zlib.compress(_bytes(array("H", table)), _EFFORT))
        # A checksum of its own: the weights stay the same ones, which later generations played by.
        header["deviations"] = {
            "bytes": len(parts[1]),
            "sha256": hashlib.sha256(parts[1]).hexdigest(),
        }
    header["provenance"] = dict(provenance)
    data = _MAGIC + json.dumps(header).encode() + b"\n" + b"".join(parts)
    write_whole(path, lambda file: file.write(data))


def _buffer(
    path: str | os.PathLike[str], what: str, given: Any, shape: tuple[int, ...], code: str
) -> bytes:
    view = memoryview(given)
    if view.shape != shape or view.format != code or not view.c_contiguous:
        raise WeightsError(
            f"{path}: {what} of shape {view.shape} and format {view.format!r};"
            f" expected {shape} and {code!r}, C-contiguous"
        )
    return view.tobytes()


def _read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], bytes, bytes | None]:
    """Return the header, the packed weights and the packed deviations, all checked."""
    with Path(path).open("rb") as file:
        header = _header(path, file)
        parts: dict[str, dict[str, Any]] = {"weights": header}
        if header.get("deviations") is not None:
            parts["deviations"] = header["deviations"]
        size = sum(part["bytes"] for part in parts.values())
        packed = file.read(size + 1)
    if len(packed) != size:
        fault = "cut short" if len(packed) < size else "longer than it says"
        raise WeightsError(f"{path}: {fault}; expected {size} bytes after its first line")
    found: dict[str, bytes] = {}
    for what, part in parts.items():
        found[what], packed = packed[: part["bytes"]], packed[part["bytes"] :]
        if hashlib.sha256(found[what]).hexdigest() != part["sha256"]:
            raise WeightsError(f"{path}: damaged: the checksum of the {what} is another one")
    return header, found["weights"], found.get("deviations")


def _header(path: str | os.PathLike[str], file: BinaryIO) -> dict[str, Any]:
    line = file.readline(_LONGEST_HEADER)
    if not line.startswith(_MAGIC):
        raise WeightsError(f"{path}: not a file of weights; one begins with 'reversi-weights'")
    try:
        header = json.loads(line.removeprefix(_MAGIC))
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"{path}: its first line is damaged or cut short") from error
    if not isinstance(header, dict):
        raise WeightsError(f"{path}: its first line is damaged: no JSON object")
    for name, value in _layout().items():
        if header.get(name) != value:
            found = reprlib.repr(header.get(name))
            raise WeightsError(f"{path}: {name} {found}; this package reads {value!r}")
    for part in (header, header.get("deviations")):
        if part is not None:
            _check_part(path, part)
    if not isinstance(header.get("provenance"), dict):
        raise WeightsError(f"{path}: its first line is damaged: no provenance")
    return header


def _check_part(path: str | os.PathLike[str], part: Any) -> None:
    damaged = f"{path}: its first line is damaged"
    if not isinstance(part, dict):
        raise WeightsError(f"{damaged}: deviations {reprlib.repr(part)}")
    size, digest = part.get("bytes"), part.get("sha256")
    if not isinstance(size, int) or not 0 <= size <= _MOST_BYTES:
        raise WeightsError(f"{damaged}: bytes {reprlib.repr(size)}")
    if not isinstance(digest, str):
        raise WeightsError(f"{damaged}: sha256 {reprlib.repr(digest)}")


def _weights(
    path: str | os.PathLike[str],
    parts: tuple[memoryview, memoryview],
    deviations: memoryview | None,
) -> core.Weights:
    try:
        return core.Weights(*parts, deviations=deviations)
    except ValueError as error:
        raise WeightsError(f"{path}: {error}") from error


def _parts(path: str | os.PathLike[str], packed: bytes) -> tuple[memoryview, memoryview]:
    classes, channels, layers = core.weight_classes(), core.CHANNELS, core.LAYERS
    data = memoryview(_unpacked(path, packed, classes * channels + 4 * layers))
    rows = data[: classes * channels].cast("b", (classes, channels))
    return rows, memoryview(_integers("i", bytes(data[classes * channels :])))


def _table(path: str | os.PathLike[str], packed: bytes | None) -> memoryview | None:
    if packed is None:
        return None
    table = _integers("H", _unpacked(path, packed, _DEVIATIONS_BYTES))
    return memoryview(table).cast("B").cast("H", (DEVIATIONS, DEVIATIONS))


def _unpacked(path: str | os.PathLike[str], packed: bytes, size: int) -> bytes:
    try:
        # No more than is wanted, whatever the file would unpack to.
        unpacked = zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error as error:
        raise WeightsError(f"{path}: damaged: {error}") from error
    if len(unpacked) != size:
        raise WeightsError(f"{path}: holds {len(unpacked)} bytes; expected {size}")
    return unpacked


def _integers(code: Literal["H", "i"], data: bytes) -> array[int]:
    """Integers from the file's byte order."""
    found = array(code, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def _bytes(integers: array[int]) -> bytes:
    """Integers in the file's byte order."""
    if sys.byteorder == "big":
        integers.byteswap()
    return integers.tobytes()
