# Multi-ProbCut's parameters (Buro 1997): how far a shallow search's value lies from a deep one's.
# Owns the margins; the search that uses them is in strong.pxd.

from libc.stdint cimport uint16_t

cdef extern from * nogil:
    """
    /* How sure a cut has to be, in 1/64 standard deviations, by selectivity: 0 cuts nothing; then
       99, 95, 87 and 73 % of a normal distribution lie inside. */
    static const int reversi_doubts[5] = {0, 166, 128, 96, 70};
    """
    const int DOUBTS "reversi_doubts"[5]

cdef enum:
    SELECTIVITIES = 5

cdef struct Probcut:
    # The standard deviation of the deep value less the shallow one, in 1/128 disc, by empty squares
    # and depth.
    uint16_t deviation[65][65]


cdef inline int shallow_depth(int depth) noexcept nogil:
    # About half, of the same parity: an odd number of plies is kinder to the side to move.
    return 2 * (depth // 4) + (depth & 1)


cdef inline int margin(const Probcut *probcut, int selectivity, int empties,
                       int depth) noexcept nogil:
    return probcut.deviation[empties][depth] * DOUBTS[selectivity] // 64
