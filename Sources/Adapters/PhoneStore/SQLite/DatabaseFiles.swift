import CSQLite
import Glibc

/// The file of an open database and its two companions, and whether they are still where they were when it was opened.
///
/// SQLite goes on reading and writing files that were renamed or deleted (https://www.sqlite.org/howtocorrupt.html,
/// section 4.4). While a connection is open it replaces none of the three itself.
struct DatabaseFiles: Sendable {
    private struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64

        init(of path: String) throws(SQLiteStoreError) {
            var status = stat()
            guard stat(path, &status) == 0 else { throw .fileMissing(path: path) }
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    private let files: [(path: String, identity: Identity)]

    /// The files of the database at this path, which has been opened, in WAL mode, and read.
    init(openAt path: String) throws(SQLiteStoreError) {
        files = try [path, path + "-wal", path + "-shm"].map { name throws(SQLiteStoreError) in
            (name, try Identity(of: name))
        }
    }

    /// Whether the disk takes as much as a large batch writes, in a file beside the database that is deleted at once. A
    /// single row is too little to go by: it may fit into what a batch that failed has left of the log.
    func canGrow(byBytes count: Int = 256 * 1024) -> Bool {
        let path = files[0].path + "-probe"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer {
            close(descriptor)
            unlink(path)
        }
        return [UInt8](repeating: 1, count: count).withUnsafeBytes { write(descriptor, $0.baseAddress, count) } == count
            && fsync(descriptor) == 0
    }

    /// Whether another database is where this one was opened.
    var isReplaced: Bool { (try? Identity(of: files[0].path)).map { $0 != files[0].identity } ?? false }

    /// Whether the log of this database is where it was opened.
    var hasLog: Bool { (try? Identity(of: files[1].path)) == files[1].identity }

    /// Removes the log and its index, if they are those of this database, which may need them no more.
    func removeLog() {
        for file in files.dropFirst() where (try? Identity(of: file.path)) == file.identity { unlink(file.path) }
    }

    /// Checks that each path still leads to the file that was opened.
    func requireInPlace() throws(SQLiteStoreError) {
        for file in files where try Identity(of: file.path) != file.identity { throw .fileReplaced(path: file.path) }
    }
}

/// The folder that a database file is in.
struct DatabaseFolder {
    /// The path with symbolic links resolved; SQLite keeps the two companions of a file beside it, and not beside a
    /// link.
    let file: String
    private let path: String

    /// The folder of the file at this path, which is made if it is not there, for its owner alone.
    ///
    /// - Throws: the reason. SQLite itself says "unable to open database file" of everything.
    init(of file: String) throws(SQLiteStoreError) {
        let file = Self.resolvingLinks(file)
        let path = file.folder
        (self.path, self.file) = (path, file)
        var status = stat()
        guard stat(file, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw .unusableFile(path: file, reason: "it is not a plain file")
        }
        // Made where another database has its log, it would be overwritten by that one, or the other way round.
        for suffix in ["-wal", "-shm", "-journal"] where file.hasSuffix(suffix) {
            throw .unusableFile(path: file, reason: "the name belongs to \(file.dropLast(suffix.count))")
        }
        try Self.make(path)
        guard access(path, W_OK | X_OK) == 0 else { throw .unusableFolder(path: path, reason: .lastError) }
    }

    /// Does something while no other process that asks likewise does, and with the file there: empty and for its owner
    /// alone if it was not. SQLite gives its two companions the same permissions.
    ///
    /// A file is made a database in several steps, of which SQLite guards each but not the whole. It is the folder that
    /// is locked, because to close a file gives back every lock that the process has on it, SQLite's own too
    /// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    func alone<Value>(waiting timeout: Duration, _ work: () throws -> Value) throws -> Value {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SQLiteStoreError.unusableFolder(path: path, reason: .lastError) }
        defer { close(folder) }
        try lock(folder, timeout)
        let new = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if new >= 0 {
            // The folder's owner gets it, or root doing this for a service would lock the service out; not every file
            // system has owners. SQLite gives the two companions the owner of the file.
            var status = stat()
            if geteuid() == 0, fstat(folder, &status) == 0 { _ = fchown(new, status.st_uid, status.st_gid) }
            close(new)
        } else if errno != EEXIST || access(file, R_OK | W_OK) != 0 {
            throw SQLiteStoreError.unusableFile(path: file, reason: .lastError)
        }
        return try work()
    }

    /// flock(2) itself waits without end. SQLite waits for its locks in the same way.
    private func lock(_ folder: Int32, _ timeout: Duration) throws(SQLiteStoreError) {
        let deadline = ContinuousClock.now + timeout
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .unusableFolder(path: path, reason: .lastError)
            }
            guard ContinuousClock.now < deadline else {
                throw .folderLocked(path: path, process: FolderLock.process(of: folder))
            }
            usleep(10_000)
        }
    }

    /// The path to which a symbolic link at the end of this one leads, whether there is a file or not: where SQLite
    /// makes it.
    static func resolvingLinks(_ path: String) -> String {
        var path = path
        // As many as Linux follows (path_resolution(7)); SQLite fails with what is left.
        for _ in 0..<40 {
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &bytes, bytes.count)
            guard count > 0 else { break }
            let target = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
            path = target.hasPrefix("/") ? target : path.folder + target
        }
        return path
    }

    private static func make(_ path: String) throws(SQLiteStoreError) {
        for end in path.indices where path[end] == "/" && end != path.startIndex {
            guard mkdir(String(path[..<end]), 0o700) == 0 || errno == EEXIST else {
                throw .unusableFolder(path: path, reason: .lastError)
            }
        }
    }
}

extension String {
    /// Never a path that SQLite takes for something else, such as `:memory:` or `file:…`.
    var asFile: String { hasPrefix("/") ? self : "./" + self }

    /// Where the file at this path is, with the slash.
    var folder: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "./" }

    /// The system's words for `errno`.
    static var lastError: String { String(cString: strerror(errno)) }
}

/// Who has a folder locked.
private enum FolderLock {
    /// The process that has locked this open folder by flock(2), by its number; nil if that cannot be found out: not
    /// outside Linux, nor of a process in another container.
    static func process(of folder: Int32) -> Int32? {
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
            // `1: FLOCK  ADVISORY  WRITE 2533 fe:00:16220246 0 EOF` (proc_locks(5)); `->` stands before FLOCK for who
            // waits.
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
    /// A process that has the database at this path open, by its ID, 0 if that is unknown; nil if there is none, or
    /// no file.
    ///
    /// Every connection in WAL mode keeps a shared lock on these bytes of the file from its first statement to its end,
    /// whether it does anything or not (https://www.sqlite.org/lockingv3.html; `SHARED_FIRST` and `SHARED_SIZE` in
    /// SQLite's os.h). A connection of another machine, on a network drive, may not show.
    ///
    /// Only to be called while this process itself has the file not open: closing a file gives up all of the process's
    /// locks on it (fcntl(2)), those of its own connections among them.
    public static func process(usingDatabaseAt path: String) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { closeFile(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0002
        lock.l_len = 510
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return max(0, lock.l_pid)
    }

    /// The file that is meant by a path at whose end there may be a symbolic link. The companions of the database, and
    /// whatever else belongs beside it, are beside that file.
    public static func file(at path: String) -> String { DatabaseFolder.resolvingLinks(path) }
}

/// The system's `close`, which ``SQLiteStore/close()`` hides.
private func closeFile(_ descriptor: Int32) { close(descriptor) }
