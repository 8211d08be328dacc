# The learned evaluation for Python: weights, features for training, self-play, labels.
# Part of _core.pyx, whose names it uses.

PHASES = pattern.PHASES
FEATURES = pattern.PATTERNS + pattern.COUNTS
UNIT = pattern.UNIT
TEMPO = strong.TEMPO
# Another set of patterns, phases or counts is another number: weights belong to one.
PATTERN_ID = pattern.fingerprint()

cdef int32_t *_classes = NULL
cdef int _class_count = 0


cdef int _open_classes() except -1:
    global _classes, _class_count
    cdef int32_t *classes
    if _classes == NULL:
        classes = <int32_t *>malloc(pattern.PHASE_SIZE * sizeof(int32_t))
        if classes == NULL:
            raise MemoryError("no memory for the classes of the evaluation's weights")
        _class_count = pattern.fill_classes(classes)
        _classes = classes
    return 0


def weight_classes() -> int:
    """How many different weights a phase has: one for all contents of patterns that a symmetry
    turns into each other, and one for each count."""
    _open_classes()
    return _class_count


def patterns() -> tuple:
    """The patterns of the evaluation: each one's kind and squares. Those of a kind are pictures of
    one another, place by place, and share their weights."""
    return tuple(
        (pattern.PATTERN_KIND[i], tuple(
            pattern.PATTERN_SQUARES[i][j]
            for j in range(pattern.KIND_SQUARES[pattern.PATTERN_KIND[i]][0])))
        for i in range(pattern.PATTERNS))


def phase(int discs) -> int:
    """The phase of the game, 0 to PHASES - 1, of a position with so many discs."""
    return pattern.phase_of(discs)


def shallow_depth(int depth) -> int:
    """How deep Multi-ProbCut searches in place of a search of `depth`."""
    return probcut.shallow_depth(depth)


@cython.final
cdef class Weights:
    """The learned evaluation's weights, in 1/128 disc. `data`: int16, PHASES rows of
    weight_classes() numbers; with `deltas` each row holds what it adds to the row after it.

    `deviations`: uint16, 65 x 65, by empty squares and depth: the standard deviation of a search's
    value from that of the shallow_depth() search, in 1/128 disc. Without them no search is
    `selective`, that is cut by Multi-ProbCut."""
    cdef int16_t *table
    cdef probcut.Probcut probcut
    cdef readonly bint selective

    def __cinit__(self, const int16_t[:, ::1] data, bint deltas=False,
                  const uint16_t[:, ::1] deviations=None):
        cdef int phase, i
        cdef int16_t *row
        cdef const int16_t *given
        cdef int16_t *current
        _open_classes()
        if data.shape[0] != pattern.PHASES or data.shape[1] != _class_count:
            raise ValueError(f"weights of shape {data.shape[0]} x {data.shape[1]}; expected "
                             f"{pattern.PHASES} x {_class_count}")
        self.table = <int16_t *>malloc(pattern.PHASES * pattern.PHASE_SIZE * sizeof(int16_t))
        current = <int16_t *>calloc(_class_count, sizeof(int16_t))
        if self.table == NULL or current == NULL:
            free(current)
            raise MemoryError("no memory for the evaluation's weights of 24 MB")
        with nogil:
            for phase in reversed(range(pattern.PHASES)):
                given = &data[phase, 0]
                row = self.table + phase * pattern.PHASE_SIZE
                for i in range(_class_count):
                    current[i] = given[i] + (current[i] if deltas else 0)
                for i in range(pattern.PHASE_SIZE):
                    row[i] = current[_classes[i]]
        free(current)
        self.selective = deviations is not None
        if deviations is None:
            memset(&self.probcut, 0xFF, sizeof(self.probcut))
        elif deviations.shape[0] != 65 or deviations.shape[1] != 65:
            raise ValueError(f"deviations of shape {deviations.shape[0]} x {deviations.shape[1]}; "
                             "expected 65 x 65")
        else:
            memcpy(&self.probcut, &deviations[0, 0], sizeof(self.probcut))

    def __dealloc__(self):
        free(self.table)

    def evaluate(self, uint64_t own, uint64_t opp) -> int:
        """The evaluation of a position in the view of `own`, which is to move, in 1/128 disc."""
        cdef pattern.Lanes lanes
        _check_discs(own, opp)
        pattern.open_lanes(&lanes, own, opp)
        return pattern.evaluate(self.table, &lanes, own, opp, popcount(board.moves(own, opp)),
                                popcount(board.moves(opp, own)))


def features(const uint64_t[:, ::1] boards, int32_t[:, ::1] out) -> None:
    """The classes of the weights that the evaluation of each board (own, opp) adds up: FEATURES
    numbers a row."""
    cdef Py_ssize_t i
    _open_classes()
    if boards.shape[1] != 2 or out.shape[0] != boards.shape[0] or out.shape[1] != FEATURES:
        raise ValueError(f"boards of {boards.shape[1]} columns, {out.shape[0]} x {out.shape[1]} "
                         f"features; expected 2, {boards.shape[0]} x {FEATURES}")
    with nogil:
        for i in range(boards.shape[0]):
            pattern.feature_classes(_classes, boards[i, 0], boards[i, 1], &out[i, 0])


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
    if boards.shape[1] != 2 or out.shape[0] != boards.shape[0]:
        raise ValueError(f"boards of {boards.shape[1]} columns, {out.shape[0]} values; expected 2, "
                         f"{boards.shape[0]}")
    for i in range(boards.shape[0]):
        _check_discs(boards[i, 0], boards[i, 1])
    if weights is not None:
        task.ctx.weights = weights.table
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
        task.ctx.weights = weights.table if weights is not None else NULL
        with nogil:
            for i in range(count):
                used += training.play_game(task.ctx, &task.table, seed, first_game + i, depth,
                                           rows + used)
        return (<char *>rows)[:used * sizeof(training.Row)]
    finally:
        free(rows)
