#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The folder that a database file is in.
struct DatabaseFolder {
    private let path: String
    private let file: String

    /// The folder of the file at this path, which is made if it is not there, for its owner alone.
    ///
    /// - Throws: ``SQLiteStoreError/unusableFolder(path:reason:)``. SQLite itself says "unable to open database file" of
    ///   everything.
    init(of file: String) throws(SQLiteStoreError) {
        let slash = file.lastIndex(of: "/")
        let path = slash.map { String(file[...$0]) } ?? "./"
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
    func alone<Value>(_ work: () throws -> Value) throws -> Value {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0, flock(folder, LOCK_EX) == 0 else {
            let reason = Self.reason(errno)
            if folder >= 0 { close(folder) }
            throw SQLiteStoreError.unusableFolder(path: path, reason: reason)
        }
        defer { close(folder) }
        let new = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if new >= 0 {
            close(new)
        } else if errno != EEXIST {
            throw SQLiteStoreError.unusableFile(path: file, reason: Self.reason(errno))
        }
        return try work()
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
