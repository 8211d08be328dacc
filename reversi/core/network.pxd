# The learned evaluation: a small network over the patterns of pattern.pxd. Each of their contents,
# and each count, has a row of 16 small numbers; those of a position are added up: 16 channels.
# The first counts as it stands, as the weights of Buro 1997 do; the others, 64 more and clipped to
# 0 to 127, are the inputs of 32 units, which see how patterns work together (a sum of learned rows
# before a small network is Nasu's 2018, for shogi). One network serves the whole game: the number
# of discs is one of the counts.
#
# Whole numbers throughout, so that every build finds the same values. Owns how a network is held
# and how it is worked out; knows no file and no search.

from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t

from reversi.core.pattern cimport Lanes, fingerprint, other_places
from reversi.core.zobrist cimport split_mix

cdef extern from * nogil:
    """
    enum {
        REVERSI_CHANNELS = 16,
        REVERSI_HIDDEN = 32,
        REVERSI_INPUT_MAX = 127,        /* 1.0 */
        REVERSI_ACTIVE_MAX = 2047,
        /* What is shifted out of a unit before its output counts, and of the sum of outputs. */
        REVERSI_SHIFT = 6,
        /* The first channel's unit is 1/32 disc. */
        REVERSI_DIRECT = 4
    };
    typedef struct {
        /* Of inputs 2k and 2k + 1, side by side, for all units. */
        int16_t hidden[REVERSI_CHANNELS / 2][REVERSI_HIDDEN][2] REVERSI_ALIGNED;
        int32_t bias[REVERSI_HIDDEN] REVERSI_ALIGNED;
        int16_t output[REVERSI_HIDDEN] REVERSI_ALIGNED;     /* of reversi_unit(0), (1), ... */
        int32_t constant;
    } reversi_layers;
    typedef struct {
        reversi_layers layers;
        int8_t rows[][REVERSI_CHANNELS];    /* one for each place of pattern.pxd */
    } reversi_net;
    /* What is written out as a number where this is used. */
    typedef char reversi_sizes[REVERSI_CHANNELS == 16 && REVERSI_HIDDEN == 32
                               && REVERSI_PATTERNS == 42 && REVERSI_BLOCKS == 8
                               && REVERSI_COUNTS == 5 ? 1 : -1];

    /* The units: vectors as wide as the build has them, or one number after another. */
    #if defined(__SSE2__) && defined(__GNUC__)
    #include <immintrin.h>
    #if defined(__AVX512BW__)
    typedef __m512i reversi_ints;
    #define REVERSI_OP(name) _mm512_##name
    #elif defined(__AVX2__)
    typedef __m256i reversi_ints;
    #define REVERSI_OP(name) _mm256_##name
    #else
    typedef __m128i reversi_ints;
    #define REVERSI_OP(name) _mm_##name
    #endif
    enum { REVERSI_WIDTH = sizeof(reversi_ints) / 4, REVERSI_VECTORS = 32 / REVERSI_WIDTH };
    /* Packing two vectors of 32 bits into one of 16 takes four numbers of each in turn: the unit
       that comes to lie at a place. */
    static inline int reversi_unit(int place) {
        int pair = place - place % (2 * REVERSI_WIDTH), within = place % (2 * REVERSI_WIDTH);
        return pair + within / 8 * 4 + within % 4 + within / 4 % 2 * REVERSI_WIDTH;
    }
    static inline __attribute__((always_inline)) int reversi_units(
            const reversi_layers *layers, const int16_t *inputs) {
        typedef int32_t four __attribute__((vector_size(16), may_alias));
        const reversi_ints *weights = (const reversi_ints *) layers->hidden;
        const reversi_ints *output = (const reversi_ints *) layers->output;
        reversi_ints units[REVERSI_VECTORS], sum = {0};
        four total = {0};
        for (int v = 0; v < REVERSI_VECTORS; v++)
            units[v] = ((const reversi_ints *) layers->bias)[v];
        for (int k = 0; k < REVERSI_CHANNELS / 2; k++) {
            int32_t two;
            memcpy(&two, inputs + 2 * k, sizeof two);
            reversi_ints pair = REVERSI_OP(set1_epi32)(two);
            for (int v = 0; v < REVERSI_VECTORS; v++)
                units[v] = REVERSI_OP(add_epi32)(
                    units[v], REVERSI_OP(madd_epi16)(pair, weights[k * REVERSI_VECTORS + v]));
        }
        for (int v = 0; v < REVERSI_VECTORS; v += 2) {
            reversi_ints active = REVERSI_OP(packs_epi32)(
                REVERSI_OP(srai_epi32)(units[v], REVERSI_SHIFT),
                REVERSI_OP(srai_epi32)(units[v + 1], REVERSI_SHIFT));
            active = REVERSI_OP(max_epi16)(active, (reversi_ints) {0});
            active = REVERSI_OP(min_epi16)(active, REVERSI_OP(set1_epi16)(REVERSI_ACTIVE_MAX));
            sum = REVERSI_OP(add_epi32)(sum, REVERSI_OP(madd_epi16)(active, output[v / 2]));
        }
        for (int v = 0; v < REVERSI_WIDTH / 4; v++) total += ((const four *) &sum)[v];
        return total[0] + total[1] + total[2] + total[3];
    }
    #else
    static inline int reversi_unit(int place) { return place; }
    static inline int reversi_units(const reversi_layers *layers, const int16_t *inputs) {
        int sum = 0;
        for (int j = 0; j < REVERSI_HIDDEN; j++) {
            int unit = layers->bias[j];
            for (int k = 0; k < REVERSI_CHANNELS; k++)
                unit += inputs[k] * layers->hidden[k / 2][j][k % 2];
            unit >>= REVERSI_SHIFT;
            unit = unit < 0 ? 0 : unit > REVERSI_ACTIVE_MAX ? REVERSI_ACTIVE_MAX : unit;
            sum += unit * layers->output[j];
        }
        return sum;
    }
    #endif

    /* The inputs, clipped, and the first channel as it is, from the places of all rows. */
    #ifdef __GNUC__
    typedef int8_t reversi_row __attribute__((vector_size(REVERSI_CHANNELS)));
    typedef int16_t reversi_sum __attribute__((vector_size(2 * REVERSI_CHANNELS)));
    #ifdef __AVX2__
    static inline __attribute__((always_inline)) reversi_sum reversi_wider(
            const reversi_row *row) {
        return (reversi_sum) _mm256_cvtepi8_epi16(*(const __m128i *) row);
    }
    static inline __attribute__((always_inline)) void reversi_places(
            int32_t *places, const reversi_lanes *lanes) {
        const __m128i *lane = (const __m128i *) lanes;
        const __m256i *base = (const __m256i *) reversi_pattern_base;
        for (int i = 0; i < (REVERSI_PATTERNS + 7) / 8; i++)
            ((__m256i *) places)[i] = _mm256_add_epi32(_mm256_cvtepi16_epi32(lane[i]), base[i]);
    }
    #else
    static inline __attribute__((always_inline)) reversi_sum reversi_wider(
            const reversi_row *row) {
        return __builtin_convertvector(*row, reversi_sum);
    }
    static inline __attribute__((always_inline)) void reversi_places(
            int32_t *places, const reversi_lanes *lanes) {
        const int16_t *lane = (const int16_t *) lanes;
        for (int i = 0; i < REVERSI_PATTERNS; i++) places[i] = reversi_pattern_base[i] + lane[i];
    }
    #endif
    static inline __attribute__((always_inline)) int reversi_inputs(
            int16_t *inputs, const reversi_net *net, const reversi_lanes *lanes,
            const int32_t *others) {
        const reversi_row *row = (const reversi_row *) net->rows;
        reversi_sum sum = {0}, other = {0}, over;
        int32_t places[REVERSI_LANES] REVERSI_ALIGNED;
        reversi_places(places, lanes);
        for (int i = 0; i < REVERSI_PATTERNS; i += 2) {
            sum += reversi_wider(row + places[i]);
            other += reversi_wider(row + places[i + 1]);
        }
        for (int i = 0; i < REVERSI_BLOCKS + REVERSI_COUNTS; i++)
            sum += reversi_wider(row + others[i]);
        sum += other;
        other = sum + (REVERSI_INPUT_MAX + 1) / 2;
        other &= other > 0;
        over = other > REVERSI_INPUT_MAX;
        other = (other & ~over) | (over & REVERSI_INPUT_MAX);
        memcpy(inputs, &other, sizeof other);
        return sum[0];
    }
    #else
    static int reversi_inputs(int16_t *inputs, const reversi_net *net, const reversi_lanes *lanes,
                              const int32_t *others) {
        int direct = 0;
        for (int k = 0; k < REVERSI_CHANNELS; k++) {
            int sum = 0;
            for (int i = 0; i < REVERSI_PATTERNS; i++)
                sum += net->rows[reversi_pattern_base[i] + lanes->lanes[i]][k];
            for (int i = 0; i < REVERSI_BLOCKS + REVERSI_COUNTS; i++)
                sum += net->rows[others[i]][k];
            if (k == 0) direct = sum;
            sum += (REVERSI_INPUT_MAX + 1) / 2;
            inputs[k] = sum < 0 ? 0 : sum > REVERSI_INPUT_MAX ? REVERSI_INPUT_MAX : sum;
        }
        return direct;
    }
    #endif
    """
    cdef enum:
        CHANNELS "REVERSI_CHANNELS"
        HIDDEN "REVERSI_HIDDEN"
        SHIFT "REVERSI_SHIFT"
        DIRECT "REVERSI_DIRECT"
    ctypedef struct Layers "reversi_layers":
        int16_t hidden[8][32][2]
        int32_t bias[32]
        int16_t output[32]
        int32_t constant
    ctypedef struct Network "reversi_net":
        Layers layers
        int8_t rows[1][16]
    int unit_at "reversi_unit"(int place) noexcept
    int units_sum "reversi_units"(const Layers *layers, const int16_t *inputs) noexcept
    int inputs_of "reversi_inputs"(int16_t *inputs, const Network *net, const Lanes *lanes,
                                   const int32_t *others) noexcept

cdef enum:
    UNIT = 128                  # the evaluation's units in a disc
    VALUE_MAX = 64 * UNIT
    # The layers of a network as one sequence: for each channel the weights of the units, then their
    # biases, their outputs and a constant.
    LAYERS = CHANNELS * HIDDEN + 2 * HIDDEN + 1
    BIASES = CHANNELS * HIDDEN
    OUTPUTS = BIASES + HIDDEN
    CONSTANT = OUTPUTS + HIDDEN
    # In these limits no sum overflows. The first channel is no input: the units' weights of it are
    # 0.
    HIDDEN_MAX = 127
    OUTPUT_MAX = 16383
    BIAS_MAX = 1 << 24


cdef inline uint64_t network_id() noexcept nogil:
    # Of the patterns and of the network's shape and units; a change of the limits that inputs and
    # units are clipped to would need another version of the file.
    return split_mix(fingerprint() ^ split_mix(((CHANNELS * 100 + HIDDEN) * 100 + SHIFT) * 100
                                               + DIRECT))


cdef inline int layer_max(int i) noexcept nogil:
    # How far from 0 a number of the layers may be.
    if i < HIDDEN:
        return 0
    if i < BIASES:
        return HIDDEN_MAX
    return OUTPUT_MAX if OUTPUTS <= i < CONSTANT else BIAS_MAX


cdef inline void set_layers(Layers *layers, const int32_t *given) noexcept nogil:
    cdef int i, j
    for j in range(HIDDEN):
        for i in range(CHANNELS):
            layers.hidden[i // 2][j][i % 2] = given[i * HIDDEN + j]
        layers.bias[j] = given[BIASES + j]
        layers.output[j] = given[OUTPUTS + unit_at(j)]
    layers.constant = given[CONSTANT]


cdef inline int evaluate(const Network *network, const Lanes *lanes, uint64_t own, uint64_t opp,
                         uint64_t own_moves, uint64_t opp_moves) noexcept nogil:
    # In 1/128 disc, in the view of `own`, which is to move.
    cdef int32_t others[13]
    cdef int16_t inputs[16]
    cdef int value
    other_places(own, opp, own_moves, opp_moves, others)
    value = DIRECT * inputs_of(inputs, network, lanes, others)
    value += network.layers.constant + (units_sum(&network.layers, inputs) >> SHIFT)
    return max(-VALUE_MAX, min(value, VALUE_MAX))
