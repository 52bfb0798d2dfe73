internal import COpenSSL
public import PhoneDomain

/// Digests for gateways, by OpenSSL.
public struct OpenSSLRequestAuthenticator: RequestAuthenticator {
    /// An authenticator; it has no state.
    public init() {}

    /// - Throws: ``OpenSSLError``.
    public func sha256(of message: [UInt8]) throws -> [UInt8] {
        try SHA256.digest(of: message)
    }

    /// - Throws: ``OpenSSLError``.
    public func hmacSHA256(of message: [UInt8], key: [UInt8]) throws -> [UInt8] {
        try Self.code(of: message, key: key, EVP_sha256(), byteCount: 32)
    }

    /// - Throws: ``OpenSSLError``.
    public func hmacSHA1(of message: [UInt8], key: [UInt8]) throws -> [UInt8] {
        try Self.code(of: message, key: key, EVP_sha1(), byteCount: 20)
    }

    public func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.equalsInConstantTime(other)
    }

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
