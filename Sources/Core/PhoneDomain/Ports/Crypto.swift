public import PhoneSignup

/// Every method throws if the random source, a key or the cryptography fails. There is then no code and no approval.
public protocol CodeVault: Sendable {
    /// Every code equally likely; `length` is within ``VerificationCode/lengths``.
    func makeCode(length: Int) throws -> VerificationCode
    /// Sealed under the newest key and bound to its context.
    func seal(_ code: VerificationCode, for context: CodeContext) throws -> SealedCode
    /// Whether this is the sealed code and the context the one that it was sealed for, in constant time.
    func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) throws -> Bool
    func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode
}

/// A code as it is stored: a MAC to compare with and a ciphertext to send the same code again, both under a named key.
/// Neither reveals the code without the key, so neither does a copy of the database.
public struct SealedCode: Hashable, Sendable {
    /// The key that made it: keys are rotated while codes are in flight.
    public let keyID: String
    /// Over the verification, the number and the code.
    public let mac: [UInt8]
    /// Authenticated encryption of the code.
    public let ciphertext: [UInt8]

    public init(keyID: String, mac: [UInt8], ciphertext: [UInt8]) {
        (self.keyID, self.mac, self.ciphertext) = (keyID, mac, ciphertext)
    }
}

/// What a code is bound to: it proves nothing for another verification or another number.
public struct CodeContext: Hashable, Sendable {
    public let verificationID: Verification.ID
    /// The number in E.164.
    public let e164: String

    public init(verificationID: Verification.ID, e164: String) {
        (self.verificationID, self.e164) = (verificationID, e164)
    }
}

/// A secret that its holder sees once and we store only as a digest; its descriptions are dots.
public struct SecretToken: Hashable, Sendable {
    public let text: String
    public init(_ text: String) { self.text = text }
}

extension SecretToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "••••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Derives secrets from others under the service's keys, so that they can be made again and need not be stored. Every
/// method throws if the cryptography fails.
public protocol SecretDeriver: Sendable {
    /// 256 bits as 43 characters of base64url, one for each known key, the newest first. Without the key nobody can
    /// make them, whatever else they know. The same parts give different secrets for different labels, and `["a", "b"]`
    /// and `["ab"]` differ.
    func derive(_ label: SecretLabel, from parts: [String]) throws -> [String]
    /// Whether this text is what ``derive(_:from:)`` gives under one of the keys, or a prefix of it, compared in
    /// constant time. False for fewer than 22 characters (128 bits).
    func isDerived(_ text: String, _ label: SecretLabel, from parts: [String]) throws -> Bool
}

/// What a derived secret is for. Raw values are input of the derivation: changing one invalidates all existing secrets.
public enum SecretLabel: String, Sendable, CaseIterable {
    case refreshToken = "refresh token v1"
    /// The tag that distinguishes our refresh tokens from forged ones.
    case refreshTokenTag = "refresh token tag v1"
    case undo = "undo of a number change v1"
    /// Another system knows a number by it.
    case numberSubject = "subject of a number v1"
    /// What a person writes to prove a number (``InboundNumbers``).
    case inboundWord = "word of a message to us v1"
    /// The key that challenges are signed with.
    case proofOfWork = "proof of work v1"
    /// What binds a challenge to its number.
    case proofOfWorkNumber = "number of a proof of work v1"
    case waitTicket = "wait ticket v1"
    /// What binds the text that an app has signed to its number.
    case appNonce = "nonce of an app v1"
    /// What shows that a proof of a number has begun here, and for which number; and what only that proof can redeem.
    case numberProof = "state of a number proof v1"
    /// The short code by which a person finds the sign-in of a device.
    case userCode = "user code of a device v1"
    /// What shows when a browser was sent away to prove a number.
    case signInStart = "start of a sign-in v1"
    /// What shows that a challenge to a key is ours.
    case keyChallenge = "challenge to a sign-in key v1"
}

/// Makes the digests by which the audit log knows numbers. Every method throws if the cryptography fails.
public protocol NumberDigester: Sendable {
    /// The digest of this number or prefix under the newest key.
    func digest(of text: String) throws -> NumberDigest
    /// Its digests under every known key, the newest first: what is older than the newest key has an older one.
    func digests(of text: String) throws -> [NumberDigest]
}

/// The digests and keyed digests by which gateways authenticate us, and we their reports; copies of stores are compared
/// by the first. Each gateway defines which it uses, and over what. Every method throws if the cryptography fails;
/// nothing may be sent or trusted then.
public protocol RequestAuthenticator: Sendable {
    /// SHA-256 (FIPS 180-4): 32 bytes.
    func sha256(of message: [UInt8]) throws -> [UInt8]
    /// HMAC with SHA-256 (RFC 2104): 32 bytes.
    func hmacSHA256(of message: [UInt8], key: [UInt8]) throws -> [UInt8]
    /// HMAC with SHA-1 (RFC 2104): 20 bytes. Still secure as a keyed digest (RFC 6194 section 3.3); a vendor has no
    /// other.
    func hmacSHA1(of message: [UInt8], key: [UInt8]) throws -> [UInt8]
    /// Compares in a time that depends on the lengths alone.
    func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool
}

extension RequestAuthenticator {
    /// Whether a text is the HMAC with SHA-256 of this message in lower-case hexadecimal, compared in constant time.
    package func isHMACSHA256(_ text: some StringProtocol, of message: [UInt8], key: [UInt8]) throws -> Bool {
        areEqual(Array(try hmacSHA256(of: message, key: key).hexadecimal.utf8), Array(text.utf8))
    }
}

public protocol EventSigner: Sendable {
    /// The signatures of one attempt by Standard Webhooks
    /// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): one for each
    /// secret, `v1,` and base64, separated by spaces. `seconds` is when the attempt is made, in seconds since
    /// 1970-01-01T00:00:00Z. Throws if the cryptography fails; nothing may be sent then.
    func signatures(id: EventID, seconds: Int64, body: [UInt8]) throws -> String
}
