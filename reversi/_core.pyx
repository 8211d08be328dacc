# The compiled core's table of contents and its only Python boundary: arguments are checked here,
# the GIL is given up here, signals and errors are raised here. The rooms below know only bits.
#
#     here                functions of plain words: moves, flips, perft, symmetries, keys, terms
#     _core_board.pxi     LegalMoves, the moves of a position, listed when asked;
#                         BoardBase, a position with its history, under reversi.Board
#     _core_search.pxi    Table, a transposition table, shared by searches in any thread;
#                         Searcher, one search in one thread: its limits and what it found
#     _core_strong.pxi    Weights, the learned evaluation; learning, games and labels to learn from

cimport cython
from cpython.long cimport PyLong_CheckExact
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

cimport reversi.core.board as board
cimport reversi.core.classic as classic
cimport reversi.core.endgame as endgame
cimport reversi.core.flip_scalar as flip_scalar
cimport reversi.core.last as last
cimport reversi.core.learning as learning
cimport reversi.core.lines as lines
cimport reversi.core.midgame as midgame
cimport reversi.core.network as network
cimport reversi.core.pattern as pattern
cimport reversi.core.probcut as probcut
cimport reversi.core.strong as strong
cimport reversi.core.table as hash_table
cimport reversi.core.training as training
cimport reversi.core.zobrist as zobrist
from reversi.core.bits cimport PASS, bit, lowest, popcount, rest
from reversi.core.context cimport (
    LOCAL_BYTES_LONG, MAX_PLY, Context, flag_get, flag_set, now_ns, open_local,
)
from reversi.core.table cimport NO_MOVE

import operator
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
pattern.init_pattern()
zobrist.init_zobrist()


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


cdef int _check_move(uint64_t own, uint64_t opp, int sq) except -1:
    _check_empty_square(own, opp, sq)
    if not board.flips(own, opp, sq):
        raise IllegalMoveError(f"{square_name(sq)} is not legal: it turns no disc")
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


def perft(uint64_t own, uint64_t opp, depth, bint pass_is_ply=True) -> int:
    """The number of leaves `depth` plies below a position; a finished game counts once."""
    _check_discs(own, opp)
    if not 0 <= depth <= 60:
        raise ValueError(f"perft depth {depth}; expected 0 to 60")
    return _perft(own, opp, depth, pass_is_ply)


cdef uint64_t _perft(uint64_t own, uint64_t opp, int depth, bint pass_is_ply) except? 0:
    # The upper plies here, so that Ctrl-C is seen; six plies without a look last 20 ms at most.
    cdef uint64_t leaves = 0, flipped, todo
    cdef int sq
    if depth <= 6:
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


include "_core_board.pxi"
include "_core_search.pxi"
include "_core_strong.pxi"
