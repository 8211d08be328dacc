# The compiled core's table of contents and its only Python boundary: arguments are checked here,
# the GIL is given up here, signals and errors are raised here. The rooms below know only bits.
#
#     Bits        moves, flips, perft, symmetries, keys, evaluation: functions of plain words
#     LegalMoves  the moves of a position, listed when asked
#     BoardBase   a position with its history, under reversi.Board
#     Table       a transposition table, shared by searches in any thread
#     Searcher    one search in one thread: limits, the two searches, the line it found

cimport cython
from cpython.long cimport PyLong_CheckExact
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

cimport reversi.core.board as board
cimport reversi.core.classic as classic
cimport reversi.core.endgame as endgame
cimport reversi.core.flip_scalar as flip_scalar
cimport reversi.core.last as last
cimport reversi.core.midgame as midgame
cimport reversi.core.table as hash_table
cimport reversi.core.zobrist as zobrist
from reversi.core.bits cimport PASS, bit, lowest, popcount, rest
from reversi.core.context cimport LOCAL_BYTES, MAX_PLY, Context, flag_set, now_ns
from reversi.core.table cimport NO_MOVE

import threading

from reversi.errors import IllegalMoveError, InvalidBoardError, InvalidMoveError
from reversi.squares import parse_move, square_name

cdef extern from *:
    """
    /* The pending exception, if any, becomes this function's own. */
    static int reversi_raise_pending(void) { return PyErr_Occurred() ? -1 : 0; }
    """
    int raise_pending "reversi_raise_pending"() except -1
    # Leaves the exception pending: the search returns first.
    int check_signals "PyErr_CheckSignals"() noexcept

cdef uint64_t START_BLACK = bit(28) | bit(35)
cdef uint64_t START_WHITE = bit(27) | bit(36)
cdef uint64_t WHITE_KEY = zobrist.split_mix(zobrist.ZOBRIST_SEED + 64)

flip_scalar.init_rays()
last.init_last()
zobrist.init_zobrist()


# --- Bits ------------------------------------------------------------------------------------

cdef int _check_discs(uint64_t own, uint64_t opp) except -1:
    cdef uint64_t both = own & opp
    if both:
        raise InvalidBoardError(
            f"{square_name(lowest(both))} holds discs of both colours; a square holds one at most"
        )
    return 0


cdef int _check_empty_square(uint64_t own, uint64_t opp, int sq) except -1:
    if not 0 <= sq < 64:
        raise InvalidMoveError(f"square {sq} is not on the board; expected 0 (a1) to 63 (h8)")
    if (own | opp) & bit(sq):
        raise IllegalMoveError(f"{square_name(sq)} is not empty")
    return 0


def moves(uint64_t own, uint64_t opp) -> int:
    """The squares where the side with the discs `own` may play, as a bitboard."""
    _check_discs(own, opp)
    return board.moves(own, opp)


def moves_scalar(uint64_t own, uint64_t opp) -> int:
    """As moves(), by the scalar room whatever the build: the vectors' twin."""
    _check_discs(own, opp)
    return flip_scalar.moves_scalar(own, opp)


def flips(uint64_t own, uint64_t opp, int sq) -> int:
    """The discs that `own` turns by playing the empty square `sq`; 0 where that is not legal."""
    _check_discs(own, opp)
    _check_empty_square(own, opp, sq)
    return board.flips(own, opp, sq)


def flips_scalar(uint64_t own, uint64_t opp, int sq) -> int:
    """As flips(), by the scalar room whatever the build: the vectors' twin."""
    _check_discs(own, opp)
    _check_empty_square(own, opp, sq)
    return flip_scalar.flips_scalar(own, opp, sq)


def count_last_flips(uint64_t own, int sq) -> int:
    """How many discs `own` turns on `sq`, the last empty square; the opponent has all others."""
    _check_empty_square(own, 0, sq)
    return last.last_flips(own, sq) // 2


def perft(uint64_t own, uint64_t opp, int depth, bint pass_is_ply=True) -> int:
    """The number of leaves `depth` plies below a position; a finished game counts once."""
    _check_discs(own, opp)
    if not 0 <= depth <= 60:
        raise ValueError(f"perft depth {depth}; expected 0 to 60")
    return _perft(own, opp, depth, pass_is_ply)


cdef uint64_t _perft(uint64_t own, uint64_t opp, int depth, bint pass_is_ply) except? 0:
    # The upper plies here, so that Ctrl-C is seen; seven plies without a look last some 20 ms.
    cdef uint64_t leaves = 0, flipped, todo
    cdef int sq
    if depth <= 7:
        with nogil:
            leaves = board.perft(own, opp, depth, pass_is_ply)
        check_signals()
        raise_pending()
        return leaves
    todo = board.moves(own, opp)
    if not todo:
        return _perft(opp, own, depth - pass_is_ply, pass_is_ply) if board.moves(opp, own) else 1
    while todo:
        sq = lowest(todo)
        todo = rest(todo)
        flipped = board.flips(own, opp, sq)
        leaves += _perft(opp ^ flipped, own ^ flipped ^ bit(sq), depth - 1, pass_is_ply)
    return leaves


def final_score(uint64_t own, uint64_t opp, bint tournament) -> int:
    """The disc difference of a finished game for `own`; by tournament rule the winner gets the
    empty squares."""
    _check_discs(own, opp)
    return board.final_score(own, opp, tournament)


def stable_discs(uint64_t own, uint64_t opp) -> int:
    """Those of the discs `own` that no sequence of moves can turn, as far as the fixpoint over
    full lines and stable neighbours finds them."""
    _check_discs(own, opp)
    cdef board.FullLines full = board.full_lines(own | opp)
    return board.stable_discs(own, &full)


def transform(uint64_t discs, int i) -> int:
    """Symmetry `i` (0 to 7, 0 the identity) of a bitboard."""
    _check_symmetry(i)
    return board.transform(discs, i)


def transform_move(int sq, int i) -> int:
    """Where symmetry `i` takes a square; a pass stays a pass."""
    _check_symmetry(i)
    if sq == PASS:
        return PASS
    _check_empty_square(0, 0, sq)
    return board.transform_square(sq, i)


cdef int _check_symmetry(int i) except -1:
    if not 0 <= i < 8:
        raise ValueError(f"symmetry {i}; expected 0 to 7")
    return 0


def zobrist_key(uint64_t black, uint64_t white, bint black_to_move) -> int:
    """The 64-bit Zobrist key of the discs and the side to move."""
    _check_discs(black, white)
    if black_to_move:
        return zobrist.zobrist_key(black, white)
    return zobrist.zobrist_key(white, black) ^ WHITE_KEY


def evaluate(uint64_t own, uint64_t opp) -> tuple:
    """The classic evaluation's terms in the view of `own`, which is to move: material, positional,
    mobility, corners, frontier, parity, danger, stable; weighted, before frontier and danger are
    subtracted."""
    _check_discs(own, opp)
    cdef int mobility = popcount(board.moves(own, opp)) - popcount(board.moves(opp, own))
    cdef classic.Terms t = classic.classic_terms(own, opp, mobility)
    return (t.material, t.positional, t.mobility, t.corners, t.frontier, t.parity, t.danger,
            t.stable)


def terminal_score(int diff) -> int:
    """The score of a finished game with this disc difference: its sign times 10,000,000, and
    10,000 a disc."""
    return classic.terminal_score(diff)


# --- LegalMoves ------------------------------------------------------------------------------

@cython.freelist(32)
@cython.final
cdef class LegalMoves:
    """The legal moves of a position in the order of the squares; a forced pass is the one move 64.

    A snapshot: it does not follow the board. `mask` has the squares as a bitboard, without a pass.
    """
    cdef readonly uint64_t mask
    cdef bint passing

    def __len__(self):
        return popcount(self.mask) + self.passing

    def __bool__(self):
        return self.mask != 0 or self.passing

    def __contains__(self, move):
        cdef int sq
        try:
            sq = _as_move(move)
        except InvalidMoveError:
            return False
        return self.passing if sq == PASS else self.mask & bit(sq) != 0

    def __getitem__(self, index):
        cdef uint64_t left = self.mask
        cdef Py_ssize_t i, count
        if isinstance(index, slice):
            return self._list()[index]
        i = index
        count = popcount(left) + self.passing
        if i < 0:
            i += count
        if not 0 <= i < count:
            raise IndexError(f"move {index} of {count} legal moves")
        if self.passing:
            return PASS
        while i > 0:
            left = rest(left)
            i -= 1
        return lowest(left)

    cdef list _list(self):
        cdef uint64_t left = self.mask
        cdef list out = [PASS] if self.passing else []
        while left:
            out.append(lowest(left))
            left = rest(left)
        return out

    def __iter__(self):
        return iter(self._list())

    def __eq__(self, other):
        if not isinstance(other, LegalMoves):
            return NotImplemented
        return (self.mask == (<LegalMoves>other).mask
                and self.passing == (<LegalMoves>other).passing)

    def __hash__(self):
        return hash((self.mask, self.passing))

    def __repr__(self):
        return f"<LegalMoves {' '.join(map(square_name, self._list())) or 'none'}>"

    def __reduce__(self):
        # A plain list: the class belongs to one build of the core.
        return list, (self._list(),)


cdef int _as_move(move) except -1:
    cdef int sq
    if PyLong_CheckExact(move) and 0 <= move <= PASS:
        sq = move
        return sq
    return parse_move(move)


# --- BoardBase -------------------------------------------------------------------------------

cdef struct Step:
    uint64_t own, opp
    int move
    bint black_to_move


cdef class BoardBase:
    """A position and the moves that led to it. Equality and hash see the discs and the side to
    move, not the history. Not to be changed by two threads at once."""
    cdef readonly uint64_t own, opp
    cdef readonly bint black_to_move
    cdef Step *steps
    cdef int step_count, step_capacity

    def __cinit__(self, *args, **kwargs):
        self.steps = NULL
        self.step_count = self.step_capacity = 0

    def __init__(self, black=START_BLACK, white=START_WHITE, bint black_to_move=True):
        cdef uint64_t black_discs = _as_bitboard("black", black)
        cdef uint64_t white_discs = _as_bitboard("white", white)
        _check_discs(black_discs, white_discs)
        self.own = black_discs if black_to_move else white_discs
        self.opp = white_discs if black_to_move else black_discs
        self.black_to_move = black_to_move
        self.step_count = 0

    def __dealloc__(self):
        free(self.steps)

    cdef int _remember(self, int move) except -1:
        cdef Step *grown
        if self.step_count == self.step_capacity:
            # A game fits in the first piece of memory.
            grown = <Step *>realloc(self.steps, (self.step_capacity + 64) * sizeof(Step))
            if grown == NULL:
                raise MemoryError(f"no memory for {self.step_capacity + 64} moves of history")
            self.steps = grown
            self.step_capacity += 64
        self.steps[self.step_count] = Step(self.own, self.opp, move, self.black_to_move)
        self.step_count += 1
        return 0

    cdef BoardBase _new(self, uint64_t own, uint64_t opp):
        cdef type cls = type(self)
        cdef BoardBase made = cls.__new__(cls)
        made.own = own
        made.opp = opp
        made.black_to_move = self.black_to_move
        return made

    @property
    def black(self) -> int:
        """Black's discs, a bitboard."""
        return self.own if self.black_to_move else self.opp

    @property
    def white(self) -> int:
        """White's discs, a bitboard."""
        return self.opp if self.black_to_move else self.own

    @property
    def empty(self) -> int:
        """The empty squares, a bitboard."""
        return ~(self.own | self.opp)

    @property
    def empties(self) -> int:
        """The number of empty squares."""
        return 64 - popcount(self.own | self.opp)

    @property
    def zobrist(self) -> int:
        """The 64-bit Zobrist key of the discs and the side to move."""
        return zobrist_key(self.black, self.white, self.black_to_move)

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves; a forced pass is the one move 64, a finished game has none."""
        cdef LegalMoves found = LegalMoves.__new__(LegalMoves)
        found.mask = board.moves(self.own, self.opp)
        found.passing = found.mask == 0 and board.moves(self.opp, self.own) != 0
        return found

    @property
    def move_stack(self) -> list:
        """The moves played on this board, passes (64) among them, oldest first."""
        return [self.steps[i].move for i in range(self.step_count)]

    def is_legal(self, move) -> bool:
        """Whether the move may be played here; what is no move at all is not legal either."""
        return move in self.legal_moves

    def is_game_over(self) -> bool:
        """Whether neither side has a move."""
        return not board.moves(self.own, self.opp) and not board.moves(self.opp, self.own)

    def flipped(self, move) -> int:
        """The discs that the move turns, a bitboard; IllegalMoveError where it is not legal."""
        cdef int sq = _as_move(move)
        return self._flips_of(sq)

    cdef uint64_t _flips_of(self, int sq) except? 0:
        cdef uint64_t flipped = 0
        if sq == PASS:
            if board.moves(self.own, self.opp):
                raise IllegalMoveError("pass is not legal: the side to move has a move")
            if not board.moves(self.opp, self.own):
                raise IllegalMoveError("pass is not legal: the game is over")
            return 0
        if not (self.own | self.opp) & bit(sq):
            flipped = board.flips(self.own, self.opp, sq)
        if flipped == 0:
            raise IllegalMoveError(self._why_not(sq))
        return flipped

    cdef str _why_not(self, int sq):
        cdef str side = "black" if self.black_to_move else "white"
        cdef str name = square_name(sq)
        if (self.own | self.opp) & bit(sq):
            return f"{name} is not legal: the square holds a disc"
        moves = self.legal_moves
        names = " ".join(map(square_name, moves)) or "none, the game is over"
        return f"{name} is not legal: {side} would turn no disc; legal: {names}"

    def push(self, move) -> None:
        """Plays a move: a square (0 to 63 or a name), or a forced pass (64).

        InvalidMoveError for what is no move at all, IllegalMoveError for one that is not legal
        here; the board is then unchanged.
        """
        cdef int sq = _as_move(move)
        cdef uint64_t flipped = self._flips_of(sq)
        cdef uint64_t own = self.own
        self._remember(sq)
        self.own = self.opp ^ flipped
        self.opp = own ^ flipped
        if sq != PASS:
            self.opp |= bit(sq)
        self.black_to_move = not self.black_to_move

    def pop(self) -> int:
        """Takes back the last move and returns it; IndexError where there is none."""
        cdef Step step
        if self.step_count == 0:
            raise IndexError("no move to take back")
        self.step_count -= 1
        step = self.steps[self.step_count]
        self.own = step.own
        self.opp = step.opp
        self.black_to_move = step.black_to_move
        return step.move

    def copy(self):
        """A board of the same class with the same history."""
        cdef BoardBase made = self._new(self.own, self.opp)
        if self.step_count:
            made.steps = <Step *>malloc(self.step_count * sizeof(Step))
            if made.steps == NULL:
                raise MemoryError(f"no memory for {self.step_count} moves of history")
            memcpy(made.steps, self.steps, self.step_count * sizeof(Step))
            made.step_count = made.step_capacity = self.step_count
        return made

    def transformed(self, int i):
        """Symmetry `i` (0 to 7, 0 the identity) of the position, without history."""
        _check_symmetry(i)
        return self._new(board.transform(self.own, i), board.transform(self.opp, i))

    def canonical(self):
        """The smallest of the position's eight symmetric pictures, without history."""
        return self.transformed(board.canonical_transform(self.own, self.opp))

    def stable(self, bint black) -> int:
        """The stable discs of black or white, a bitboard."""
        return stable_discs(self.own, self.opp) if black == self.black_to_move \
            else stable_discs(self.opp, self.own)

    def perft(self, int depth, bint pass_is_ply=True) -> int:
        """The leaves `depth` (0 to 60) plies below; a finished game counts once."""
        return perft(self.own, self.opp, depth, pass_is_ply)

    def __eq__(self, other):
        if not isinstance(other, BoardBase):
            return NotImplemented
        cdef BoardBase that = other
        return (self.own == that.own and self.opp == that.opp
                and self.black_to_move == that.black_to_move)

    def __hash__(self):
        return hash((self.own, self.opp, self.black_to_move))


cdef uint64_t _as_bitboard(str name, value) except? 0:
    if not hasattr(value, "__index__") or not 0 <= value < 1 << 64:
        raise InvalidBoardError(f"{name} is {value!r}; expected a bitboard, 0 to 2**64 - 1")
    return value


# --- Table -----------------------------------------------------------------------------------

@cython.final
cdef class Table:
    """A transposition table of a fixed size in MB (2**20 bytes). Searches in any number of threads
    may share it; clear() must not run beside them."""
    cdef hash_table.Table table
    cdef readonly int size_mb
    cdef public uint64_t hits, stores

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


# --- Searcher --------------------------------------------------------------------------------

cdef bint _signalled() noexcept nogil:
    with gil:
        return check_signals() != 0


cdef void _traced(Context *ctx, int ply, int empties, int depth, int alpha, int beta,
                  int best_move, int score) noexcept nogil:
    with gil:
        (<Searcher>ctx.trace_target)._report(ply, empties, depth, alpha, beta, best_move, score)


@cython.final
cdef class Searcher:
    """One search in one thread: its limits, counters and the line it found. Made for one root and
    used once; only stop() may be called from other threads."""
    cdef Context *ctx
    cdef Table table
    cdef object tracer
    cdef object error

    def __cinit__(self, Table table, *, bint ordering=True, budget_ns=None, nodes=None,
                  bint tournament=False, tracer=None, int trace_ply=0):
        self.ctx = <Context *>calloc(1, sizeof(Context))
        if self.ctx == NULL or not hash_table.table_open(&self.ctx.local, LOCAL_BYTES):
            raise MemoryError(f"no memory for a search of {sizeof(Context) + LOCAL_BYTES} bytes")
        self.table = table
        self.tracer = tracer
        self.ctx.table = &table.table if table is not None else NULL
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

    def stop(self) -> None:
        """Ends the running search, from any thread, within some ten microseconds."""
        flag_set(&self.ctx.stop_flag, 1)

    cdef _report(self, int ply, int empties, int depth, int alpha, int beta, int best_move,
                 int score):
        try:
            self.tracer(ply, empties, depth, alpha, beta, best_move, score)
        except BaseException as error:
            self.error = error
            self.ctx.stopped = True

    cdef int _begin(self) except -1:
        # Signals reach the main thread alone; the others need not ask for them.
        if threading.get_ident() == threading.main_thread().ident:
            self.ctx.signalled = _signalled
        else:
            self.ctx.signalled = NULL
        return 0

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
        for i in range(count):
            moves_array[i] = root_moves[i]
        self.ctx.exact_empties = exact_empties
        # The values of another exact range are other values.
        self.ctx.midgame_salt = zobrist.split_mix(exact_empties)
        self.ctx.next_poll = <uint64_t>-1 if must_finish else 0
        self._begin()
        with nogil:
            score = midgame.search_root(self.ctx, own, opp, moves_array, count, depth, &best)
        self._finish()
        if self.ctx.stopped:
            return None
        return moves_array[best], score, [self.ctx.pv[0][i] for i in range(self.ctx.pv_length[0])]

    def solve(self, uint64_t own, uint64_t opp, int alpha=-64, int beta=64):
        """The exact value of a position within a window of discs, else a bound on the side where
        it lies; None when a limit or stop() came first."""
        cdef int value
        self._begin()
        with nogil:
            value = endgame.solve_window(self.ctx, own, opp, alpha, beta)
        self._finish()
        return None if self.ctx.stopped else value

    def reaches(self, uint64_t own, uint64_t opp, int sq, int value) -> bool:
        """Whether a legal move is worth at least `value` discs; no answer once stopped."""
        cdef bint enough
        self._begin()
        with nogil:
            enough = endgame.reaches(self.ctx, own, opp, sq, value)
        self._finish()
        return enough

    def line(self, uint64_t own, uint64_t opp, int value):
        """A line of best play to the end of the game, passes (64) among it, for a position whose
        exact value is known; None when a limit or stop() came first."""
        cdef int moves_array[MAX_PLY]
        cdef int count
        self._begin()
        with nogil:
            count = endgame.best_line(self.ctx, own, opp, value, moves_array)
        self._finish()
        return None if self.ctx.stopped else [moves_array[i] for i in range(count)]
