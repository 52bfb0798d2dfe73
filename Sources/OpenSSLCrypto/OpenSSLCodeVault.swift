public import PhoneDomain

/// A vault of codes on OpenSSL. It may be used by any number of threads at once.
///
/// A sealed code is an HMAC-SHA-256 to compare with and an AES-256-GCM ciphertext to send the code again, each under a
/// key of its own and both bound to the verification and the number. OWASP ASVS 5.0 (6.5.2) asks for a slow password
/// hash where a short secret is hashed; here it is a keyed MAC: without the key no code can be tried at all, and with
/// it a million codes are tried soon, however slow the hash.
public struct OpenSSLCodeVault: CodeVault {
    let keys: VaultKeys
    let random: any RandomBytes

    /// A vault with these keys.
    ///
    /// - Parameters:
    ///   - keys: the ring.
    ///   - reloading: reads the ring anew, where it may be rotated while the vault is in use; see ``reloadKeys()``.
    /// - Throws: ``OpenSSLError`` if the keys for each use cannot be derived.
    public init(
        keys: KeyRing,
        reloading: (@Sendable () throws -> KeyRing)? = nil,
        random: any RandomBytes = OpenSSLRandom()
    ) throws {
        self.keys = try VaultKeys(keys, load: reloading)
        self.random = random
    }

    /// A code of so many digits, every one equally likely.
    ///
    /// - Parameter length: within ``VerificationCode/lengths``.
    /// - Throws: ``CodeVaultError/unsupportedLength(_:)``, ``CodeVaultError/brokenRandomSource``, or what the random
    ///   source throws.
    public func makeCode(length: Int) throws -> VerificationCode {
        guard VerificationCode.lengths.contains(length) else { throw CodeVaultError.unsupportedLength(length) }
        var digits: [UInt8] = []
        // Sixteen bytes give ten digits nearly always, and a source that has not done so eight times never will.
        for _ in 0..<8 where digits.count < length {
            // Of the 256 values of a byte the last six are passed over, or 0 to 5 would come more often than 6 to 9.
            for byte in try random.bytes(16) where byte < 250 {
                digits.append(UInt8(ascii: "0") + byte % 10)
            }
        }
        guard digits.count >= length,
            let code = VerificationCode(String(decoding: digits.prefix(length), as: UTF8.self))
        else { throw CodeVaultError.brokenRandomSource }
        return code
    }

    /// The code sealed under the newest key and bound to its context. Every ciphertext is equally long, so that it
    /// does not tell how long the code is.
    ///
    /// One key may seal 2³² codes, since its nonces are random (NIST SP 800-38D, section 8.3).
    ///
    /// - Throws: ``OpenSSLError``, or what the random source throws.
    public func seal(_ code: VerificationCode, for context: CodeContext) throws -> SealedCode {
        let key = newestKey
        return SealedCode(
            keyID: key.id,
            mac: try mac(of: code, for: context, key: key),
            ciphertext: try AES256GCM.seal(
                PaddedCode.bytes(of: code.digits),
                additionalData: additionalData(for: context),
                key: key.encryption,
                random: random
            )
        )
    }

    /// Whether this is the sealed code and the context the one that it was sealed for, in constant time.
    ///
    /// - Throws: ``CodeVaultError/unknownKey(id:)`` or ``OpenSSLError``.
    public func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) throws -> Bool {
        try mac(of: code, for: context, key: key(sealed.keyID)).equalsInConstantTime(sealed.mac)
    }

    /// The sealed code in clear, to be sent once more.
    ///
    /// - Throws: ``CodeVaultError/unknownKey(id:)``, ``CodeVaultError/notAuthentic(keyID:)`` or ``OpenSSLError``.
    public func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode {
        let bytes = try AES256GCM.open(
            sealed.ciphertext,
            additionalData: additionalData(for: context),
            key: key(sealed.keyID).encryption
        )
        guard let bytes, let code = PaddedCode.text(in: bytes).flatMap({ VerificationCode($0) }) else {
            throw CodeVaultError.notAuthentic(keyID: sealed.keyID)
        }
        return code
    }

    /// Goes by the ring as it is now: new codes are sealed under its newest key. A code under a key that is not known yet
    /// makes the vault do so by itself.
    ///
    /// - Throws: what reading the ring throws; the vault then goes on with the keys that it has.
    public func reloadKeys() throws {
        try keys.reload()
    }

    var newestKey: CodeKey { keys.all[0] }

    func key(_ id: String) throws -> CodeKey {
        try keys.key(id)
    }

    private func mac(of code: VerificationCode, for context: CodeContext, key: CodeKey) throws -> [UInt8] {
        let message = [UInt8](
            lengthPrefixed: "PhoneProof code authentication v1",
            context.verificationID.description,
            context.e164,
            code.digits
        )
        return try key.authentication.code(of: message)
    }

    private func additionalData(for context: CodeContext) -> [UInt8] {
        [UInt8](lengthPrefixed: "PhoneProof code encryption v1", context.verificationID.description, context.e164)
    }
}

extension OpenSSLCodeVault: CustomStringConvertible, CustomReflectable {
    /// The ids of the keys, without the keys.
    public var description: String { "code vault with the keys \(keys.all.map(\.id).joined(separator: ", "))" }
    public var customMirror: Mirror { Mirror(self, children: ["keys": keys.all.map(\.id)]) }
}
