# What follows from a solved root: the moves that reach its value, a line of best play. Above both
# exact searches: the wide one works where the search has weights.

from libc.stdint cimport uint64_t

from reversi.core.bits cimport PASS, bit, lowest, popcount, rest
from reversi.core.board cimport flips, moves
from reversi.core.context cimport Context
from reversi.core.endgame cimport SCORE_MAX, Bounds, Proof, probe_bounds, prove
from reversi.core.table cimport NO_MOVE
from reversi.core.wide cimport prove_wide
from reversi.core.zobrist cimport zobrist_key


cdef inline Proof prove_any(Context *ctx, uint64_t own, uint64_t opp, int alpha, int beta,
                            int guess) noexcept nogil:
    if ctx.weights != NULL:
        return prove_wide(ctx, own, opp, alpha, beta, guess)
    return prove(ctx, own, opp, alpha, beta)


cdef inline int best_reply(Context *ctx, uint64_t own, uint64_t opp, int value) noexcept nogil:
    # A move that reaches `value`, the position's known value; PASS; -1 where no move does.
    # The table's move is tried first; with a warm table this is a few probes.
    cdef uint64_t todo = moves(own, opp)
    cdef Bounds known = probe_bounds(ctx, zobrist_key(own, opp), popcount(~(own | opp)))
    cdef int sq
    if not todo:
        return PASS
    if known.first != NO_MOVE and todo & bit(known.first):
        if reaches(ctx, own, opp, known.first, value):
            return known.first
        todo ^= bit(known.first)
    while todo and not ctx.stopped:
        sq = lowest(todo)
        todo = rest(todo)
        if reaches(ctx, own, opp, sq, value):
            return sq
    return -1


cdef inline bint reaches(Context *ctx, uint64_t own, uint64_t opp, int sq,
                         int value) noexcept nogil:
    # Whether the move is worth at least `value`.
    cdef uint64_t flipped = flips(own, opp, sq)
    return value <= -SCORE_MAX or -prove_any(
        ctx, opp ^ flipped, own ^ flipped ^ bit(sq), -value, 1 - value, 1 - value).upper >= value


cdef inline int best_line(Context *ctx, uint64_t own, uint64_t opp, int value,
                          int *line) noexcept nogil:
    # Best play from a position of known value to the end; the length of the line. A wrong value
    # ends it early.
    cdef uint64_t flipped, before
    cdef int move, n = 0
    while moves(own, opp) or moves(opp, own):
        move = best_reply(ctx, own, opp, value)
        if ctx.stopped or move < 0:
            break
        line[n] = move
        n += 1
        flipped = 0 if move == PASS else flips(own, opp, move) | bit(move)
        before = own
        own = opp & ~flipped
        opp = before | flipped
        value = -value
    return n
