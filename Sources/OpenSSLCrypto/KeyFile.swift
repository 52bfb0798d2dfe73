internal import Glibc

/// A file that only its owner may see and that readers never find half written: it comes to be, and changes, in one
/// step that also survives a crash.
struct KeyFile {
    static let maximumByteCount = 65_536
    /// What chown(2) takes for leaving the group as it is.
    private static let sameGroup = gid_t.max

    let path: String

    /// The whole of the file.
    func read() throws -> SecretBytes {
        // A pipe must not keep the opening waiting for a writer.
        let file = OpenFile(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        guard file.isOpen else { throw errno == ENOENT ? error(.missing) : failure(to: "open the file") }
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { throw failure(to: "look at the file") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw error(.notAFile) }
        guard status.st_mode & 0o077 == 0 else { throw error(.exposed(mode: status.st_mode & 0o777)) }
        guard status.st_size <= Self.maximumByteCount else { throw error(.tooLarge) }
        return try SecretBytes(count: Int(status.st_size)) { buffer in
            guard file.read(into: buffer) else { throw failure(to: "read the file") }
        }
    }

    /// Makes the file, unless there is one: then it is left as it is.
    ///
    /// - Returns: whether the file was made.
    func create(containing contents: SecretBytes) throws -> Bool {
        let directory = try openDirectory()
        let draft = try writeDraft(contents)
        defer { unlink(draft) }
        // A link, unlike a renaming, never takes the place of a file that somebody else has made meanwhile.
        guard link(draft, path) == 0 else {
            guard errno == EEXIST else { throw failure(to: "make the file") }
            return false
        }
        guard fsync(directory.descriptor) == 0 else { throw failure(to: "write the directory to disk") }
        return true
    }

    /// Puts what `change` makes of the contents in their place, keeping the owner of the file. Of several that do so
    /// at once, each waits for the one before.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for the process that has the directory locked; a database in it that is being opened or migrated
    ///     does so too.
    ///   - change: gets the contents.
    /// - Returns: the result of `change`.
    func replace<Result>(
        waiting timeout: Duration,
        _ change: (SecretBytes) throws -> (contents: SecretBytes, result: Result)
    ) throws -> Result {
        let file = try resolvingLinks()
        let directory = try file.openDirectory()
        // The lock is on the directory since the file itself is another one afterwards.
        try lock(directory, timeout)
        let (contents, result) = try change(file.read())
        let draft = try file.writeDraft(contents)
        // An administrator who does this for a service must not lock the service out: the file stays its owner's.
        var status = stat()
        guard
            stat(file.path, &status) == 0,
            chown(draft, status.st_uid, Self.sameGroup) == 0,
            rename(draft, file.path) == 0
        else {
            let failure = failure(to: "replace the file")
            unlink(draft)
            throw failure
        }
        guard fsync(directory.descriptor) == 0 else { throw failure(to: "write the directory to disk") }
        return result
    }
}

extension KeyFile {
    private func error(_ problem: KeyRingError.Problem) -> KeyRingError {
        KeyRingError(path, problem)
    }

    /// The error for the call that has just failed.
    private func failure(to step: String) -> KeyRingError {
        error(.system(step: step, reason: String(cString: strerror(errno))))
    }

    /// The file that is meant where the path is a symbolic link.
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

    /// Writes the contents to a new file beside this one, and to disk.
    ///
    /// - Returns: the path of the new file.
    private func writeDraft(_ contents: SecretBytes) throws -> String {
        guard contents.count <= Self.maximumByteCount else { throw error(.tooLarge) }
        let draft = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 16))"
        let file = OpenFile(open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        guard file.isOpen else { throw failure(to: "make a file in the directory") }
        // The umask may have taken the owner's own bits.
        guard fchmod(file.descriptor, 0o600) == 0, file.write(contents), fsync(file.descriptor) == 0 else {
            let failure = failure(to: "write the file")
            unlink(draft)
            throw failure
        }
        return draft
    }
}
