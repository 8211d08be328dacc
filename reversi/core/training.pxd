# What the evaluation learns from: games of the engine against itself, with openings and choices of
# chance, and the values of their positions. Every game and value depends on its arguments alone.

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t

from reversi.core.bits cimport bit, lowest, popcount, rest
from reversi.core.board cimport flips, moves
from reversi.core.classic cimport leaf_score
from reversi.core.context cimport Context
from reversi.core.endgame cimport SCORE_MAX, prove
from reversi.core.network cimport UNIT, VALUE_MAX
from reversi.core.pattern cimport Lanes, open_lanes
from reversi.core.strong cimport search
from reversi.core.table cimport Table
from reversi.core.zobrist cimport split_mix, zobrist_key

cdef enum:
    # The outcome of a game is the exact value from here on; it is played on as before.
    OUTCOME_EMPTIES = 12
    # A game begins with so many moves of chance: the fewer of two even draws. Where the learned
    # evaluation sees one side ahead by more discs after them they are drawn anew, so often.
    OPENING_LEAST = 2
    OPENINGS = 19
    BALANCED_DISCS = 8
    OPENINGS_DRAWN = 20
    NOISES = 4

cdef extern from * nogil:
    """
    /* How far the choices of a game stray by chance, in discs. */
    static const int reversi_noises[4] = {0, 1, 1, 2};
    """
    const int NOISE_DISCS "reversi_noises"[4]
    enum:
        CLASSIC_DISC "60"   # about a disc, in the points of the classic evaluation

cdef struct Row:
    uint64_t own, opp
    uint32_t game
    uint8_t discs
    int8_t outcome      # the final disc difference for `own`, the winner getting the empties
    uint16_t unused


cdef inline int exact(Context *ctx, Table *table, uint64_t own, uint64_t opp) noexcept nogil:
    ctx.table = table
    return prove(ctx, own, opp, -SCORE_MAX, SCORE_MAX).lower


cdef inline int value(Context *ctx, Table *table, uint64_t own, uint64_t opp, int depth,
                      int exact_empties) noexcept nogil:
    # In 1/128 disc.
    cdef Lanes lanes
    if popcount(~(own | opp)) <= exact_empties:
        return UNIT * exact(ctx, table, own, opp)
    # What an earlier position left in a table would show in the value.
    ctx.table = NULL
    open_lanes(&lanes, own, opp)
    return search(ctx, own, opp, &lanes, depth, -VALUE_MAX, VALUE_MAX, 0, zobrist_key(own, opp))


cdef inline uint64_t draw(uint64_t *state) noexcept nogil:
    state[0] += 1
    return split_mix(split_mix(state[0]))


cdef inline int noise(uint64_t *state, int deviation) noexcept nogil:
    # The sum of four even draws: close to a normal distribution, of variance 4 / 12 * span ** 2.
    cdef uint64_t bits = draw(state)
    cdef int sum = <int>((bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF)
                         + (bits >> 48)) - 2 * 0xFFFF
    return <int>(<long long>sum * deviation * 7 // (4 * 0xFFFF))


cdef inline int choose(Context *ctx, uint64_t own, uint64_t opp, uint64_t todo, int depth,
                       int deviation, uint64_t *state) noexcept nogil:
    cdef uint64_t flipped, child_own, child_opp
    cdef int sq, score, best = -1000000000, choice = -1
    while todo:
        sq = lowest(todo)
        todo = rest(todo)
        flipped = flips(own, opp, sq)
        child_own = opp ^ flipped
        child_opp = own ^ flipped ^ bit(sq)
        if ctx.weights == NULL:
            score = -leaf_score(child_own, child_opp) + noise(state, deviation * CLASSIC_DISC)
        else:
            score = -value(ctx, NULL, child_own, child_opp, depth - 1, 0) \
                + noise(state, deviation * UNIT)
        if score > best:
            best = score
            choice = sq
    return choice


cdef inline bint balanced(Context *ctx, uint64_t own, uint64_t opp, int depth) noexcept nogil:
    cdef int found
    if ctx.weights == NULL:
        return True
    found = value(ctx, NULL, own, opp, depth, 0)
    return -BALANCED_DISCS * UNIT <= found <= BALANCED_DISCS * UNIT


cdef inline int play_game(Context *ctx, Table *table, uint64_t seed, uint32_t game, int depth,
                          Row *rows) noexcept nogil:
    # The rows of one game; how many.
    cdef uint64_t own = bit(28) | bit(35), opp = bit(27) | bit(36), todo, flipped, before
    cdef uint64_t state = split_mix(seed ^ split_mix(game))
    cdef int opening = OPENING_LEAST + min(<int>(draw(&state) % OPENINGS),
                                           <int>(draw(&state) % OPENINGS))
    cdef int deviation = NOISE_DISCS[draw(&state) % NOISES]
    cdef int count = 0, sq, i, _skip, outcome = 0, side = 1, left = OPENINGS_DRAWN - 1
    cdef int sides[64]
    cdef bint known = False
    while True:
        todo = moves(own, opp)
        if not known and (popcount(~(own | opp)) <= OUTCOME_EMPTIES):
            outcome = side * exact(ctx, table, own, opp)
            known = True
        if todo and count == opening and left and not balanced(ctx, own, opp, depth):
            own = bit(28) | bit(35)
            opp = bit(27) | bit(36)
            count = 0
            side = 1
            left -= 1
            continue
        if todo:
            rows[count].own = own
            rows[count].opp = opp
            rows[count].game = game
            rows[count].discs = popcount(own | opp)
            rows[count].unused = 0
            sides[count] = side
            if count < opening:
                for _skip in range(<int>(draw(&state) % popcount(todo))):
                    todo = rest(todo)
                sq = lowest(todo)
            else:
                sq = choose(ctx, own, opp, todo, depth, deviation, &state)
            count += 1
            flipped = flips(own, opp, sq) | bit(sq)
        elif moves(opp, own):
            flipped = 0
        else:
            break
        before = own
        own = opp & ~flipped
        opp = before | flipped
        side = -side
    if not known:
        outcome = side * exact(ctx, table, own, opp)
    for i in range(count):
        rows[i].outcome = outcome * sides[i]
    return count
