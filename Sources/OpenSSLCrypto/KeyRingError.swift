/// Keys cannot be read or kept. It says where, what is the matter and what to do, and never shows a key.
public struct KeyRingError: Error, Hashable {
    /// The path of the key file, or the name of whatever else the keys were read from.
    public let source: String

    /// The line that is at fault, counted from 1, if one is.
    public let line: Int?

    /// What is the matter.
    public let problem: Problem

    init(_ source: String, line: Int? = nil, _ problem: Problem) {
        self.source = source
        self.line = line
        self.problem = problem
    }

    /// What can be the matter with keys.
    public enum Problem: Error, Hashable {
        /// There is no such file.
        case missing
        /// It is a directory, a pipe or some other thing that is not a plain file.
        case notAFile
        /// It is so large that it cannot be a key file.
        case tooLarge
        /// Others than its owner may read or write it: its permission bits.
        case exposed(mode: UInt32)
        /// The system refused a step, in its own words.
        case system(step: String, reason: String)
        /// Another process kept the directory locked all the time.
        case directoryLocked
        /// There is no key in it.
        case noKeys
        /// The line is not an id and a key.
        case malformedLine
        /// The id is not 1 to 32 ASCII letters, digits, `-`, `_` and `.`.
        case malformedID
        /// The key is not 32 bytes in hexadecimal or base64.
        case malformedKey
        /// An earlier line has this id.
        case repeatedID(String)
    }
}

extension KeyRingError: CustomStringConvertible {
    public var description: String {
        "\(source)\(line.map { ":\($0)" } ?? ""): \(explanation)"
    }

    private var explanation: String {
        switch problem {
        case .missing:
            "there is no such key file; create it or correct the path"
        case .notAFile:
            "this is not a plain file; name the file that holds the keys"
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
            "cannot \(step): \(reason); see to the permissions and the free space of the file and its directory"
        case .directoryLocked:
            """
            another process keeps a lock on its directory, as one does that opens or migrates a database there; \
            try again when it is done
            """
        case .noKeys:
            "there is no key in it; add a line `id key`, the key from `openssl rand -hex 32`"
        case .malformedLine:
            "this is not an id, a space and a key; write `id key` or begin the line with # to make it a comment"
        case .malformedID:
            "the id is not 1 to 32 of the characters A-Z a-z 0-9 - _ . ; give the key another id"
        case .malformedKey:
            """
            the key is not 32 bytes as 64 hexadecimal digits or 44 characters of base64; \
            copy it once more, or make one with `openssl rand -hex 32`
            """
        case .repeatedID(let id):
            "an earlier line has the id \(id) as well; remove one of the lines or give the newer key another id"
        }
    }
}
