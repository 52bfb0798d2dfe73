// A disk that remembers what was flushed, and fails on demand. Preloaded into a program (LD_PRELOAD), it appends each
// change below the folder DISK_ROOT to the trace DISK_TRACE: disk.py makes of it what a power cut may leave. A page shared
// with the test (DISK_CONTROL) counts the operations and says which of them fails, and how.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
    uint64_t operations;  // those that count
    uint64_t fails_at;    // the number of the operation, from 1; 0: none
    uint32_t error;     // an errno; 0: a short write
    uint32_t for_good;  // whether those after it fail as well
    uint32_t kind;      // the kind that counts; 0: all do
};
struct record {
    uint8_t kind;  // C create, L link, W write, T truncate, S sync, X sync of a folder, F failed sync, R rename, U unlink, M mkdir, D rmdir
    uint64_t file, offset;
    uint32_t path, data;  // lengths of what follows
} __attribute__((packed));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int trace = -1;
static struct control *control;
static char is_tracked[65536];

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void start(void) {
    const char *folder = getenv("DISK_ROOT"), *file = getenv("DISK_TRACE"), *page = getenv("DISK_CONTROL");
    if (!folder || !realpath(folder, root)) return;
    root_length = strlen(root);
    if (file) trace = REAL(open)(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int shared = page ? REAL(open)(page, O_RDWR | O_CLOEXEC) : -1;
    if (shared < 0) return;
    void *found = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (found != MAP_FAILED) control = found;
    REAL(close)(shared);
}

// The absolute path without links in its folder; whether it is below the root. SQLite's shared memory is no file that
// anybody relies on after a cut.
static int below(int folder, const char *path, char *out) {
    char whole[PATH_MAX * 2], directory[PATH_MAX];
    if (!root_length || !path) return 0;
    if (path[0] == '/') snprintf(whole, sizeof whole, "%s", path);
    else if (folder == AT_FDCWD) {
        if (!getcwd(directory, sizeof directory)) return 0;
        snprintf(whole, sizeof whole, "%s/%s", directory, path);
    } else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t count = readlink(link, directory, sizeof directory - 1);
        if (count < 0) return 0;
        directory[count] = 0;
        snprintf(whole, sizeof whole, "%s/%s", directory, path);
    }
    char *name = strrchr(whole, '/');
    if (!name) return 0;
    *name = 0;
    if (!realpath(name == whole ? "/" : whole, directory)) return 0;
    int length = snprintf(out, PATH_MAX, "%s/%s", directory, name + 1);
    if (length >= PATH_MAX || strncmp(out, root, root_length) || (out[root_length] && out[root_length] != '/')) return 0;
    return length < 4 || strcmp(out + length - 4, "-shm");
}

static uint64_t identity(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) ? 0 : status.st_ino;
}

static void append(char kind, uint64_t file, uint64_t offset, const char *path, const void *data, size_t length) {
    struct record head = {kind, file, offset, path ? strlen(path) : 0, data ? length : 0};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)path, head.path}, {(void *)data, head.data}};
    if (trace >= 0 && REAL(writev)(trace, parts, 3) != (ssize_t)(sizeof head + head.path + head.data)) abort();
}

// Whether the operation that comes now fails; errno is set. Call with the lock.
static int fails(char kind, int *is_short) {
    if (is_short) *is_short = 0;
    if (!control || (control->kind && control->kind != (uint32_t)kind)) return 0;
    uint64_t number = ++control->operations;
    if (!control->fails_at || (control->for_good ? number < control->fails_at : number != control->fails_at)) return 0;
    if (!control->error) {
        if (is_short) *is_short = 1;
        return 0;
    }
    errno = control->error;
    return 1;
}

// One change at a time, of all programs that share the trace: their order is that of the disk.
static void enter(void) {
    pthread_mutex_lock(&lock);
    if (trace >= 0) flock(trace, LOCK_EX);
}

static void leave(void) {
    int error = errno;
    if (trace >= 0) flock(trace, LOCK_UN);
    pthread_mutex_unlock(&lock);
    errno = error;
}

static int tracks(int descriptor) { return descriptor >= 0 && descriptor < 65536 && is_tracked[descriptor]; }

static int opened(int folder, const char *path, int flags, mode_t mode) {
    char whole[PATH_MAX];
    if (!below(folder, path, whole)) {
        // By a link, such as those in /proc of files without a name, it may be below the root nevertheless.
        int descriptor = REAL(openat)(folder, path, flags, mode);
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t count = descriptor < 0 || !root_length ? -1 : readlink(link, whole, sizeof whole - 1);
        if (descriptor >= 0 && descriptor < 65536)
            is_tracked[descriptor] = count > (ssize_t)root_length && !strncmp(whole, root, root_length) &&
                                     whole[root_length] == '/' && !memmem(whole, count, "-shm", 4);
        return descriptor;
    }
    enter();
    struct stat status;
    int is_unnamed = (flags & O_TMPFILE) == O_TMPFILE, is_new = is_unnamed || ((flags & O_CREAT) && lstat(whole, &status));
    int descriptor = is_new && fails('C', NULL) ? -1 : REAL(openat)(folder, path, flags, mode);
    if (descriptor >= 0 && descriptor < 65536) {
        is_tracked[descriptor] = 1;
        if (is_new) append('C', identity(descriptor), 0, is_unnamed ? NULL : whole + root_length, NULL, 0);
        else if (flags & O_TRUNC) append('T', identity(descriptor), 0, NULL, NULL, 0);
    }
    leave();
    return descriptor;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }
int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags, mode); }
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode); }

int close(int descriptor) {
    if (descriptor >= 0 && descriptor < 65536) is_tracked[descriptor] = 0;
    return REAL(close)(descriptor);
}

// `offset` is -1 where the file's own position counts.
static ssize_t written(int descriptor, const void *data, size_t length, off_t offset) {
    int is_short, is_positioned = offset >= 0;
    enter();
    ssize_t count = -1;
    if (!fails('W', &is_short)) {
        if (!is_positioned)
            offset = fcntl(descriptor, F_GETFL) & O_APPEND ? lseek(descriptor, 0, SEEK_END) : lseek(descriptor, 0, SEEK_CUR);
        if (is_short && length > 1) length /= 2;
        count = is_positioned ? REAL(pwrite)(descriptor, data, length, offset) : REAL(write)(descriptor, data, length);
        if (count > 0) append('W', identity(descriptor), offset, NULL, data, count);
    }
    leave();
    return count;
}

ssize_t write(int descriptor, const void *data, size_t length) {
    return tracks(descriptor) ? written(descriptor, data, length, -1) : REAL(write)(descriptor, data, length);
}
ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset) {
    return tracks(descriptor) ? written(descriptor, data, length, offset) : REAL(pwrite)(descriptor, data, length, offset);
}
ssize_t pwrite64(int descriptor, const void *data, size_t length, off64_t offset) {
    return pwrite(descriptor, data, length, offset);
}
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (!tracks(descriptor)) return REAL(writev)(descriptor, parts, count);
    ssize_t sum = 0;
    for (int i = 0; i < count; i++) {
        ssize_t done = written(descriptor, parts[i].iov_base, parts[i].iov_len, -1);
        if (done < 0) return sum ? sum : -1;
        sum += done;
        if ((size_t)done < parts[i].iov_len) break;
    }
    return sum;
}

// What changes no content: the call, and its record if it succeeds. To the test that lets one fail it is of kind N.
#define CHANGE(condition, call, record) \
    if (!(condition)) return call; \
    enter(); \
    int result = fails('N', NULL) ? -1 : call; \
    if (result == 0) record; \
    leave(); \
    return result;

int ftruncate(int descriptor, off_t size) {
    CHANGE(tracks(descriptor), REAL(ftruncate)(descriptor, size), append('T', identity(descriptor), size, NULL, NULL, 0))
}
int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

static int flushed(int descriptor, int (*flush)(int)) {
    if (!tracks(descriptor)) return flush(descriptor);
    enter();
    int result = fails('S', NULL) ? -1 : flush(descriptor), error = errno;
    struct stat status;
    char link[64], path[PATH_MAX] = "";
    if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        if (readlink(link, path, sizeof path - 1) >= (ssize_t)root_length && result == 0)
            append('X', 0, 0, path + root_length, NULL, 0);
    } else {
        // What a flush left out cannot be had by another one: the kernel has given those pages up.
        append(result == 0 ? 'S' : 'F', identity(descriptor), 0, NULL, NULL, 0);
    }
    errno = error;
    leave();
    return result;
}
int fsync(int descriptor) { return flushed(descriptor, REAL(fsync)); }
int fdatasync(int descriptor) { return flushed(descriptor, REAL(fdatasync)); }

static int renamed(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    char source[PATH_MAX], target[PATH_MAX];
    int (*call)(int, const char *, int, const char *, unsigned) = real("renameat2");
    CHANGE(below(from_folder, from, source) && below(to_folder, to, target), call(from_folder, from, to_folder, to, flags),
           append('R', 0, 0, source + root_length, target + root_length, strlen(target) - root_length))
}
int rename(const char *from, const char *to) { return renamed(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int a, const char *from, int b, const char *to) { return renamed(a, from, b, to, 0); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) { return renamed(a, from, b, to, flags); }

int unlinkat(int folder, const char *path, int flags) {
    char whole[PATH_MAX];
    CHANGE(below(folder, path, whole), REAL(unlinkat)(folder, path, flags),
           append(flags & AT_REMOVEDIR ? 'D' : 'U', 0, 0, whole + root_length, NULL, 0))
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int mkdirat(int folder, const char *path, mode_t mode) {
    char whole[PATH_MAX];
    CHANGE(below(folder, path, whole), REAL(mkdirat)(folder, path, mode), append('M', 0, 0, whole + root_length, NULL, 0))
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    char whole[PATH_MAX];
    struct stat status;
    CHANGE(below(to_folder, to, whole), REAL(linkat)(from_folder, from, to_folder, to, flags),
           append('L', lstat(whole, &status) ? 0 : status.st_ino, 0, whole + root_length, NULL, 0))
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }
