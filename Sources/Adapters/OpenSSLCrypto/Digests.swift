import COpenSSL
import CoreEncodings
public import PhoneDomain
import Synchronization

/// SHA-256 (FIPS 180-4).
enum SHA256 {
    static let byteCount = 32

    // Fetched once, not by each EVP_Digest.
    // Safe by proof: `static let` writes it once, before the first read, it is never freed, and a fetched algorithm is
    // immutable (https://docs.openssl.org/3.0/man7/crypto/, "FETCHING").
    private nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    static func digest(of message: [UInt8]) throws -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        var count: UInt32 = 0
        guard EVP_Digest(message, message.count, &digest, &count, algorithm, nil) == 1, count == byteCount else {
            throw OpenSSLError.taken(from: "EVP_Digest")
        }
        return digest
    }
}

/// Contexts of OpenSSL that have an algorithm and a key already. They are used again and again: to make one, or to copy
/// one, takes longer than what is done with it. There are as many as there were callers at the same time.
final class ContextPool: Sendable {
    // Sendable by proof: it is in one place at a time, the list of those that nobody uses or the call that has taken it
    // from there.
    private struct Context: @unchecked Sendable { let pointer: OpaquePointer }

    private let idle = Mutex<[Context]>([])
    private let make: @Sendable () throws -> OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    /// - Parameter free: wipes the key.
    init(make: @escaping @Sendable () throws -> OpaquePointer, free: @escaping @Sendable (OpaquePointer) -> Void) {
        (self.make, self.free) = (make, free)
    }

    deinit { for context in idle.withLock({ $0 }) { free(context.pointer) } }

    /// - Parameter work: leaves the context ready for the next use, or throws.
    func withContext<Value>(_ work: (OpaquePointer) throws -> Value) throws -> Value {
        let context = try idle.withLock { $0.popLast() } ?? Context(pointer: make())
        do {
            let value = try work(context.pointer)
            idle.withLock { $0.append(context) }
            return value
        } catch {
            free(context.pointer)
            throw error
        }
    }
}

/// A key for HMAC with SHA-256 (RFC 2104, FIPS 180-4).
final class HMACSHA256: Sendable {
    // Safe by proof: `static let` writes it once, before the first read, it is never freed, and a fetched algorithm is
    // immutable (https://docs.openssl.org/3.0/man7/crypto/, "FETCHING").
    private nonisolated(unsafe) static let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)

    /// Nil where a context begins anew without it. Before OpenSSL 3.0.3, as Ubuntu 22.04 has it, that does nothing,
    /// reports success, and goes on from the last message (https://github.com/openssl/openssl/issues/17811).
    private let key: SecretBytes?
    private let contexts: ContextPool

    init(key: SecretBytes, resetsWithKey: Bool = OpenSSL_version_num() < 0x3000_0030) {
        self.key = resetsWithKey ? key : nil
        contexts = ContextPool(make: { try Self.makeContext(key) }, free: { EVP_MAC_CTX_free($0) })
    }

    private static func makeContext(_ key: SecretBytes) throws -> OpaquePointer {
        guard let algorithm, let context = EVP_MAC_CTX_new(algorithm) else {
            throw OpenSSLError.taken(from: "EVP_MAC_CTX_new")
        }
        var digest = Array("SHA256\0".utf8CString.dropLast())
        let isReady = digest.withUnsafeMutableBufferPointer { digest in
            let parameters = [
                OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.baseAddress, 0),
                OSSL_PARAM_construct_end(),
            ]
            return key.withUnsafeBytes { EVP_MAC_init(context, $0.baseAddress, $0.count, parameters) == 1 }
        }
        guard isReady else {
            EVP_MAC_CTX_free(context)
            throw OpenSSLError.taken(from: "EVP_MAC_init")
        }
        return context
    }

    func code(of message: [UInt8]) throws -> [UInt8] {
        try contexts.withContext { context in
            try [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
                guard EVP_MAC_update(context, message, message.count) == 1,
                    EVP_MAC_final(context, buffer.baseAddress, &count, buffer.count) == 1, count == SHA256.byteCount,
                    // Begins anew, and keeps nothing of the message.
                    begin(context)
                else {
                    count = 0
                    throw OpenSSLError.taken(from: "EVP_MAC_final")
                }
            }
        }
    }

    private func begin(_ context: OpaquePointer) -> Bool {
        guard let key else { return EVP_MAC_init(context, nil, 0, nil) == 1 }
        return key.withUnsafeBytes { EVP_MAC_init(context, $0.baseAddress, $0.count, nil) } == 1
    }
}

/// HKDF with SHA-256 and no salt (RFC 5869): derives a key for each use from one, none of which reveals another.
enum HKDFSHA256 {
    /// - Throws: `OpenSSLError`, also for more than 255 × 32 bytes, the maximum of RFC 5869.
    static func derive(from key: SecretBytes, info: String, count: Int) throws -> SecretBytes {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else {
            throw OpenSSLError.taken(from: "EVP_PKEY_CTX_new_id")
        }
        defer { EVP_PKEY_CTX_free(context) }
        let info = Array(info.utf8)
        return try SecretBytes(count: count) { derived in
            var derivedCount = count
            guard
                EVP_PKEY_derive_init(context) == 1,
                EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1,
                key.withUnsafeBytes({ key in
                    EVP_PKEY_CTX_set1_hkdf_key(context, key.baseAddress, Int32(key.count))
                }) == 1,
                EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1,
                EVP_PKEY_derive(context, derived.baseAddress, &derivedCount) == 1,
                derivedCount == count
            else { throw OpenSSLError.taken(from: "EVP_PKEY_derive") }
        }
    }
}

/// Digests and MACs for requests to gateways and from them, and for copies of stores.
public struct OpenSSLRequestAuthenticator: RequestAuthenticator {
    public init() {}

    public func sha256(of message: [UInt8]) throws -> [UInt8] { try SHA256.digest(of: message) }

    public func hmacSHA256(of message: [UInt8], key: [UInt8]) throws -> [UInt8] {
        try Self.code(of: message, key: key, EVP_sha256(), byteCount: 32)
    }

    public func hmacSHA1(of message: [UInt8], key: [UInt8]) throws -> [UInt8] {
        try Self.code(of: message, key: key, EVP_sha1(), byteCount: 20)
    }

    public func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { one.equalsInConstantTime(other) }

    private static func code(
        of message: [UInt8],
        key: [UInt8],
        _ digest: OpaquePointer?,
        byteCount: Int
    ) throws -> [UInt8] {
        var code = [UInt8](repeating: 0, count: byteCount)
        var count: UInt32 = 0
        guard HMAC(digest, key, Int32(key.count), message, message.count, &code, &count) != nil, count == byteCount
        else { throw OpenSSLError.taken(from: "HMAC") }
        return code
    }
}

/// A secret that events are signed with, in the form of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64
/// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme").
public struct WebhookSecret: Sendable {
    private static let prefix = "whsec_"
    private static let byteCounts = 24...64
    /// The length of the signature's digest: more would add nothing (RFC 2104, section 3).
    private static let newByteCount = 32

    let bytes: SecretBytes

    /// Reads a secret; nil for anything else. The padding at the end may be missing.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        var characters = text.utf8.dropFirst(Self.prefix.utf8.count)
        let count = characters.count
        while characters.last == UInt8(ascii: "="), count - characters.count < 2 { characters.removeLast() }
        guard characters.count == count || count.isMultiple(of: 4),
            Self.byteCounts.contains(TextEncoding.base64.byteCount(ofCharacters: characters.count)),
            let bytes = SecretBytes(.base64, characters)
        else { return nil }
        self.bytes = bytes
    }

    public static func makeText(random: any RandomBytes = OpenSSLRandom()) throws -> String {
        prefix + (try random.bytes(newByteCount)).base64
    }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "••••" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Signs events by HMAC-SHA256, once for each secret.
public struct OpenSSLEventSigner: EventSigner {
    private let keys: [HMACSHA256]

    /// - Parameter secrets: one, or several while secrets are rotated: a receiver accepts a signature by any that it
    ///   knows.
    public init(secrets: [WebhookSecret]) { keys = secrets.map { HMACSHA256(key: $0.bytes) } }

    public func signatures(id: EventID, seconds: Int64, body: [UInt8]) throws -> String {
        let content = Array("\(id).\(seconds).".utf8) + body
        return try keys.map { "v1," + (try $0.code(of: content)).base64 }.joined(separator: " ")
    }
}
