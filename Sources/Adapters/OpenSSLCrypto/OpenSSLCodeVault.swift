import CoreEncodings
public import PhoneAccounts
public import PhoneDomain
public import PhoneSignup

/// A vault of codes on OpenSSL.
///
/// A sealed code is an HMAC-SHA-256 to compare with and an AES-256-GCM ciphertext to send the code again, each under a
/// key of its own and both bound to the verification and the number. OWASP ASVS 5.0 (6.5.2) asks for a slow password
/// hash where a short secret is hashed; here it is a keyed MAC: without the key no code can be tried at all, and with
/// it a million codes are tried soon, however slow the hash.
public struct OpenSSLCodeVault: CodeVault {
    let keys: VaultKeys
    let random: any RandomBytes
    private let nonces: any RandomBytes

    /// - Parameters:
    ///   - reloading: reads the ring again, where it may be rotated while the vault is in use; see ``reloadKeys()``.
    ///   - random: for codes, and for nonces unless they have a source of their own.
    public init(
        keys: KeyRing,
        reloading: (@Sendable () throws -> KeyRing)? = nil,
        random: any RandomBytes = OpenSSLRandom(),
        nonces: (any RandomBytes)? = nil
    ) throws {
        self.keys = try VaultKeys(keys, load: reloading)
        (self.random, self.nonces) = (random, nonces ?? random)
    }

    /// A uniformly distributed code, of a length within ``VerificationCode/lengths``.
    public func makeCode(length: Int) throws -> VerificationCode {
        guard VerificationCode.lengths.contains(length) else { throw CodeVaultError.unsupportedLength(length) }
        var digits: [UInt8] = []
        // Sixteen bytes give ten digits nearly always; a source that has not done so eight times never will.
        for _ in 0..<8 where digits.count < length {
            // Of the 256 values of a byte the last six are skipped, or 0 to 5 would be more frequent than 6 to 9.
            for byte in try random.bytes(16) where byte < 250 {
                digits.append(UInt8(ascii: "0") + byte % 10)
            }
        }
        guard digits.count >= length,
            let code = VerificationCode(String(decoding: digits.prefix(length), as: UTF8.self))
        else { throw CodeVaultError.brokenRandomSource }
        return code
    }

    /// Seals the code under the newest key. Every ciphertext has the same length, so that it does not reveal the length
    /// of the code.
    public func seal(_ code: VerificationCode, for context: CodeContext) throws -> SealedCode {
        let key = keys.newest
        return SealedCode(
            keyID: key.id,
            mac: try mac(of: code, for: context, key: key),
            ciphertext: try encrypt(PaddedCode.bytes(of: code.digits), under: key, boundTo: parts(context))
        )
    }

    /// Whether both the code and the context are those that were sealed, in constant time.
    public func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) throws -> Bool {
        try mac(of: code, for: context, key: keys.key(sealed.keyID)).equalsInConstantTime(sealed.mac)
    }

    public func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode {
        let bytes = try decrypt(sealed.ciphertext, under: keys.key(sealed.keyID), boundTo: parts(context))
        guard let bytes, let code = PaddedCode.text(in: bytes).flatMap({ VerificationCode($0) }) else {
            throw CodeVaultError.notAuthentic(keyID: sealed.keyID)
        }
        return code
    }

    /// Reads the ring again: new codes are sealed under its newest key. A code under an unknown key makes the vault do
    /// so by itself.
    ///
    /// - Throws: what reading the ring throws; the vault keeps the keys that it has then.
    public func reloadKeys() throws { try keys.reload() }

    private func mac(of code: VerificationCode, for context: CodeContext, key: CodeKey) throws -> [UInt8] {
        let message = [UInt8](
            lengthPrefixed: [
                "PhoneProof code authentication v1", context.verificationID.description, context.e164, code.digits,
            ]
        )
        return try key.authentication.code(of: message)
    }

    private func parts(_ context: CodeContext) -> [String] {
        ["PhoneProof code encryption v1", context.verificationID.description, context.e164]
    }

    /// Encrypts text that can be decrypted only with the same parts. They begin with the use: all uses have the same
    /// key.
    ///
    /// One key may seal 2³² texts, since its nonces are random (NIST SP 800-38D, section 8.3).
    func encrypt(_ plaintext: [UInt8], under key: CodeKey, boundTo parts: [String]) throws -> [UInt8] {
        try key.encryption.seal(plaintext, additionalData: [UInt8](lengthPrefixed: parts), random: nonces)
    }

    /// nil unless it was encrypted under this key with these parts.
    func decrypt(_ ciphertext: [UInt8], under key: CodeKey, boundTo parts: [String]) throws -> [UInt8]? {
        try key.encryption.open(ciphertext, additionalData: [UInt8](lengthPrefixed: parts))
    }
}

extension [UInt8] {
    /// The texts, each preceded by its length in eight bytes, so that no two lists of texts give the same bytes.
    fileprivate init(lengthPrefixed texts: [String]) {
        self = []
        reserveCapacity(texts.reduce(0) { $0 + 8 + $1.utf8.count })
        for text in texts {
            Swift.withUnsafeBytes(of: UInt64(text.utf8.count).bigEndian) { append(contentsOf: $0) }
            append(contentsOf: text.utf8)
        }
    }
}

extension OpenSSLCodeVault: CustomStringConvertible, CustomReflectable {
    public var description: String { "code vault with the keys \(keys.all.map(\.id).joined(separator: ", "))" }
    public var customMirror: Mirror { Mirror(self, children: ["keys": keys.all.map(\.id)]) }
}

extension OpenSSLCodeVault: NumberDigester {
    /// The digest of this number or prefix under the newest key, 128 bits of an HMAC-SHA-256.
    public func digest(of text: String) throws -> NumberDigest { try digest(of: text, key: keys.newest) }

    /// Its digests under every key, the newest first.
    public func digests(of text: String) throws -> [NumberDigest] {
        try keys.all.map { try digest(of: text, key: $0) }
    }

    private func digest(of text: String, key: CodeKey) throws -> NumberDigest {
        let digest = try key.digest.code(of: Array(text.utf8))
        return NumberDigest(rawValue: key.id + ":" + TextEncoding.hexadecimal.encode(digest[..<16]))
    }
}

extension OpenSSLCodeVault: SecretDeriver {
    /// The shortest prefix of a secret that is accepted: 22 characters of base64url are 132 bits.
    private static let shortestPrefix = 22

    /// An HMAC-SHA-256 of label and parts in base64url, one for each key of the ring, the newest first.
    public func derive(_ label: SecretLabel, from parts: [String]) throws -> [String] {
        let message = [UInt8](lengthPrefixed: [label.rawValue] + parts)
        return try keys.all.map { try $0.derivation.code(of: message).base64URL }
    }

    /// Whether this text is what ``derive(_:from:)`` returns under one of the keys, or a prefix of it. If not, the ring
    /// is read again, since the key may have been added meanwhile.
    public func isDerived(_ text: String, _ label: SecretLabel, from parts: [String]) throws -> Bool {
        let text = Array(text.utf8)
        guard text.count >= Self.shortestPrefix else { return false }
        if try isPrefix(text, of: derive(label, from: parts)) { return true }
        guard (try? reloadKeys()) != nil else { return false }
        return try isPrefix(text, of: derive(label, from: parts))
    }

    /// Every secret is compared, so that the time does not reveal which key it was.
    private func isPrefix(_ text: [UInt8], of secrets: [String]) -> Bool {
        secrets.map { Array($0.utf8.prefix(text.count)).equalsInConstantTime(text) }.contains(true)
    }
}

extension OpenSSLCodeVault: SecretSealer {
    /// Seals the secret under the newest key. The ciphertext reveals the length of the secret.
    public func seal(_ secret: [UInt8], for subject: String) throws -> SealedSecret {
        let key = keys.newest
        return SealedSecret(
            keyID: key.id,
            ciphertext: try encrypt(secret, under: key, boundTo: [Self.secretUse, subject])
        )
    }

    public func open(_ sealed: SealedSecret, for subject: String) throws -> [UInt8] {
        guard let key = try? keys.key(sealed.keyID) else { throw SecretSealerError.unknownKey(id: sealed.keyID) }
        guard let secret = try decrypt(sealed.ciphertext, under: key, boundTo: [Self.secretUse, subject])
        else { throw SecretSealerError.notAuthentic(keyID: sealed.keyID) }
        return secret
    }

    private static let secretUse = "PhoneProof secret encryption v1"
}

/// A code cannot be made, or a sealed code not be opened. It never contains a code or a key.
enum CodeVaultError: Error, Hashable, CustomStringConvertible {
    case unsupportedLength(Int)
    case brokenRandomSource
    case unknownKey(id: String)
    case notAuthentic(keyID: String)

    var description: String {
        switch self {
        case .unsupportedLength(let length): "a code has 4 to 10 digits, not \(length)"
        case .brokenRandomSource: "the random source failed; no code was created"
        case .unknownKey(let id):
            "the code is encrypted with the key \(id), which is not in the key file; put the key back until the code has expired"
        case .notAuthentic(let keyID):
            "the encrypted code is not what the key \(keyID) made for this verification and this number"
        }
    }
}
