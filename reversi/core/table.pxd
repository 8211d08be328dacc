# The transposition table: fixed size, shared by all threads without locks, kept between searches.
#
# A bucket is one cache line of four entries. An entry is two words, the key xor the data and the
# data, so that an entry torn by two writers matches no key (Hyatt and Mann 2002). The data word:
#
#     bits  0-31   value: a score, or the endgame's bounds (lower, upper: a signed byte each)
#     bits 32-39   depth (replacement keeps deeper entries)
#     bits 40-47   best move (64: none)
#     bits 48-55   bound of a score, or the endgame's second-best move
#     bits 56-63   generation (replacement drops older searches first)
#
# Who stores says what the value means by salting the key: an entry is found only by its own kind.

from libc.stdint cimport int32_t, uint64_t

from reversi.core.bits cimport prefetch

cdef extern from * nogil:
    """
    #include <stdlib.h>
    #include <string.h>
    #if defined(__SSE2__) && defined(__GNUC__)
    #include <emmintrin.h>
    /* Past the caches, where the next search finds what it needs of other things. */
    static void reversi_zero(void *p, size_t size) {
        size_t i;
        for (i = 0; i < size / sizeof(__m128i); i++)
            _mm_stream_si128((__m128i *) p + i, _mm_setzero_si128());
        _mm_sfence();
    }
    #else
    #define reversi_zero(p, size) memset((p), 0, (size))
    #endif
    #ifdef __linux__
    #include <sys/mman.h>
    /* Pages that are zeroed as they are touched, so that a table costs what is used of it; in huge
       pages from 1 GB on, where the system gives them: 5 to 8 % faster once touched, but the first
       touch of one took up to 5 ms. The heap serves small tables again without a page fault. */
    static void *reversi_zeroed_pages(size_t size) {
        void *p;
        if (size < (size_t) 1 << 20)
            return calloc(size, 1);
        p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            return NULL;
        if (size >= (size_t) 1 << 30)
            madvise(p, size, MADV_HUGEPAGE);
        return p;
    }
    /* A large table's pages go back to the system, zeroed when they are touched again. */
    static void reversi_zero_pages(void *p, size_t size) {
        if (size < (size_t) 256 << 20 || madvise(p, size, MADV_DONTNEED) != 0)
            reversi_zero(p, size);
    }
    static void reversi_release_pages(void *p, size_t size) {
        if (size < (size_t) 1 << 20)
            free(p);
        else
            munmap(p, size);
    }
    #else
    #define reversi_zeroed_pages(size) calloc((size), 1)
    #define reversi_zero_pages(p, size) reversi_zero((p), (size))
    #define reversi_release_pages(p, size) free(p)
    #endif
    /* Writes what is there already, so that the system gives pages their memory: a MB at most.
       Returns the first byte behind it. A search that reads a page before it writes to it costs the
       system twice the work, and each such page interrupts all threads that run beside it. */
    static char *reversi_touch_pages(char *p, char *end) {
        if (end - p > 1 << 20)
            end = p + (1 << 20);
    #ifdef __GNUC__
        for (; p < end; p += 4096) __atomic_fetch_or(p, 0, __ATOMIC_RELAXED);
    #endif
        return end;
    }
    #ifdef _MSC_VER
    #define reversi_peek(p) (*(volatile const uint64_t *) (p))
    #define reversi_poke(p, x) (*(volatile uint64_t *) (p) = (x))
    #else
    #define reversi_peek(p) __atomic_load_n((p), __ATOMIC_RELAXED)
    #define reversi_poke(p, x) __atomic_store_n((p), (x), __ATOMIC_RELAXED)
    #endif
    """
    void *zeroed_pages "reversi_zeroed_pages"(size_t size_bytes) noexcept
    void zero_pages "reversi_zero_pages"(void *memory, size_t size_bytes) noexcept
    char *touch_pages "reversi_touch_pages"(char *memory, char *end) noexcept
    void release_pages "reversi_release_pages"(void *memory, size_t size_bytes) noexcept
    uint64_t peek "reversi_peek"(const uint64_t *word) noexcept
    void poke "reversi_poke"(uint64_t *word, uint64_t value) noexcept

cdef enum:
    ENTRIES_PER_BUCKET = 4
    BUCKET_BYTES = 64
    NO_MOVE = 64

cdef struct Entry:
    uint64_t check
    uint64_t data

cdef struct Bucket:
    Entry entries[ENTRIES_PER_BUCKET]

cdef struct Table:
    Bucket *buckets
    uint64_t bucket_count
    uint64_t generation
    uint64_t size_bytes
    void *memory


cdef inline int table_open(Table *table, uint64_t size_bytes) noexcept nogil:
    table.size_bytes = size_bytes
    table.bucket_count = size_bytes // BUCKET_BYTES - 1
    table.memory = zeroed_pages(size_bytes)
    table.buckets = <Bucket *>((<uint64_t>table.memory + 63) & ~<uint64_t>63)
    table.generation = 0
    return table.memory != NULL


cdef inline void table_close(Table *table) noexcept nogil:
    if table.memory != NULL:
        release_pages(table.memory, table.size_bytes)
        table.memory = NULL


cdef inline void table_clear(Table *table) noexcept nogil:
    zero_pages(table.memory, table.size_bytes)
    table.generation = 0


cdef inline void table_age(Table *table) noexcept nogil:
    poke(&table.generation, (peek(&table.generation) + 1) & 0xFF)


cdef inline Bucket *table_bucket(Table *table, uint64_t key) noexcept nogil:
    return &table.buckets[((key >> 32) * table.bucket_count) >> 32]


cdef inline void table_prefetch(Table *table, uint64_t key) noexcept nogil:
    if table != NULL:
        prefetch(table_bucket(table, key))


cdef inline bint table_probe(Table *table, uint64_t key, uint64_t *data) noexcept nogil:
    cdef Bucket *bucket = table_bucket(table, key)
    cdef uint64_t found
    cdef int i
    for i in range(ENTRIES_PER_BUCKET):
        found = peek(&bucket.entries[i].data)
        if peek(&bucket.entries[i].check) ^ found == key and found != 0:
            data[0] = found
            return True
    return False


cdef inline uint64_t pack(uint64_t value, int depth, int move, int extra) noexcept nogil:
    return ((value & 0xFFFFFFFFu) | <uint64_t>depth << 32 | <uint64_t>move << 40
            | <uint64_t>extra << 48)


cdef inline int32_t data_value(uint64_t data) noexcept nogil:
    return <int32_t>(data & 0xFFFFFFFFu)


cdef inline int data_depth(uint64_t data) noexcept nogil:
    return data >> 32 & 0xFF


cdef inline int data_move(uint64_t data) noexcept nogil:
    return data >> 40 & 0xFF


cdef inline int data_extra(uint64_t data) noexcept nogil:
    return data >> 48 & 0xFF


cdef inline void table_store(Table *table, uint64_t key, uint64_t data) noexcept nogil:
    # Replaces the same position, else the shallowest entry, those of older searches first.
    cdef Bucket *bucket = table_bucket(table, key)
    cdef uint64_t found, generation = peek(&table.generation)
    cdef int i, worth, victim = 0, least = 1 << 30
    data |= generation << 56
    for i in range(ENTRIES_PER_BUCKET):
        found = peek(&bucket.entries[i].data)
        if peek(&bucket.entries[i].check) ^ found == key:
            victim = i
            break
        worth = data_depth(found)
        if found == 0:
            worth = -1
        elif found >> 56 == generation:
            worth += 256
        if worth < least:
            least = worth
            victim = i
    poke(&bucket.entries[victim].check, key ^ data)
    poke(&bucket.entries[victim].data, data)


cdef inline double table_fill(const Table *table) noexcept nogil:
    # The share of used entries in a sample spread over the whole table.
    cdef uint64_t samples = min(table.bucket_count, <uint64_t>4096), i, used = 0
    cdef Bucket *bucket
    cdef int j
    for i in range(samples):
        bucket = &table.buckets[i * table.bucket_count // samples]
        for j in range(ENTRIES_PER_BUCKET):
            used += peek(&bucket.entries[j].data) != 0
    return <double>used / (samples * ENTRIES_PER_BUCKET)
