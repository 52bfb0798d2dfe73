/// Why nobody can be known by a certificate and a key.
public enum TLSIdentityError: Error, Equatable {
    /// There is no certificate in PEM, or one that cannot be read.
    case noCertificate
    /// There is no key in PEM, or one that is encrypted.
    case noKey
    /// The key is not the first certificate's.
    case mismatch
}
