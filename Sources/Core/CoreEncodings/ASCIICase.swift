extension Substring {
    /// The text with its ASCII letters in lower case, and all else as it is. Protocols that ignore case mean these
    /// letters alone (RFC 5234 section 2.3), while `lowercased()` also makes U+212A (KELVIN SIGN) a `k`.
    public var asciiLowercased: String {
        String(unsafeUninitializedCapacity: utf8.count) { buffer in
            buffer.update(fromContentsOf: utf8.lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        }
    }
}

extension String {
    /// ``Swift/Substring/asciiLowercased`` of the whole text.
    public var asciiLowercased: String { self[...].asciiLowercased }
}
