# Zobrist keys (Zobrist 1970) of a position in the view of the side to move.
#
# key = Z(own) ^ rotate(Z(opp), 32), Z(discs) = xor of one random word a square. Z is linear, so a
# row of eight squares is one table look-up, and a move needs only Z of the flipped discs: when the
# sides change places the key is rotated. The side to move is in the key since `own` is its discs.

from libc.stdint cimport uint64_t

cdef extern from * nogil:
    """
    /* The xor of the square keys of each row's 256 patterns; 16 KB, filled by init_zobrist(). */
    static uint64_t reversi_zobrist[8][256];
    """
    uint64_t ROW_KEYS "reversi_zobrist"[8][256]


cdef enum:
    ZOBRIST_SEED = 0x0DDB1A5E


cdef inline uint64_t split_mix(uint64_t x) noexcept nogil:
    # SplitMix64 (Steele, Lea, Flood 2014): a fixed random word for each x.
    x += 0x9E3779B97F4A7C15u
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu
    return x ^ (x >> 31)


cdef inline void init_zobrist() noexcept nogil:
    cdef int row, pattern, file
    for row in range(8):
        for pattern in range(256):
            ROW_KEYS[row][pattern] = 0
            for file in range(8):
                if pattern >> file & 1:
                    ROW_KEYS[row][pattern] ^= split_mix(ZOBRIST_SEED + 8 * row + file)


cdef inline uint64_t swap_sides(uint64_t key) noexcept nogil:
    # The key after a pass.
    return (key >> 32) | (key << 32)


cdef inline uint64_t disc_keys(uint64_t discs) noexcept nogil:
    return (ROW_KEYS[0][discs & 0xFF] ^ ROW_KEYS[1][discs >> 8 & 0xFF]
            ^ ROW_KEYS[2][discs >> 16 & 0xFF] ^ ROW_KEYS[3][discs >> 24 & 0xFF]
            ^ ROW_KEYS[4][discs >> 32 & 0xFF] ^ ROW_KEYS[5][discs >> 40 & 0xFF]
            ^ ROW_KEYS[6][discs >> 48 & 0xFF] ^ ROW_KEYS[7][discs >> 56])


cdef inline uint64_t zobrist_key(uint64_t own, uint64_t opp) noexcept nogil:
    return disc_keys(own) ^ swap_sides(disc_keys(opp))


cdef inline uint64_t key_after(uint64_t key, uint64_t flipped, int sq) noexcept nogil:
    # The key of the position after the side to move played sq and turned `flipped`.
    cdef uint64_t turned = disc_keys(flipped)
    cdef uint64_t placed = ROW_KEYS[sq >> 3][1 << (sq & 7)]
    return swap_sides(key ^ turned ^ placed) ^ turned
