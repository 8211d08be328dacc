# The exact endgame search: the value of a position at the end of the game, in discs.
#
# All of it is null windows (alpha, alpha + 1), fail-soft; prove() finds a value with them. Kinds of
# nodes by empty squares: last.pxd unrolls the last four; at five, moves go by region parity; at six
# they are sorted; above, the table pays for itself. `todo` is the node's legal moves, which its
# parent has counted to sort it.

from libc.stdint cimport uint64_t

from reversi.core.bits cimport PASS, bit, lowest, popcount, rest
from reversi.core.board cimport FullLines, final_score, flips, full_lines, moves, stable_discs
from reversi.core.context cimport Context, out_of_time
from reversi.core.last cimport SCORE_NONE, enter_4, quadrant
from reversi.core.order cimport Move, MoveList, list_endgame, pick
from reversi.core.table cimport (
    NO_MOVE, Table, data_extra, data_move, data_value, pack, table_age, table_prefetch,
    table_probe, table_store,
)
from reversi.core.zobrist cimport key_after, swap_sides, zobrist_key

cdef extern from * nogil:
    """
    /* The squares of a set of quadrants, as last.pxd numbers them. */
    #define REVERSI_Q(p) ( \\
        ((p) & 1 ? 0x000000000F0F0F0Full : 0) | ((p) & 2 ? 0x00000000F0F0F0F0ull : 0) \\
        | ((p) & 4 ? 0x0F0F0F0F00000000ull : 0) | ((p) & 8 ? 0xF0F0F0F000000000ull : 0))
    static const uint64_t reversi_quadrants[16] = {
        REVERSI_Q(0), REVERSI_Q(1), REVERSI_Q(2), REVERSI_Q(3), REVERSI_Q(4), REVERSI_Q(5),
        REVERSI_Q(6), REVERSI_Q(7), REVERSI_Q(8), REVERSI_Q(9), REVERSI_Q(10), REVERSI_Q(11),
        REVERSI_Q(12), REVERSI_Q(13), REVERSI_Q(14), REVERSI_Q(15)
    };
    """
    const uint64_t QUADRANTS "reversi_quadrants"[16]
    # No set of legal moves: some squares are always taken.
    const uint64_t NOT_COUNTED "UINT64_MAX"

cdef enum:
    SCORE_MAX = 64
    # The table from 7 empty squares on: 5 % less time than from 8 on, 3 % less than from 6 on.
    HASHED_EMPTIES = 7
    # 11 to 13 measured alike.
    LOCAL_EMPTIES = 12
    # Looking up every child before searching any saves 1 to 2 % of the nodes a step further down,
    # which it then costs.
    CHILD_CUTOFF_EMPTIES = 10

cdef struct Proof:
    int lower, upper

cdef struct Bounds:
    int lower, upper, first, second


cdef inline unsigned int odd_quadrants(uint64_t empty) noexcept nogil:
    cdef unsigned int q, parity = 0
    for q in range(4):
        if popcount(empty & QUADRANTS[1 << q]) & 1:
            parity |= 1 << q
    return parity


cdef inline int stability_alpha(int empties) noexcept nogil:
    # Stable discs of the opponent can refute only a high alpha, the higher the more is open.
    # 6 more or less changed the nodes by 1 %, and no time.
    return 2 * empties - 4 if empties <= 22 else 44


cdef inline int stability_bound(uint64_t own, uint64_t opp) noexcept nogil:
    # The most that `own` can get: all but what the opponent cannot lose.
    cdef FullLines full = full_lines(own | opp)
    return SCORE_MAX - 2 * popcount(stable_discs(opp, &full))


cdef inline Table *table_for(Context *ctx, int empties) noexcept nogil:
    # Small nodes stay out of the shared table: a probe that misses the cache costs more than they
    # do, and a fresh table's first touch of a page ten times that (16 empties: 24 ms against 6).
    return &ctx.local if empties <= LOCAL_EMPTIES and ctx.table != NULL else ctx.table


cdef inline Bounds probe_bounds(Context *ctx, uint64_t key, int empties) noexcept nogil:
    cdef Bounds b
    cdef uint64_t data
    b.lower, b.upper, b.first, b.second = -SCORE_MAX, SCORE_MAX, NO_MOVE, NO_MOVE
    if ctx.table != NULL and table_probe(table_for(ctx, empties), key ^ ctx.endgame_salt, &data):
        ctx.hits += empties > LOCAL_EMPTIES
        b.lower = <signed char>(data_value(data) & 0xFF)
        b.upper = <signed char>(data_value(data) >> 8 & 0xFF)
        b.first = data_move(data)
        b.second = data_extra(data)
    return b


cdef inline void store_bounds(Context *ctx, uint64_t key, int empties, int alpha, int beta,
                              int score, int move, Bounds *old) noexcept nogil:
    # Both bounds are kept: what an earlier window proved stays true.
    cdef int lower = old.lower, upper = old.upper, second = old.first
    if ctx.table == NULL:
        return
    if score > alpha and score > lower:
        lower = score
    if score < beta and score < upper:
        upper = score
    if move == old.first or second == NO_MOVE:
        second = old.second
    ctx.stores += empties > LOCAL_EMPTIES
    table_store(table_for(ctx, empties), key ^ ctx.endgame_salt,
                pack((lower & 0xFF) | (upper & 0xFF) << 8, empties, move, second))


cdef inline int solve_5(Context *ctx, uint64_t own, uint64_t opp, uint64_t todo, int alpha,
                        unsigned int parity) noexcept nogil:
    # Five empty squares, `todo` the legal moves: by the parity of the regions.
    cdef uint64_t group = todo & QUADRANTS[parity], flipped
    cdef int sq, score, best = SCORE_NONE, _turn
    ctx.nodes += 1
    if not todo:
        todo = moves(opp, own)
        if not todo:
            return final_score(own, opp, ctx.winner_gets_empties)
        return -solve_5(ctx, opp, own, todo, -alpha - 1, parity)
    if alpha >= stability_alpha(5):
        score = stability_bound(own, opp)
        if score <= alpha:
            return score
    for _turn in range(2):
        while group:
            sq = lowest(group)
            group = rest(group)
            flipped = flips(own, opp, sq)
            score = -enter_4(ctx, opp ^ flipped, own ^ flipped ^ bit(sq), -alpha - 1)
            if score > best:
                best = score
                if best > alpha:
                    return best
        group = todo & ~QUADRANTS[parity]
    return best


cdef inline int solve_6(Context *ctx, uint64_t own, uint64_t opp, uint64_t todo, int alpha,
                        unsigned int parity) noexcept nogil:
    # Six empty squares, `todo` the legal moves: by the opponent's mobility.
    cdef MoveList list
    cdef Move *move
    cdef int _i, score, best = SCORE_NONE
    ctx.nodes += 1
    if not todo:
        todo = moves(opp, own)
        if not todo:
            return final_score(own, opp, ctx.winner_gets_empties)
        return -solve_6(ctx, opp, own, todo, -alpha - 1, parity)
    if alpha >= stability_alpha(6):
        score = stability_bound(own, opp)
        if score <= alpha:
            return score
    list_endgame(ctx, &list, own, opp, todo, parity, NO_MOVE)
    for _i in range(list.count):
        move = pick(&list)
        score = -solve_5(ctx, opp ^ move.flipped, own ^ move.flipped ^ bit(move.sq), move.answers,
                         -alpha - 1, parity ^ quadrant(move.sq))
        if score > best:
            best = score
            if best > alpha:
                return best
    return best


cdef inline int solve_few(Context *ctx, uint64_t own, uint64_t opp, int alpha, int empties,
                          unsigned int parity) noexcept nogil:
    # 0 to 6 empty squares, from a root that lies so low.
    cdef uint64_t todo
    cdef int score, best = SCORE_NONE, sq
    cdef uint64_t flipped
    if empties == 6:
        return solve_6(ctx, own, opp, moves(own, opp), alpha, parity)
    if empties == 5:
        return solve_5(ctx, own, opp, moves(own, opp), alpha, parity)
    if empties == 4:
        return enter_4(ctx, own, opp, alpha)
    ctx.nodes += 1
    todo = moves(own, opp)
    if not todo:
        if not moves(opp, own):
            return final_score(own, opp, ctx.winner_gets_empties)
        return -solve_few(ctx, opp, own, -alpha - 1, empties, parity)
    while todo:
        sq = lowest(todo)
        todo = rest(todo)
        flipped = flips(own, opp, sq)
        score = -solve_few(ctx, opp ^ flipped, own ^ flipped ^ bit(sq), -alpha - 1, empties - 1,
                           parity ^ quadrant(sq))
        if score > best:
            best = score
            if best > alpha:
                break
    return best


cdef inline bint child_cutoff(Context *ctx, MoveList *list, uint64_t key, int alpha,
                              int empties, int *score) noexcept nogil:
    # Enhanced transposition cutoff (Plaat et al. 1996): a child known to be bad for the opponent.
    cdef Bounds child
    cdef int i
    for i in range(list.count):
        child = probe_bounds(ctx, key_after(key, list.moves[i].flipped, list.moves[i].sq),
                             empties - 1)
        if -child.upper > alpha:
            score[0] = -child.upper
            return True
    return False


cdef inline int follow(Context *ctx, uint64_t own, uint64_t opp, uint64_t flipped, int sq,
                       uint64_t answers, int alpha, int empties, unsigned int parity,
                       uint64_t key) noexcept nogil:
    # The score of one move.
    cdef uint64_t child_key = key_after(key, flipped, sq)
    cdef uint64_t child_own = opp ^ flipped, child_opp = own ^ flipped ^ bit(sq)
    table_prefetch(table_for(ctx, empties - 1), child_key ^ ctx.endgame_salt)
    if answers == NOT_COUNTED:
        answers = moves(child_own, child_opp)
    return -solve_null(ctx, child_own, child_opp, answers, -alpha - 1, empties - 1,
                       parity ^ quadrant(sq), child_key)


cdef inline int solve_null(Context *ctx, uint64_t own, uint64_t opp, uint64_t todo, int alpha,
                           int empties, unsigned int parity, uint64_t key) noexcept nogil:
    cdef Bounds known
    cdef MoveList list
    cdef Move *move
    cdef int _i, score, best = SCORE_NONE, best_move = NO_MOVE
    if empties < HASHED_EMPTIES:
        return solve_6(ctx, own, opp, todo, alpha, parity)
    ctx.nodes += 1
    if out_of_time(ctx):
        return alpha
    if empties == LOCAL_EMPTIES + 1:
        # The small nodes of earlier subtrees will not come again.
        table_age(&ctx.local)
    if not todo:
        todo = moves(opp, own)
        if not todo:
            return final_score(own, opp, ctx.winner_gets_empties)
        return -solve_null(ctx, opp, own, todo, -alpha - 1, empties, parity, swap_sides(key))
    if alpha >= stability_alpha(empties):
        score = stability_bound(own, opp)
        if score <= alpha:
            return score
    known = probe_bounds(ctx, key, empties)
    if known.lower > alpha:
        return known.lower
    if known.upper <= alpha:
        return known.upper
    if known.first != NO_MOVE and todo & bit(known.first):
        # The table's move before the others are even listed: it mostly is enough.
        best_move = known.first
        best = follow(ctx, own, opp, flips(own, opp, best_move), best_move, NOT_COUNTED,
                      alpha, empties, parity, key)
        todo ^= bit(best_move)
    if best <= alpha and todo and not ctx.stopped:
        list_endgame(ctx, &list, own, opp, todo, parity, known.second)
        if (ctx.table != NULL and empties >= CHILD_CUTOFF_EMPTIES
                and child_cutoff(ctx, &list, key, alpha, empties, &score)):
            return score
        for _i in range(list.count):
            move = pick(&list)
            score = follow(ctx, own, opp, move.flipped, move.sq, move.answers, alpha, empties,
                           parity, key)
            if score > best:
                best = score
                best_move = move.sq
                if best > alpha:
                    break
            if ctx.stopped:
                break
    if ctx.stopped:
        return alpha
    store_bounds(ctx, key, empties, alpha, alpha + 1, best, best_move, &known)
    return best


cdef inline int null_window(Context *ctx, uint64_t own, uint64_t opp, int alpha, int empties,
                            unsigned int parity, uint64_t key) noexcept nogil:
    # Any number of empty squares, the legal moves not counted yet.
    if empties < HASHED_EMPTIES:
        return solve_few(ctx, own, opp, alpha, empties, parity)
    return solve_null(ctx, own, opp, moves(own, opp), alpha, empties, parity, key)


cdef inline bint open_between(const Proof *proof, int alpha, int beta) noexcept nogil:
    # Whether the score may still lie in the window.
    return proof.lower < proof.upper and proof.lower < beta and proof.upper > alpha


cdef inline int aim(const Proof *proof, int goal, int alpha, int beta) noexcept nogil:
    return min(max(goal, proof.lower + 1, alpha + 1), proof.upper, beta)


cdef inline int narrow(const Context *ctx, Proof *proof, int goal, int score) noexcept nogil:
    # Notes what the null window below `goal` proved; the next goal, next to that bound.
    if score >= goal:
        proof.lower = score
        return score + 1 + ctx.winner_gets_empties
    proof.upper = score
    return score


cdef inline Proof prove(Context *ctx, uint64_t own, uint64_t opp, int alpha,
                        int beta) noexcept nogil:
    # Bounds of the exact score that meet, or lie outside (alpha, beta); those that were proved so
    # far where the search is stopped. Null windows from 0 outwards, each next to the bound that the
    # last one proved (MTD(f), Plaat et al. 1996): against a principal-variation search 15 % fewer
    # nodes at 14 empties, 26 % on FFO 1-19. A first guess by the classic evaluation, or growing
    # steps, measured worse.
    cdef uint64_t empty = ~(own | opp), key = zobrist_key(own, opp)
    cdef int empties = popcount(empty), score, goal = 0
    cdef unsigned int parity = odd_quadrants(empty)
    cdef Proof proof
    proof.lower, proof.upper = -SCORE_MAX, SCORE_MAX
    while open_between(&proof, alpha, beta):
        goal = aim(&proof, goal, alpha, beta)
        score = null_window(ctx, own, opp, goal - 1, empties, parity, key)
        if ctx.stopped:
            break
        goal = narrow(ctx, &proof, goal, score)
    return proof


cdef inline int solve_window(Context *ctx, uint64_t own, uint64_t opp, int alpha,
                             int beta) noexcept nogil:
    # The exact score within (alpha, beta), else a bound on the side where it lies.
    cdef Proof proof = prove(ctx, own, opp, alpha, beta)
    return proof.lower if proof.lower >= beta else proof.upper
