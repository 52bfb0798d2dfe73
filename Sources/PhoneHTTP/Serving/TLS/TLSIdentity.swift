import Glibc
import NIOSSL
public import PhoneDomain

/// A certificate with the chain behind it, and the key that goes with it: who the service is to those who connect by TLS.
public struct TLSIdentity: Sendable {
    /// When the certificate begins to hold.
    public let validFrom: Timestamp
    /// When it ends.
    public let validUntil: Timestamp
    /// The certificate's serial number, in hexadecimal digits: how it is known from the one before.
    public let serialNumber: String
    let context: NIOSSLContext

    /// Takes them from PEM (RFC 7468).
    ///
    /// - Parameters:
    ///   - certificateChain: the certificate, and behind it those by which clients get to one that they trust.
    ///   - privateKey: the certificate's key, not encrypted.
    /// - Throws: ``TLSIdentityError``.
    public init(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSIdentityError) {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificateChain), let leaf = chain.first else {
            throw .noCertificate
        }
        // Without a callback for its password BoringSSL asks the terminal for it.
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
        serialNumber = leaf.serialNumber.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func configuration(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        // TLS 1.0 and 1.1 are not to be spoken (RFC 8996).
        configuration.minimumTLSVersion = .tlsv12
        // Of TLS 1.2 what has forward secrecy and is authenticated, which HTTP/2 asks for (RFC 9113 section 9.2.2).
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.applicationProtocols = ["h2", "http/1.1"]
        return configuration
    }
}
