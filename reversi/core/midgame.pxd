# The classic middle-game search: principal-variation search to a depth that passes do not consume,
# with exact endgame search below a number of empty squares.
#
# The value of (position, depth) is a pure function: a table entry cuts only at its own depth (or
# when all its leaves were exact), so neither the table, its age nor the ordering changes a value.

from libc.stdint cimport uint64_t

from reversi.core.bits cimport PASS, bit, popcount
from reversi.core.board cimport final_score, flips, moves
from reversi.core.classic cimport SCORE_DISC, SCORE_INFINITY, SCORE_WIN, leaf_score, terminal_score
from reversi.core.context cimport Context, out_of_time, pv_set
from reversi.core.endgame cimport SCORE_MAX, solve_window
from reversi.core.order cimport (
    Move, MoveList, list_moves, pick, remember_cutoff, score_midgame,
)
from reversi.core.table cimport (
    NO_MOVE, data_depth, data_extra, data_move, data_value, pack, table_prefetch, table_probe,
    table_store,
)
from reversi.core.zobrist cimport key_after, swap_sides, zobrist_key

cdef enum:
    BOUND_LOWER = 1
    BOUND_UPPER = 2
    BOUND_EXACT = 3
    # The stored depth of a node all of whose leaves are exact: as good as any depth.
    DEPTH_EXACT = 255
    # At depth 1 a probe costs as much as it saves.
    TABLE_DEPTH = 2


cdef inline int diff_below(int score) noexcept nogil:
    # The largest disc difference whose terminal score is at most `score`; -65 where none is.
    cdef int diff
    if score >= 0:
        diff = (score - SCORE_WIN) // SCORE_DISC if score >= SCORE_WIN else 0
        return min(diff, SCORE_MAX)
    # Division rounds towards zero; the window needs the floor.
    diff = -((-score - SCORE_WIN + SCORE_DISC - 1) // SCORE_DISC) if -score > SCORE_WIN else -1
    return max(min(diff, -1), -SCORE_MAX - 1)


cdef inline int exact_score(Context *ctx, uint64_t own, uint64_t opp, int alpha,
                            int beta) noexcept nogil:
    # The endgame search in the window of discs that (alpha, beta) leaves open.
    cdef int low = diff_below(alpha), high = -diff_below(-beta)
    if low >= SCORE_MAX:
        return terminal_score(SCORE_MAX)
    if high <= -SCORE_MAX:
        return terminal_score(-SCORE_MAX)
    return terminal_score(solve_window(ctx, own, opp, max(low, -SCORE_MAX), min(high, SCORE_MAX)))


cdef inline int stored_depth(Context *ctx, int depth, int empties) noexcept nogil:
    return DEPTH_EXACT if empties - depth <= ctx.exact_empties else depth


cdef inline int search(Context *ctx, uint64_t own, uint64_t opp, int depth, int alpha, int beta,
                       int ply, uint64_t key) noexcept nogil:
    cdef int empties, score
    ctx.nodes += 1
    ctx.pv_length[ply] = 0
    if out_of_time(ctx):
        return alpha
    empties = popcount(~(own | opp))
    if empties <= ctx.exact_empties:
        score = exact_score(ctx, own, opp, alpha, beta)
    elif depth == 0:
        score = leaf_score(own, opp)
    else:
        score = search_inner(ctx, own, opp, depth, alpha, beta, ply, key, empties)
    if ply <= ctx.trace_ply and not ctx.stopped:
        ctx.trace(ctx, ply, empties, empties if empties <= ctx.exact_empties else depth, alpha,
                  beta, ctx.pv[ply][0] if ctx.pv_length[ply] else -1, score)
    return score


cdef inline int search_inner(Context *ctx, uint64_t own, uint64_t opp, int depth, int alpha,
                             int beta, int ply, uint64_t key, int empties) noexcept nogil:
    cdef uint64_t todo = moves(own, opp), data, child_own, child_opp, child_key = 0
    cdef int i, score, best = -SCORE_INFINITY, best_move = NO_MOVE, table_move = NO_MOVE
    cdef int bound, floor, goal = stored_depth(ctx, depth, empties)
    cdef bint hashed = ctx.table != NULL and depth >= TABLE_DEPTH
    cdef bint leaves = depth == 1 and empties - 1 > ctx.exact_empties
    cdef MoveList list
    cdef Move *move

    # 1. No move: the game is over, or a pass that costs no depth.
    if not todo:
        if not moves(opp, own):
            return terminal_score(final_score(own, opp, False))
        score = -search(ctx, opp, own, depth, -beta, -alpha, ply + 1, swap_sides(key))
        pv_set(ctx, ply, PASS)
        return score

    # 2. The table: its move goes first, its value counts at the same depth.
    if hashed and table_probe(ctx.table, key ^ ctx.midgame_salt, &data):
        ctx.hits += 1
        table_move = data_move(data)
        if data_depth(data) == goal:
            score = data_value(data)
            bound = data_extra(data)
            if (bound == BOUND_EXACT or (bound == BOUND_LOWER and score >= beta)
                    or (bound == BOUND_UPPER and score <= alpha)):
                if table_move != NO_MOVE:
                    ctx.pv[ply][0] = table_move
                    ctx.pv_length[ply] = 1
                return score

    # 3. The moves, best first.
    list_moves(&list, own, opp, todo)
    if ctx.ordering:
        score_midgame(ctx, &list, ply, table_move)
    for i in range(list.count):
        move = pick(&list)
        child_own = opp ^ move.flipped
        child_opp = own ^ move.flipped ^ bit(move.sq)
        floor = max(alpha, best)
        if leaves:
            ctx.nodes += 1
            ctx.pv_length[ply + 1] = 0
            score = -leaf_score(child_own, child_opp)
            if ply < ctx.trace_ply:
                ctx.trace(ctx, ply + 1, empties - 1, 0, -beta, -floor, -1, -score)
        else:
            child_key = key_after(key, move.flipped, move.sq)
            table_prefetch(ctx.table, child_key ^ ctx.midgame_salt)
            if i == 0:
                score = -search(ctx, child_own, child_opp, depth - 1, -beta, -floor, ply + 1,
                                child_key)
            else:
                score = -search(ctx, child_own, child_opp, depth - 1, -floor - 1, -floor, ply + 1,
                                child_key)
                if floor < score < beta and not ctx.stopped:
                    score = -search(ctx, child_own, child_opp, depth - 1, -beta, -floor, ply + 1,
                                    child_key)
        if ctx.stopped:
            return alpha
        if score > best:
            best = score
            best_move = move.sq
            if best > alpha:
                pv_set(ctx, ply, best_move)
            if best >= beta:
                remember_cutoff(ctx, ply, depth, best_move)
                break

    # 4. What is known now.
    if hashed:
        bound = BOUND_UPPER if best <= alpha else BOUND_LOWER if best >= beta else BOUND_EXACT
        ctx.stores += 1
        table_store(ctx.table, key ^ ctx.midgame_salt, pack(best, goal, best_move, bound))
    return best


cdef inline int search_root(Context *ctx, uint64_t own, uint64_t opp, const int *root_moves,
                            int count, int depth, int *best_index) noexcept nogil:
    # The root's moves in the caller's order; only a strictly better score replaces. Its line is
    # ctx.pv[0]. A stopped search returns nothing of use.
    cdef uint64_t key = zobrist_key(own, opp), flipped, child_own, child_opp, child_key
    cdef int i, score, empties, best = -SCORE_INFINITY
    ctx.nodes += 1
    for i in range(count):
        flipped = flips(own, opp, root_moves[i])
        child_own = opp ^ flipped
        child_opp = own ^ flipped ^ bit(root_moves[i])
        child_key = key_after(key, flipped, root_moves[i])
        if i == 0:
            score = -search(ctx, child_own, child_opp, depth - 1, -SCORE_INFINITY, SCORE_INFINITY,
                            1, child_key)
        else:
            score = -search(ctx, child_own, child_opp, depth - 1, -best - 1, -best, 1, child_key)
            if score > best and not ctx.stopped:
                score = -search(ctx, child_own, child_opp, depth - 1, -SCORE_INFINITY, -best, 1,
                                child_key)
        if ctx.stopped:
            break
        if score > best:
            best = score
            best_index[0] = i
            pv_set(ctx, 0, root_moves[i])
    if ctx.trace_ply >= 0 and not ctx.stopped:
        empties = popcount(~(own | opp))
        ctx.trace(ctx, 0, empties, empties if empties <= ctx.exact_empties else depth,
                  -SCORE_INFINITY, SCORE_INFINITY, root_moves[best_index[0]], best)
    return best
