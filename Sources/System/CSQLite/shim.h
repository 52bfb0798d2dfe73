#ifndef PHONEPROOF_CSQLITE_SHIM_H
#define PHONEPROOF_CSQLITE_SHIM_H

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

// A variadic function, which Swift cannot call.
static inline int phoneproof_sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Where SQLite finds the open files of this process: the path of file 5 is this and 5.
#define PHONEPROOF_OPEN_FILES "/phoneproof-open-files/"

static inline int phoneproof_sqlite_open(const char *path, int flags, int mode) {
    char link[64];
    size_t prefix = sizeof PHONEPROOF_OPEN_FILES - 1;
    if (strncmp(path, PHONEPROOF_OPEN_FILES, prefix) != 0) return open(path, flags, mode);
    snprintf(link, sizeof link, "/proc/self/fd/%s", path + prefix);
    return open(link, flags & ~O_NOFOLLOW, mode);
}

// Has SQLite open such paths. A file without a name has none but a link in /proc, and SQLite follows links by their text, which
// leads nowhere (https://www.sqlite.org/c3ref/vfs.html, xSetSystemCall).
static inline int phoneproof_sqlite_find_open_files(void) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(0);
    return vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)phoneproof_sqlite_open);
}

#endif
