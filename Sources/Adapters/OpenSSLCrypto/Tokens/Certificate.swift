import COpenSSL
package import PhoneSignup

/// A certificate (RFC 5280), as a maker of devices issues one for a key; freed with its last reference.
// Sendable by proof: the pointer is constant, and the certificate is only read after the initialiser. OpenSSL allows that
// from several threads at once; what it caches in the object it guards by its own lock
// (https://docs.openssl.org/3.0/man7/openssl-threads/).
package final class Certificate: @unchecked Sendable {
    private let pointer: OpaquePointer

    private init?(_ pointer: OpaquePointer?) {
        guard let pointer else {
            ERR_clear_error()
            return nil
        }
        self.pointer = pointer
    }

    deinit { X509_free(pointer) }

    /// Nil unless the bytes are a certificate and nothing after it.
    package convenience init?(der: [UInt8]) {
        let (pointer, isWhole) = der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let pointer = d2i_X509(nil, &next, bytes.count)
            return (pointer, next == bytes.baseAddress.map { $0 + bytes.count })
        }
        self.init(pointer)
        guard isWhole else { return nil }
    }

    /// The first of a file.
    package convenience init?(pem: [UInt8]) {
        self.init(
            pem.withUnsafeBytes { bytes in
                guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
                defer { BIO_free(memory) }
                return PEM_read_bio_X509(memory, nil, nil, nil)
            }
        )
    }

    /// The two coordinates of its key, 32 bytes each; nil unless that is one on P-256.
    package var point: [UInt8]? {
        let point = EVPKey(X509_get_pubkey(pointer))?.point
        ERR_clear_error()
        return point
    }

    /// What an extension has; nil if there is none of this object identifier.
    package func value(ofExtension identifier: String) -> [UInt8]? {
        guard let object = OBJ_txt2obj(identifier, 1) else { return nil }
        defer { ASN1_OBJECT_free(object) }
        let index = X509_get_ext_by_OBJ(pointer, object, -1)
        guard index >= 0, let found = X509_EXTENSION_get_data(X509_get_ext(pointer, index)) else { return nil }
        return Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(found), count: Int(ASN1_STRING_length(found))))
    }

    /// Whether the root has issued it, through some of the others, and all of them are valid at this time.
    package func isIssued(by root: Certificate, through others: [Certificate], at now: Timestamp) -> Bool {
        guard let roots = X509_STORE_new(), let context = X509_STORE_CTX_new(), let chain = OPENSSL_sk_new_null() else {
            return false
        }
        defer {
            // The stack alone: the certificates in it are ours.
            OPENSSL_sk_free(chain)
            X509_STORE_CTX_free(context)
            X509_STORE_free(roots)
            ERR_clear_error()
        }
        for other in others { OPENSSL_sk_push(chain, UnsafeRawPointer(other.pointer)) }
        guard X509_STORE_add_cert(roots, root.pointer) == 1,
            X509_STORE_CTX_init(context, roots, pointer, chain) == 1
        else { return false }
        X509_VERIFY_PARAM_set_time(X509_STORE_CTX_get0_param(context), Int(now.milliseconds / 1000))
        return X509_verify_cert(context) == 1
    }
}
