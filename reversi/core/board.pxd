# A position is two words: the discs of the side to move and the opponent's. This room owns the
# rules: moves, flips, perft, final scores, the eight symmetries, stable discs. It knows no colours.

from libc.stdint cimport uint64_t

from reversi.core.bits cimport (
    bit, byte_swap, lowest, mirror_files, mirror_main_diagonal, popcount, rest,
)
from reversi.core.flip_scalar cimport flips_scalar, moves_scalar
from reversi.core.flip_vector cimport VECTOR, flips_vector, moves_vector

cdef extern from *:
    """
    #define REVERSI_CORNERS 0x8100000000000081u
    #define REVERSI_EDGES 0xFF818181818181FFu
    """
    const uint64_t CORNERS "REVERSI_CORNERS"
    const uint64_t EDGES "REVERSI_EDGES"


cdef inline uint64_t moves(uint64_t own, uint64_t opp) noexcept nogil:
    return moves_vector(own, opp) if VECTOR else moves_scalar(own, opp)


cdef inline uint64_t flips(uint64_t own, uint64_t opp, int sq) noexcept nogil:
    return flips_vector(own, opp, sq) if VECTOR else flips_scalar(own, opp, sq)


cdef inline int final_score(uint64_t own, uint64_t opp, bint winner_gets_empties) noexcept nogil:
    # Of a finished game: disc difference in the view of `own`.
    cdef int discs = popcount(own), others = popcount(opp), diff = discs - others
    if winner_gets_empties and diff != 0:
        return diff + (64 - discs - others) * (1 if diff > 0 else -1)
    return diff


cdef inline uint64_t neighbours(uint64_t discs) noexcept nogil:
    # All squares that touch one of `discs`, and maybe some of them.
    cdef uint64_t rows = discs | ((discs << 1) & 0xFEFEFEFEFEFEFEFEu) \
        | ((discs >> 1) & 0x7F7F7F7F7F7F7F7Fu)
    return rows | (rows << 8) | (rows >> 8)


cdef inline uint64_t perft(uint64_t own, uint64_t opp, int depth, bint pass_is_ply) noexcept nogil:
    # The last ply is counted in bulk: a position with moves has as many leaves as moves.
    cdef uint64_t todo = moves(own, opp), flipped, leaves = 0
    cdef int sq
    if depth == 0:
        return 1
    if todo == 0:
        if moves(opp, own) == 0:
            return 1
        return perft(opp, own, depth - pass_is_ply, pass_is_ply)
    if depth == 1:
        return popcount(todo)
    while todo:
        sq = lowest(todo)
        todo = rest(todo)
        flipped = flips(own, opp, sq)
        leaves += perft(opp ^ flipped, own ^ flipped ^ bit(sq), depth - 1, pass_is_ply)
    return leaves


# Symmetries. Transform i mirrors ranks if i & 1, files if i & 2, then the main diagonal if i & 4.

cdef inline uint64_t transform(uint64_t bits, int i) noexcept nogil:
    if i & 1:
        bits = byte_swap(bits)
    if i & 2:
        bits = mirror_files(bits)
    if i & 4:
        bits = mirror_main_diagonal(bits)
    return bits


cdef inline int transform_square(int sq, int i) noexcept nogil:
    if i & 1:
        sq ^= 56
    if i & 2:
        sq ^= 7
    if i & 4:
        sq = (sq >> 3) | ((sq & 7) << 3)
    return sq


cdef inline int canonical_transform(uint64_t own, uint64_t opp) noexcept nogil:
    # The transform whose picture is the smallest, own discs compared first.
    cdef int i, best = 0
    cdef uint64_t first = own, second = opp, a, b
    for i in range(1, 8):
        a = transform(own, i)
        b = transform(opp, i)
        if a < first or (a == first and b < second):
            first = a
            second = b
            best = i
    return best


# Stable discs: a line through the disc is safe if it is full, or if the disc's neighbour on it is
# off the board or a stable disc of its own colour; stable = safe on all four lines, to a fixpoint.

cdef struct FullLines:
    # Squares whose whole line is occupied, or that have a neighbour off the board on that line.
    uint64_t rank, file, rising, falling


cdef inline uint64_t _full_diagonals(uint64_t occupied, int shift) noexcept nogil:
    # Holes spread along the diagonals; what no hole reaches is full.
    cdef uint64_t up = ~occupied, down = ~occupied
    cdef uint64_t keep_up, keep_down
    if shift == 7:
        keep_up, keep_down = 0x7F7F7F7F7F7F7F7Fu, 0xFEFEFEFEFEFEFEFEu
    else:
        keep_up, keep_down = 0xFEFEFEFEFEFEFEFEu, 0x7F7F7F7F7F7F7F7Fu
    up |= (up << shift) & keep_up
    down |= (down >> shift) & keep_down
    keep_up &= keep_up << shift
    keep_down &= keep_down >> shift
    up |= (up << (2 * shift)) & keep_up
    down |= (down >> (2 * shift)) & keep_down
    keep_up &= keep_up << (2 * shift)
    keep_down &= keep_down >> (2 * shift)
    up |= (up << (4 * shift)) & keep_up
    down |= (down >> (4 * shift)) & keep_down
    return ~(up | down)


cdef inline FullLines full_lines(uint64_t occupied) noexcept nogil:
    cdef FullLines full
    cdef uint64_t x = occupied
    x &= x >> 1
    x &= x >> 2
    x &= x >> 4
    full.rank = ((x & 0x0101010101010101u) * 0xFF) | 0x8181818181818181u
    x = occupied
    x &= (x >> 8) | (x << 56)
    x &= (x >> 16) | (x << 48)
    x &= (x >> 32) | (x << 32)
    full.file = x | 0xFF000000000000FFu
    full.rising = _full_diagonals(occupied, 7) | EDGES
    full.falling = _full_diagonals(occupied, 9) | EDGES
    return full


cdef inline uint64_t stable_discs(uint64_t own, FullLines *full) noexcept nogil:
    cdef uint64_t stable = own & full.rank & full.file & full.rising & full.falling
    cdef uint64_t before = 0, sides
    while stable != before:
        before = stable
        sides = ((stable << 1) & 0xFEFEFEFEFEFEFEFEu) | ((stable >> 1) & 0x7F7F7F7F7F7F7F7Fu)
        stable |= (
            own
            & (full.rank | sides)
            & (full.file | (stable << 8) | (stable >> 8))
            & (full.rising | ((stable << 7) & 0x7F7F7F7F7F7F7F7Fu)
               | ((stable >> 7) & 0xFEFEFEFEFEFEFEFEu))
            & (full.falling | ((stable << 9) & 0xFEFEFEFEFEFEFEFEu)
               | ((stable >> 9) & 0x7F7F7F7F7F7F7F7Fu))
        )
    return stable
