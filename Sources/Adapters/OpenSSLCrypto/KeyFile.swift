import Glibc

/// A file that only its owner may read, and that is created and replaced atomically and durably.
///
/// Where root owns it, a group may read it as well, as libpq has it for private keys
/// (https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-CLIENTCERT): Kubernetes mounts a secret so for a
/// program that is not root.
struct KeyFile {
    static let maximumByteCount = 65_536
    /// Makes chown(2) leave the group as it is: who is not root may not give a file to any group.
    private static let sameGroup = gid_t.max

    let path: String

    func read() throws -> SecretBytes {
        // Opening a pipe must not wait for a writer.
        let file = OpenFile(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        guard file.isOpen else { throw errno == ENOENT ? error(.missing) : failure(to: "open the file") }
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { throw failure(to: "inspect the file") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw error(.notAFile) }
        guard !Self.isExposed(mode: status.st_mode, owner: status.st_uid, to: geteuid()) else {
            throw error(.exposed(mode: status.st_mode & 0o777))
        }
        guard status.st_size <= Self.maximumByteCount else { throw error(.tooLarge) }
        return try SecretBytes(count: Int(status.st_size)) { buffer in
            guard file.read(into: buffer) else { throw failure(to: "read the file") }
        }
    }

    static func isExposed(mode: mode_t, owner: uid_t, to user: uid_t) -> Bool {
        mode & (owner == 0 && user != 0 ? 0o037 : 0o077) != 0
    }

    /// Creates the file unless it exists. If root does, the owner of the directory gets it, or root doing this for a
    /// service would lock the service out; not every file system has owners.
    ///
    /// - Returns: whether it was created.
    func create(containing contents: SecretBytes) throws -> Bool {
        let directory = try openDirectory()
        let draft = try writeDraft(contents)
        defer { remove(draft) }
        var status = stat()
        if geteuid() == 0, fstat(directory.descriptor, &status) == 0 { _ = chown(draft, status.st_uid, status.st_gid) }
        // link(2), unlike rename(2), never replaces a file that another process has created meanwhile.
        guard link(draft, path) == 0 else {
            guard errno == EEXIST else { throw failure(to: "create the file") }
            return false
        }
        guard fsync(directory.descriptor) == 0 else { throw failure(to: "write the directory to disk") }
        return true
    }

    /// Replaces the contents, keeping the owner of the file, and its group where root does it. Concurrent calls wait for one another.
    ///
    /// - Parameter timeout: how long to wait for a process that has the directory locked, as one has that opens or
    ///   migrates a database in it.
    /// - Returns: the result of `change`.
    func replace<Result>(
        waiting timeout: Duration,
        _ change: (SecretBytes) throws -> (contents: SecretBytes, result: Result)
    ) throws -> Result {
        let file = try resolvingLinks()
        let directory = try file.openDirectory()
        // The lock is on the directory since the file itself is replaced.
        try lock(directory, timeout)
        let (contents, result) = try change(file.read())
        let draft = try file.writeDraft(contents)
        // The owner stays, or root doing this for a service would lock the service out.
        var status = stat()
        guard
            stat(file.path, &status) == 0,
            chown(draft, status.st_uid, geteuid() == 0 ? status.st_gid : Self.sameGroup) == 0,
            rename(draft, file.path) == 0
        else {
            let failure = failure(to: "replace the file")
            remove(draft)
            throw failure
        }
        guard fsync(directory.descriptor) == 0 else { throw failure(to: "write the directory to disk") }
        return result
    }
}

extension KeyFile {
    private func error(_ problem: KeyRingError.Problem) -> KeyRingError {
        KeyRingError(source: path, problem: problem)
    }

    /// The error with `errno` as the reason.
    private func failure(to step: String) -> KeyRingError {
        error(.system(step: step, reason: String(cString: strerror(errno))))
    }

    /// The target, where the path is a symbolic link.
    private func resolvingLinks() throws -> KeyFile {
        guard let resolved = realpath(path, nil) else {
            throw errno == ENOENT ? error(.missing) : failure(to: "find the file")
        }
        defer { free(resolved) }
        return KeyFile(path: String(cString: resolved))
    }

    private func lock(_ directory: borrowing OpenFile, _ timeout: Duration) throws {
        let deadline = ContinuousClock.now + timeout
        while flock(directory.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(to: "lock the directory") }
            guard ContinuousClock.now < deadline else { throw error(.directoryLocked) }
            usleep(10_000)
        }
    }

    private func openDirectory() throws -> OpenFile {
        let name = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let directory = OpenFile(open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard directory.isOpen else { throw failure(to: "open the directory") }
        return directory
    }

    /// A draft has the keys, and nobody would look for it: a removal that fails once is tried again.
    private func remove(_ draft: String) { if unlink(draft) != 0 { unlink(draft) } }

    /// Writes and syncs the contents to a new file in the same directory.
    ///
    /// - Returns: its path.
    private func writeDraft(_ contents: SecretBytes) throws -> String {
        guard contents.count <= Self.maximumByteCount else { throw error(.tooLarge) }
        let draft = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 16))"
        let file = OpenFile(open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        guard file.isOpen else { throw failure(to: "make a file in the directory") }
        // The umask may have cleared bits of the owner.
        guard fchmod(file.descriptor, 0o600) == 0, file.write(contents), fsync(file.descriptor) == 0 else {
            let failure = failure(to: "write the file")
            remove(draft)
            throw failure
        }
        return draft
    }
}

/// A file descriptor, closed on deinitialisation.
private struct OpenFile: ~Copyable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        if isOpen { close(descriptor) }
    }

    /// Whether open(2) succeeded; if not, the reason is in `errno`.
    var isOpen: Bool { descriptor >= 0 }

    /// Fills the buffer. If it returns false, the reason is in `errno`.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        var done = 0
        while done < buffer.count {
            let count = Glibc.read(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
            guard count > 0 else {
                // The file was truncated after fstat(2), which read(2) does not report as an error.
                if count == 0 { errno = EIO }
                return false
            }
            done += count
        }
        return true
    }

    /// Writes all bytes. If it returns false, the reason is in `errno`.
    func write(_ contents: SecretBytes) -> Bool {
        contents.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}
