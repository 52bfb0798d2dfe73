internal import COpenSSL

extension [UInt8] {
    /// Whether both are the same, in a time that depends on the lengths alone: what is right at the front of a guess
    /// cannot be learnt from how long the answer took (CRYPTO_memcmp(3)).
    func equalsInConstantTime(_ other: [UInt8]) -> Bool {
        count == other.count && CRYPTO_memcmp(self, other, count) == 0
    }
}
