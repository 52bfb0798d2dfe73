/// Bytes as text (RFC 4648): lower-case hexadecimal (section 8), and base64 and base64url (sections 4 and 5) without
/// padding.
public enum TextEncoding: Sendable {
    case hexadecimal, base64, base64URL

    private var bitsPerCharacter: Int { self == .hexadecimal ? 4 : 6 }

    private var alphabet: StaticString {
        switch self {
        case .hexadecimal: "0123456789abcdef"
        case .base64: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        case .base64URL: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        }
    }

    public func encode(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: (bytes.count * 8 + bitsPerCharacter - 1) / bitsPerCharacter) {
            encode(bytes, into: $0)
        }
    }

    /// Writes the text into a buffer that is large enough.
    ///
    /// - Returns: the number of characters written.
    @discardableResult
    public func encode(_ bytes: some Collection<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        bytes.withBuffer { bytes in
            alphabet.withUTF8Buffer { alphabet in
                var (bits, bitCount, end) = (UInt32(0), 0, 0)
                let (width, mask) = (bitsPerCharacter, UInt32(1 << bitsPerCharacter - 1))
                for byte in bytes {
                    bits = bits << 8 | UInt32(byte)
                    bitCount += 8
                    while bitCount >= width {
                        bitCount -= width
                        text[end] = alphabet[Int(bits >> bitCount & mask)]
                        end += 1
                    }
                }
                if bitCount > 0 {
                    text[end] = alphabet[Int(bits << (bitsPerCharacter - bitCount) & mask)]
                    end += 1
                }
                return end
            }
        }
    }

    /// The number of bytes that a text of this length encodes.
    public func byteCount(ofCharacters count: Int) -> Int { count * bitsPerCharacter / 8 }

    /// Decodes the text into a buffer of ``byteCount(ofCharacters:)`` bytes.
    ///
    /// - Returns: whether the text is the one that ``encode(_:)`` returns for these bytes, except that hexadecimal
    ///   digits may be upper-case. If not, the buffer is garbage.
    public func decode(_ text: some Collection<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        text.withBuffer { text in
            var (bits, bitCount, end) = (UInt32(0), 0, 0)
            for character in text {
                guard let value = value(of: character) else { return false }
                bits = bits << bitsPerCharacter | UInt32(value)
                bitCount += bitsPerCharacter
                if bitCount >= 8 {
                    bitCount -= 8
                    bytes[end] = UInt8(truncatingIfNeeded: bits >> bitCount)
                    end += 1
                }
            }
            // Bits past the last byte are zero, or one value could be written in several ways (RFC 4648, section 3.5).
            return bitCount < bitsPerCharacter && bits & (1 << bitCount - 1) == 0
        }
    }

    func value(of character: UInt8) -> UInt8? {
        switch (self, character) {
        case (.hexadecimal, UInt8(ascii: "0")...UInt8(ascii: "9")): character - UInt8(ascii: "0")
        case (.hexadecimal, UInt8(ascii: "a")...UInt8(ascii: "f")): character - UInt8(ascii: "a") + 10
        case (.hexadecimal, UInt8(ascii: "A")...UInt8(ascii: "F")): character - UInt8(ascii: "A") + 10
        case (.hexadecimal, _): nil
        case (_, UInt8(ascii: "A")...UInt8(ascii: "Z")): character - UInt8(ascii: "A")
        case (_, UInt8(ascii: "a")...UInt8(ascii: "z")): character - UInt8(ascii: "a") + 26
        case (_, UInt8(ascii: "0")...UInt8(ascii: "9")): character - UInt8(ascii: "0") + 52
        case (.base64, UInt8(ascii: "+")), (.base64URL, UInt8(ascii: "-")): 62
        case (.base64, UInt8(ascii: "/")), (.base64URL, UInt8(ascii: "_")): 63
        default: nil
        }
    }
}

extension Collection<UInt8> {
    /// Base64 with padding.
    public var base64: String { TextEncoding.base64.encode(self) + String(repeating: "=", count: (3 - count % 3) % 3) }
}

extension [UInt8] {
    /// Base64url without padding.
    public var base64URL: String { TextEncoding.base64URL.encode(self) }

    /// The bytes that the text encodes; nil unless ``TextEncoding/decode(_:into:)`` accepts it.
    public init?(_ encoding: TextEncoding, _ text: some Collection<UInt8>) {
        var isValid = false
        self.init(unsafeUninitializedCapacity: encoding.byteCount(ofCharacters: text.count)) { buffer, count in
            isValid = encoding.decode(text, into: buffer)
            count = isValid ? encoding.byteCount(ofCharacters: text.count) : 0
        }
        guard isValid else { return nil }
    }
}

extension Collection<UInt8> {
    /// Callers in other modules have unspecialised code: so it gets at the bytes by one call, not by one for each byte.
    fileprivate func withBuffer<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withContiguousStorageIfAvailable(body) ?? Array(self).withUnsafeBufferPointer(body)
    }
}
