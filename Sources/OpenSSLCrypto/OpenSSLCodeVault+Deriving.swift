public import PhoneDomain

extension OpenSSLCodeVault: SecretDeriver {
    /// The shortest beginning of a secret that is taken for one: 22 characters of base64url are 132 bits.
    private static let shortestBeginning = 22

    /// An HMAC-SHA-256 of label and parts in base64url, one for each key of the ring, the newest first.
    ///
    /// - Throws: ``OpenSSLError``.
    public func derive(_ label: SecretLabel, from parts: [String]) throws -> [String] {
        let message = [UInt8](lengthPrefixed: [label.rawValue] + parts)
        return try keys.all.map { try $0.derivation.code(of: message).base64URL }
    }

    /// Whether this text is what ``derive(_:from:)`` gives under one of the keys, or the beginning of it. One that is
    /// not may be of a key that was added since the ring was read: the ring is read anew before it is refused.
    ///
    /// - Throws: ``OpenSSLError``.
    public func isDerived(_ text: String, _ label: SecretLabel, from parts: [String]) throws -> Bool {
        let text = Array(text.utf8)
        guard text.count >= Self.shortestBeginning else { return false }
        if try isBeginning(text, of: derive(label, from: parts)) { return true }
        guard (try? reloadKeys()) != nil else { return false }
        return try isBeginning(text, of: derive(label, from: parts))
    }

    /// Every secret is looked at, so that the time does not tell which key it was.
    private func isBeginning(_ text: [UInt8], of secrets: [String]) -> Bool {
        secrets.map { Array($0.utf8.prefix(text.count)).equalsInConstantTime(text) }.contains(true)
    }
}
