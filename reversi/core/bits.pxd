# Bits of a 64-bit word: counting, finding, turning, each by the compiler's builtin for it.
# Squares are bit indices: a1 = 0, h1 = 7, a8 = 56, h8 = 63.

from libc.stdint cimport uint64_t

cdef extern from * nogil:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    static __inline int reversi_lowest(uint64_t x) {
        unsigned long i; _BitScanForward64(&i, x); return (int) i;
    }
    static __inline int reversi_highest(uint64_t x) {
        unsigned long i; _BitScanReverse64(&i, x); return (int) i;
    }
    #define reversi_bswap(x) _byteswap_uint64(x)
    #define reversi_prefetch(p) _mm_prefetch((const char *) (p), _MM_HINT_T0)
    #define REVERSI_UNLIKELY(x) (x)
    #define REVERSI_INLINE static __forceinline
    #else
    #define reversi_lowest(x) __builtin_ctzll(x)
    #define reversi_highest(x) (63 ^ __builtin_clzll(x))
    #define reversi_bswap(x) __builtin_bswap64(x)
    #define reversi_prefetch(p) __builtin_prefetch(p)
    #define REVERSI_UNLIKELY(x) __builtin_expect((x), 0)
    #define REVERSI_INLINE static inline __attribute__((always_inline))
    #endif

    #if defined(__POPCNT__) || defined(__aarch64__)
    #define reversi_popcount(x) __builtin_popcountll(x)
    #else
    /* Without the instruction the builtin is a call into a table; this is half its time. */
    REVERSI_INLINE int reversi_popcount(uint64_t x) {
        x -= (x >> 1) & 0x5555555555555555u;
        x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
        x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
        return (int) ((x * 0x0101010101010101u) >> 56);
    }
    #endif
    """
    int popcount "reversi_popcount"(uint64_t x) noexcept
    # Undefined for 0, as the builtins are.
    int lowest "reversi_lowest"(uint64_t x) noexcept
    int highest "reversi_highest"(uint64_t x) noexcept
    uint64_t byte_swap "reversi_bswap"(uint64_t x) noexcept
    void prefetch "reversi_prefetch"(const void *address) noexcept
    bint unlikely "REVERSI_UNLIKELY"(bint condition) noexcept


cdef enum:
    PASS = 64

cdef inline uint64_t bit(int sq) noexcept nogil:
    return <uint64_t>1 << sq


cdef inline uint64_t rest(uint64_t bits) noexcept nogil:
    # All but the lowest bit.
    return bits & (bits - 1)


cdef inline uint64_t mirror_files(uint64_t x) noexcept nogil:
    # a <-> h
    x = ((x >> 1) & 0x5555555555555555u) | ((x & 0x5555555555555555u) << 1)
    x = ((x >> 2) & 0x3333333333333333u) | ((x & 0x3333333333333333u) << 2)
    return ((x >> 4) & 0x0F0F0F0F0F0F0F0Fu) | ((x & 0x0F0F0F0F0F0F0F0Fu) << 4)


cdef inline uint64_t mirror_main_diagonal(uint64_t x) noexcept nogil:
    # Swaps files and ranks: a2 <-> b1. Delta swaps, Knuth, TAOCP 4A, 7.1.3.
    cdef uint64_t t
    t = 0x0F0F0F0F00000000u & (x ^ (x << 28))
    x ^= t ^ (t >> 28)
    t = 0x3333000033330000u & (x ^ (x << 14))
    x ^= t ^ (t >> 14)
    t = 0x5500550055005500u & (x ^ (x << 7))
    return x ^ t ^ (t >> 7)
