# Which x86-64 level this processor has: asked before a build of the core is chosen.

cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GNUC__) && !defined(__APPLE__)
    #include <cpuid.h>
    /* What level 3 has and __builtin_cpu_supports does not know everywhere: LZCNT above all, which
       an older processor runs as another instruction. */
    static int reversi_has_lzcnt_movbe_f16c(void) {
        unsigned int a, b, c, d;
        if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(c & bit_LZCNT))
            return 0;
        return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_MOVBE) && (c & bit_F16C);
    }
    static int reversi_cpu_level(void) {
        __builtin_cpu_init();
        #define HAS(feature) __builtin_cpu_supports(feature)
        if (!(HAS("popcnt") && HAS("sse3") && HAS("ssse3") && HAS("sse4.1") && HAS("sse4.2")))
            return 1;
        if (!(HAS("avx2") && HAS("bmi") && HAS("bmi2") && HAS("fma")
              && reversi_has_lzcnt_movbe_f16c()))
            return 2;
        if (!(HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq")
              && HAS("avx512vl")))
            return 3;
        return 4;
    }
    #else
    static int reversi_cpu_level(void) { return 0; }
    #endif
    """
    int reversi_cpu_level()


def x86_64_level() -> int:
    """The highest x86-64 level (1 to 4) that this processor and system support; 0 elsewhere."""
    return reversi_cpu_level()
