# Legal moves and flipped discs with one axis a vector lane: AVX2 (x86-64-v3) and AVX-512
# (x86-64-v4). Only where the compiler has them: VECTOR is a compile-time constant, and a build
# without AVX2 sees the vectors as single words and never calls these functions.
# The same ideas as flip_scalar.pxd, whose tables it uses.

from libc.stdint cimport uint64_t

from reversi.core.flip_scalar cimport RAY

cdef extern from * nogil:
    """
    #if defined(__AVX2__) && defined(__GNUC__)
    #include <immintrin.h>
    #define REVERSI_VECTOR 1
    typedef uint64_t reversi_v4 __attribute__((vector_size(32)));
    #define reversi_splat(x) ((reversi_v4) _mm256_set1_epi64x((long long) (x)))
    #define reversi_load(p) ((reversi_v4) _mm256_load_si256((const __m256i *) (p)))
    /* All ones in the lanes that are zero. */
    #define reversi_is_zero(v) ((reversi_v4) ((v) == 0))
    #define REVERSI_SHIFTS ((reversi_v4) {1, 8, 7, 9})
    #define REVERSI_INNER \\
        ((reversi_v4) {0x7E7E7E7E7E7E7E7Eu, ~0ull, 0x7E7E7E7E7E7E7E7Eu, 0x7E7E7E7E7E7E7E7Eu})
    REVERSI_INLINE uint64_t reversi_merge(reversi_v4 v) {
        __m128i x = _mm_or_si128(_mm256_castsi256_si128((__m256i) v),
                                 _mm256_extracti128_si256((__m256i) v, 1));
        return (uint64_t) _mm_cvtsi128_si64(_mm_or_si128(x, _mm_unpackhi_epi64(x, x)));
    }
    #if defined(__AVX512CD__) && defined(__AVX512VL__)
    /* The highest bit of each lane, 0 for 0: a shift by 64 or more gives 0. */
    #define reversi_highest_bit(v, shifts) ((reversi_v4) _mm256_srlv_epi64( \\
        _mm256_set1_epi64x((long long) 0x8000000000000000ull), _mm256_lzcnt_epi64((__m256i) (v))))
    #else
    /* Without a vector lzcnt: smear each ray's bits down along it, keep the one above all. */
    REVERSI_INLINE reversi_v4 reversi_highest_bit(reversi_v4 v, reversi_v4 shifts) {
        v |= v >> shifts;
        v |= v >> (shifts + shifts);
        v |= v >> (4 * shifts);
        return v & ~(v >> shifts);
    }
    #endif
    #else
    #define REVERSI_VECTOR 0
    typedef uint64_t reversi_v4;
    #define reversi_splat(x) (x)
    #define reversi_load(p) (*(p))
    #define reversi_is_zero(v) (0 - (uint64_t) ((v) == 0))
    #define REVERSI_SHIFTS 1
    #define REVERSI_INNER 0
    #define reversi_merge(v) (v)
    #define reversi_highest_bit(v, shifts) (v)
    #endif
    """
    # Four words side by side; Cython needs only to know that the operators exist.
    ctypedef unsigned long long v4 "reversi_v4"
    bint VECTOR "REVERSI_VECTOR"
    v4 SHIFTS "REVERSI_SHIFTS"
    v4 INNER "REVERSI_INNER"
    v4 splat "reversi_splat"(uint64_t x) noexcept
    v4 load "reversi_load"(const uint64_t *lanes) noexcept
    v4 is_zero "reversi_is_zero"(v4 v) noexcept
    v4 highest_bit "reversi_highest_bit"(v4 v, v4 shifts) noexcept
    uint64_t merge "reversi_merge"(v4 v) noexcept


cdef inline uint64_t moves_vector(uint64_t own, uint64_t opp) noexcept nogil:
    cdef v4 shift = SHIFTS, twice = shift + shift
    cdef v4 discs = splat(own), inner = splat(opp) & INNER
    cdef v4 up = inner & (discs << shift), down = inner & (discs >> shift)
    cdef v4 pairs_up = inner & (inner << shift), pairs_down = pairs_up >> shift
    up |= inner & (up << shift)
    down |= inner & (down >> shift)
    up |= pairs_up & (up << twice)
    down |= pairs_down & (down >> twice)
    up |= pairs_up & (up << twice)
    down |= pairs_down & (down >> twice)
    return merge((up << shift) | (down >> shift)) & ~(own | opp)


cdef inline uint64_t flips_vector(uint64_t own, uint64_t opp, int sq) noexcept nogil:
    cdef v4 discs = splat(own), others = splat(opp)
    cdef v4 up = load(&RAY[sq][0]), down = load(&RAY[sq][4])
    cdef v4 outflank_up = ((others | ~up) + 1) & discs & up
    cdef v4 outflank_down = highest_bit(~others & down, SHIFTS) & discs
    # outflank - 1 where there is one, 0 where there is none.
    up &= outflank_up - 1 - is_zero(outflank_up)
    down &= 0 - (outflank_down + outflank_down)
    return merge(up | down)
