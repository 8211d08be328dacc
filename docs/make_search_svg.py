"""Draws docs/search.svg: what `reversi best` shows on a terminal in the README's position.

    python docs/make_search_svg.py

Wants the package installed. The picture names no font of its own and fetches nothing.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

BOARD = "----------OX------XOXO---OXXOXX-XXXXXOO-XXXOXOO-X-XXO-----XO---- X"
ARGUMENTS = ("best", BOARD, "--time-ms", "1000")
WIDTH = 96
PICTURE = Path(__file__).with_name("search.svg")
# How the search's table is drawn anew: back to the line's start, one up, blank, no cursor.
CONTROLS = re.compile(r"(\n|\r|\x1b\[1A|\x1b\[2K|\x1b\[\?25[lh])")


def last_picture(output: str) -> str:
    """Return what is left to see on the terminal after it drew some lines over others.

    >>> last_picture("1\\n2\\r\\x1b[2K\\x1b[1A\\x1b[2K3")
    '3'
    """
    lines = [""]
    for part in CONTROLS.split(output):
        if part == "\n":
            lines.append("")
        elif part == "\x1b[1A":
            lines.pop()
        elif part == "\x1b[2K":
            lines[-1] = ""
        elif not CONTROLS.fullmatch(part):
            lines[-1] += part
    return "\n".join(lines).rstrip()


def main() -> None:
    """Run the command as on a terminal of colours, and write the picture."""
    terminal = {"FORCE_COLOR": "1", "COLORTERM": "truecolor", "TERM": "xterm-256color"}
    run = subprocess.run(
        [sys.executable, "-m", "reversi", *ARGUMENTS],
        env={**os.environ, **terminal, "COLUMNS": str(WIDTH), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        check=True,
    )
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(last_picture(run.stdout.decode())))
    drawn = console.export_svg(title="reversi best", unique_id="search")
    drawn = re.sub(r"\s*@font-face \{.*?\}", "", drawn, flags=re.DOTALL)
    drawn = drawn.replace("Fira Code, monospace", "monospace")
    PICTURE.write_text(re.sub(r"[ \t]+$", "", drawn, flags=re.MULTILINE), encoding="utf-8")


if __name__ == "__main__":
    main()
