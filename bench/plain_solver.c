/* An exact solver to check the package's against: the rules on a board of cells with an edge around
 * it, and alpha-beta. It shares no code and no method with the core: no bits, no table, no stable
 * discs, no parity. plain_solver.py compiles and calls it. */

#include <string.h>

enum { EMPTY, FIRST, SECOND, EDGE };
enum { SIDE = 10, CELLS = SIDE * SIDE, INFINITE = 100 };

/* With fewer empty squares than this, sorting the moves costs more than it saves. */
enum { SORTED_FROM = 5 };

static const int STEPS[8] = {-SIDE - 1, -SIDE, -SIDE + 1, -1, 1, SIDE - 1, SIDE, SIDE + 1};

struct game {
    unsigned char cell[CELLS];
    int hole[64]; /* the squares that are empty at the root */
    int holes;
    int tournament; /* whether the winner gets the empty squares */
};

struct move {
    int at;
    int replies;
};

/* Collects the discs that `side` turns by a disc on the empty cell `at`; returns their number. */
static int turned_by(const struct game *game, int side, int at, int turned[])
{
    int other = FIRST + SECOND - side, count = 0;
    for (int way = 0; way < 8; way++) {
        int to = at + STEPS[way];
        while (game->cell[to] == other)
            to += STEPS[way];
        if (game->cell[to] != side)
            continue;
        for (to -= STEPS[way]; to != at; to -= STEPS[way])
            turned[count++] = to;
    }
    return count;
}

static int legal_moves(const struct game *game, int side, struct move moves[])
{
    int turned[64], count = 0;
    for (int i = 0; i < game->holes; i++) {
        int at = game->hole[i];
        if (game->cell[at] == EMPTY && turned_by(game, side, at, turned))
            moves[count++].at = at;
    }
    return count;
}

static int play(struct game *game, int side, int at, int turned[])
{
    int count = turned_by(game, side, at, turned);
    for (int i = 0; i < count; i++)
        game->cell[turned[i]] = side;
    game->cell[at] = side;
    return count;
}

static void take_back(struct game *game, int side, int at, const int turned[], int count)
{
    for (int i = 0; i < count; i++)
        game->cell[turned[i]] = FIRST + SECOND - side;
    game->cell[at] = EMPTY;
}

static int final_score(const struct game *game, int side)
{
    int discs[4] = {0, 0, 0, 0};
    for (int at = 0; at < CELLS; at++)
        discs[game->cell[at]]++;
    int diff = discs[side] - discs[FIRST + SECOND - side];
    if (!game->tournament || diff == 0)
        return diff;
    return diff > 0 ? diff + discs[EMPTY] : diff - discs[EMPTY];
}

/* The move that leaves the opponent the fewest replies first: it alone keeps the tree small. */
static void sort_moves(struct game *game, int side, struct move moves[], int count)
{
    struct move replies[64];
    int turned[64];
    for (int i = 0; i < count; i++) {
        struct move next = moves[i];
        int number = play(game, side, next.at, turned), to = i;
        next.replies = legal_moves(game, FIRST + SECOND - side, replies);
        take_back(game, side, next.at, turned, number);
        for (; to > 0 && moves[to - 1].replies > next.replies; to--)
            moves[to] = moves[to - 1];
        moves[to] = next;
    }
}

/* The value for `side` if it lies between alpha and beta, else a bound on the side where it lies. */
static int value(struct game *game, int side, int empties, int alpha, int beta, int passed)
{
    struct move moves[64];
    int turned[64], best = -INFINITE, other = FIRST + SECOND - side;
    int count = legal_moves(game, side, moves);
    if (count == 0) {
        if (passed)
            return final_score(game, side);
        return -value(game, other, empties, -beta, -alpha, 1);
    }
    if (empties >= SORTED_FROM)
        sort_moves(game, side, moves, count);
    for (int i = 0; i < count && best < beta; i++) {
        int number = play(game, side, moves[i].at, turned);
        int floor = best > alpha ? best : alpha;
        int found = -value(game, other, empties - 1, -beta, -floor, 0);
        take_back(game, side, moves[i].at, turned, number);
        if (found > best)
            best = found;
    }
    return best;
}

static void set_up(struct game *game, const unsigned char cells[64], int tournament)
{
    memset(game->cell, EDGE, sizeof game->cell);
    game->holes = 0;
    game->tournament = tournament;
    for (int sq = 0; sq < 64; sq++) {
        int at = (sq / 8 + 1) * SIDE + sq % 8 + 1;
        game->cell[at] = cells[sq];
        if (cells[sq] == EMPTY)
            game->hole[game->holes++] = at;
    }
}

/* The values of `count` boards of 64 cells each: 0 empty, 1 a disc of the side to move, 2 another.
 */
void plain_values(const unsigned char *cells, int count, int tournament, int *values)
{
    struct game game;
    for (int i = 0; i < count; i++) {
        set_up(&game, cells + 64 * i, tournament);
        values[i] = value(&game, FIRST, game.holes, -INFINITE, INFINITE, 0);
    }
}

/* The value of each legal move of one board, by its square; returns their number. */
int plain_move_values(const unsigned char cells[64], int tournament, int squares[64],
                      int values[64])
{
    struct game game;
    struct move moves[64];
    int turned[64];
    set_up(&game, cells, tournament);
    int count = legal_moves(&game, FIRST, moves);
    for (int i = 0; i < count; i++) {
        int at = moves[i].at, number = play(&game, FIRST, at, turned);
        squares[i] = (at / SIDE - 1) * 8 + at % SIDE - 1;
        values[i] = -value(&game, SECOND, game.holes - 1, -INFINITE, INFINITE, 0);
        take_back(&game, FIRST, at, turned, number);
    }
    return count;
}
