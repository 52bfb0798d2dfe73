import COpenSSL
import CoreEncodings
public import PhoneAccounts
public import PhoneDomain
import Synchronization

/// Bytes that must not outlive their use: they lie in memory of their own, which is wiped before it is freed, and no
/// description shows them.
// Sendable by proof: the pointer is constant, the initialiser alone writes the memory behind it, before anybody else
// has a reference, and every later access is a read.
final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableBufferPointer<UInt8>

    /// Zero bytes until `fill` writes them. If it throws, what it wrote is wiped.
    init(count: Int, filling fill: (UnsafeMutableBufferPointer<UInt8>) throws -> Void) rethrows {
        memory = .allocate(capacity: count)
        memory.initialize(repeating: 0)
        try fill(memory)
    }

    deinit {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
        memory.deallocate()
    }

    convenience init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { _ = $0.update(fromContentsOf: bytes) }
    }

    /// The bytes that the text encodes; nil unless ``TextEncoding/decode(_:into:)`` accepts it.
    convenience init?(_ encoding: TextEncoding, _ text: some Collection<UInt8>) {
        var isValid = false
        self.init(count: encoding.byteCount(ofCharacters: text.count)) { isValid = encoding.decode(text, into: $0) }
        guard isValid else { return nil }
    }

    var count: Int { memory.count }

    /// Lends the bytes for as long as `body` runs.
    func withUnsafeBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try body(UnsafeBufferPointer(memory))
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    var description: String { "\(count) secret bytes" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension [UInt8] {
    /// Whether both are equal, in a time that depends on the lengths alone: response times do not reveal how much of a
    /// guess is right (CRYPTO_memcmp(3)).
    func equalsInConstantTime(_ other: [UInt8]) -> Bool {
        count == other.count && CRYPTO_memcmp(self, other, count) == 0
    }
}

/// A source of unpredictable bytes, and of identifiers.
public protocol RandomBytes: IdentifierSource {
    /// Fills the whole buffer.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws
}

extension RandomBytes {
    public func makeBits() throws -> (UInt64, UInt64) {
        var bits: (high: UInt64, low: UInt64) = (0, 0)
        try withUnsafeMutableBytes(of: &bits) { try fill($0) }
        return (UInt64(bigEndian: bits.high), UInt64(bigEndian: bits.low))
    }

    /// Makes bytes that are no secret once they have been used: their memory is not wiped.
    func bytes(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try fill($0) }
        return bytes
    }
}

/// OpenSSL's generator for secrets: the calling thread's private DRBG, seeded by the operating system and kept apart
/// from the one whose output is public (RAND_priv_bytes(3); NIST SP 800-90A).
public struct OpenSSLRandom: RandomBytes {
    public init() {}

    /// - Throws: `OpenSSLError` if the generator cannot be seeded.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) throws {
        let bytes = buffer.assumingMemoryBound(to: UInt8.self)
        // A strength of 0 leaves it to OpenSSL, as RAND_priv_bytes does.
        guard RAND_priv_bytes_ex(nil, bytes.baseAddress, bytes.count, 0) == 1 else {
            throw OpenSSLError.taken(from: "RAND_priv_bytes_ex")
        }
    }
}

/// Bytes for IDs and nonces from blocks of random bytes: OpenSSL called for each of them cost 2 to 5 % of a start. Not
/// for codes, keys and tokens, which must not lie in memory before they are needed.
public final class PooledRandom: RandomBytes {
    private static let blockSize = 1024

    private let random: any RandomBytes
    private let block = Mutex<[UInt8]>([])

    public init(random: any RandomBytes = OpenSSLRandom()) { self.random = random }

    /// - Parameter buffer: of at most 1024 bytes.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) throws {
        try block.withLock { block in
            if block.count < buffer.count { block = try random.bytes(Self.blockSize) }
            buffer.copyBytes(from: block.suffix(buffer.count))
            block.removeLast(buffer.count)
        }
    }
}

/// Makes random tokens and recognises them by their SHA-256.
public struct OpenSSLTokenVault: TokenVault {
    private static let byteCount = 32

    private let random: any RandomBytes

    public init(random: any RandomBytes = OpenSSLRandom()) { self.random = random }

    /// A token of 256 random bits: the prefix and 43 characters of base64url (RFC 4648, section 5) without padding.
    public func makeToken(prefix: String) throws -> SecretToken {
        SecretToken(prefix + (try random.bytes(Self.byteCount)).base64URL)
    }

    /// The SHA-256 of the token's text including the prefix.
    public func digest(of token: SecretToken) throws -> [UInt8] {
        try SHA256.digest(of: Array(token.text.utf8))
    }

    /// Whether the digest is that of the token, in constant time.
    public func matches(_ token: SecretToken, digest: [UInt8]) throws -> Bool {
        try self.digest(of: token).equalsInConstantTime(digest)
    }
}
