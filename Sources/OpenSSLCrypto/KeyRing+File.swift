extension KeyRing {
    /// Reads a key file.
    ///
    /// - Throws: ``KeyRingError``, also if anyone but its owner may read or write the file.
    public static func load(from path: String) throws -> KeyRing {
        try KeyRing(parsing: KeyFile(path: path).read(), source: path)
    }

    /// Reads a key file, or makes one with a new key and mode 0600 if there is none. However many processes do so at
    /// once, all get the same key.
    ///
    /// - Returns: the keys, and whether it was this call that made the file.
    /// - Throws: ``KeyRingError``, or what the random source throws; there is then no file where there was none.
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

    /// Puts a new key in front of those of a key file and leaves its other lines as they are. However many processes
    /// do so at once, the key of each is kept.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - timeout: how long to wait for a process that keeps the directory of the file locked.
    ///   - random: makes the key.
    /// - Returns: the keys, the new one first.
    /// - Throws: ``KeyRingError``, or what the random source throws; the file is then as it was.
    public static func rotate(
        at path: String,
        waiting timeout: Duration = .seconds(60),
        random: some RandomBytes = OpenSSLRandom()
    ) throws -> KeyRing {
        let key = try MasterKey(from: random)
        return try KeyFile(path: path).replace(waiting: timeout) { contents in
            // First as it is, so that an error names the line that a reader of the file sees.
            _ = try KeyRing(parsing: contents, source: path)
            let contents = contents.adding(key)
            return (contents, try KeyRing(parsing: contents, source: path))
        }
    }

    private static let header = """
        # Keys of PhoneProof, the newest first: an id and 32 bytes in hexadecimal or base64 on each line.
        # Whoever reads them can read the codes in a copy of the database: keep this file at mode 0600.

        """
}

extension KeyRing {
    private init(parsing contents: SecretBytes, source: String) throws {
        self = try contents.withUnsafeBytes { try KeyRing(parsing: $0, source: source) }
    }
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
