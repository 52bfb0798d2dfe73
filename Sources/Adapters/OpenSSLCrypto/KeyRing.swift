import CoreEncodings

/// The keys that codes are sealed under, the newest first. New codes are sealed under the newest; the older ones open
/// the codes that were sealed before it was added, so a key may be removed once the last of them has expired.
///
/// Each line of its text is an ID and a key of 32 bytes in hexadecimal or base64; lines that begin with `#` are
/// comments.
public struct KeyRing: Sendable {
    /// Never empty; IDs are unique.
    let keys: [MasterKey]

    /// The IDs of the keys, the newest first. They are no secret.
    public var ids: [String] { keys.map(\.id) }

    /// A ring of one new key, which is stored nowhere.
    public init(newKeyFrom random: some RandomBytes) throws { keys = [try MasterKey(from: random)] }

    /// Reads keys from text, such as an environment variable.
    ///
    /// - Parameter source: the name of the text in errors.
    public init(parsing text: String, source: String = "keys") throws {
        try self.init(parsing: SecretBytes(copying: text.utf8), source: source)
    }

    private init(parsing text: SecretBytes, source: String) throws {
        keys = try text.withUnsafeBytes { text in
            try KeyLine.lines(of: text).reduce(into: []) { keys, line in
                do {
                    let key = try line.key()
                    if keys.contains(where: { $0.id == key.id }) { throw KeyRingError.Problem.repeatedID(key.id) }
                    keys.append(key)
                } catch let problem as KeyRingError.Problem {
                    throw KeyRingError(source: source, line: line.number, problem: problem)
                }
            }
        }
        if keys.isEmpty { throw KeyRingError(source: source, problem: .noKeys) }
    }
}

extension KeyRing: CustomStringConvertible, CustomReflectable {
    public var description: String { "keys \(ids.joined(separator: ", "))" }
    public var customMirror: Mirror { Mirror(self, children: ["ids": ids]) }
}

extension KeyRing {
    /// - Throws: `KeyRingError`, also if anyone but its owner may read or write the file.
    public static func load(from path: String) throws -> KeyRing {
        try KeyRing(parsing: KeyFile(path: path).read(), source: path)
    }

    /// Reads a key file, or creates one with a new key and mode 0600. Concurrent calls, also of several processes, get
    /// the same key.
    ///
    /// - Returns: the keys, and whether this call created the file.
    /// - Throws: `KeyRingError`, or what the random source throws; no file has been created then.
    public static func loadOrCreate(
        at path: String,
        random: some RandomBytes = OpenSSLRandom()
    ) throws -> (ring: KeyRing, wasCreated: Bool) {
        do {
            return (try load(from: path), false)
        } catch let error as KeyRingError where error.problem == .missing {
            let contents = SecretBytes(copying: header.utf8).adding(try MasterKey(from: random))
            let wasCreated = try KeyFile(path: path).create(containing: contents)
            return (try load(from: path), wasCreated)
        }
    }

    /// Adds a new key in front of those of a key file and leaves its other lines as they are. Concurrent calls, also of
    /// several processes, each add theirs.
    ///
    /// - Parameter timeout: how long to wait for a process that has the directory of the file locked.
    /// - Returns: the keys, the new one first.
    /// - Throws: `KeyRingError`, or what the random source throws; the file is unchanged then.
    public static func rotate(
        at path: String,
        waiting timeout: Duration = .seconds(60),
        random: some RandomBytes = OpenSSLRandom()
    ) throws -> KeyRing {
        let key = try MasterKey(from: random)
        return try KeyFile(path: path).replace(waiting: timeout) { contents in
            // Parsed before the change too, so that an error names a line of the file as it is.
            _ = try KeyRing(parsing: contents, source: path)
            let contents = contents.adding(key)
            return (contents, try KeyRing(parsing: contents, source: path))
        }
    }

    /// Copies a key file as it is, once it is known to be one. A crash leaves the whole copy or none.
    ///
    /// - Parameter isReplacing: whether a file that is there may be replaced.
    /// - Throws: `KeyRingError`, also if there is one that may not.
    public static func copyFile(from source: String, to target: String, isReplacing: Bool) throws {
        let contents = try KeyFile(path: source).read()
        _ = try KeyRing(parsing: contents, source: source)
        let file = KeyFile(path: target)
        if try file.create(containing: contents) { return }
        guard isReplacing else { throw KeyRingError(source: target, problem: .exists) }
        try file.replace(waiting: .seconds(60)) { _ in (contents, ()) }
    }

    private static let header = """
        # Keys of PhoneProof, the newest first: an id and 32 bytes in hexadecimal or base64 on each line.
        # Anyone who reads them can read the codes in a copy of the database: keep this file at mode 0600.

        """
}

extension SecretBytes {
    /// The text of a key file with one more key, in front of the others but behind the comments at its head.
    fileprivate func adding(_ key: MasterKey) -> SecretBytes {
        let line = key.line
        return withUnsafeBytes { text in
            line.withUnsafeBytes { line in
                let place = KeyLine.lines(of: text).first?.start ?? text.endIndex
                return SecretBytes(copying: [text[..<place], line[...], text[place...]].joined())
            }
        }
    }
}

/// A line of a key file that is neither blank nor a comment.
private struct KeyLine {
    /// Counted from 1.
    let number: Int
    /// The index of the line's first byte in the text.
    let start: Int
    private let fields: [Slice<UnsafeBufferPointer<UInt8>>]

    /// The lines of this text, whose memory they point into.
    static func lines(of text: UnsafeBufferPointer<UInt8>) -> [KeyLine] {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            // A carriage return counts as a blank, for files that were edited on Windows.
            let fields = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
            guard let first = fields.first, first.first != UInt8(ascii: "#") else { return nil }
            return KeyLine(number: index + 1, start: line.startIndex, fields: fields)
        }
    }

    func key() throws(KeyRingError.Problem) -> MasterKey {
        guard fields.count == 2 else { throw .malformedLine }
        return try MasterKey(id: fields[0], key: fields[1])
    }
}

/// 32 secret random bytes, from which the keys for each use are derived, and an ID, which is no secret.
struct MasterKey: Sendable {
    private static let byteCount = 32
    /// A key is longer than any ID however it is written, so one whose ID is missing is not taken for an ID, which
    /// messages show.
    private static let idLengths = 1...32

    /// The ID that sealed codes refer to.
    let id: String
    let secret: SecretBytes

    /// A new key with eight random hexadecimal digits as its ID, so that keys from several machines have different IDs.
    init(from random: some RandomBytes) throws {
        id = TextEncoding.hexadecimal.encode(try random.bytes(4))
        secret = try SecretBytes(count: Self.byteCount) { try random.fill(UnsafeMutableRawBufferPointer($0)) }
    }

    /// Reads the two fields of a line: the key is 64 hexadecimal digits or 44 characters of base64.
    fileprivate init(
        id: Slice<UnsafeBufferPointer<UInt8>>,
        key: Slice<UnsafeBufferPointer<UInt8>>
    ) throws(KeyRingError.Problem) {
        // The unreserved characters of URLs but for the tilde.
        guard Self.idLengths.contains(id.count), id.allSatisfy({ $0.isUnreserved && $0 != UInt8(ascii: "~") })
        else { throw .malformedID }
        let secret =
            switch (key.count, key.last) {
            case (64, _): SecretBytes(.hexadecimal, key)
            case (44, UInt8(ascii: "=")): SecretBytes(.base64, key.dropLast())
            default: SecretBytes?.none
            }
        guard let secret else { throw .malformedKey }
        self.id = String(decoding: id, as: UTF8.self)
        self.secret = secret
    }

    /// The line with its end, the key in hexadecimal.
    fileprivate var line: SecretBytes {
        let id = self.id.utf8
        return secret.withUnsafeBytes { key in
            SecretBytes(count: id.count + 1 + 2 * key.count + 1) { line in
                let end = line.update(fromContentsOf: id)
                line[end] = UInt8(ascii: " ")
                TextEncoding.hexadecimal.encode(key, into: UnsafeMutableBufferPointer(rebasing: line[(end + 1)...]))
                line[line.endIndex - 1] = UInt8(ascii: "\n")
            }
        }
    }
}

/// Keys cannot be read or written. The description says where, why and what to do, and never shows a key.
struct KeyRingError: Error, Hashable, CustomStringConvertible {
    enum Problem: Error, Hashable {
        case missing, exists, notAFile, tooLarge, directoryLocked
        case noKeys, malformedLine, malformedID, malformedKey, repeatedID(String)
        /// - Parameter mode: its permission bits.
        case exposed(mode: UInt32)
        /// A system call failed.
        case system(step: String, reason: String)
    }

    /// The path of the key file, or the name of another source.
    let source: String
    /// Counted from 1.
    var line: Int?
    let problem: Problem

    var description: String { "\(source)\(line.map { ":\($0)" } ?? ""): \(explanation)" }

    private var explanation: String {
        switch problem {
        case .missing: "there is no such key file; create it or correct the path"
        case .exists: "the file exists already; choose another name, or remove it"
        case .notAFile: "not a regular file; name the file that contains the keys"
        case .tooLarge:
            """
            this is too large for a key file (over \(KeyFile.maximumByteCount) bytes); \
            name the file that holds the keys, or remove keys from it whose codes have all expired
            """
        case .exposed(let mode):
            """
            others than the owner have access to the keys (mode 0\(String(mode, radix: 8))); run chmod 600 on it, \
            and if somebody may have read them, put a new key in front
            """
        case .system(let step, let reason):
            "cannot \(step): \(reason); check the permissions and free space of the file and its directory"
        case .directoryLocked:
            """
            another process keeps a lock on its directory, as one does that opens or migrates a database there; \
            try again when it is done
            """
        case .noKeys: "it contains no key; add a line `id key`, the key from `openssl rand -hex 32`"
        case .malformedLine:
            "not an ID, a space and a key; write `id key`, or start the line with # for a comment"
        case .malformedID:
            "the ID must be 1 to 32 of the characters A-Z a-z 0-9 - _ ."
        case .malformedKey:
            """
            the key is not 32 bytes as 64 hexadecimal digits or 44 characters of base64; \
            copy it once more, or make one with `openssl rand -hex 32`
            """
        case .repeatedID(let id):
            "an earlier line has the same ID, \(id); remove one of the lines, or change the ID of the newer key"
        }
    }
}
