#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The file of an open database and its two companions, and whether they are still where they were when it was opened.
///
/// SQLite goes on reading and writing files that were renamed or deleted, and nobody would notice before the next start
/// (https://www.sqlite.org/howtocorrupt.html, section 4.4). While a connection is open none of the three is replaced
/// by SQLite itself, of whatever process.
struct DatabaseFiles: Sendable {
    private struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64

        /// Of the file at this path.
        ///
        /// - Throws: the error number of the system.
        init(of path: String) throws(Reason) {
            var status = stat()
            guard stat(path, &status) == 0 else { throw Reason(number: errno) }
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    private struct Reason: Error {
        let number: Int32
    }

    private let files: [(path: String, identity: Identity)]

    /// The files of the database at this path, which has been opened, in WAL mode, and read.
    ///
    /// - Throws: ``SQLiteStoreError/fileMissing(path:)``.
    init(openAt path: String) throws(SQLiteStoreError) {
        var files: [(path: String, identity: Identity)] = []
        for name in [path, path + "-wal", path + "-shm"] {
            do throws(Reason) {
                files.append((name, try Identity(of: name)))
            } catch {
                throw .fileMissing(path: name)
            }
        }
        self.files = files
    }

    /// Whether the disk takes as much as a large batch writes, in a file beside the database that is deleted at once. A single row is
    /// too little to go by: it may fit into what a batch that failed has left of the log.
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

    /// Checks that each path still leads to the file that was opened.
    ///
    /// - Throws: ``SQLiteStoreError/fileMissing(path:)`` or ``SQLiteStoreError/fileReplaced(path:)``.
    func requireInPlace() throws(SQLiteStoreError) {
        for file in files {
            let found: Identity
            do throws(Reason) {
                found = try Identity(of: file.path)
            } catch {
                throw .fileMissing(path: file.path)
            }
            guard found == file.identity else { throw .fileReplaced(path: file.path) }
        }
    }
}
