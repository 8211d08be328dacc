"""The rules and the classic engine once more: slow, obvious, and independent of the package.

A position is a list of 64 cells, row by row from a1 (-1 black, 1 white, 0 empty), and the side
to move, -1 or 1. No bitboards, no tables, nothing imported from the package: what the compiled
core answers is compared with what this file answers.
"""

Position = tuple[list[int], int]

BLACK = -1
WHITE = 1
EMPTY = 0
PASS = 64

START = [EMPTY] * 64
START[27], START[28] = WHITE, BLACK
START[35], START[36] = BLACK, WHITE

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
AXES = [(0, 1), (1, 0), (1, 1), (1, -1)]
CORNERS = [0, 7, 56, 63]

CORNER_NEIGHBOURS = {0: [1, 8, 9], 7: [6, 15, 14], 56: [57, 48, 49], 63: [62, 55, 54]}

HALF_OF_THE_WEIGHTS = [
    [120, -40, 20, 5, 5, 20, -40, 120],
    [-40, -80, -5, -5, -5, -5, -80, -40],
    [20, -5, 15, 3, 3, 15, -5, 20],
    [5, -5, 3, 3, 3, 3, -5, 5],
]
WEIGHTS = [weight for row in HALF_OF_THE_WEIGHTS + HALF_OF_THE_WEIGHTS[::-1] for weight in row]


def walk(sq: int, direction: tuple[int, int]) -> list[int]:
    """The squares from `sq`, not included, to the edge of the board."""
    row, col = sq // 8 + direction[0], sq % 8 + direction[1]
    squares = []
    while 0 <= row < 8 and 0 <= col < 8:
        squares.append(row * 8 + col)
        row, col = row + direction[0], col + direction[1]
    return squares


RAYS = [[walk(sq, direction) for direction in DIRECTIONS] for sq in range(64)]
NEIGHBOURS = [[ray[0] for ray in rays if ray] for rays in RAYS]


# Positions in other words.


def from_text(text: str) -> Position:
    """A position from 64 of X, O and -, and the side: 'X' or 'O'."""
    text = "".join(text.split())
    assert len(text) == 65
    numbers = [{"X": BLACK, "O": WHITE, "-": EMPTY}[letter] for letter in text]
    return numbers[:64], numbers[64]


def to_text(cells: list[int], turn: int) -> str:
    letter = {BLACK: "X", WHITE: "O", EMPTY: "-"}
    return "".join(letter[cell] for cell in cells) + " " + letter[turn]


def bits_of(cells: list[int], color: int) -> int:
    """The bitboard of one colour's discs."""
    return sum(1 << sq for sq in range(64) if cells[sq] == color)


def own_and_opp(cells: list[int], turn: int) -> tuple[int, int]:
    """The bitboards of the side to move and of the other side."""
    return bits_of(cells, turn), bits_of(cells, -turn)


def squares_of(bits: int) -> list[int]:
    return [sq for sq in range(64) if bits >> sq & 1]


def from_bits(black: int, white: int) -> list[int]:
    assert black & white == 0
    return [BLACK if black >> sq & 1 else WHITE if white >> sq & 1 else EMPTY for sq in range(64)]


# The rules.


def flips(cells: list[int], turn: int, sq: int) -> list[int]:
    """The discs that `turn` would turn over by a disc on `sq`; none if `sq` is taken."""
    if cells[sq] != EMPTY:
        return []
    turned = []
    for ray in RAYS[sq]:
        line = []
        for step in ray:
            if cells[step] == -turn:
                line.append(step)
            elif cells[step] == turn:
                turned += line
                break
            else:
                break
    return turned


def moves(cells: list[int], turn: int) -> list[int]:
    """The squares where `turn` turns at least one disc, ascending."""
    return [sq for sq in range(64) if flips(cells, turn, sq)]


def is_over(cells: list[int]) -> bool:
    return not moves(cells, BLACK) and not moves(cells, WHITE)


def legal(cells: list[int], turn: int) -> list[int]:
    """The moves that may be made: squares, a pass alone, or none when the game is over."""
    if is_over(cells):
        return []
    return moves(cells, turn) or [PASS]


def play(cells: list[int], turn: int, move: int) -> Position:
    """The position after a legal move or a forced pass."""
    after = list(cells)
    if move == PASS:
        assert not moves(cells, turn)
    else:
        turned = flips(cells, turn, move)
        assert turned
        for sq in [move, *turned]:
            after[sq] = turn
    return after, -turn


def difference(cells: list[int], view: int) -> int:
    """Discs of `view` less discs of the other side."""
    return cells.count(view) - cells.count(-view)


def final_score(cells: list[int], view: int, tournament: bool) -> int:
    """The difference at the end; by the tournament's rule the winner gets the empty squares too."""
    plain = difference(cells, view)
    if not tournament or plain == 0:
        return plain
    return plain + cells.count(EMPTY) if plain > 0 else plain - cells.count(EMPTY)


def perft(cells: list[int], turn: int, depth: int, pass_is_ply: bool = True) -> int:
    """The number of lines of `depth` plies; a game that ends earlier counts once."""
    if depth == 0:
        return 1
    choices = legal(cells, turn)
    if not choices:
        return 1
    below = depth if choices == [PASS] and not pass_is_ply else depth - 1
    return sum(perft(*play(cells, turn, move), below, pass_is_ply) for move in choices)


def symmetric_square(sq: int, mirrored: bool, quarter_turns: int) -> int:
    """Where a square goes when the board is mirrored left to right, then turned clockwise."""
    row, col = divmod(sq, 8)
    if mirrored:
        col = 7 - col
    for _ in range(quarter_turns):
        row, col = col, 7 - row
    return row * 8 + col


# The classic evaluation.


def stable(cells: list[int], color: int) -> list[int]:
    """The stable discs of a colour, ascending.

    A disc is stable if on each axis the whole line is full, or a neighbour is off the board, or a
    neighbour is a stable disc of the same colour.
    """
    found: set[int] = set()

    def safe_on_axis(sq: int, axis: tuple[int, int]) -> bool:
        one_way, other_way = walk(sq, axis), walk(sq, (-axis[0], -axis[1]))
        if all(cells[step] != EMPTY for step in one_way + other_way):
            return True
        if not one_way or not other_way:
            return True
        return one_way[0] in found or other_way[0] in found

    while True:
        fresh = [
            sq
            for sq in range(64)
            if cells[sq] == color
            and sq not in found
            and all(safe_on_axis(sq, axis) for axis in AXES)
        ]
        if not fresh:
            return sorted(found)
        found.update(fresh)


def frontier(cells: list[int], color: int) -> list[int]:
    """The discs of a colour with an empty square among their eight neighbours."""
    return [
        sq
        for sq in range(64)
        if cells[sq] == color and any(cells[near] == EMPTY for near in NEIGHBOURS[sq])
    ]


def danger(cells: list[int], color: int) -> list[int]:
    """The discs of a colour on the C and X squares of empty corners."""
    return [
        sq
        for corner in CORNERS
        if cells[corner] == EMPTY
        for sq in CORNER_NEIGHBOURS[corner]
        if cells[sq] == color
    ]


def parity(cells: list[int], turn: int, view: int) -> int:
    """+1 if `view` is expected to make the last move, -1 if not, 0 above 18 empties."""
    empties = cells.count(EMPTY)
    if empties > 18:
        return 0
    return 1 if (empties % 2 == 1) == (turn == view) else -1


def terms(cells: list[int], turn: int, view: int) -> dict[str, int]:
    """The eight weighted differences; frontier and danger are the two that the sum subtracts."""
    other = -view
    return {
        "material": 12 * difference(cells, view),
        "positional": 10 * sum(WEIGHTS[sq] * cells[sq] * view for sq in range(64)),
        "mobility": 90 * (len(moves(cells, view)) - len(moves(cells, other))),
        "corners": 800 * sum(cells[sq] * view for sq in CORNERS),
        "frontier": 18 * (len(frontier(cells, view)) - len(frontier(cells, other))),
        "parity": 55 * parity(cells, turn, view),
        "danger": 220 * (len(danger(cells, view)) - len(danger(cells, other))),
        "stable": 140 * (len(stable(cells, view)) - len(stable(cells, other))),
    }


def evaluate(cells: list[int], turn: int, view: int) -> int:
    t = terms(cells, turn, view)
    gains = t["positional"] + t["mobility"] + t["corners"] - t["frontier"]
    return gains + t["material"] + t["parity"] - t["danger"] + t["stable"]


# The searches.


def exact_value(
    cells: list[int], turn: int, tournament: bool, alpha: int = -65, beta: int = 65
) -> int:
    """The final score of perfect play in the view of the side to move (plain alpha-beta)."""
    choices = moves(cells, turn)
    if not choices:
        if not moves(cells, -turn):
            return final_score(cells, turn, tournament)
        return -exact_value(cells, -turn, tournament, -beta, -alpha)
    best = -65
    for move in choices:
        best = max(best, -exact_value(*play(cells, turn, move), tournament, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def exact_values(cells: list[int], turn: int, tournament: bool) -> dict[int, int]:
    """The exact value of each legal move in the view of the side to move; a pass is a move."""
    return {move: -exact_value(*play(cells, turn, move), tournament) for move in legal(cells, turn)}


def terminal_score(diff: int) -> int:
    """What the classic search makes of a disc difference at the end of the game."""
    sign = (diff > 0) - (diff < 0)
    return sign * 10_000_000 + diff * 10_000


def classic_value(cells: list[int], turn: int, depth: int, exact_empties: int, view: int) -> int:
    """The value in the view of `view` at a depth in moves, without any pruning.

    A pass takes no depth, and a board with `exact_empties` or fewer empty squares is searched to
    the end of the game whatever depth is left. Where no depth is left, the board is evaluated as
    it stands, also if the side to move would have to pass.
    """
    if is_over(cells):
        return terminal_score(difference(cells, view))
    if cells.count(EMPTY) <= exact_empties:
        return terminal_score(exact_value(cells, turn, tournament=False) * turn * view)
    if depth == 0:
        return evaluate(cells, turn, view)
    choices = moves(cells, turn)
    if not choices:
        return classic_value(cells, -turn, depth, exact_empties, view)
    values = [
        classic_value(*play(cells, turn, move), depth - 1, exact_empties, view) for move in choices
    ]
    return max(values) if turn == view else min(values)


def classic_values(cells: list[int], turn: int, depth: int, exact_empties: int) -> dict[int, int]:
    """The classic value of each move in the view of the side to move; depth counts that move."""
    return {
        move: classic_value(*play(cells, turn, move), depth - 1, exact_empties, view=turn)
        for move in moves(cells, turn)
    }
