# The exact search of large trees: endgame.pxd's null windows, with moves ordered by the learned
# evaluation and by what selective searches to the end left in the table. Small trees are
# endgame.pxd's own.

from libc.stdint cimport uint64_t

from reversi.core.bits cimport bit, popcount
from reversi.core.board cimport CORNERS, final_score, moves
from reversi.core.context cimport Context, out_of_time
from reversi.core.endgame cimport (
    SCORE_MAX, Bounds, Proof, aim, child_cutoff, narrow, null_window, odd_quadrants, open_between,
    probe_bounds, solve_null, stability_alpha, stability_bound, store_bounds,
)
from reversi.core.last cimport SCORE_NONE, quadrant
from reversi.core.network cimport VALUE_MAX
from reversi.core.order cimport ORDER_TABLE, Move, MoveList, list_moves, pick, set_score
from reversi.core.pattern cimport Lanes, open_lanes, play_lanes, swap_lanes
from reversi.core.strong cimport Known, look_up, static_value
from reversi.core.table cimport NO_MOVE, table_prefetch
from reversi.core.zobrist cimport key_after, swap_sides, zobrist_key

cdef enum:
    # Above this many empty squares the evaluation orders the moves: from 11 on 1 % fewer nodes, 5 %
    # more time.
    WIDE_EMPTIES = 13
    # What a reply less is worth, in 1/128 disc: a small tree counts for more than a good move.
    WIDE_REPLY = 512


cdef inline int solve_wide(Context *ctx, uint64_t own, uint64_t opp, const Lanes *lanes,
                           uint64_t todo, int alpha, int empties, unsigned int parity,
                           uint64_t key) noexcept nogil:
    # The null window (alpha, alpha + 1) in discs.
    cdef uint64_t child_own, child_opp, child_key
    cdef Bounds known
    cdef Lanes child
    cdef MoveList list
    cdef Move *move
    cdef int _i, score, best = SCORE_NONE, best_move = NO_MOVE
    if empties <= WIDE_EMPTIES:
        return solve_null(ctx, own, opp, todo, alpha, empties, parity, key)
    ctx.nodes += 1
    if out_of_time(ctx):
        return alpha
    if not todo:
        todo = moves(opp, own)
        if not todo:
            return final_score(own, opp, ctx.winner_gets_empties)
        swap_lanes(&child, lanes)
        return -solve_wide(ctx, opp, own, &child, todo, -alpha - 1, empties, parity,
                           swap_sides(key))
    if alpha >= stability_alpha(empties):
        score = stability_bound(own, opp)
        if score <= alpha:
            return score
    known = probe_bounds(ctx, key, empties)
    if known.lower > alpha:
        return known.lower
    if known.upper <= alpha:
        return known.upper
    list_wide(ctx, &list, own, opp, lanes, todo,
              known.first if known.first != NO_MOVE else look_up(ctx, key, 0).move, key)
    if ctx.table != NULL and child_cutoff(ctx, &list, key, alpha, empties, &score):
        return score
    for _i in range(list.count):
        move = pick(&list)
        child_own = opp ^ move.flipped
        child_opp = own ^ move.flipped ^ bit(move.sq)
        child_key = key_after(key, move.flipped, move.sq)
        table_prefetch(ctx.table, child_key ^ ctx.endgame_salt)
        play_lanes(&child, lanes, move.flipped, move.sq)
        score = -solve_wide(ctx, child_own, child_opp, &child, move.answers, -alpha - 1,
                            empties - 1, parity ^ quadrant(move.sq), child_key)
        if ctx.stopped:
            return alpha
        if score > best:
            best = score
            best_move = move.sq
            if best > alpha:
                break
    store_bounds(ctx, key, empties, alpha, alpha + 1, best, best_move, &known)
    return best


cdef inline void list_wide(Context *ctx, MoveList *list, uint64_t own, uint64_t opp,
                           const Lanes *lanes, uint64_t todo, int table_move,
                           uint64_t key) noexcept nogil:
    # By what a selective search to the end found behind the move, else by the evaluation; and by
    # the replies that the move leaves: few replies are a small tree. (A shallow search in place of
    # the evaluation gave up to a third more nodes.)
    cdef uint64_t child_own, child_opp
    cdef Known known
    cdef Lanes child
    cdef Move *move
    cdef int i, value, empties = popcount(~(own | opp))
    list_moves(list, own, opp, todo)
    for i in range(list.count):
        move = &list.moves[i]
        child_own = opp ^ move.flipped
        child_opp = own ^ move.flipped ^ bit(move.sq)
        move.answers = moves(child_own, child_opp)
        value = -WIDE_REPLY * (popcount(move.answers) + popcount(move.answers & CORNERS))
        if child_own == 0:
            value += ORDER_TABLE * 2
        elif move.sq == table_move:
            value += ORDER_TABLE
        else:
            known = look_up(ctx, key_after(key, move.flipped, move.sq), empties - 1)
            if known.lower > -VALUE_MAX:
                value -= (known.lower + known.upper) // 2 if known.upper < VALUE_MAX \
                    else known.lower
            elif known.upper < VALUE_MAX:
                value -= known.upper
            else:
                play_lanes(&child, lanes, move.flipped, move.sq)
                value -= static_value(ctx, child_own, child_opp, &child, move.answers)
        set_score(list, i, value)


cdef inline Proof prove_wide(Context *ctx, uint64_t own, uint64_t opp, int alpha, int beta,
                             int goal) noexcept nogil:
    # endgame.prove() with the evaluation, from a first guess.
    cdef uint64_t empty = ~(own | opp), key = zobrist_key(own, opp)
    cdef int empties = popcount(empty), score
    cdef unsigned int parity = odd_quadrants(empty)
    cdef Lanes lanes
    cdef Proof proof
    open_lanes(&lanes, own, opp)
    proof.lower, proof.upper = -SCORE_MAX, SCORE_MAX
    while open_between(&proof, alpha, beta):
        goal = aim(&proof, goal, alpha, beta)
        if empties > WIDE_EMPTIES:
            score = solve_wide(ctx, own, opp, &lanes, moves(own, opp), goal - 1, empties, parity,
                               key)
        else:
            score = null_window(ctx, own, opp, goal - 1, empties, parity, key)
        if ctx.stopped:
            break
        goal = narrow(ctx, &proof, goal, score)
    return proof
