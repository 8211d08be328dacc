# How a network learns from positions with known values: stochastic gradient descent on the squared
# error, in single precision, one position after another. A row's step is Adagrad's (Duchi, Hazan
# and Singer 2011), with a decay towards 0: contents that are seen seldom move far. The layers take
# Adam's (Kingma and Ba 2015), after each batch. Every sum has its order, so that all builds learn
# the same from the same positions.
#
# Owns the steps and the numbers of a network before they are rounded, which keep within what
# network.pxd can hold. Values in units of 16 discs.

from libc.math cimport M_PI, cos, sqrtf
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from reversi.core.network cimport (
    BIASES, CHANNELS, CONSTANT, HIDDEN, HIDDEN_MAX, LAYERS, OUTPUT_MAX, OUTPUTS,
)
from reversi.core.pattern cimport BLOCKS, COUNTS, PATTERNS, feature_classes

cdef extern from * nogil:
    """
    /* Loops over all channels or units, which gain from vectors what those of the search lose. */
    #if defined(__GNUC__) && !defined(__clang__)
    #define REVERSI_VECTORS_USED __attribute__((noinline, optimize("tree-vectorize")))
    #else
    #define REVERSI_VECTORS_USED
    #endif
    typedef struct {
        float inputs[REVERSI_CHANNELS], active[REVERSI_HIDDEN];
        float open[REVERSI_HIDDEN];         /* 1 where a unit is not clipped, 0 else */
    } reversi_pass;

    static inline float reversi_total(float *terms) {
        for (int half = REVERSI_HIDDEN / 2; half; half /= 2)
            for (int j = 0; j < half; j++) terms[j] += terms[j + half];
        return terms[0];
    }

    /* The value of a position; what the layers were given and made of it is left in `pass`. */
    static REVERSI_VECTORS_USED float reversi_forward(
            const float *__restrict rows, const float *__restrict layers,
            const int32_t *classes, int count,
            reversi_pass *__restrict pass) {
        const float *bias = layers + REVERSI_CHANNELS * REVERSI_HIDDEN;
        const float *output = bias + REVERSI_HIDDEN;
        float sum[REVERSI_CHANNELS] = {0}, units[REVERSI_HIDDEN], terms[REVERSI_HIDDEN];
        const float most = REVERSI_ACTIVE_MAX / 128.0f;
        for (int i = 0; i < count; i++)
            for (int k = 0; k < REVERSI_CHANNELS; k++)
                sum[k] += rows[classes[i] * REVERSI_CHANNELS + k];
        for (int k = 0; k < REVERSI_CHANNELS; k++) {
            float input = sum[k] + 0.5f;
            pass->inputs[k] = input < 0 ? 0 : input > 1 ? 1 : input;
        }
        for (int j = 0; j < REVERSI_HIDDEN; j++) units[j] = bias[j];
        for (int k = 1; k < REVERSI_CHANNELS; k++)
            for (int j = 0; j < REVERSI_HIDDEN; j++)
                units[j] += layers[k * REVERSI_HIDDEN + j] * pass->inputs[k];
        for (int j = 0; j < REVERSI_HIDDEN; j++) {
            float active = units[j] > 0 ? units[j] : 0;
            pass->active[j] = active < most ? active : most;
            pass->open[j] = units[j] > 0 && units[j] < most;
            terms[j] = output[j] * pass->active[j];
        }
        return output[REVERSI_HIDDEN] + sum[0] + reversi_total(terms);
    }

    /* Adds to the layers' gradient, and moves the rows. */
    static REVERSI_VECTORS_USED void reversi_backward(
            float *__restrict rows, float *__restrict squares,
            const float *__restrict layers, float *__restrict gradient,
            const int32_t *classes, int count, const reversi_pass *__restrict pass, float error,
            float rate, float decay, const float *__restrict limits) {
        const float *output = layers + REVERSI_CHANNELS * REVERSI_HIDDEN + REVERSI_HIDDEN;
        float *of_bias = gradient + REVERSI_CHANNELS * REVERSI_HIDDEN;
        float *of_output = of_bias + REVERSI_HIDDEN;
        float of_unit[REVERSI_HIDDEN], of_row[REVERSI_CHANNELS];
        for (int j = 0; j < REVERSI_HIDDEN; j++) {
            of_unit[j] = pass->open[j] * error * output[j];
            of_bias[j] += of_unit[j];
            of_output[j] += error * pass->active[j];
        }
        of_output[REVERSI_HIDDEN] += error;
        of_row[0] = error;
        for (int k = 1; k < REVERSI_CHANNELS; k++) {
            float terms[REVERSI_HIDDEN];
            for (int j = 0; j < REVERSI_HIDDEN; j++) {
                gradient[k * REVERSI_HIDDEN + j] += of_unit[j] * pass->inputs[k];
                terms[j] = of_unit[j] * layers[k * REVERSI_HIDDEN + j];
            }
            of_row[k] = reversi_total(terms);
            if (pass->inputs[k] <= 0 || pass->inputs[k] >= 1) of_row[k] = 0;
        }
        for (int i = 0; i < count; i++) {
            float *row = rows + classes[i] * REVERSI_CHANNELS;
            float *square = squares + classes[i] * REVERSI_CHANNELS;
            for (int k = 0; k < REVERSI_CHANNELS; k++) {
                float step = of_row[k] + decay * row[k], moved;
                square[k] += step * step;
                moved = row[k] - rate * step / sqrtf(square[k]);
                moved = moved > limits[k] ? limits[k] : moved;
                row[k] = moved < -limits[k] ? -limits[k] : moved;
            }
        }
    }

    #ifdef __GNUC__
    #define reversi_fetch(p) __builtin_prefetch((p), 1)
    #else
    #define reversi_fetch(p) ((void) (p))
    #endif
    """
    ctypedef struct Pass "reversi_pass":
        pass
    float forward "reversi_forward"(const float *rows, const float *layers, const int32_t *classes,
                                    int count, Pass *out) noexcept
    void backward "reversi_backward"(float *rows, float *squares, const float *layers,
                                     float *gradient, const int32_t *classes, int count,
                                     const Pass *given, float error, float rate, float decay,
                                     const float *limits) noexcept
    void fetch "reversi_fetch"(const float *p) noexcept

cdef enum:
    FEATURES = PATTERNS + BLOCKS + COUNTS
    BATCH = 64
    # Rows are on their way from memory while so many positions before them are learned from.
    AHEAD = 4
    VALUE_DISCS = 16
    # What 1.0 is among a network's whole numbers.
    DIRECT_ONE = 512
    INPUT_ONE = 128
    HIDDEN_ONE = 64
    BIAS_ONE = INPUT_ONE * HIDDEN_ONE
    OUTPUT_ONE = 1024
    CONSTANT_ONE = 2048

cdef struct Rates:
    float rows, layers, decay


cdef struct Learner:
    # Borrowed: CHANNELS numbers a class each.
    float *rows
    float *squares              # of the rows' steps so far, added up
    # Borrowed: LAYERS numbers each.
    float *layers
    float *first                # the moments of Adam
    float *second
    float gradient[577]
    float limits[16]
    Rates rates


cdef inline float share_left(int64_t done, int64_t total) noexcept nogil:
    # Of the rate: half a wave of the cosine down to a hundredth (Loshchilov and Hutter 2017).
    return max(0.01, 0.5 + 0.5 * cos(M_PI * done / total))


cdef inline void step_layers(Learner *learner, int count, int64_t step, float rate) noexcept nogil:
    # Adam's, by the mean gradient of `count` positions; about the `step`-th of all, as the last
    # batch of an epoch is smaller.
    cdef double kept = 1, kept_long = 1
    cdef int i
    cdef float gradient, limit
    if step < 10000:
        kept -= 0.9 ** step
        kept_long -= 0.999 ** step
    for i in range(LAYERS):
        gradient = learner.gradient[i] / count
        learner.gradient[i] = 0
        learner.first[i] += 0.1 * (gradient - learner.first[i])
        learner.second[i] += 0.001 * (gradient * gradient - learner.second[i])
        learner.layers[i] -= <float>(rate * (learner.first[i] / kept)
                                     / (sqrtf(learner.second[i] / kept_long) + 1e-8))
        if i < BIASES:
            limit = HIDDEN_MAX / <float>HIDDEN_ONE
        elif OUTPUTS <= i < CONSTANT:
            limit = OUTPUT_MAX / <float>OUTPUT_ONE
        else:
            limit = 1000
        learner.layers[i] = max(-limit, min(learner.layers[i], limit))


cdef inline double learn(Learner *learner, const int32_t *classes, const uint64_t *boards,
                         const float *values, const uint32_t *order, Py_ssize_t count,
                         int64_t done, int64_t total) noexcept nogil:
    # From the positions of `order`, of a whole learning of `total` in which `done` came before; the
    # sum of their squared errors, in discs, each before it was learned from.
    cdef int32_t features[4][55]        # AHEAD positions, FEATURES each
    cdef Py_ssize_t n, next_up
    cdef size_t at
    cdef int i, batch = 0
    cdef double squares = 0
    cdef float error, left
    cdef Pass told
    for i in range(LAYERS):
        learner.gradient[i] = 0
    for i in range(CHANNELS):
        learner.limits[i] = 127 / <float>(INPUT_ONE if i else DIRECT_ONE)
    for n in range(-AHEAD, count):
        if n >= 0:
            left = share_left(done + n, total)
            i = n % AHEAD
            error = forward(learner.rows, learner.layers, features[i], FEATURES, &told) \
                - values[order[n]] / VALUE_DISCS
            squares += <double>error * error
            # Huber's: what errs by more counts as if it erred by so much.
            error = max(<float>-1, min(error, <float>1))
            backward(learner.rows, learner.squares, learner.layers, learner.gradient, features[i],
                     FEATURES, &told, error, learner.rates.rows * left, learner.rates.decay,
                     learner.limits)
            batch += 1
            if batch == BATCH or n == count - 1:
                step_layers(learner, batch, (done + n) // BATCH + 1, learner.rates.layers * left)
                batch = 0
        next_up = n + AHEAD
        if next_up < count:
            i = next_up % AHEAD
            at = 2 * <size_t>order[next_up]
            feature_classes(classes, boards[at], boards[at + 1], features[i])
            fetch_rows(learner, features[i])
    return squares * VALUE_DISCS * VALUE_DISCS


cdef inline void fetch_rows(const Learner *learner, const int32_t *features) noexcept nogil:
    cdef int i
    for i in range(FEATURES):
        fetch(learner.rows + features[i] * CHANNELS)
        fetch(learner.squares + features[i] * CHANNELS)
