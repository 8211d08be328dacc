# The learned evaluation for Python: weights, features for training, self-play, labels.
# Part of _core.pyx, whose names it uses.

FEATURES = learning.FEATURES
CHANNELS = network.CHANNELS
HIDDEN = network.HIDDEN
LAYERS = network.LAYERS
UNIT = network.UNIT
TEMPO = strong.TEMPO
# The evaluation's unit over that of a row's first number.
DIRECT = network.DIRECT
# Another set of patterns or counts, or another network, is another number: weights belong to one.
NETWORK_ID = network.network_id()

cdef int32_t *_classes = NULL
cdef int _class_count = 0


cdef int _open_classes() except -1:
    global _classes, _class_count
    cdef int32_t *classes
    if _classes == NULL:
        classes = <int32_t *>malloc(pattern.PLACES * sizeof(int32_t))
        if classes == NULL:
            raise MemoryError("no memory for the classes of the evaluation's rows")
        _class_count = pattern.fill_classes(classes)
        _classes = classes
    return 0


def weight_classes() -> int:
    """How many different rows a network has: one for all contents of patterns that a symmetry turns
    into each other, and one for each count."""
    _open_classes()
    return _class_count


def patterns() -> tuple:
    """The patterns of the evaluation: each one's kind and squares. Those of a kind are pictures of
    one another, place by place, and share their rows."""
    return tuple(
        (pattern.PATTERN_KIND[i], tuple(
            pattern.PATTERN_SQUARES[i][j]
            for j in range(pattern.KIND_SQUARES[pattern.PATTERN_KIND[i]][0])))
        for i in range(pattern.PATTERNS))


def corner_blocks() -> tuple:
    """The squares of the evaluation's corner blocks, pictures of one another place by place."""
    return tuple(tuple(pattern.BLOCK_SQUARES[i][j] for j in range(6))
                 for i in range(pattern.BLOCKS))


def shallow_depth(int depth) -> int:
    """How deep Multi-ProbCut searches in place of a search of `depth`."""
    return probcut.shallow_depth(depth)


@cython.final
cdef class Weights:
    """The learned evaluation: a network. `rows`: int8, CHANNELS numbers for each of the
    weight_classes(), the first in 1/32 disc. `layers`: int32, LAYERS numbers: for each channel the
    weights of the HIDDEN units, then the units' biases, their outputs, and a constant.

    `deviations`: uint16, 65 x 65, by empty squares and depth: the standard deviation of a search's
    value from that of the shallow_depth() search, in 1/128 disc. Without them no search is
    `selective`, that is cut by Multi-ProbCut."""
    cdef void *memory
    cdef network.Network *network       # in it, on a cache line's bounds, and the rows behind it
    cdef probcut.Probcut probcut
    cdef readonly bint selective

    def __cinit__(self, const int8_t[:, ::1] rows, const int32_t[::1] layers,
                  const uint16_t[:, ::1] deviations=None):
        cdef int i, most
        _open_classes()
        if rows.shape[0] != _class_count or rows.shape[1] != CHANNELS:
            raise ValueError(f"rows of shape {rows.shape[0]} x {rows.shape[1]}; expected "
                             f"{_class_count} x {CHANNELS}")
        if layers.shape[0] != LAYERS:
            raise ValueError(f"layers of {layers.shape[0]} numbers; expected {LAYERS}")
        for i in range(LAYERS):
            most = network.layer_max(i)
            if not -most <= layers[i] <= most:
                raise ValueError(f"number {i} of the layers is {layers[i]}; expected {-most} to "
                                 f"{most}")
        self.memory = malloc(63 + sizeof(network.Network) + pattern.PLACES * network.CHANNELS)
        if self.memory == NULL:
            raise MemoryError("no memory for the evaluation's weights of 6 MB")
        self.network = <network.Network *>((<uintptr_t>self.memory + 63) & ~<uintptr_t>63)
        network.set_layers(&self.network.layers, &layers[0])
        with nogil:
            for i in range(pattern.PLACES):
                memcpy(self.network.rows[i], &rows[_classes[i], 0], network.CHANNELS)
        self.selective = deviations is not None
        if deviations is None:
            memset(&self.probcut, 0xFF, sizeof(self.probcut))
        elif deviations.shape[0] != 65 or deviations.shape[1] != 65:
            raise ValueError(f"deviations of shape {deviations.shape[0]} x {deviations.shape[1]}; "
                             "expected 65 x 65")
        else:
            memcpy(&self.probcut, &deviations[0, 0], sizeof(self.probcut))

    def __dealloc__(self):
        free(self.memory)

    def evaluate(self, uint64_t own, uint64_t opp) -> int:
        """The evaluation of a position in the view of `own`, which is to move, in 1/128 disc."""
        cdef pattern.Lanes lanes
        _check_discs(own, opp)
        pattern.open_lanes(&lanes, own, opp)
        return network.evaluate(self.network, &lanes, own, opp,
                                board.moves(own, opp), board.moves(opp, own))

    def evaluate_boards(self, const uint64_t[:, ::1] boards, int16_t[::1] out) -> None:
        """The evaluations of boards (own, opp)."""
        cdef pattern.Lanes lanes
        cdef uint64_t own, opp
        cdef Py_ssize_t i
        _check_boards(boards, out.shape[0])
        with nogil:
            for i in range(boards.shape[0]):
                own, opp = boards[i, 0], boards[i, 1]
                pattern.open_lanes(&lanes, own, opp)
                out[i] = network.evaluate(self.network, &lanes, own, opp,
                                          board.moves(own, opp), board.moves(opp, own))


cdef int _check_columns(const uint64_t[:, ::1] boards, Py_ssize_t values) except -1:
    if boards.shape[1] != 2 or boards.shape[0] != values:
        raise ValueError(f"boards of {boards.shape[1]} columns, {values} values; expected 2, "
                         f"{boards.shape[0]}")
    return 0


cdef int _check_boards(const uint64_t[:, ::1] boards, Py_ssize_t values) except -1:
    cdef Py_ssize_t i
    _check_columns(boards, values)
    for i in range(boards.shape[0]):
        _check_discs(boards[i, 0], boards[i, 1])
    return 0


def features(const uint64_t[:, ::1] boards, int32_t[:, ::1] out) -> None:
    """The classes of the rows that the evaluation of each board (own, opp) adds up: FEATURES
    numbers a row. For what looks into a network from outside, as the tests do."""
    cdef Py_ssize_t i
    _open_classes()
    _check_boards(boards, out.shape[0])
    if out.shape[1] != FEATURES:
        raise ValueError(f"{out.shape[1]} features a board; expected {FEATURES}")
    with nogil:
        for i in range(boards.shape[0]):
            pattern.feature_classes(_classes, boards[i, 0], boards[i, 1], &out[i, 0])


cdef int _check_shape(name, const float[:, ::1] given, Py_ssize_t height,
                      Py_ssize_t width) except -1:
    if given.shape[0] != height or given.shape[1] != width:
        raise ValueError(f"{name} of shape {given.shape[0]} x {given.shape[1]}; expected "
                         f"{height} x {width}")
    return 0


def learn(float[:, ::1] rows, float[:, ::1] squares, float[:, ::1] layers,
          const uint64_t[:, ::1] boards, const float[::1] values, const uint32_t[::1] order,
          rates, long long done, long long total) -> float:
    """Learn from the boards (own, opp) that `order` numbers, one after another; return the sum of
    the squared errors that were made before each was learned from, in discs.

    What is learned is changed in place: the rows of a network, the sums of their steps' squares,
    and its layers with the two moments of their gradients, as Weights has them but in other units
    (learned_units()); squares begin above 0, and the units' weights of the first channel stay 0.
    `values` are in discs; `rates`: of the rows, of the layers and how fast rows decay; `done` of
    `total` positions came before. No array may be another one's part, and nobody else may write to
    them meanwhile."""
    cdef learning.Learner learner
    cdef Py_ssize_t i
    cdef double squared = 0
    _open_classes()
    _check_columns(boards, values.shape[0])
    _check_shape("rows", rows, _class_count, CHANNELS)
    _check_shape("squares", squares, _class_count, CHANNELS)
    _check_shape("layers", layers, 3, LAYERS)
    for i in range(order.shape[0]):
        if order[i] >= boards.shape[0]:
            raise ValueError(f"order[{i}] is {order[i]}; expected 0 to {boards.shape[0] - 1}")
        _check_discs(boards[order[i], 0], boards[order[i], 1])
    if not 0 <= done <= done + order.shape[0] <= total:
        raise ValueError(f"{done} and {order.shape[0]} positions of {total}")
    if order.shape[0] == 0:
        return 0.0
    learner.rows, learner.squares = &rows[0, 0], &squares[0, 0]
    learner.layers, learner.first, learner.second = &layers[0, 0], &layers[1, 0], &layers[2, 0]
    learner.rates.rows, learner.rates.layers, learner.rates.decay = rates
    with nogil:
        squared = learning.learn(&learner, _classes, &boards[0, 0], &values[0], &order[0],
                                 order.shape[0], done, total)
    return squared


def learned_units() -> tuple:
    """What 1.0 of a learned number is among the whole numbers of Weights: two sequences, for the
    numbers of a row and for the layers."""
    return (
        tuple(learning.INPUT_ONE if i else learning.DIRECT_ONE for i in range(CHANNELS)),
        tuple(learning.HIDDEN_ONE if i < network.BIASES else
              learning.BIAS_ONE if i < network.OUTPUTS else
              learning.OUTPUT_ONE if i < network.CONSTANT else learning.CONSTANT_ONE
              for i in range(LAYERS)),
    )


cdef class _Task:
    # A context of its own with a small table, for work without limits.
    cdef Context *ctx
    cdef hash_table.Table table

    def __cinit__(self):
        self.ctx = <Context *>calloc(1, sizeof(Context))
        if self.ctx == NULL or not hash_table.table_open(&self.table, 1 << 20) \
                or not open_local(self.ctx, 0):
            raise MemoryError(f"no memory for a search of {sizeof(Context)} bytes")
        self.ctx.ordering = True
        self.ctx.winner_gets_empties = True
        self.ctx.endgame_salt = zobrist.split_mix(1001)
        self.ctx.deadline_ns = <int64_t>1 << 62
        self.ctx.node_limit = self.ctx.next_poll = <uint64_t>1 << 63

    def __dealloc__(self):
        if self.ctx != NULL:
            hash_table.table_close(&self.ctx.local)
        hash_table.table_close(&self.table)
        free(self.ctx)


cdef int _check_depth(int depth, int least) except -1:
    if not least <= depth <= 60:
        raise ValueError(f"depth {depth}; expected {least} to 60")
    return 0


def label(Weights weights, const uint64_t[:, ::1] boards, int16_t[::1] out, int depth,
          int exact_empties) -> None:
    """The values of boards (own, opp) in 1/128 disc: exact with `exact_empties` or fewer empty
    squares, else by a search of `depth` plies. Each is a function of its board alone."""
    cdef _Task task = _Task()
    cdef Py_ssize_t i
    _check_depth(depth, 0)
    _check_boards(boards, out.shape[0])
    if weights is not None:
        task.ctx.weights = weights.network
    elif exact_empties < 64:
        for i in range(boards.shape[0]):
            if 64 - popcount(boards[i, 0] | boards[i, 1]) > exact_empties:
                raise ValueError(f"board {i} has more than {exact_empties} empty squares; a search "
                                 "needs weights")
    with nogil:
        for i in range(boards.shape[0]):
            out[i] = training.value(task.ctx, &task.table, boards[i, 0], boards[i, 1], depth,
                                    exact_empties)


def play_games(Weights weights, uint64_t seed, unsigned int first_game, int count,
               int depth) -> bytes:
    """Self-play games number `first_game` and after, each a function of the seed, its number, the
    weights (None: the classic evaluation, one ply deep) and the depth alone: training.Row records
    of all positions with a legal move, and how the game ends from there."""
    cdef _Task task = _Task()
    cdef training.Row *rows = NULL
    cdef Py_ssize_t used = 0
    cdef int i
    _check_depth(depth, 1)
    if count < 0:
        raise ValueError(f"{count} games; expected 0 or more")
    rows = <training.Row *>malloc((<size_t>count * 64 + 1) * sizeof(training.Row))
    if rows == NULL:
        raise MemoryError(f"no memory for {count} games")
    try:
        task.ctx.weights = weights.network if weights is not None else NULL
        with nogil:
            for i in range(count):
                used += training.play_game(task.ctx, &task.table, seed, first_game + i, depth,
                                           rows + used)
        return (<char *>rows)[:used * sizeof(training.Row)]
    finally:
        free(rows)
