# The strong middle-game search over the learned evaluation: principal-variation search with
# Multi-ProbCut (Buro 1997).
#
# Values are in 1/128 disc, the winner getting the empty squares; a search as deep as the board has
# empty squares ends in solved positions. Selectivity is a step of probcut.pxd, 0: no cut.

from libc.stdint cimport int16_t, uint64_t

from reversi.core.bits cimport PASS, bit, popcount
from reversi.core.board cimport CORNERS, final_score, flips, moves
from reversi.core.context cimport Context, out_of_time, pv_set
from reversi.core.endgame cimport SCORE_MAX, solve_window, stability_alpha, stability_bound
from reversi.core.network cimport UNIT, VALUE_MAX, evaluate
from reversi.core.order cimport (
    ORDER_TABLE, SQUARE_ORDER, Move, MoveList, list_moves, pick, set_score,
)
from reversi.core.pattern cimport Lanes, open_lanes, play_lanes, swap_lanes
from reversi.core.probcut cimport margin, shallow_depth
from reversi.core.table cimport (
    NO_MOVE, data_depth, data_extra, data_move, data_value, pack, table_prefetch, table_probe,
    table_store,
)
from reversi.core.zobrist cimport key_after, swap_sides, zobrist_key

cdef enum:
    # Below this depth a probe costs as much as it saves.
    HASHED_DEPTH = 2
    PROBCUT_DEPTH = 3
    CHILD_CUTOFF_DEPTH = 4
    # From here down a search to the end is the endgame's.
    SOLVED_EMPTIES = 10
    # Children are worth an evaluation each, to be ordered, from this depth on; their replies alone
    # from that one on.
    EVALUATED_DEPTH = 3
    ORDERED_DEPTH = 2
    ORDER_REPLY = 24
    VALUE_NONE = -VALUE_MAX - 1
    # What the move is worth at a leaf beside its evaluation. The side that moved there last chose
    # among values that err, so odd depths came out 0.2 to 0.4 discs above even ones (hard positions
    # of 30, 25 and 20 empty squares, 12 to 15 plies at 87 %).
    TEMPO = UNIT * 3 // 16

cdef struct Known:
    int lower, upper, move
    bint deeper                 # than asked for


cdef inline int floor_discs(int value) noexcept nogil:
    return value // UNIT if value >= 0 else -((UNIT - 1 - value) // UNIT)


cdef inline int solved(Context *ctx, uint64_t own, uint64_t opp, int alpha,
                       int beta) noexcept nogil:
    # The endgame search in the window of discs that (alpha, beta) leaves open.
    cdef int low = floor_discs(alpha), high = -floor_discs(-beta)
    if low >= SCORE_MAX:
        return VALUE_MAX
    if high <= -SCORE_MAX:
        return -VALUE_MAX
    return UNIT * solve_window(ctx, own, opp, max(low, -SCORE_MAX), min(high, SCORE_MAX))


cdef inline int static_value(Context *ctx, uint64_t own, uint64_t opp, const Lanes *lanes,
                             uint64_t own_moves) noexcept nogil:
    # The evaluation, after a pass where there is no move, or the result where the game is over.
    cdef uint64_t opp_moves = moves(opp, own)
    cdef Lanes swapped
    if own_moves:
        return min(VALUE_MAX,
                   TEMPO + evaluate(ctx.weights, lanes, own, opp, own_moves, opp_moves))
    if not opp_moves:
        return UNIT * final_score(own, opp, True)
    swap_lanes(&swapped, lanes)
    return -min(VALUE_MAX,
                TEMPO + evaluate(ctx.weights, &swapped, opp, own, opp_moves, 0))


cdef inline int leaf(Context *ctx, uint64_t own, uint64_t opp, const Lanes *lanes) noexcept nogil:
    ctx.nodes += 1
    return static_value(ctx, own, opp, lanes, moves(own, opp))


cdef inline Known look_up(Context *ctx, uint64_t key, int depth) noexcept nogil:
    # The bounds count where they are of this depth or more, and no less sure.
    cdef Known known
    cdef uint64_t data
    known.lower, known.upper, known.move, known.deeper = -VALUE_MAX, VALUE_MAX, NO_MOVE, False
    if ctx.table != NULL and table_probe(ctx.table, key ^ ctx.midgame_salt, &data):
        ctx.hits += 1
        known.move = data_move(data)
        if data_depth(data) >= depth and data_extra(data) <= ctx.selectivity:
            known.deeper = data_depth(data) > depth
            known.lower = <int16_t>(data_value(data) & 0xFFFF)
            known.upper = <int16_t>(data_value(data) >> 16 & 0xFFFF)
    return known


cdef inline void remember(Context *ctx, uint64_t key, int depth, int alpha, int beta, int value,
                          int move, Known *old) noexcept nogil:
    cdef int lower = value if value > alpha else -VALUE_MAX
    cdef int upper = value if value < beta else VALUE_MAX
    # A shallow search for a cut leaves what a deeper one found in its place.
    if ctx.table == NULL or old.deeper:
        return
    # Selective searches may contradict each other: then the last one counts.
    if max(lower, old.lower) <= min(upper, old.upper):
        lower, upper = max(lower, old.lower), min(upper, old.upper)
    ctx.stores += 1
    table_store(ctx.table, key ^ ctx.midgame_salt,
                pack(<uint64_t>(lower & 0xFFFF) | <uint64_t>(upper & 0xFFFF) << 16, depth, move,
                     ctx.selectivity))


cdef inline void list_strong(Context *ctx, MoveList *list, uint64_t own, uint64_t opp,
                             const Lanes *lanes, uint64_t todo, int table_move,
                             bint evaluated) noexcept nogil:
    # By the evaluation after the move where that is worth its time, and by the replies it leaves.
    cdef uint64_t child_own, child_opp
    cdef Lanes child
    cdef Move *move
    cdef int i, value
    list_moves(list, own, opp, todo)
    for i in range(list.count):
        move = &list.moves[i]
        child_own = opp ^ move.flipped
        child_opp = own ^ move.flipped ^ bit(move.sq)
        move.answers = moves(child_own, child_opp)
        value = -ORDER_REPLY * (popcount(move.answers) + popcount(move.answers & CORNERS))
        if evaluated:
            play_lanes(&child, lanes, move.flipped, move.sq)
            value -= static_value(ctx, child_own, child_opp, &child, move.answers)
        else:
            value += SQUARE_ORDER[move.sq]
        if child_own == 0:
            value += ORDER_TABLE * 2
        if move.sq == table_move:
            value += ORDER_TABLE
        set_score(list, i, value)


cdef inline int search(Context *ctx, uint64_t own, uint64_t opp, const Lanes *lanes, int depth,
                       int alpha, int beta, int ply, uint64_t key) noexcept nogil:
    cdef uint64_t todo, child_own, child_opp, child_key = 0
    cdef int empties, i, value, best = VALUE_NONE, best_move = NO_MOVE, floor
    cdef Known known, child_known
    cdef Lanes child
    cdef MoveList list
    cdef Move *move

    ctx.pv_length[ply] = 0
    if depth == 0:
        return leaf(ctx, own, opp, lanes)
    empties = popcount(~(own | opp))
    if depth >= empties:
        depth = empties
        if empties <= SOLVED_EMPTIES:
            return solved(ctx, own, opp, alpha, beta)
    ctx.nodes += 1
    if out_of_time(ctx):
        return alpha

    # 1. No move: the game is over, or a pass that costs no depth.
    todo = moves(own, opp)
    if not todo:
        if not moves(opp, own):
            return UNIT * final_score(own, opp, True)
        swap_lanes(&child, lanes)
        value = -search(ctx, opp, own, &child, depth, -beta, -alpha, ply + 1, swap_sides(key))
        pv_set(ctx, ply, PASS)
        return value

    # 2. The table, and discs that cannot be lost.
    if depth == empties and alpha >= UNIT * stability_alpha(empties):
        value = UNIT * stability_bound(own, opp)
        if value <= alpha:
            return value
    if depth >= HASHED_DEPTH:
        known = look_up(ctx, key, depth)
        if known.lower >= beta or known.lower == known.upper:
            value = known.lower
        elif known.upper <= alpha:
            value = known.upper
        else:
            value = VALUE_NONE
        if value != VALUE_NONE:
            if known.move != NO_MOVE and todo & bit(known.move):
                ctx.pv[ply][0] = known.move
                ctx.pv_length[ply] = 1
            return value
    else:
        known.lower, known.upper, known.move, known.deeper = -VALUE_MAX, VALUE_MAX, NO_MOVE, False

    # 3. Multi-ProbCut: a shallow search far enough outside the window.
    if ctx.selectivity and depth >= PROBCUT_DEPTH and beta - alpha == 1:
        if probable(ctx, own, opp, lanes, todo, depth, alpha, empties, ply, key, &value):
            return value

    # 4. The moves, best first.
    if depth >= ORDERED_DEPTH:
        list_strong(ctx, &list, own, opp, lanes, todo, known.move, depth >= EVALUATED_DEPTH)
        if depth >= CHILD_CUTOFF_DEPTH and ctx.table != NULL and beta - alpha == 1:
            for i in range(list.count):
                child_key = key_after(key, list.moves[i].flipped, list.moves[i].sq)
                child_known = look_up(ctx, child_key, depth - 1)
                if -child_known.upper >= beta:
                    return -child_known.upper
    else:
        list_moves(&list, own, opp, todo)
        for i in range(list.count):
            set_score(&list, i, SQUARE_ORDER[list.moves[i].sq])
    for i in range(list.count):
        move = pick(&list)
        child_own = opp ^ move.flipped
        child_opp = own ^ move.flipped ^ bit(move.sq)
        floor = max(alpha, best)
        play_lanes(&child, lanes, move.flipped, move.sq)
        if depth == 1:
            ctx.pv_length[ply + 1] = 0
            value = -leaf(ctx, child_own, child_opp, &child)
        else:
            child_key = key_after(key, move.flipped, move.sq)
            table_prefetch(ctx.table, child_key ^ ctx.midgame_salt)
            if i == 0:
                value = -search(ctx, child_own, child_opp, &child, depth - 1, -beta, -floor,
                                ply + 1, child_key)
            else:
                value = -search(ctx, child_own, child_opp, &child, depth - 1, -floor - 1, -floor,
                                ply + 1, child_key)
                if floor < value < beta and not ctx.stopped:
                    value = -search(ctx, child_own, child_opp, &child, depth - 1, -beta, -floor,
                                    ply + 1, child_key)
        if ctx.stopped:
            return alpha
        if value > best:
            best = value
            best_move = move.sq
            if best > alpha:
                pv_set(ctx, ply, best_move)
            if best >= beta:
                break

    # 5. What is known now.
    if depth >= HASHED_DEPTH:
        remember(ctx, key, depth, alpha, beta, best, best_move, &known)
    return best


cdef inline bint probable(Context *ctx, uint64_t own, uint64_t opp, const Lanes *lanes,
                          uint64_t todo, int depth, int alpha, int empties, int ply, uint64_t key,
                          int *value) noexcept nogil:
    # Whether a shallow search says that the value lies above alpha, or not above it, by more than
    # it mostly errs. It is tried where the evaluation alone points that way.
    cdef int shallow = shallow_depth(depth), bound
    cdef int reach = margin(ctx.probcut, ctx.selectivity, empties, depth)
    cdef int doubt = margin(ctx.probcut, ctx.selectivity, empties, shallow)
    cdef int guess = static_value(ctx, own, opp, lanes, todo)
    bound = alpha + 1 + reach
    if guess + doubt // 2 >= bound and bound < VALUE_MAX:
        if search(ctx, own, opp, lanes, shallow, bound - 1, bound, ply, key) >= bound:
            value[0] = alpha + 1
            return not ctx.stopped
    bound = alpha - reach
    if guess - doubt // 2 <= bound and bound > -VALUE_MAX and not ctx.stopped:
        if search(ctx, own, opp, lanes, shallow, bound, bound + 1, ply, key) <= bound:
            value[0] = alpha
            return not ctx.stopped
    return False


cdef struct Root:
    Lanes lanes
    uint64_t own, opp, key


cdef inline void open_root(Root *root, uint64_t own, uint64_t opp) noexcept nogil:
    root.own, root.opp = own, opp
    root.key = zobrist_key(own, opp)
    open_lanes(&root.lanes, own, opp)


cdef inline int search_root_move(Context *ctx, const Root *root, int sq, int depth, int alpha,
                                 int beta) noexcept nogil:
    # The value of one move within the window; its line is ctx.pv[0].
    cdef uint64_t flipped = flips(root.own, root.opp, sq)
    cdef Lanes child
    cdef int value
    play_lanes(&child, &root.lanes, flipped, sq)
    value = -search(ctx, root.opp ^ flipped, root.own ^ flipped ^ bit(sq), &child, depth - 1, -beta,
                    -alpha, 1, key_after(root.key, flipped, sq))
    if not ctx.stopped:
        pv_set(ctx, 0, sq)
    return value
