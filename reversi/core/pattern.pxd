# What the learned evaluation sees (Buro 1997): the content of each of many patterns of squares, the
# same for the eight symmetries; at the corners, also who may move where; and a few counts. Owns the
# patterns, their indices and the classes of contents that are learned as one; what they are worth
# is network.pxd's.
#
# An index is a number in balanced ternary, +1 for an own disc, -1 for an opponent's, so a change of
# sides is a change of sign, and one table serves both. Each of the 42 patterns has a lane of 16
# bits; a move adds one vector of steps for each disc that it places or turns.
#
# A corner block is 3 by 2 squares, and its index a number to base 6: a disc of either side, or an
# empty square where neither side may move, one of them or both. (In place of diagonals of 5 and 6
# squares and of the three around a corner's it made the error of held-out positions 2.7 % smaller,
# with 44 to 55 discs. Blocks elsewhere, or of seven squares, brought no more.)

from libc.stdint cimport int16_t, int32_t, uint16_t, uint64_t

from reversi.core.bits cimport bit, lowest, popcount, rest
from reversi.core.board cimport moves, neighbours, transform_square
from reversi.core.zobrist cimport split_mix

cdef extern from * nogil:
    """
    #include <string.h>
    #ifdef __GNUC__
    #define REVERSI_ALIGNED __attribute__((aligned(64)))
    #else
    #define REVERSI_ALIGNED
    #endif
    enum { REVERSI_KINDS = 10, REVERSI_LANES = 64, REVERSI_PATTERNS = 42, REVERSI_LONGEST = 10,
           REVERSI_BLOCKS = 8, REVERSI_COUNTS = 5 };
    /* One picture of each kind of pattern: how many squares it has, and which. */
    static const unsigned char reversi_kinds[REVERSI_KINDS][1 + REVERSI_LONGEST] = {
        {9, 0, 1, 2, 8, 9, 10, 16, 17, 18},             /* corner, 3 by 3 */
        {10, 0, 1, 2, 3, 4, 8, 9, 10, 11, 12},          /* corner, 5 by 2 */
        {10, 0, 1, 2, 3, 4, 5, 6, 7, 9, 14},            /* edge and its X squares */
        {10, 0, 2, 3, 4, 5, 7, 10, 11, 12, 13},         /* edge, 4 by 2 without the C squares */
        {10, 8, 9, 10, 11, 12, 13, 14, 15, 0, 7},       /* second row and its corners */
        {8, 16, 17, 18, 19, 20, 21, 22, 23},            /* third row */
        {8, 24, 25, 26, 27, 28, 29, 30, 31},            /* fourth row */
        {10, 0, 1, 2, 3, 8, 9, 10, 16, 17, 24},         /* corner, triangle of side 4 */
        {7, 1, 10, 19, 28, 37, 46, 55},                 /* diagonals */
        {8, 0, 9, 18, 27, 36, 45, 54, 63},
    };
    /* Filled by init_pattern(), as all below. */
    static int reversi_pattern_kind[REVERSI_PATTERNS];
    static unsigned char reversi_pattern_squares[REVERSI_PATTERNS][REVERSI_LONGEST];
    /* The place of each lane's index 0. */
    static int32_t reversi_pattern_base[REVERSI_LANES] REVERSI_ALIGNED;
    /* 3 to the place of the square in each lane's pattern. */
    static int16_t reversi_steps[64][REVERSI_LANES] REVERSI_ALIGNED;
    /* The corner blocks: the first four lie along a rank, the others along a file. A square's place
       is that of its picture in the first block. */
    static unsigned char reversi_block_squares[REVERSI_BLOCKS][6];
    static uint64_t reversi_block_set[REVERSI_BLOCKS];
    /* The sum of 6 to the places of some of its squares, which reversi_block() numbers. */
    static uint16_t reversi_block_sum[REVERSI_BLOCKS][64];

    /* Which squares of a block are set: a number of six bits, in the order of the board. (Some
       processors with AVX2 take hundreds of steps for a pext, those with AVX-512 one. With it the
       middle game visits 10 % more nodes a second.) */
    #if defined(__AVX512BW__) && defined(__BMI2__)
    #include <immintrin.h>
    #define reversi_block(board, i) ((unsigned int) _pext_u64(board, reversi_block_set[i]))
    #else
    static const unsigned char reversi_block_shift[REVERSI_BLOCKS] = {0, 48, 5, 53, 0, 6, 40, 46};
    static inline unsigned int reversi_block(uint64_t board, int i) {
        unsigned int squares = (unsigned int) (board >> reversi_block_shift[i]);
        if (i < 4) {
            squares &= 0x0707;
            return (squares | squares >> 5) & 63;
        }
        squares &= 0x030303;
        return (squares | squares >> 6 | squares >> 12) & 63;
    }
    #endif

    #ifdef __GNUC__
    typedef int16_t reversi_half __attribute__((vector_size(64)));
    typedef struct { reversi_half first, second; } reversi_lanes;
    static inline __attribute__((always_inline)) void reversi_lanes_add(
            reversi_lanes *to, const int16_t *step) {
        const reversi_half *halves = (const reversi_half *) step;
        to->first += halves[0];
        to->second += halves[1];
    }
    static inline __attribute__((always_inline)) void reversi_lanes_take(
            reversi_lanes *from, const reversi_lanes *taken) {
        from->first -= taken->first;
        from->second -= taken->second;
    }
    static inline __attribute__((always_inline)) void reversi_lanes_clear(reversi_lanes *to) {
        to->first = to->second = (reversi_half) {0};
    }
    static inline __attribute__((always_inline)) void reversi_lanes_turn(
            reversi_lanes *to, const reversi_lanes *from, const reversi_lanes *turned,
            const int16_t *placed) {
        const reversi_half *halves = (const reversi_half *) placed;
        to->first = -(from->first + turned->first + turned->first + halves[0]);
        to->second = -(from->second + turned->second + turned->second + halves[1]);
    }
    #else
    typedef struct { int16_t lanes[REVERSI_LANES]; } reversi_lanes;
    static void reversi_lanes_add(reversi_lanes *to, const int16_t *step) {
        for (int i = 0; i < REVERSI_LANES; i++) to->lanes[i] += step[i];
    }
    static void reversi_lanes_take(reversi_lanes *from, const reversi_lanes *taken) {
        for (int i = 0; i < REVERSI_LANES; i++) from->lanes[i] -= taken->lanes[i];
    }
    static void reversi_lanes_clear(reversi_lanes *to) { memset(to, 0, sizeof *to); }
    static void reversi_lanes_turn(reversi_lanes *to, const reversi_lanes *from,
                                   const reversi_lanes *turned, const int16_t *placed) {
        for (int i = 0; i < REVERSI_LANES; i++)
            to->lanes[i] = (int16_t) -(from->lanes[i] + 2 * turned->lanes[i] + placed[i]);
    }
    #endif
    """
    cdef enum:
        KINDS "REVERSI_KINDS"
        LANES "REVERSI_LANES"
        PATTERNS "REVERSI_PATTERNS"
        LONGEST "REVERSI_LONGEST"
        BLOCKS "REVERSI_BLOCKS"
        # Own moves, the opponent's, own frontier, the opponent's, all discs.
        COUNTS "REVERSI_COUNTS"
    const unsigned char KIND_SQUARES "reversi_kinds"[10][11]
    int PATTERN_KIND "reversi_pattern_kind"[42]
    unsigned char PATTERN_SQUARES "reversi_pattern_squares"[42][10]
    int32_t PATTERN_BASE "reversi_pattern_base"[64]
    int16_t STEPS "reversi_steps"[64][64]
    unsigned char BLOCK_SQUARES "reversi_block_squares"[8][6]
    uint64_t BLOCK_SET "reversi_block_set"[8]
    uint16_t BLOCK_SUM "reversi_block_sum"[8][64]
    unsigned int block_part "reversi_block"(uint64_t board, int i) noexcept
    ctypedef struct Lanes "reversi_lanes":
        pass
    void lanes_add "reversi_lanes_add"(Lanes *to, const int16_t *step) noexcept
    void lanes_take "reversi_lanes_take"(Lanes *origin, const Lanes *taken) noexcept
    void lanes_clear "reversi_lanes_clear"(Lanes *to) noexcept
    void lanes_turn "reversi_lanes_turn"(Lanes *to, const Lanes *origin, const Lanes *turned,
                                         const int16_t *placed) noexcept


cdef enum:
    BLOCK_SIZE = 46656
    COUNT_SIZE = 64
    # Where the rows of a network are looked up: 3 ** length for each kind, 6 ** 6 for the corner
    # blocks, then the counts.
    BLOCKS_PLACE = 5 * 59049 + 19683 + 3 * 6561 + 2187
    COUNTS_PLACE = BLOCKS_PLACE + BLOCK_SIZE
    PLACES = COUNTS_PLACE + COUNTS * COUNT_SIZE


cdef inline int power_of_3(int n) noexcept nogil:
    cdef int _i, power = 1
    for _i in range(n):
        power *= 3
    return power


cdef inline int kind_of_picture(const unsigned char *squares, int length, int first,
                                int count) noexcept nogil:
    # Which of the patterns from `first` on has these squares in any order; -1 where none has.
    cdef uint64_t wanted = 0, found
    cdef int i, j
    for i in range(length):
        wanted |= bit(squares[i])
    for i in range(first, first + count):
        found = 0
        for j in range(length):
            found |= bit(PATTERN_SQUARES[i][j])
        if found == wanted:
            return i
    return -1


cdef inline void init_pattern() noexcept nogil:
    # Each kind's different pictures under the eight symmetries.
    cdef unsigned char picture[10]
    cdef int kind, length, first, count = 0, base = 0, i, j, sq
    for kind in range(KINDS):
        length = KIND_SQUARES[kind][0]
        first = count
        for i in range(8):
            for j in range(length):
                picture[j] = transform_square(KIND_SQUARES[kind][1 + j], i)
            if kind_of_picture(picture, length, first, count - first) >= 0:
                continue
            PATTERN_KIND[count] = kind
            PATTERN_BASE[count] = base + power_of_3(length) // 2
            for j in range(length):
                sq = picture[j]
                PATTERN_SQUARES[count][j] = sq
                STEPS[sq][count] = power_of_3(j)
            count += 1
        base += power_of_3(length)
    init_blocks()


cdef inline void init_blocks() noexcept nogil:
    # Pictures of a1, b1, c1, a2, b2, c2.
    cdef int i, j, part, power
    for i in range(BLOCKS):
        BLOCK_SET[i] = 0
        for j in range(6):
            BLOCK_SQUARES[i][j] = transform_square(j // 3 * 8 + j % 3, i)
            BLOCK_SET[i] |= bit(BLOCK_SQUARES[i][j])
        for part in range(64):
            BLOCK_SUM[i][part] = 0
            power = 1
            for j in range(6):
                if part & block_part(bit(BLOCK_SQUARES[i][j]), i):
                    BLOCK_SUM[i][part] += power
                power *= 6


cdef inline uint64_t fingerprint() noexcept nogil:
    # Of the patterns in their order, the corner blocks and the counts.
    cdef uint64_t x = split_mix(COUNTS)
    cdef int kind, i
    for kind in range(KINDS):
        for i in range(1 + KIND_SQUARES[kind][0]):
            x = split_mix(x ^ KIND_SQUARES[kind][i])
    for i in range(6):
        x = split_mix(x ^ BLOCK_SQUARES[0][i])
    return x


# What is learned comes by class: contents that a symmetry turns into each other are one.

cdef inline int fill_classes(int32_t *classes) noexcept nogil:
    # The class of each place; how many there are.
    cdef int32_t place[8][10]
    cdef int kind, length, size, base = 0, count = 0, pictures, i, j, k, index, other, rest_index
    cdef bint same
    for kind in range(KINDS):
        length = KIND_SQUARES[kind][0]
        size = power_of_3(length)
        # The symmetries that take the picture to itself, as permutations of its places.
        pictures = 0
        for i in range(8):
            same = True
            for j in range(length):
                place[pictures][j] = -1
                for k in range(length):
                    if transform_square(KIND_SQUARES[kind][1 + j], i) == KIND_SQUARES[kind][1 + k]:
                        place[pictures][j] = power_of_3(k)
                same = same and place[pictures][j] >= 0
            pictures += same
        for index in range(size):
            other = index
            for i in range(pictures):
                rest_index = index
                k = 0
                for j in range(length):
                    k += place[i][j] * (rest_index % 3)
                    rest_index //= 3
                other = min(other, k)
            if other == index:
                classes[base + index] = count
                count += 1
            else:
                classes[base + index] = classes[base + other]
        base += size
    for i in range(BLOCKS_PLACE, PLACES):
        classes[i] = count
        count += 1
    return count


cdef inline void open_lanes(Lanes *lanes, uint64_t own, uint64_t opp) noexcept nogil:
    cdef Lanes theirs
    lanes_clear(lanes)
    lanes_clear(&theirs)
    while own:
        lanes_add(lanes, STEPS[lowest(own)])
        own = rest(own)
    while opp:
        lanes_add(&theirs, STEPS[lowest(opp)])
        opp = rest(opp)
    lanes_take(lanes, &theirs)


cdef inline void play_lanes(Lanes *child, const Lanes *parent, uint64_t flipped,
                            int sq) noexcept nogil:
    # The lanes after a move, in the view of the side to move then. A turned disc counts twice: it
    # was -1 and becomes +1.
    cdef Lanes turned
    lanes_clear(&turned)
    while flipped:
        lanes_add(&turned, STEPS[lowest(flipped)])
        flipped = rest(flipped)
    lanes_turn(child, parent, &turned, STEPS[sq])


cdef inline void swap_lanes(Lanes *swapped, const Lanes *lanes) noexcept nogil:
    # The lanes after a pass.
    cdef Lanes nothing
    lanes_clear(&nothing)
    lanes_turn(swapped, lanes, &nothing, <const int16_t *>&nothing)


cdef inline void other_places(uint64_t own, uint64_t opp, uint64_t own_moves, uint64_t opp_moves,
                              int32_t *out) noexcept nogil:
    # The places of a position's corner blocks and counts, BLOCKS + COUNTS; the side to move has
    # `own`. Digits: 0 no move, 1 an own one, 2 the opponent's, 3 both; 4 an own disc, 5 the
    # opponent's.
    cdef uint64_t discs = own | opp, first = own | own_moves, second = opp | opp_moves
    cdef uint64_t frontier = neighbours(~discs)
    cdef int i
    for i in range(BLOCKS):
        out[i] = BLOCKS_PLACE + BLOCK_SUM[i][block_part(first, i)] \
            + 2 * BLOCK_SUM[i][block_part(second, i)] \
            + 3 * BLOCK_SUM[i][block_part(discs, i)]
    out += BLOCKS
    out[0] = COUNTS_PLACE + popcount(own_moves)
    out[1] = COUNTS_PLACE + COUNT_SIZE + popcount(opp_moves)
    out[2] = COUNTS_PLACE + 2 * COUNT_SIZE + popcount(own & frontier)
    out[3] = COUNTS_PLACE + 3 * COUNT_SIZE + popcount(opp & frontier)
    out[4] = COUNTS_PLACE + 4 * COUNT_SIZE + min(popcount(discs), COUNT_SIZE - 1)


cdef inline void feature_classes(const int32_t *classes, uint64_t own, uint64_t opp,
                                 int32_t *out) noexcept nogil:
    # The classes of what the evaluation adds up: PATTERNS + BLOCKS + COUNTS.
    cdef Lanes lanes
    cdef const int16_t *lane = <const int16_t *>&lanes
    cdef int32_t others[13]
    cdef int i
    open_lanes(&lanes, own, opp)
    for i in range(PATTERNS):
        out[i] = classes[PATTERN_BASE[i] + lane[i]]
    other_places(own, opp, moves(own, opp), moves(opp, own), others)
    for i in range(BLOCKS + COUNTS):
        out[PATTERNS + i] = classes[others[i]]
