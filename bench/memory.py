"""The memory that a search takes beside its table, printed as JSON; an argument: the workers.

The peak is the kernel's own figure for this process, from its start on (Linux).
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from reversi import Board, Engine, Limit

# Small enough for a search of seconds to use every page of it.
TABLE_MB = 16
SEARCH_MS = 3000


def peak_mb() -> float:
    """Return the largest resident size of this process so far, in MB (2**20 bytes)."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found
    return int(found[1]) / 1024


def main() -> None:
    """Search from the start position and print what it took."""
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with Engine(hash_mb=TABLE_MB, threads=workers) as engine:
        engine.search(Board(), Limit(time_ms=SEARCH_MS))
        fill = engine.table_stats.fill
    peak = peak_mb()
    answer = {
        "peak_mb": peak,
        "table_mb": TABLE_MB,
        "beside_mb": peak - TABLE_MB,
        "fill": fill,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
