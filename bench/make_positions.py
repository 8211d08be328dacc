"""Makes the endgame positions of bench/positions/: one OBF file for each number of empty squares.

    python bench/make_positions.py [--to FOLDER] [--proved-empties 18]

Games of the engine against itself, a few plies deep and with some moves at random, each from a seed
of its own, give one position each. A position is kept if it has a choice of moves and is not
decided by far, and if none of its eight pictures is there. Each line then names every best move
with the value, the winner getting the empty squares: found by the package, and proved up to the
empty squares asked for by the plain solver, beyond them by the package without its table. The files
are data: they stay as they are when the engine's search changes and would play other games.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

import plain_solver

from reversi import Board, Engine, Limit, square_name

FOLDER = Path(__file__).with_name("positions")
COUNTS = {
    **dict.fromkeys(range(8, 15), 20),
    **dict.fromkeys(range(15, 19), 15),
    **dict.fromkeys((19, 20), 10),
}
SEED = 2026
DEPTH = 3
# The share of moves at random: enough for games that differ, few enough for close ones.
SLIP = 0.15
# In discs. Beyond it the first cutoffs decide, and hardly anything is measured.
LARGEST_VALUE = 30


def position(empties: int, seed: str) -> Board | None:
    """Return the position of one game with so many empty squares; None where it has no choice."""
    rng = Random(seed)
    board = Board()
    with Engine(hash_mb=1, evaluator="classic", exact_endgame_empties=0) as engine:
        while board.empties > empties and not board.is_game_over():
            moves = list(board.legal_moves)
            if len(moves) == 1:
                board.push(moves[0])
            elif rng.random() < SLIP:
                board.push(moves[int(rng.random() * len(moves))])
            else:
                move = engine.search(board, Limit(depth=DEPTH)).move
                assert move is not None
                board.push(move)
    if board.empties != empties or len(board.legal_moves) < 2:
        return None
    return board.transformed(0)


def values(board: Board, use_hash: bool) -> tuple[int, set[str]]:
    """Return the value and the best moves by the package."""
    with Engine(hash_mb=64, use_hash=use_hash) as engine:
        solution = engine.solve(board)
    return solution.value, set(solution.best_moves)


def plain_values(board: Board) -> tuple[int, set[str]]:
    """Return the value and the best moves by the plain solver."""
    found = plain_solver.move_values(board.own, board.opp, "tournament")
    best = max(found.values())
    return best, {square_name(sq) for sq, value in found.items() if value == best}


def lines(empties: int, count: int, proved_empties: int) -> list[str]:
    """Return the lines of one file: how it was made and proved, then the positions."""
    plain = empties <= proved_empties
    found: list[str] = []
    seen: set[Board] = set()
    number = 0
    while len(found) < count:
        number += 1
        board = position(empties, f"{SEED} {empties} {number}")
        if board is None or board.canonical() in seen:
            continue
        value, best = values(board, use_hash=True)
        if abs(value) > LARGEST_VALUE:
            continue
        proved = plain_values(board) if plain else values(board, use_hash=False)
        if proved != (value, best):
            sys.exit(f"MISMATCH\n  {board.obf()}\n  {value} {best}, not {proved}")
        seen.add(board.canonical())
        moves = " ".join(f"{name.upper()}:{value:+d};" for name in sorted(best))
        found.append(f"{board.obf()}; {moves}")
        if sys.stderr.isatty():
            print(f"\r{empties} empties: {len(found)}/{count} ", end="", file=sys.stderr)
    proof = (
        "by the plain solver (bench/plain_solver.c)"
        if plain
        else "by the package's own solver, equal with its table and without"
    )
    return [
        f"% {count} positions with {empties} empty squares; made by bench/make_positions.py",
        f"% games of the engine against itself, depth {DEPTH}, {SLIP:.0%} of the moves at random,"
        f" seeds '{SEED} {empties} 1' to '{number}'",
        "% exact value and every best move, view of the side to move, the winner gets the empty"
        " squares",
        f"% proved {proof}",
        *found,
    ]


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Make the endgame positions of the benchmarks.")
    parser.add_argument("--to", type=Path, default=FOLDER, help="folder (default: %(default)s)")
    parser.add_argument(
        "--proved-empties",
        type=int,
        default=18,
        help="empty squares up to which the plain solver proves the values (default: 18)",
    )
    wants = parser.parse_args()
    wants.to.mkdir(exist_ok=True)
    for empties, count in COUNTS.items():
        text = "\n".join(lines(empties, count, wants.proved_empties)) + "\n"
        (wants.to / f"endgame-{empties:02}.obf").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
