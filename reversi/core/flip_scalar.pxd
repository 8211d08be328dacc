# Legal moves and flipped discs with plain 64-bit arithmetic, for any machine.
# flip_vector.pxd is the same in vectors; both give equal results (tests/test_core_bits.py).

from libc.stdint cimport uint64_t

from reversi.core.bits cimport bit, highest

cdef extern from * nogil:
    """
    /* RAY[sq][0..3]: squares from sq towards h, 8, a8 corner's side and h8; [4..7]: the opposite
       directions in the same order, as the shifts 1, 8, 7, 9 go. 4 KB, filled by init_rays(). */
    #ifdef _MSC_VER
    __declspec(align(64)) static uint64_t reversi_ray[64][8];
    #else
    static uint64_t reversi_ray[64][8] __attribute__((aligned(64)));
    #endif
    """
    uint64_t RAY "reversi_ray"[64][8]


cdef inline void init_rays() noexcept nogil:
    cdef int sq, d, file, rank
    cdef int *step_file = [1, 0, -1, 1]
    cdef int *step_rank = [0, 1, 1, 1]
    for sq in range(64):
        for d in range(4):
            RAY[sq][d] = RAY[sq][d + 4] = 0
            file = (sq & 7) + step_file[d]
            rank = (sq >> 3) + step_rank[d]
            while 0 <= file < 8 and 0 <= rank < 8:
                RAY[sq][d] |= bit(8 * rank + file)
                file += step_file[d]
                rank += step_rank[d]
            file = (sq & 7) - step_file[d]
            rank = (sq >> 3) - step_rank[d]
            while 0 <= file < 8 and 0 <= rank < 8:
                RAY[sq][d + 4] |= bit(8 * rank + file)
                file -= step_file[d]
                rank -= step_rank[d]


cdef inline uint64_t _moves_axis(uint64_t own, uint64_t inner, int shift) noexcept nogil:
    # Runs of up to six opposing discs next to own ones, both ways along one axis, doubling
    # (parallel prefix). `inner` are the opposing discs that have a neighbour on both sides.
    cdef uint64_t up = inner & (own << shift)
    cdef uint64_t down = inner & (own >> shift)
    cdef uint64_t pairs_up = inner & (inner << shift)
    cdef uint64_t pairs_down = pairs_up >> shift
    up |= inner & (up << shift)
    down |= inner & (down >> shift)
    up |= pairs_up & (up << (2 * shift))
    down |= pairs_down & (down >> (2 * shift))
    up |= pairs_up & (up << (2 * shift))
    down |= pairs_down & (down >> (2 * shift))
    return (up << shift) | (down >> shift)


cdef inline uint64_t moves_scalar(uint64_t own, uint64_t opp) noexcept nogil:
    cdef uint64_t inner = opp & 0x7E7E7E7E7E7E7E7Eu
    return (_moves_axis(own, inner, 1) | _moves_axis(own, opp, 8)
            | _moves_axis(own, inner, 7) | _moves_axis(own, inner, 9)) & ~(own | opp)


cdef inline uint64_t _flips_up(uint64_t own, uint64_t opp, uint64_t ray) noexcept nogil:
    # Adding one carries over the opposing discs to the first other square of the ray.
    cdef uint64_t outflank = ((opp | ~ray) + 1) & own & ray
    return (outflank - (outflank != 0)) & ray


cdef inline uint64_t _flips_down(uint64_t own, uint64_t opp, uint64_t ray) noexcept nogil:
    # The `| 1` keeps highest() defined: when the ray has no other square than opposing discs,
    # the bit that it finds is not on the ray or not an own disc.
    cdef uint64_t outflank = bit(highest((ray & ~opp) | 1)) & own & ray
    return (0 - (outflank << 1)) & ray


cdef inline uint64_t flips_scalar(uint64_t own, uint64_t opp, int sq) noexcept nogil:
    cdef uint64_t *ray = RAY[sq]
    return (_flips_up(own, opp, ray[0]) | _flips_up(own, opp, ray[1])
            | _flips_up(own, opp, ray[2]) | _flips_up(own, opp, ray[3])
            | _flips_down(own, opp, ray[4]) | _flips_down(own, opp, ray[5])
            | _flips_down(own, opp, ray[6]) | _flips_down(own, opp, ray[7]))
