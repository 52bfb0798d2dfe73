import COpenSSL
import FoundationEssentials
import PhoneAccounts
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Synchronization
import Testing

@testable import OpenSSLCrypto

/// A service with signing keys, a clock that the test moves, and a private key that the test knows as well: so tokens
/// can be signed here by other code than the service's.
struct TokenScene: Sendable {
    /// 2026-01-01T00:00:00Z.
    static let start = Timestamp(seconds: 1_767_225_600)
    static let issuer = "https://phone.example"
    static let audience = "https://api.example"

    let store = MemoryStore()
    let clock = ManualClock(start)
    let identifiers = CountingIdentifiers()
    let sealer = PlainSecretSealer()
    let secret = KnownKey()
    let tokens: JWTAccessTokens

    init() {
        tokens = JWTAccessTokens(
            issuer: Self.issuer,
            audience: Self.audience,
            store: store,
            sealer: sealer,
            random: KeyRandom(identifiers: identifiers, key: secret.bytes),
            clock: clock
        )
    }

    /// Another instance, over the same store unless another is given.
    func instance(
        store: (any SigningKeyStore)? = nil,
        sealer: (any SecretSealer)? = nil,
        random: (any RandomBytes)? = nil
    ) -> JWTAccessTokens {
        JWTAccessTokens(
            issuer: Self.issuer,
            audience: Self.audience,
            store: store ?? self.store,
            sealer: sealer ?? self.sealer,
            random: random ?? KeyRandom(identifiers: identifiers, key: secret.bytes),
            clock: clock
        )
    }

    var now: Timestamp { clock.now() }

    /// The ID of the key that signs.
    func kid() async throws -> String { try #require(await tokens.publishedKeys(at: now).first).id.description }

    /// A key of this private part.
    func key(_ secret: KnownKey = KnownKey()) throws -> SigningKey {
        try SigningKeyMaker(sealer: sealer, random: KeyRandom(identifiers: identifiers, key: secret.bytes))
            .make(.es256, at: now)
    }

    /// Rotates as another process does.
    @discardableResult
    func rotate(_ secret: KnownKey = KnownKey(), isAtOnce: Bool = false) async throws
        -> SigningKey.ID
    {
        let key = try key(secret)
        _ = try await store.rotate(RotateSigningKey(to: key, policy: .standard, isAtOnce: isAtOnce))
        return key.id
    }

    /// The token that the service is asked for.
    func token(validFor seconds: Int = 900) -> AccessToken {
        AccessToken(
            id: AccessToken.ID(bits: 1, 1),
            accountID: Account.ID(bits: 2, 2),
            sessionID: Session.ID(bits: 3, 3),
            isPhoneNumberVerified: true,
            authenticatedAt: Self.start - .seconds(3600),
            issuedAt: now,
            expiresAt: now + .seconds(seconds)
        )
    }
}

/// A private key that the test knows.
struct KnownKey: Sendable {
    let bytes: [UInt8]
    private let key: ES256.PrivateKey

    init() {
        // One of 2³² numbers is no key.
        while true {
            let bytes = [UInt8]((0..<32).map { _ in UInt8.random(in: 0...255) })
            if let key = ES256.PrivateKey(bytes) {
                (self.bytes, self.key) = (bytes, key)
                return
            }
        }
    }

    var publicKey: [UInt8] { key.publicKey.bytes }

    func sign(_ text: String) throws -> [UInt8] { try key.sign(Array(text.utf8)) }
}

/// A source that returns a known key, and identifiers that count up.
struct KeyRandom: RandomBytes {
    let identifiers: any IdentifierSource
    let key: [UInt8]

    func makeBits() throws -> (UInt64, UInt64) { try identifiers.makeBits() }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        precondition(buffer.count == key.count)
        buffer.copyBytes(from: key)
    }
}

/// Builds tokens character by character, as an attacker does, without the code under test.
struct Forge {
    /// The header and the claims of a token that is good, for this key.
    static func header(_ kid: String) -> String {
        #"{"alg":"ES256","typ":"at+jwt","kid":"\#(kid)"}"#
    }

    static let payload = payload()

    /// The claims of a token that is good, with some in place of others or beside them, and without one.
    static func payload(_ changes: [String: String] = [:], without name: String? = nil) -> String {
        var members: [(String, String)] = [
            ("iss", #""https://phone.example""#), ("aud", #""https://api.example""#),
            ("sub", #""acc_00000000000000020000000000000002""#), ("client_id", #""https://api.example""#),
            ("scope", #""account""#),
            ("iat", "1767225600"), ("exp", "1767226500"), ("jti", #""tok_00000000000000010000000000000001""#),
            ("sid", #""ses_00000000000000030000000000000003""#), ("auth_time", "1767222000"),
            ("phone_number_verified", "true"),
        ]
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let index = members.firstIndex(where: { $0.0 == name }) {
                members[index].1 = value
            } else {
                members.append((name, value))
            }
        }
        members.removeAll { $0.0 == name }
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// What is signed.
    static func input(_ header: String, _ payload: String) -> String {
        base64URL(header.utf8) + "." + base64URL(payload.utf8)
    }

    /// A MAC by SHA-256 or SHA-512.
    static func mac(_ input: String, key: [UInt8], _ digest: OpaquePointer?) -> [UInt8] {
        var mac = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let input = Array(input.utf8)
        #expect(HMAC(digest, key, Int32(key.count), input, input.count, &mac, &count) != nil)
        return Array(mac.prefix(Int(count)))
    }

    /// A signature of 64 bytes by another algorithm.
    static func ed25519(_ input: String) throws -> [UInt8] {
        let generation = try #require(EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil))
        defer { EVP_PKEY_CTX_free(generation) }
        var key: OpaquePointer?
        try #require(EVP_PKEY_keygen_init(generation) == 1 && EVP_PKEY_keygen(generation, &key) == 1)
        defer { EVP_PKEY_free(key) }
        let context = try #require(EVP_MD_CTX_new())
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        let input = Array(input.utf8)
        try #require(EVP_DigestSignInit(context, nil, nil, nil, key) == 1)
        try #require(EVP_DigestSign(context, &signature, &count, input, input.count) == 1 && count == 64)
        return signature
    }

    /// A token by ES256.
    static func token(_ header: String, _ payload: String, by key: KnownKey) throws -> String {
        let input = input(header, payload)
        return try input + "." + base64URL(key.sign(input))
    }
}

/// Counts how often the keys are read.
final class CountingKeyStore: SigningKeyStore {
    private let store: any SigningKeyStore
    private let count = Mutex(0)

    init(_ store: any SigningKeyStore) {
        self.store = store
    }

    var reads: Int { count.withLock { $0 } }

    func signingKeys() async throws -> SigningKeys {
        count.withLock { $0 += 1 }
        return try await store.signingKeys()
    }

    func ensure(_ command: EnsureSigningKey) async throws -> SigningKeys { try await store.ensure(command) }

    func rotate(_ command: RotateSigningKey, audit entry: AuditEntry) async throws -> SigningKeys {
        try await store.rotate(command, audit: entry)
    }
}

/// Opens nothing until it may.
final class RefusingSealer: SecretSealer {
    private let sealer = PlainSecretSealer()
    private let isAccepting = Mutex(false)

    func accept() {
        isAccepting.withLock { $0 = true }
    }

    func seal(_ secret: [UInt8], for subject: String) -> SealedSecret {
        sealer.seal(secret, for: subject)
    }

    func open(_ sealed: SealedSecret, for subject: String) throws -> [UInt8] {
        guard isAccepting.withLock({ $0 }) else { throw SecretSealerError.unknownKey(id: sealed.keyID) }
        return try sealer.open(sealed, for: subject)
    }
}
