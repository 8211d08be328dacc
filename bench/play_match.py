"""Games of the engine's two evaluations against each other, at the same time a move.

    python bench/play_match.py --games 200 --time-ms 100

Each opening, of 8 to 12 discs by moves of chance, is balanced by a search of both its sides and
played twice with colours swapped. Prints the points of the learned evaluation: 1 a win, 1/2 a draw.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random

from reversi import Board, Engine, Limit

# A search of so many plies expects at most so many discs for either side.
BALANCE_DEPTH = 8
BALANCE_DISCS = 4.0


def openings(seed: int) -> Iterator[Board]:
    """Yield different balanced openings of 8 to 12 discs, without end."""
    rng, seen = Random(seed), set()
    with Engine(hash_mb=16) as judge:
        while True:
            board = Board()
            for _ in range(rng.randint(4, 8)):
                board.push(rng.choice(list(board.legal_moves)))
            value = judge.search(board, Limit(depth=BALANCE_DEPTH)).value
            picture = board.canonical()
            if picture not in seen and value is not None and abs(value) <= BALANCE_DISCS:
                seen.add(picture)
                yield board


def play(board: Board, black: Engine, white: Engine, limit: Limit) -> int:
    """Return black's disc difference at the end of a game from this position."""
    board = board.copy()
    while not board.is_game_over():
        engine = black if board.black_to_move else white
        move = engine.search(board, limit).move
        assert move is not None
        board.push(move)
    return board.black.bit_count() - board.white.bit_count()


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description="Pattern against classic.")
    parser.add_argument("--games", type=int, default=200, help="an even number (default: 200)")
    parser.add_argument("--time-ms", type=int, default=100, help="a move (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="of the openings (default: 1)")
    wants = parser.parse_args()
    limit, points, discs, results = Limit(time_ms=wants.time_ms), 0.0, 0, {1: 0, 0: 0, -1: 0}
    with Engine() as pattern, Engine(evaluator="classic") as classic:
        for number, opening in zip(range(wants.games // 2), openings(wants.seed), strict=False):
            for mine in (
                play(opening, pattern, classic, limit),
                -play(opening, classic, pattern, limit),
            ):
                pattern.clear()
                classic.clear()
                discs += mine
                results[(mine > 0) - (mine < 0)] += 1
                points += (1 + (mine > 0) - (mine < 0)) / 2
            games = 2 * (number + 1)
            print(
                f"{games} games: {results[1]} won, {results[0]} drawn, {results[-1]} lost by the"
                f" learned evaluation: {100 * points / games:.1f} % of the points,"
                f" {discs / games:+.1f} discs a game",
                flush=True,
            )


if __name__ == "__main__":
    main()
