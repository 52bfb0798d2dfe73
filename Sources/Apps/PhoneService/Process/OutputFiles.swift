import FoundationEssentials
import Glibc
import PhoneStore

/// Which file a path leads to, by whatever name; where there is none, which place in which folder.
package struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64
    /// The name of what is not there yet.
    private let name: Substring

    /// Nil if there is not even a folder.
    package init?(of path: String) {
        var status = stat()
        if stat(path, &status) == 0 {
            name = ""
        } else {
            let target = SQLiteStore.file(at: path)
            let slash = target.lastIndex(of: "/")
            guard stat(slash.map { String(target[...$0]) } ?? ".", &status) == 0 else { return nil }
            name = slash.map { target[target.index(after: $0)...] } ?? target[...]
        }
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}

extension Settings {
    /// Every command that writes a file calls this first, whether it may replace one or not.
    ///
    /// - Throws: ``Failure`` unless there is nothing at this path, or a plain file that the installation does not live
    ///   by.
    package func requireWritable(_ path: String) throws {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure.usage("\(path) is not a plain file; choose another name")
        }
        guard let target = FileIdentity(of: path) else { return }
        let configuration = files + (messages.directory.map(SettingsReader.files) ?? []) + database.filesOfURL
        let own = [
            ("the database itself", Array(database.files.prefix(1))), ("a file of the database", database.files),
            ("the key file", [try keyPath()].compactMap(\.self)), ("a file of the configuration", configuration),
            ("this program", ["/proc/self/exe"]),
        ]
        if let what = own.first(where: { $1.contains { FileIdentity(of: $0) == target } })?.0 {
            throw Failure.usage("\(path) is \(what); choose another name")
        }
    }
}

extension Settings.Database {
    /// The file of the database, and those that SQLite may have beside it.
    package var files: [String] {
        guard case .file(let link) = place else { return [] }
        return ["", "-wal", "-shm", "-journal"].map { SQLiteStore.file(at: link) + $0 }
    }

    /// The files that libpq reads.
    fileprivate var filesOfURL: [String] {
        guard case .postgresql(let text) = place, let keywords = try? PostgreSQLURL(text).keywordsInForce else {
            return []
        }
        return ["passfile", "sslkey", "sslcert", "sslrootcert", "sslcrl"].compactMap { keywords[$0] }
            + [getenv("PGSERVICEFILE").map { String(cString: $0) }].compactMap(\.self)
    }
}
