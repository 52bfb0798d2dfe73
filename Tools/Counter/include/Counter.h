/// What a program asks callgrind, under which it runs, for; nothing happens without it.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name)
#endif

/// Counts from here on.
static inline void counter_start(void) { CALLGRIND_START_INSTRUMENTATION; }

/// Forgets what was counted.
static inline void counter_reset(void) { CALLGRIND_ZERO_STATS; }

/// Writes what was counted into a file that has this name.
static inline void counter_write(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
