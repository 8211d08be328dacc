# Everything that one search changes, one struct a thread: counters, limits, killers, history, the
# principal variation. Only the table behind it is shared, and the stop flag is set from outside.

from libc.stdint cimport int32_t, int64_t, uint64_t

from reversi.core.bits cimport unlikely
from reversi.core.network cimport Network
from reversi.core.probcut cimport Probcut
from reversi.core.table cimport Table, table_open

cdef extern from * nogil:
    """
    #ifdef _WIN32
    #define WIN32_LEAN_AND_MEAN
    #include <windows.h>
    static int64_t reversi_now_ns(void) {
        LARGE_INTEGER count, frequency;
        QueryPerformanceCounter(&count);
        QueryPerformanceFrequency(&frequency);
        return (int64_t) ((double) count.QuadPart * 1e9 / (double) frequency.QuadPart);
    }
    #else
    #include <time.h>
    static int64_t reversi_now_ns(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
    }
    #endif
    #ifdef _MSC_VER
    #define reversi_flag_get(p) (*(volatile int32_t *) (p))
    #define reversi_flag_set(p, x) (*(volatile int32_t *) (p) = (x))
    #else
    #define reversi_flag_get(p) __atomic_load_n((p), __ATOMIC_RELAXED)
    #define reversi_flag_set(p, x) __atomic_store_n((p), (x), __ATOMIC_RELAXED)
    #endif
    """
    int64_t now_ns "reversi_now_ns"() noexcept
    int32_t flag_get "reversi_flag_get"(int32_t *flag) noexcept
    void flag_set "reversi_flag_set"(int32_t *flag, int32_t value) noexcept

cdef enum:
    # The local table stays in the second-level cache. In a short solve the first touch of its pages
    # counts; a long one visits up to 4 % fewer nodes with the larger.
    LOCAL_EMPTIES_SHORT = 17
    LOCAL_BYTES_SHORT = 1 << 18
    LOCAL_BYTES_LONG = 1 << 20
    # Up to 60 moves, and a pass between any two of them; odd boards have up to 64 empties.
    MAX_PLY = 130
    # At 10 to 60 M nodes/s a poll comes every 20 to 100 us and costs a clock reading (20 ns).
    POLL_NODES = 1024

cdef struct Context:
    Table *table                # shared; NULL: search without a hash
    Table local                 # this thread's own, for the many small endgame nodes
    uint64_t nodes
    uint64_t next_poll          # node count at which the limits are looked at again
    uint64_t node_limit
    int64_t deadline_ns
    int64_t next_signal_ns
    bint (*signalled)() noexcept nogil      # NULL off the main thread
    int32_t stop_flag           # set by any thread
    bint stopped                # a limit, the flag or a signal ended this search
    uint64_t hits, stores
    uint64_t midgame_salt, endgame_salt
    int exact_empties
    const Network *weights      # the learned evaluation's; NULL: none
    const Probcut *probcut
    int selectivity
    bint ordering
    bint winner_gets_empties
    int32_t history[64]
    unsigned char killers[MAX_PLY][2]
    unsigned char pv[MAX_PLY][MAX_PLY]
    int pv_length[MAX_PLY]
    int trace_ply               # -1: no trace
    void (*trace)(Context *ctx, int ply, int empties, int depth, int alpha, int beta,
                  int best_move, int score) noexcept nogil
    void *trace_target

cdef enum:
    # How often a search asks for signals: soon enough for a person's Ctrl-C, rare enough that
    # waiting for the GIL of a busy program (5 ms) does not slow the search.
    SIGNAL_NS = 8000000


cdef inline void poll(Context *ctx) noexcept nogil:
    cdef int64_t now = now_ns()
    ctx.next_poll = min(ctx.nodes + POLL_NODES, ctx.node_limit)
    if ctx.nodes >= ctx.node_limit or flag_get(&ctx.stop_flag) or now >= ctx.deadline_ns:
        ctx.stopped = True
    elif ctx.signalled != NULL and now >= ctx.next_signal_ns:
        ctx.next_signal_ns = now + SIGNAL_NS
        if ctx.signalled():
            ctx.stopped = True


cdef inline bint open_local(Context *ctx, int empties) noexcept nogil:
    # Before the first search, which has this many empty squares.
    return ctx.local.memory != NULL or table_open(
        &ctx.local, LOCAL_BYTES_SHORT if empties <= LOCAL_EMPTIES_SHORT else LOCAL_BYTES_LONG)


cdef inline bint out_of_time(Context *ctx) noexcept nogil:
    if unlikely(ctx.nodes >= ctx.next_poll):
        poll(ctx)
    return ctx.stopped


cdef inline void pv_set(Context *ctx, int ply, int move) noexcept nogil:
    # The line from `ply` is this move and the line behind it.
    cdef int i
    ctx.pv[ply][0] = move
    for i in range(ctx.pv_length[ply + 1]):
        ctx.pv[ply][i + 1] = ctx.pv[ply + 1][i]
    ctx.pv_length[ply] = ctx.pv_length[ply + 1] + 1
