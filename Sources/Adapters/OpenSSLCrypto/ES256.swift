import COpenSSL
import CoreEncodings

/// ECDSA on P-256 with SHA-256, in the form of JOSE (RFC 7518 section 3.4): a signature is *r* and *s*, 32 bytes each,
/// and a public key (section 6.2.1) the two coordinates of a point, 32 bytes each.
enum ES256 {
    static let signatureByteCount = 64
    private static let coordinateByteCount = 32

    struct PublicKey: VerifyingKey {
        // A key with the curve alone, whose parameters others take: to decode a whole SubjectPublicKeyInfo costs thirty
        // times as much. Safe by proof: `static let` writes it once, before the first read, it is never freed, and is only
        // read from then on.
        private nonisolated(unsafe) static let curve: OpaquePointer? = {
            guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
            defer { EVP_PKEY_CTX_free(context) }
            var parameters: OpaquePointer?
            guard EVP_PKEY_paramgen_init(context) == 1,
                EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
                EVP_PKEY_paramgen(context, &parameters) == 1
            else { return nil }
            return parameters
        }()

        /// The coordinates *x* and *y*.
        let bytes: [UInt8]
        let key: EVPKey

        /// nil unless these are the coordinates of a point on the curve.
        init?(_ bytes: [UInt8]) {
            // The first byte says that the point is uncompressed (SEC 1, section 2.3.3).
            let point = [0x04] + bytes
            guard bytes.count == 2 * coordinateByteCount, let key = EVPKey(EVP_PKEY_new()),
                EVP_PKEY_copy_parameters(key.pointer, Self.curve) == 1,
                EVP_PKEY_set1_encoded_public_key(key.pointer, point, point.count) == 1
            else {
                ERR_clear_error()
                return nil
            }
            self.bytes = bytes
            self.key = key
        }

        var numbers: [String: String] {
            let width = coordinateByteCount
            return ["x": Array(bytes.prefix(width)).base64URL, "y": Array(bytes.suffix(width)).base64URL]
        }

        func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
            derSignature(signature).map { key.verifies($0, of: message) } ?? false
        }
    }

    struct PrivateKey: SigningPrivateKey {
        static let byteCount = 32

        // RFC 5915: an ECPrivateKey of version 1 with the number, the curve prime256v1 and no public key, which OpenSSL
        // computes.
        private static let prefix: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
        private static let suffix: [UInt8] = [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

        let publicKey: any VerifyingKey
        private let key: EVPKey

        /// - Parameter bytes: a big-endian number.
        /// - Returns: nil unless it is greater than zero and less than the order of the curve.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == Self.byteCount else { return nil }
            let der = SecretBytes(copying: [Self.prefix, bytes, Self.suffix].joined())
            let decoded = der.withUnsafeBytes { der in
                var next = der.baseAddress
                return EVPKey(d2i_PrivateKey(EVP_PKEY_EC, nil, &next, der.count))
            }
            guard let decoded, decoded.isConsistent, let publicKey = decoded.point.flatMap(PublicKey.init) else {
                ERR_clear_error()
                return nil
            }
            self.publicKey = publicKey
            key = decoded
        }

        /// Every call returns another signature.
        func sign(_ message: [UInt8]) throws -> [UInt8] {
            guard let signature = try rawSignature(key.sign(message)) else {
                throw OpenSSLError.taken(from: "d2i_ECDSA_SIG")
            }
            return signature
        }
    }
}

// OpenSSL has signatures in DER (RFC 3279 section 2.2.3).
extension ES256 {
    /// A sequence of two integers of 33 bytes, the longest signature.
    private static let derSignatureByteCount = 72

    /// *r* and *s* in DER; nil unless there are 64 bytes.
    static func derSignature(_ signature: [UInt8]) -> [UInt8]? {
        guard signature.count == signatureByteCount, let pair = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(pair) }
        let (r, s) = signature.withUnsafeBufferPointer { bytes in
            (
                BN_bin2bn(bytes.baseAddress, 32, nil),
                BN_bin2bn(bytes.baseAddress.map { $0 + coordinateByteCount }, 32, nil)
            )
        }
        // It takes ownership of both, or, if one is nil, of none.
        guard ECDSA_SIG_set0(pair, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        let der = [UInt8](unsafeUninitializedCapacity: derSignatureByteCount) { buffer, count in
            var next = buffer.baseAddress
            count = Int(max(0, i2d_ECDSA_SIG(pair, &next)))
        }
        return der.isEmpty ? nil : der
    }

    private static func rawSignature(_ der: [UInt8]) -> [UInt8]? {
        let pair = der.withUnsafeBufferPointer { der in
            var next = der.baseAddress
            return d2i_ECDSA_SIG(nil, &next, der.count)
        }
        guard let pair else { return nil }
        defer { ECDSA_SIG_free(pair) }
        let width = Int32(coordinateByteCount)
        var (r, s) = (
            [UInt8](repeating: 0, count: coordinateByteCount), [UInt8](repeating: 0, count: coordinateByteCount)
        )
        guard BN_bn2binpad(ECDSA_SIG_get0_r(pair), &r, width) == width,
            BN_bn2binpad(ECDSA_SIG_get0_s(pair), &s, width) == width
        else { return nil }
        return r + s
    }
}

extension EVPKey {
    /// The coordinates of a key on P-256; nil for a key of another kind.
    var point: [UInt8]? {
        // One byte before them says that the point is uncompressed (SEC 1, section 2.3.3).
        var point = [UInt8](repeating: 0, count: 65)
        var count = 0
        guard
            EVP_PKEY_get_octet_string_param(pointer, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, &point, point.count, &count)
                == 1,
            count == point.count, point.first == 0x04
        else { return nil }
        return Array(point.dropFirst())
    }
}
