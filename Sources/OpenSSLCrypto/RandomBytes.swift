public import PhoneDomain

/// A source of bytes that nobody can guess; the source of identifiers as well.
public protocol RandomBytes: IdentifierSource {
    /// Fills the whole buffer.
    ///
    /// - Throws: if the source fails; what the buffer then holds must not be used.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws
}

extension RandomBytes {
    /// 128 bits from the source.
    ///
    /// - Throws: what ``fill(_:)`` throws.
    public func makeBits() throws -> (UInt64, UInt64) {
        var bits: (high: UInt64, low: UInt64) = (0, 0)
        try withUnsafeMutableBytes(of: &bits) { try fill($0) }
        return (UInt64(bigEndian: bits.high), UInt64(bigEndian: bits.low))
    }

    /// So many bytes, for what is no secret once it has been used.
    func bytes(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try fill($0) }
        return bytes
    }
}
