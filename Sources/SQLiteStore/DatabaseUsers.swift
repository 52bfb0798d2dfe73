#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Who else has a database file open, or its folder locked.
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

    /// The process that has locked this open folder by flock(2), by its number; nil if that cannot be found out: not outside
    /// Linux, nor of a process in another container.
    static func process(locking folder: Int32) -> Int32? {
        var status = stat()
        guard fstat(folder, &status) == 0 else { return nil }
        // The kernel writes the list piece by piece: a lock that is taken or released meanwhile can hide another.
        for _ in 1...5 {
            if let process = processInLockList(locking: status) { return process }
        }
        return nil
    }

    private static func processInLockList(locking status: stat) -> Int32? {
        guard let locks = fopen("/proc/locks", "re") else { return nil }
        defer { fclose(locks) }
        // How glibc packs a device's two numbers (makedev(3)).
        let device = UInt64(status.st_dev)
        let major = device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000
        let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
        var buffer = [CChar](repeating: 0, count: 256)
        while fgets(&buffer, Int32(buffer.count), locks) != nil {
            let line = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            // `1: FLOCK  ADVISORY  WRITE 2533 fe:00:16220246 0 EOF` (proc_locks(5)); `->` stands before FLOCK for who waits.
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", let process = Int32(fields[4]), process > 0 else { continue }
            let file = fields[5].split(separator: ":")
            guard file.count == 3, UInt64(file[0], radix: 16) == major, UInt64(file[1], radix: 16) == minor,
                UInt64(file[2]) == UInt64(status.st_ino)
            else { continue }
            return process
        }
        return nil
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

    /// The file that is meant by a path at whose end there may be a symbolic link. The companions of the database, and whatever
    /// else belongs beside it, are beside that file.
    public static func file(at path: String) -> String {
        DatabaseFolder.resolvingLinks(path)
    }
}
