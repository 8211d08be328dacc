# Move ordering: lists of moves with the discs they turn and a score; the best is picked as needed.
# Owns the two ways of scoring, the middle game's and the endgame's. Never changes a value.

from libc.stdint cimport int32_t, uint64_t

from reversi.core.bits cimport bit, lowest, popcount, rest
from reversi.core.board cimport CORNERS, flips, moves, neighbours
from reversi.core.context cimport Context
from reversi.core.last cimport AROUND, quadrant

cdef extern from * nogil:
    """
    /* The classic evaluation's square weights, a1 to h8, for ordering alone. */
    static const signed char reversi_square_order[64] = {
        120, -40,  20,   5,   5,  20, -40, 120,
        -40, -80,  -5,  -5,  -5,  -5, -80, -40,
         20,  -5,  15,   3,   3,  15,  -5,  20,
          5,  -5,   3,   3,   3,   3,  -5,   5,
          5,  -5,   3,   3,   3,   3,  -5,   5,
         20,  -5,  15,   3,   3,  15,  -5,  20,
        -40, -80,  -5,  -5,  -5,  -5, -80, -40,
        120, -40,  20,   5,   5,  20, -40, 120
    };
    """
    const signed char SQUARE_ORDER "reversi_square_order"[64]

cdef enum:
    ORDER_TABLE = 200000
    ORDER_KILLER = 80000
    ORDER_SECOND_KILLER = 40000
    ORDER_CORNER = 10000
    ORDER_SQUARE = 20
    ORDER_FLIP = 35
    HISTORY_MAX = 1 << 28       # no sum of scores overflows

cdef struct Move:
    uint64_t flipped
    int32_t score
    int32_t sq

cdef struct MoveList:
    int count
    Move moves[64]


cdef inline void list_moves(MoveList *out, uint64_t own, uint64_t opp,
                            uint64_t todo) noexcept nogil:
    # In the order of the squares, all scores 0.
    cdef int sq, n = 0
    while todo:
        sq = lowest(todo)
        todo = rest(todo)
        out.moves[n].sq = sq
        out.moves[n].flipped = flips(own, opp, sq)
        out.moves[n].score = 0
        n += 1
    out.count = n


cdef inline Move *pick(MoveList *list, int i) noexcept nogil:
    # Brings the best of moves i.. to place i, keeping equal ones in order of arrival.
    cdef int j, best = i
    cdef Move chosen
    for j in range(i + 1, list.count):
        if list.moves[j].score > list.moves[best].score:
            best = j
    if best != i:
        chosen = list.moves[best]
        j = best
        while j > i:
            list.moves[j] = list.moves[j - 1]
            j -= 1
        list.moves[i] = chosen
    return &list.moves[i]


cdef inline void score_midgame(Context *ctx, MoveList *list, int ply,
                               int table_move) noexcept nogil:
    cdef int i, sq, score
    for i in range(list.count):
        sq = list.moves[i].sq
        score = (ctx.history[sq] + ORDER_SQUARE * SQUARE_ORDER[sq]
                 + ORDER_FLIP * popcount(list.moves[i].flipped))
        if bit(sq) & CORNERS:
            score += ORDER_CORNER
        if sq == ctx.killers[ply][0]:
            score += ORDER_KILLER
        elif sq == ctx.killers[ply][1]:
            score += ORDER_SECOND_KILLER
        if sq == table_move:
            score += ORDER_TABLE
        list.moves[i].score = score


cdef inline void remember_cutoff(Context *ctx, int ply, int depth, int sq) noexcept nogil:
    cdef int i
    if ctx.killers[ply][0] != sq:
        ctx.killers[ply][1] = ctx.killers[ply][0]
        ctx.killers[ply][0] = sq
    ctx.history[sq] += depth * depth
    if ctx.history[sq] > HISTORY_MAX:
        for i in range(64):
            ctx.history[i] //= 2


cdef inline void score_endgame(MoveList *list, uint64_t own, uint64_t opp, unsigned int parity,
                               int first, int second) noexcept nogil:
    # Fastest first: the fewer answers the opponent has, the smaller the tree. A corner answer
    # counts twice; a corner, a square of an odd region and few open discs break near ties.
    cdef uint64_t child_own, child_opp, answers, empty = ~(own | opp)
    cdef Move *move
    cdef int i, score
    for i in range(list.count):
        move = &list.moves[i]
        child_own = opp ^ move.flipped
        child_opp = own ^ move.flipped ^ bit(move.sq)
        if child_own == 0:
            move.score = ORDER_TABLE * 2
            continue
        answers = moves(child_own, child_opp)
        score = -(popcount(answers) + popcount(answers & CORNERS)) * 64
        score -= popcount(neighbours(child_opp) & empty) * 8
        score += SQUARE_ORDER[move.sq] // 4
        if parity & quadrant(move.sq):
            score += 32
        if move.sq == first:
            score += ORDER_TABLE
        elif move.sq == second:
            score += ORDER_TABLE // 2
        move.score = score
