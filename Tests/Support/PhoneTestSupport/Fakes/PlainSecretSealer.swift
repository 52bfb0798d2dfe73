public import PhoneAccounts

/// A sealer without cryptography: sealing is writing down beside whose it is. For tests of the rules.
public struct PlainSecretSealer: SecretSealer {
    private let key: String

    /// A sealer whose one key has this name.
    public init(key: String = "test") {
        self.key = key
    }

    public func seal(_ secret: [UInt8], for subject: String) -> SealedSecret {
        SealedSecret(keyID: key, ciphertext: Array((subject + " ").utf8) + secret)
    }

    public func open(_ sealed: SealedSecret, for subject: String) throws -> [UInt8] {
        guard sealed.keyID == key else { throw SecretSealerError.unknownKey(id: sealed.keyID) }
        let mark = Array((subject + " ").utf8)
        guard sealed.ciphertext.starts(with: mark) else { throw SecretSealerError.notAuthentic(keyID: key) }
        return Array(sealed.ciphertext.dropFirst(mark.count))
    }
}
