import CoreEncodings
import Glibc
import NIOSSL
public import PhoneSignup
import Synchronization

/// The service's certificate with its chain, and its key.
public struct TLSIdentity: Sendable {
    public let validFrom: Timestamp
    public let validUntil: Timestamp
    /// Hexadecimal.
    public let serialNumber: String
    let context: NIOSSLContext

    /// Reads it from PEM (RFC 7468).
    ///
    /// - Parameters:
    ///   - certificateChain: the certificate, followed by those up to one that clients trust.
    ///   - privateKey: unencrypted.
    /// - Throws: ``TLSIdentityError``.
    public init(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSIdentityError) {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificateChain), let leaf = chain.first else {
            throw .noCertificate
        }
        // Without a callback BoringSSL asks the terminal for the password.
        let key = try? NIOSSLPrivateKey(bytes: privateKey, format: .pem) { (_: ([UInt8]) -> Void) throws in
            throw TLSIdentityError.noKey
        }
        guard let key else { throw .noKey }
        do {
            context = try NIOSSLContext(configuration: Self.configuration(chain, key))
        } catch {
            throw .mismatch
        }
        validFrom = Timestamp(seconds: Int64(leaf.notValidBefore))
        validUntil = Timestamp(seconds: Int64(leaf.notValidAfter))
        serialNumber = TextEncoding.hexadecimal.encode(leaf.serialNumber)
    }

    private static func configuration(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        // TLS 1.0 and 1.1 are deprecated (RFC 8996).
        configuration.minimumTLSVersion = .tlsv12
        // Of TLS 1.2 only what has forward secrecy and is authenticated, as HTTP/2 requires (RFC 9113 section 9.2.2).
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.applicationProtocols = ["h2", "http/1.1"]
        return configuration
    }
}

/// Why a certificate and a key cannot be used.
public enum TLSIdentityError: Error, Equatable {
    /// There is no readable certificate in PEM.
    case noCertificate
    /// There is no key in PEM, or an encrypted one.
    case noKey
    /// The key is not that of the first certificate.
    case mismatch
}

/// The identity for new connections; existing ones keep theirs.
public final class TLSIdentityInUse: Sendable {
    private let identity: Mutex<TLSIdentity>

    public init(_ identity: TLSIdentity) { self.identity = Mutex(identity) }

    public func replace(by identity: TLSIdentity) { self.identity.withLock { $0 = identity } }

    public var current: TLSIdentity { identity.withLock { $0 } }
}
