#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The folder that a database file is in.
struct DatabaseFolder {
    /// Without what symbolic links stand for it; SQLite keeps the two companions of a file beside it, and not beside a link.
    let file: String
    private let path: String

    /// The folder of the file at this path, which is made if it is not there, for its owner alone.
    ///
    /// - Throws: ``SQLiteStoreError/unusableFolder(path:reason:)``. SQLite itself says "unable to open database file" of
    ///   everything.
    init(of file: String) throws(SQLiteStoreError) {
        let file = Self.resolvingLinks(file)
        let path = Self.folder(of: file)
        self.path = path
        self.file = file
        try Self.make(path)
        guard access(path, W_OK | X_OK) == 0 else { throw .unusableFolder(path: path, reason: Self.reason(errno)) }
    }

    /// Does something while no other process that asks likewise does, and with the file there: empty and for its owner
    /// alone if it was not. SQLite gives its two companions the same permissions.
    ///
    /// A file is made a database in several steps, of which SQLite guards each but not the whole. It is the folder that
    /// is locked, because to close a file gives back every lock that the process has on it, SQLite's own too
    /// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    ///
    /// - Parameter timeout: how long to wait for such a process.
    func alone<Value>(waiting timeout: Duration, _ work: () throws -> Value) throws -> Value {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SQLiteStoreError.unusableFolder(path: path, reason: Self.reason(errno)) }
        defer { close(folder) }
        try lock(folder, timeout)
        let new = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if new >= 0 {
            close(new)
        } else if errno != EEXIST {
            throw SQLiteStoreError.unusableFile(path: file, reason: Self.reason(errno))
        }
        return try work()
    }

    /// flock(2) itself waits without end. SQLite waits for its locks in the same way.
    private func lock(_ folder: Int32, _ timeout: Duration) throws(SQLiteStoreError) {
        let deadline = ContinuousClock.now + timeout
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .unusableFolder(path: path, reason: Self.reason(errno))
            }
            guard ContinuousClock.now < deadline else {
                throw .folderLocked(path: path, process: DatabaseUsers.process(locking: folder))
            }
            usleep(10_000)
        }
    }

    /// The path to which a symbolic link at the end of this one leads, whether there is a file or not: where SQLite makes it.
    static func resolvingLinks(_ path: String) -> String {
        var path = path
        // As many as Linux follows (path_resolution(7)); SQLite fails with what is left.
        for _ in 0..<40 {
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &bytes, bytes.count)
            guard count > 0 else { break }
            let target = String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
            path = target.hasPrefix("/") ? target : folder(of: path) + target
        }
        return path
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    private static func make(_ path: String) throws(SQLiteStoreError) {
        for end in path.indices where path[end] == "/" && end != path.startIndex {
            guard mkdir(String(path[..<end]), 0o700) == 0 || errno == EEXIST else {
                throw .unusableFolder(path: path, reason: reason(errno))
            }
        }
    }

    private static func reason(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
