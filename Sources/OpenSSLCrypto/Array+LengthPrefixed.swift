extension [UInt8] {
    /// The texts one after the other, each behind its length in eight bytes, so that no other texts give the same bytes.
    init(lengthPrefixed texts: String...) {
        self.init(lengthPrefixed: texts)
    }

    /// The texts one after the other, each behind its length in eight bytes, so that no other texts give the same bytes.
    init(lengthPrefixed texts: [String]) {
        self = []
        for text in texts {
            Swift.withUnsafeBytes(of: UInt64(text.utf8.count).bigEndian) { append(contentsOf: $0) }
            append(contentsOf: text.utf8)
        }
    }
}
