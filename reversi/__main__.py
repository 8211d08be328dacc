"""Runs the command: ``python -m reversi`` is ``reversi``."""

from reversi.cli import main

main()
