#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The write-ahead log of a database, open for as long as this is there.
final class LogFile: Sendable {
    private let path: String
    private let descriptor: Int32

    init(path: String) throws(SQLiteStoreError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .fileMissing(path: path) }
    }

    deinit {
        close(descriptor)
    }

    /// Size and contents, but not when it was changed: fdatasync is what SQLite uses itself.
    func flush() throws(SQLiteStoreError) {
        while fdatasync(descriptor) != 0 {
            guard errno == EINTR else { throw .unflushed(path: path, reason: String(cString: strerror(errno))) }
        }
    }
}
