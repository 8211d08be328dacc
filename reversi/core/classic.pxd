# The classic evaluation: eight hand-made terms with fixed weights, in the view of the side to
# move. Owns the weights and nothing else; each term is antisymmetric, so the root's view is a sign.

from libc.stdint cimport uint64_t

from reversi.core.bits cimport popcount
from reversi.core.board cimport (
    CORNERS, FullLines, final_score, full_lines, moves, neighbours, stable_discs,
)

cdef enum:
    SCORE_INFINITY = 1000000000
    SCORE_WIN = 10000000        # a won game, to which each disc of the difference adds
    SCORE_DISC = 10000
    PARITY_EMPTIES = 18         # the parity term counts from here to the end

cdef struct Terms:
    int material, positional, mobility, corners, frontier, parity, danger, stable


cdef inline int _balance(uint64_t own, uint64_t opp, uint64_t mask) noexcept nogil:
    return popcount(own & mask) - popcount(opp & mask)


cdef inline int square_weights(uint64_t own, uint64_t opp) noexcept nogil:
    # Eight weights, each of a set of squares that is symmetric over the board.
    return (120 * _balance(own, opp, CORNERS)
            - 40 * _balance(own, opp, 0x4281000000008142u)      # C squares
            - 80 * _balance(own, opp, 0x0042000000004200u)      # X squares
            + 20 * _balance(own, opp, 0x2400810000810024u)      # A squares
            + 5 * _balance(own, opp, 0x1800008181000018u)       # B squares
            - 5 * _balance(own, opp, 0x003C424242423C00u)
            + 15 * _balance(own, opp, 0x0000240000240000u)
            + 3 * _balance(own, opp, 0x0000183C3C180000u))


cdef inline int stable_balance(uint64_t own, uint64_t opp) noexcept nogil:
    cdef uint64_t occupied = own | opp, rank = occupied
    cdef FullLines full
    if not occupied & CORNERS:
        # A stable disc needs a corner or a full rank; most middle games have neither.
        rank &= rank >> 1
        rank &= rank >> 2
        if not rank & (rank >> 4) & 0x0101010101010101u:
            return 0
    full = full_lines(occupied)
    return popcount(stable_discs(own, &full)) - popcount(stable_discs(opp, &full))


cdef inline Terms classic_terms(uint64_t own, uint64_t opp, int mobility) noexcept nogil:
    # `mobility`: own legal moves less the opponent's, which the caller has counted already.
    cdef uint64_t empty = ~(own | opp), frontier = neighbours(empty)
    cdef uint64_t open_corners = empty & CORNERS
    cdef int empties = popcount(empty)
    cdef Terms t
    t.material = 12 * (popcount(own) - popcount(opp))
    t.positional = 10 * square_weights(own, opp)
    t.mobility = 90 * mobility
    t.corners = 800 * _balance(own, opp, CORNERS)
    t.frontier = 18 * _balance(own, opp, frontier)
    t.parity = 0 if empties > PARITY_EMPTIES else 55 if empties & 1 else -55
    t.danger = 220 * _balance(own, opp, neighbours(open_corners)) if open_corners else 0
    t.stable = 140 * stable_balance(own, opp)
    return t


cdef inline int classic_total(Terms *t) noexcept nogil:
    return (t.positional + t.mobility + t.corners - t.frontier + t.material + t.parity - t.danger
            + t.stable)


cdef inline int terminal_score(int diff) noexcept nogil:
    return SCORE_DISC * diff + (SCORE_WIN if diff > 0 else -SCORE_WIN if diff < 0 else 0)


cdef inline int leaf_score(uint64_t own, uint64_t opp) noexcept nogil:
    # The value of a node at depth 0: the evaluation, or the result where the game is over.
    cdef int own_moves = popcount(moves(own, opp)), opp_moves = popcount(moves(opp, own))
    cdef Terms t
    if own_moves == 0 and opp_moves == 0:
        return terminal_score(final_score(own, opp, False))
    t = classic_terms(own, opp, own_moves - opp_moves)
    return classic_total(&t)
