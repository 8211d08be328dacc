# The last four empty squares, unrolled on bare bitboards: no move list, no table.
#
# Every function returns the exact or a bounding score (fail-soft) for the side to move in the
# null window (alpha, alpha + 1), under the context's scoring rule. Odd regions come first: the
# side that moves first into one tends to move last in it.

from libc.stdint cimport uint64_t

from reversi.core.bits cimport bit, lowest, popcount, rest
from reversi.core.board cimport final_score, flips, moves
from reversi.core.context cimport Context

cdef extern from * nogil:
    """
    /* reversi_last_flips[x][line]: twice the discs that a disc at x turns on a line of eight whose
       other squares hold `line` (own) and opposing discs. */
    static unsigned char reversi_last_flips[8][256];
    static uint64_t reversi_diagonals[64][2];
    static uint64_t reversi_around[64];
    static unsigned int reversi_sort_4[256];
    """
    unsigned char LAST_FLIPS "reversi_last_flips"[8][256]
    uint64_t DIAGONALS "reversi_diagonals"[64][2]
    unsigned int SORT_4 "reversi_sort_4"[256]
    uint64_t AROUND "reversi_around"[64]    # the squares that touch each square

cdef enum:
    SCORE_NONE = -100       # below every score


cdef inline int quadrant(int sq) noexcept nogil:
    # 1, 2, 4 or 8; parity is kept as the quadrants with an odd number of empty squares.
    return 1 << region(sq)


cdef inline int region(int sq) noexcept nogil:
    return (sq >> 4 & 2) | (sq >> 2 & 1)


cdef inline void init_sort_4() noexcept nogil:
    # Alone in a quadrant first (a triple before it: 3 % more nodes), then by quadrant, the squares
    # near the edge rank first (2 % fewer). A word holds the places as shifts of a packed
    # word: (order & 24), (order >> 5 & 24) and so on; bit 20: two pairs.
    cdef int index, i, place, q, turn, count, doubles
    cdef int quads[4]
    cdef int counts[4]
    for index in range(256):
        for q in range(4):
            counts[q] = 0
        for i in range(4):
            quads[i] = index >> (2 * i) & 3
            counts[quads[i]] += 1
        place = doubles = 0
        SORT_4[index] = 0
        for count in range(1, 5):
            for q in range(4):
                if counts[q] == count:
                    doubles += count == 2
                    for turn in range(4):
                        i = turn if q < 2 else 3 - turn
                        if quads[i] == q:
                            SORT_4[index] |= (8 * i) << (5 * place)
                            place += 1
        if doubles == 2:
            SORT_4[index] |= 1 << 20


cdef inline void init_last() noexcept nogil:
    cdef int x, line, i, turned, sq, other, files, ranks
    init_sort_4()
    for x in range(8):
        for line in range(256):
            turned = 0
            i = x + 1
            while i < 8 and not line >> i & 1:
                i += 1
            if i < 8:
                turned += i - x - 1
            i = x - 1
            while i >= 0 and not line >> i & 1:
                i -= 1
            if i >= 0:
                turned += x - i - 1
            LAST_FLIPS[x][line] = 2 * turned
    for sq in range(64):
        DIAGONALS[sq][0] = DIAGONALS[sq][1] = AROUND[sq] = 0
        for other in range(64):
            files = (other & 7) - (sq & 7)
            ranks = (other >> 3) - (sq >> 3)
            if files == ranks:
                DIAGONALS[sq][0] |= bit(other)
            if files == -ranks:
                DIAGONALS[sq][1] |= bit(other)
            if sq != other and -1 <= files <= 1 and -1 <= ranks <= 1:
                AROUND[sq] |= bit(other)


cdef inline int last_flips(uint64_t own, int sq) noexcept nogil:
    # Twice the discs that the last empty square turns. A multiplication gathers a file or a
    # diagonal into one byte: a magic bitboard without the look-up of the magic.
    cdef unsigned char *by_file = LAST_FLIPS[sq & 7]
    return (by_file[own >> (sq & 56) & 0xFF]
            + LAST_FLIPS[sq >> 3][(((own >> (sq & 7)) & 0x0101010101010101u)
                                   * 0x0102040810204080u) >> 56]
            + by_file[((own & DIAGONALS[sq][0]) * 0x0101010101010101u) >> 56]
            + by_file[((own & DIAGONALS[sq][1]) * 0x0101010101010101u) >> 56])


cdef inline int solve_1(Context *ctx, uint64_t own, int sq) noexcept nogil:
    # One empty square: the opponent holds all others, so counting flips is enough.
    cdef int discs = 2 * popcount(own), turned = last_flips(own, sq)
    ctx.nodes += 1
    if turned:
        return discs + turned - 62
    turned = last_flips(~own & ~bit(sq), sq)
    if turned:
        return discs - turned - 64
    return final_score(own, ~own & ~bit(sq), ctx.winner_gets_empties)


cdef inline int solve_2(Context *ctx, uint64_t own, uint64_t opp, int alpha,
                        int a, int b) noexcept nogil:
    cdef uint64_t flipped
    cdef int score, best = SCORE_NONE
    ctx.nodes += 1
    if AROUND[a] & opp:
        flipped = flips(own, opp, a)
        if flipped:
            best = -solve_1(ctx, opp ^ flipped, b)
            if best > alpha:
                return best
    if AROUND[b] & opp:
        flipped = flips(own, opp, b)
        if flipped:
            score = -solve_1(ctx, opp ^ flipped, a)
            return score if score > best else best
    if best > SCORE_NONE:
        return best
    # A pass: the opponent, who now moves, makes the score as small as possible.
    best = -SCORE_NONE
    if AROUND[a] & own:
        flipped = flips(opp, own, a)
        if flipped:
            best = solve_1(ctx, own ^ flipped, b)
            if best <= alpha:
                return best
    if AROUND[b] & own:
        flipped = flips(opp, own, b)
        if flipped:
            score = solve_1(ctx, own ^ flipped, a)
            return score if score < best else best
    if best < -SCORE_NONE:
        return best
    return final_score(own, opp, ctx.winner_gets_empties)


cdef inline int solve_3(Context *ctx, uint64_t own, uint64_t opp, int alpha,
                        int a, int b, int c, bint passed) noexcept nogil:
    cdef uint64_t flipped
    cdef int score, best = SCORE_NONE
    ctx.nodes += 1
    flipped = flips(own, opp, a)
    if flipped:
        best = -solve_2(ctx, opp ^ flipped, own ^ flipped ^ bit(a), -alpha - 1, b, c)
        if best > alpha:
            return best
    flipped = flips(own, opp, b)
    if flipped:
        score = -solve_2(ctx, opp ^ flipped, own ^ flipped ^ bit(b), -alpha - 1, a, c)
        if score > alpha:
            return score
        if score > best:
            best = score
    flipped = flips(own, opp, c)
    if flipped:
        score = -solve_2(ctx, opp ^ flipped, own ^ flipped ^ bit(c), -alpha - 1, a, b)
        if score > best:
            best = score
    if best > SCORE_NONE:
        return best
    if passed:
        return final_score(own, opp, ctx.winner_gets_empties)
    return -solve_3(ctx, opp, own, -alpha - 1, a, b, c, True)


cdef inline int solve_4(Context *ctx, uint64_t own, uint64_t opp, int alpha,
                        int a, int b, int c, int d, bint pairs, bint passed) noexcept nogil:
    # Squares as sort_4 leaves them. Each child gets the square that is alone in its region first:
    # in two pairs that is the played square's partner, else the first of the others. Here the legal
    # moves are counted at once: branches on them are known sooner than those on flips (2 % in all;
    # at three squares it no longer pays).
    cdef uint64_t flipped, legal = moves(own, opp)
    cdef int score, best = SCORE_NONE
    ctx.nodes += 1
    if legal & bit(a):
        flipped = flips(own, opp, a)
        best = -solve_3(ctx, opp ^ flipped, own ^ flipped ^ bit(a), -alpha - 1, b, c, d, False)
        if best > alpha:
            return best
    if legal & bit(b):
        flipped = flips(own, opp, b)
        score = -solve_3(ctx, opp ^ flipped, own ^ flipped ^ bit(b), -alpha - 1, a, c, d, False)
        if score > alpha:
            return score
        if score > best:
            best = score
    if legal & bit(c):
        flipped = flips(own, opp, c)
        score = -solve_3(ctx, opp ^ flipped, own ^ flipped ^ bit(c), -alpha - 1,
                         d if pairs else a, b, a if pairs else d, False)
        if score > alpha:
            return score
        if score > best:
            best = score
    if legal & bit(d):
        flipped = flips(own, opp, d)
        score = -solve_3(ctx, opp ^ flipped, own ^ flipped ^ bit(d), -alpha - 1,
                         c if pairs else a, b, a if pairs else c, False)
        if score > best:
            best = score
    if best > SCORE_NONE:
        return best
    if passed:
        return final_score(own, opp, ctx.winner_gets_empties)
    return -solve_4(ctx, opp, own, -alpha - 1, a, b, c, d, pairs, True)


cdef inline int enter_4(Context *ctx, uint64_t own, uint64_t opp, int alpha) noexcept nogil:
    # A table sorts the four squares by the quadrants that they lie in, without a branch.
    cdef uint64_t todo = ~(own | opp)
    cdef unsigned int squares, order
    cdef int a, b, c, d
    a = lowest(todo)
    todo = rest(todo)
    b = lowest(todo)
    todo = rest(todo)
    c = lowest(todo)
    todo = rest(todo)
    d = lowest(todo)
    order = SORT_4[region(a) | region(b) << 2 | region(c) << 4 | region(d) << 6]
    squares = a | b << 8 | c << 16 | d << 24
    return solve_4(ctx, own, opp, alpha, squares >> (order & 24) & 63,
                   squares >> (order >> 5 & 24) & 63, squares >> (order >> 10 & 24) & 63,
                   squares >> (order >> 15 & 24) & 63, order >> 20, False)
