extension [UInt8] {
    /// The bytes in base64 (RFC 4648 section 4), written by the book rather than by the library that is under test.
    var base64: String {
        let letters = [Character]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        return stride(from: 0, to: count, by: 3)
            .map { start in
                let part = self[start..<Swift.min(start + 3, count)]
                let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
                let text = [18, 12, 6, 0].map { String(letters[bits >> $0 & 63]) }.prefix(part.count + 1).joined()
                return text + String(repeating: "=", count: 3 - part.count)
            }
            .joined()
    }
}
