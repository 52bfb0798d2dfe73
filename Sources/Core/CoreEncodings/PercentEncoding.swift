extension String {
    /// Decodes every `%XX` (RFC 3986 section 2.1); nil if the bytes are not UTF-8, or not ``isStreamSafe``.
    ///
    /// - Parameters:
    ///   - text: a part of a URL or of a form.
    ///   - hasPlusForSpace: whether `+` is a space, as in forms.
    ///   - isStrict: whether a `%` without two hexadecimal digits makes it nil, instead of standing for itself.
    public init?(percentDecoding text: Substring, hasPlusForSpace: Bool = false, isStrict: Bool = true) {
        if !text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") && hasPlusForSpace }) {
            self = String(text)
            guard isStreamSafe else { return nil }
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(hasPlusForSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            let digits = rest.prefix(2).compactMap(TextEncoding.hexadecimal.value(of:))
            if digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                if isStrict { return nil }
                bytes.append(byte)
            }
        }
        self.init(validating: bytes, as: UTF8.self)
        guard isStreamSafe else { return nil }
    }

    /// Encodes everything but the unreserved characters as `%XX`.
    public var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = utf8.reduce(into: [UInt8]()) { bytes, byte in
            if byte.isUnreserved {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Unreserved characters (RFC 3986 section 2.3).
    public var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
