"""Exact values, the classic search and random positions on plain integers, package apart.

`reference` states the rules on lists of cells; this file answers the same questions on two
integers, the discs of the side to move and the opponent's, fast enough for some hundreds of
positions with up to ten empty squares. test_endgame.py compares the two.
"""

from random import Random

from reference import DIRECTIONS, WEIGHTS, walk

ALL = 2**64 - 1
INFINITY = 10**9
START = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)

RAYS = [
    [ray for ray in ([1 << step for step in walk(sq, way)] for way in DIRECTIONS) if len(ray) > 1]
    for sq in range(64)
]
AROUND = [sum(1 << ray[0] for ray in (walk(sq, w) for w in DIRECTIONS) if ray) for sq in range(64)]
LINES = [
    [sum(1 << step for step in [*walk(sq, w), *walk(sq, (-w[0], -w[1]))]) for w in DIRECTIONS[:4]]
    for sq in range(64)
]
ENDS = [
    [
        [1 << ray[0] for ray in (walk(sq, w), walk(sq, (-w[0], -w[1]))) if ray]
        for w in DIRECTIONS[:4]
    ]
    for sq in range(64)
]
CORNERS = [0, 7, 56, 63]

Discs = tuple[int, int]


def squares(bits: int) -> list[int]:
    found = []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found


def flips(own: int, opp: int, sq: int) -> int:
    """The discs that a disc on the empty square `sq` turns."""
    turned = 0
    for ray in RAYS[sq]:
        line = 0
        for step in ray:
            if opp & step:
                line |= step
            else:
                if own & step:
                    turned |= line
                break
    return turned


def children(own: int, opp: int) -> list[tuple[int, int, int]]:
    """Each move with the position after it, in the view of the side then to move."""
    found = []
    for sq in squares(~(own | opp) & ALL):
        turned = flips(own, opp, sq)
        if turned:
            found.append((sq, opp ^ turned, own ^ turned ^ 1 << sq))
    return found


def empties(own: int, opp: int) -> int:
    return 64 - (own | opp).bit_count()


def obf(own: int, opp: int, side: str = "X") -> str:
    """The position as text; `side` is the one to move."""
    other = "O" if side == "X" else "X"
    cells = [side if own >> sq & 1 else other if opp >> sq & 1 else "-" for sq in range(64)]
    return f"{''.join(cells)} {side}"


def is_over(own: int, opp: int) -> bool:
    return not children(own, opp) and not children(opp, own)


def final_score(own: int, opp: int, tournament: bool) -> int:
    diff = own.bit_count() - opp.bit_count()
    if tournament and diff:
        return diff + empties(own, opp) if diff > 0 else diff - empties(own, opp)
    return diff


class Exact:
    """Plain alpha-beta to the end of the game, under one scoring rule; remembers what it proved."""

    def __init__(self, tournament: bool) -> None:
        self.tournament = tournament
        self.bounds: dict[Discs, Discs] = {}

    def value(self, own: int, opp: int, alpha: int = -65, beta: int = 65) -> int:
        """The value within (alpha, beta), else a bound on the side where it lies."""
        low, high = self.bounds.get((own, opp), (-64, 64))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        after = children(own, opp)
        if not after:
            if not children(opp, own):
                return final_score(own, opp, self.tournament)
            return -self.value(opp, own, -beta, -alpha)
        after.sort(key=lambda child: len(children(child[1], child[2])))
        best, floor = -65, alpha
        for _, his, mine in after:
            best = max(best, -self.value(his, mine, -beta, -floor))
            floor = max(floor, best)
            if best >= beta:
                break
        if best > alpha:
            low = max(low, best)
        if best < beta:
            high = min(high, best)
        self.bounds[own, opp] = low, high
        return best

    def move_value(self, own: int, opp: int, sq: int) -> int:
        turned = flips(own, opp, sq)
        return -self.value(opp ^ turned, own ^ turned ^ 1 << sq)

    def best_moves(self, own: int, opp: int) -> list[int]:
        """All moves that reach the value, ascending."""
        value = self.value(own, opp)
        return [
            sq
            for sq, his, mine in children(own, opp)
            if -self.value(his, mine, -value, 1 - value) >= value
        ]


# The classic search.


def stable_count(own: int, opp: int) -> int:
    occupied, stable, before = own | opp, 0, -1
    while stable != before:
        before = stable
        for sq in squares(own & ~stable):
            if all(
                occupied & line == line or len(ends) < 2 or any(stable & end for end in ends)
                for line, ends in zip(LINES[sq], ENDS[sq], strict=True)
            ):
                stable |= 1 << sq
    return stable.bit_count()


def half(own: int, opp: int) -> int:
    """One side's share of the terms that are a difference of two sides."""
    empty = ~(own | opp) & ALL
    total = 90 * len(children(own, opp)) + 140 * stable_count(own, opp)
    total -= 220 * sum(
        (own & AROUND[corner]).bit_count() for corner in CORNERS if empty >> corner & 1
    )
    for sq in squares(own):
        total += 12 + 10 * WEIGHTS[sq] + (800 if sq in CORNERS else 0)
        total -= 18 if AROUND[sq] & empty else 0
    return total


def evaluate(own: int, opp: int) -> int:
    """The classic evaluation in the view of the side to move."""
    left = empties(own, opp)
    parity = 0 if left > 18 else 55 if left % 2 else -55
    return half(own, opp) - half(opp, own) + parity


def terminal_score(diff: int) -> int:
    return 10_000 * diff + (10_000_000 if diff > 0 else -10_000_000 if diff < 0 else 0)


class Classic:
    """Alpha-beta to a depth that passes do not cost, exact from `exact_empties` on."""

    def __init__(self, exact_empties: int) -> None:
        self.exact_empties = exact_empties
        self.exact = Exact(tournament=False)

    def value(
        self, own: int, opp: int, depth: int, alpha: int = -INFINITY, beta: int = INFINITY
    ) -> int:
        after = children(own, opp)
        if not after and not children(opp, own):
            return terminal_score(final_score(own, opp, tournament=False))
        if empties(own, opp) <= self.exact_empties:
            return terminal_score(self.exact.value(own, opp))
        if depth == 0:
            return evaluate(own, opp)
        if not after:
            return -self.value(opp, own, depth, -beta, -alpha)
        best = -INFINITY
        for _, his, mine in after:
            best = max(best, -self.value(his, mine, depth - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best

    def move_values(self, own: int, opp: int, depth: int) -> dict[int, int]:
        """The value of each move; the move counts as one of the depth."""
        return {sq: -self.value(his, mine, depth - 1) for sq, his, mine in children(own, opp)}


# Positions. All are drawn from a seed: the same ones every time.


def from_game(seed: int, left: int) -> Discs:
    """A position of a random game with `left` empty squares, someone to move; forced passes are
    left standing half of the time."""
    rng = Random(f"game {seed} {left}")
    while True:
        own, opp = START
        while empties(own, opp) > left:
            after = children(own, opp)
            if after:
                _, own, opp = rng.choice(after)
            elif children(opp, own):
                own, opp = opp, own
            else:
                break
        if empties(own, opp) == left and not is_over(own, opp):
            return (own, opp) if children(own, opp) or rng.random() < 0.5 else (opp, own)


def odd_board(seed: int, left: int) -> Discs:
    """Any discs on all but `left` squares, the share of each colour drawn too: passes, wipe-outs
    and boards that no game reaches. Someone can move."""
    rng = Random(f"odd {seed} {left}")
    while True:
        holes = sum(1 << sq for sq in rng.sample(range(64), left))
        share = rng.choice([0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97])
        own = sum(1 << sq for sq in range(64) if rng.random() < share) & ~holes
        opp = ALL & ~holes & ~own
        if not is_over(own, opp):
            return own, opp


def sparse_board(seed: int, discs: int) -> Discs:
    """Few discs anywhere: the game may be over after a move or two."""
    rng = Random(f"sparse {seed} {discs}")
    while True:
        both = rng.sample(range(64), discs)
        own = sum(1 << sq for sq in both if rng.random() < 0.5)
        opp = sum(1 << sq for sq in both) & ~own
        if not is_over(own, opp):
            return own, opp
