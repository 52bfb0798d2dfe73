#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Who else has a database file open.
enum DatabaseUsers {
    /// A process that has the database at this path open, by its number, 0 if that cannot be told; nil if there is none, or
    /// no file.
    ///
    /// Every connection in WAL mode keeps a shared lock on these bytes of the file from its first statement to its end,
    /// whether it does anything or not (https://www.sqlite.org/lockingv3.html; `SHARED_FIRST` and `SHARED_SIZE` in
    /// SQLite's os.h). A connection of another machine, on a network drive, may not show.
    ///
    /// Only to be called while this process itself has the file not open: closing a file gives up all of the process's
    /// locks on it (fcntl(2)), those of its own connections among them.
    static func process(usingDatabaseAt path: String) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0002
        lock.l_len = 510
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return max(0, lock.l_pid)
    }
}

extension SQLiteStore {
    /// A process that has the database at this path open, by its number, 0 if that cannot be told; nil if there is none.
    /// One on another machine may not show.
    ///
    /// Ask before this process opens the file, never while it has it open.
    public static func process(usingDatabaseAt path: String) -> Int32? {
        DatabaseUsers.process(usingDatabaseAt: path)
    }
}
