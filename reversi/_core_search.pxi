# Tables and searches for Python. Part of _core.pyx, whose names it uses.

@cython.final
cdef class Table:
    """A transposition table of a fixed size in MB (2**20 bytes). Searches in any number of threads
    may share it; clear() must not run beside them."""
    cdef hash_table.Table table
    cdef readonly int size_mb
    cdef public uint64_t hits, stores
    cdef uint64_t touched

    def __cinit__(self, size_mb):
        if not (hasattr(size_mb, "__index__") and 1 <= size_mb <= 1 << 17):
            raise ValueError(f"hash size is {size_mb!r} MB; expected an integer, 1 to {1 << 17}")
        if not hash_table.table_open(&self.table, <uint64_t>size_mb << 20):
            raise MemoryError(f"no memory for a hash of {size_mb} MB")
        self.size_mb = size_mb

    def __dealloc__(self):
        hash_table.table_close(&self.table)

    def clear(self) -> None:
        """Forgets all positions and counts."""
        with nogil:
            hash_table.table_clear(&self.table)
        self.hits = self.stores = 0

    def touch(self, budget_ns) -> None:
        """Has the system give the table its memory, as far as the time suffices; goes on where the
        last call ended. Searches may run meanwhile."""
        cdef int64_t deadline_ns = now_ns() + <int64_t>budget_ns
        cdef char *memory = <char *>self.table.memory
        cdef char *end = memory + self.table.size_bytes
        cdef char *next_up = memory + self.touched
        with nogil:
            while next_up < end and now_ns() < deadline_ns:
                next_up = hash_table.touch_pages(next_up, end)
        self.touched = next_up - memory

    def age(self) -> None:
        """Starts a new search: what is stored from now on outlives what is there."""
        hash_table.table_age(&self.table)

    @property
    def entries(self) -> int:
        """The number of positions that fit."""
        return self.table.bucket_count * hash_table.ENTRIES_PER_BUCKET

    @property
    def fill(self) -> float:
        """The used share, 0.0 to 1.0, by a sample."""
        return hash_table.table_fill(&self.table)


cdef uint64_t STRONG_SALT = 2000

cdef enum:
    # What the stop flag holds.
    STOP = 1
    INTERRUPT = 2


cdef bint _signalled() noexcept nogil:
    with gil:
        return check_signals() != 0


cdef void _traced(Context *ctx, int ply, int empties, int depth, int alpha, int beta,
                  int best_move, int score) noexcept nogil:
    with gil:
        (<Searcher>ctx.trace_target)._report(ply, empties, depth, alpha, beta, best_move, score)


@cython.final
cdef class Searcher:
    """The searches of one root in one thread: their limits, counters and the line found. Only
    stop() and interrupt() may be called from other threads."""
    cdef Context *ctx
    cdef Table table
    cdef Weights weights
    cdef object tracer
    cdef object error

    def __cinit__(self, Table table, *, bint ordering=True, budget_ns=None, nodes=None,
                  bint tournament=False, tracer=None, int trace_ply=0, Weights weights=None):
        self.ctx = <Context *>calloc(1, sizeof(Context))
        if self.ctx == NULL:
            raise MemoryError(f"no memory for a search of {sizeof(Context)} bytes")
        self.table = table
        self.tracer = tracer
        self.weights = weights
        self.ctx.table = &table.table if table is not None else NULL
        if weights is not None:
            self.ctx.weights = weights.network
            self.ctx.probcut = &weights.probcut
        self.ctx.ordering = ordering
        self.ctx.winner_gets_empties = tournament
        self.ctx.endgame_salt = zobrist.split_mix(1000 + tournament)
        self.ctx.deadline_ns = now_ns() + <int64_t>budget_ns if budget_ns is not None \
            else <int64_t>1 << 62
        self.ctx.node_limit = nodes if nodes is not None else <uint64_t>1 << 63
        self.ctx.trace_ply = trace_ply if tracer is not None else -1
        self.ctx.trace = _traced
        self.ctx.trace_target = <void *>self
        memset(self.ctx.killers, NO_MOVE, sizeof(self.ctx.killers))

    def __dealloc__(self):
        if self.ctx != NULL:
            hash_table.table_close(&self.ctx.local)
        free(self.ctx)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return self.ctx.nodes

    @property
    def stopped(self) -> bool:
        """Whether a limit, stop() or an error ended a search."""
        return self.ctx.stopped

    @property
    def told_to_stop(self) -> bool:
        """Whether stop() was called."""
        return flag_get(&self.ctx.stop_flag) == STOP

    @property
    def selective(self) -> bool:
        """Whether a search may leave out the improbable: its weights say how sure that is."""
        return self.weights is not None and self.weights.selective

    def stop(self) -> None:
        """Ends the search, running or to come, from any thread; it takes some 100 us."""
        flag_set(&self.ctx.stop_flag, STOP)

    def interrupt(self) -> None:
        """Ends the running search as stop() does, but none to come."""
        if flag_get(&self.ctx.stop_flag) != STOP:
            flag_set(&self.ctx.stop_flag, INTERRUPT)

    cdef _report(self, int ply, int empties, int depth, int alpha, int beta, int best_move,
                 int score):
        try:
            self.tracer(ply, empties, depth, alpha, beta, best_move, score)
        except BaseException as error:
            self.error = error
            self.ctx.stopped = True

    cdef int _begin(self, uint64_t own, uint64_t opp) except -1:
        _check_discs(own, opp)
        self.ctx.next_poll = 0
        if flag_get(&self.ctx.stop_flag) == INTERRUPT:
            flag_set(&self.ctx.stop_flag, 0)
            self.ctx.stopped = False
        if not open_local(self.ctx, 64 - popcount(own | opp)):
            raise MemoryError(f"no memory for a search's own table of {LOCAL_BYTES_LONG >> 20} MB")
        # Signals reach the main thread alone; the others need not ask for them.
        if threading.get_ident() == threading.main_thread().ident:
            self.ctx.signalled = _signalled
        else:
            self.ctx.signalled = NULL
        return 0

    cdef int _begin_exact(self, uint64_t own, uint64_t opp) except -1:
        # Searches of any selectivity that the table remembers may order the moves.
        self.ctx.selectivity = probcut.SELECTIVITIES - 1
        self.ctx.midgame_salt = zobrist.split_mix(STRONG_SALT + self.ctx.winner_gets_empties)
        return self._begin(own, opp)

    cdef int _finish(self) except -1:
        if self.table is not None:
            self.table.hits += self.ctx.hits
            self.table.stores += self.ctx.stores
        self.ctx.hits = self.ctx.stores = 0
        if self.error is not None:
            raise self.error
        return raise_pending()

    def search(self, uint64_t own, uint64_t opp, list root_moves, int depth, int exact_empties,
               *, bint must_finish=False):
        """Searches the root's moves, in their order, to a depth; nodes with `exact_empties` or
        fewer empty squares to the end of the game. `must_finish` ignores all limits.

        Returns (move, score, line) with the line beginning with the move, or None when a limit or
        stop() came first. What a signal handler or the tracer raises comes out of here.
        """
        cdef int moves_array[64]
        cdef int i, score, best = 0, count = len(root_moves)
        if not (1 <= count <= 64 and depth >= 1):
            raise ValueError(f"{count} root moves, depth {depth}; expected 1 to 64, 1 or more")
        for i in range(count):
            moves_array[i] = root_moves[i]
            _check_move(own, opp, moves_array[i])
        self.ctx.exact_empties = exact_empties
        # The values of another exact range are other values.
        self.ctx.midgame_salt = zobrist.split_mix(exact_empties)
        self._begin(own, opp)
        if must_finish:
            self.ctx.next_poll = <uint64_t>-1
        with nogil:
            score = midgame.search_root(self.ctx, own, opp, moves_array, count, depth, &best)
        self._finish()
        if self.ctx.stopped:
            return None
        return moves_array[best], score, [self.ctx.pv[0][i] for i in range(self.ctx.pv_length[0])]

    def search_strong(self, uint64_t own, uint64_t opp, list root_moves, int depth,
                      int selectivity=0, *, int count=1, guess=None, bint must_finish=False):
        """Searches the root's moves, in their order, to a depth by the learned evaluation.

        Returns the `count` best moves as (move, value, line) with values in 1/128 disc, the best
        first; None when a limit or stop() came first. `guess` is a value to expect.
        """
        cdef int value, bar, low, high, i, sq
        cdef strong.Root root
        if self.weights is None:
            raise ValueError("a search by the learned evaluation needs weights")
        if not (1 <= len(root_moves) <= 64 and depth >= 1 and count >= 1
                and 0 <= selectivity < probcut.SELECTIVITIES):
            raise ValueError(f"{len(root_moves)} root moves, depth {depth}, selectivity "
                             f"{selectivity}, {count} best; expected 1 to 64, 1 or more, 0 to 4, "
                             "1 or more")
        for move in root_moves:
            _check_move(own, opp, move)
        self.ctx.selectivity = selectivity if self.weights.selective else 0
        self.ctx.midgame_salt = zobrist.split_mix(STRONG_SALT + self.ctx.winner_gets_empties)
        self._begin(own, opp)
        if must_finish:
            self.ctx.next_poll = <uint64_t>-1
        strong.open_root(&root, own, opp)
        found = []
        for move in root_moves:
            sq = move
            bar = found[count - 1][1] if len(found) >= count else -strong.VALUE_MAX
            low, high = bar, strong.VALUE_MAX
            if len(found) >= count:
                high = bar + 1
            elif guess is not None and count == 1:
                low, high = guess - 3 * UNIT, guess + 3 * UNIT
            while True:
                low, high = max(low, -strong.VALUE_MAX), min(high, strong.VALUE_MAX)
                with nogil:
                    value = strong.search_root_move(self.ctx, &root, sq, depth, low, high)
                if self.ctx.stopped:
                    break
                if value >= high and high < strong.VALUE_MAX:
                    high = strong.VALUE_MAX
                elif value <= low and low > bar:
                    low = bar
                else:
                    break
            if self.ctx.stopped:
                break
            if value > bar or len(found) < count:
                line = [self.ctx.pv[0][i] for i in range(self.ctx.pv_length[0])]
                found.append((move, value, line))
                found.sort(key=lambda item: -item[1])
        self._finish()
        return None if self.ctx.stopped else found[:count]

    def prove(self, uint64_t own, uint64_t opp, int alpha=-64, int beta=64, int guess=0):
        """Bounds (lower, upper) of a position's exact value. They meet, or both lie on one side of
        the window (alpha, beta), unless a limit or stop() came first. `guess` is a value to
        expect."""
        cdef endgame.Proof proof
        if not -64 <= alpha < beta <= 64:
            raise ValueError(f"window ({alpha}, {beta}); expected -64 <= alpha < beta <= 64")
        self._begin_exact(own, opp)
        with nogil:
            proof = lines.prove_any(self.ctx, own, opp, alpha, beta, guess)
        self._finish()
        return proof.lower, proof.upper

    def values(self, boards):
        """The exact values of a sequence of boards; None when a limit or stop() came first, which
        boards below seven empty squares do not look at."""
        cdef BoardBase position
        cdef uint64_t own, opp
        cdef endgame.Proof proof
        cdef list values = []
        for position in boards:
            if position is None:
                raise TypeError("None among the boards; expected boards alone")
            own = position.own
            opp = position.opp
            self._begin(own, opp)
            with nogil:
                proof = endgame.prove(self.ctx, own, opp, -64, 64)
            if self.ctx.stopped:
                break
            values.append(proof.lower)
        self._finish()
        return None if self.ctx.stopped else values

    def table_move(self, uint64_t own, uint64_t opp):
        """The move that the table holds for a position; None where it has none."""
        cdef endgame.Bounds known
        self._begin(own, opp)
        known = endgame.probe_bounds(self.ctx, zobrist.zobrist_key(own, opp),
                                     64 - popcount(own | opp))
        if known.first == NO_MOVE or not board.moves(own, opp) & bit(known.first):
            return None
        return known.first

    def reaches(self, uint64_t own, uint64_t opp, int sq, int value) -> bool:
        """Whether a legal move is worth at least `value` discs; no answer once stopped."""
        cdef bint enough
        _check_move(own, opp, sq)
        self._begin_exact(own, opp)
        with nogil:
            enough = lines.reaches(self.ctx, own, opp, sq, value)
        self._finish()
        return enough

    def line(self, uint64_t own, uint64_t opp, int value):
        """A line of best play to the end of the game, passes (64) among it, for a position whose
        exact value is known; cut short where a limit or stop() comes first."""
        cdef int moves_array[MAX_PLY]
        cdef int count
        self._begin_exact(own, opp)
        with nogil:
            count = lines.best_line(self.ctx, own, opp, value, moves_array)
        self._finish()
        return [moves_array[i] for i in range(count)]
