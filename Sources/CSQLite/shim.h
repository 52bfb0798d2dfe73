#ifndef PHONEPROOF_CSQLITE_SHIM_H
#define PHONEPROOF_CSQLITE_SHIM_H

#include <sqlite3.h>

// A variadic function, which Swift cannot call.
static inline int phoneproof_sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
