/// 32 secret random bytes with a name that is no secret; the keys that are used are derived from it.
struct MasterKey: Sendable {
    static let byteCount = 32

    /// The name, which sealed codes are marked with.
    let id: String
    let secret: SecretBytes

    /// A new key named by eight random hexadecimal digits, so that keys made on several machines do not share a name.
    ///
    /// - Throws: what the source throws.
    init(from random: some RandomBytes) throws {
        let digits = try random.bytes(4).map(\.hexadecimalDigits)
        id = String(decoding: digits.flatMap { [$0.high, $0.low] }, as: UTF8.self)
        secret = try SecretBytes(count: Self.byteCount) { try random.fill(UnsafeMutableRawBufferPointer($0)) }
    }
}

// The line of a key in a key file: `id key`.
extension MasterKey {
    /// How long an id may be. A key is longer however it is written, so one that has lost its id is not taken for an
    /// id, which messages show.
    static let idLengths = 1...32

    /// Reads the two fields of a line.
    init(
        id: Slice<UnsafeBufferPointer<UInt8>>,
        key: Slice<UnsafeBufferPointer<UInt8>>
    ) throws(KeyRingError.Problem) {
        guard Self.idLengths.contains(id.count), id.allSatisfy(\.isIDCharacter) else { throw .malformedID }
        guard let secret = Self.secret(written: key) else { throw .malformedKey }
        self.id = String(decoding: id, as: UTF8.self)
        self.secret = secret
    }

    /// The line, with its end, the key in hexadecimal.
    var line: SecretBytes {
        let id = self.id.utf8
        return secret.withUnsafeBytes { key in
            SecretBytes(count: id.count + 1 + 2 * key.count + 1) { line in
                var end = line.update(fromContentsOf: id)
                line[end] = UInt8(ascii: " ")
                end += 1
                for byte in key {
                    (line[end], line[end + 1]) = byte.hexadecimalDigits
                    end += 2
                }
                line[end] = UInt8(ascii: "\n")
            }
        }
    }

    /// The 32 bytes that 64 hexadecimal digits or 44 characters of base64 stand for; nil if they do not.
    private static func secret(written text: Slice<UnsafeBufferPointer<UInt8>>) -> SecretBytes? {
        switch (text.count, text.last) {
        case (64, _): secret(written: text, bitsPerCharacter: 4, value: \.hexadecimalValue)
        case (44, UInt8(ascii: "=")): secret(written: text.dropLast(), bitsPerCharacter: 6, value: \.base64Value)
        default: nil
        }
    }

    private static func secret(
        written text: Slice<UnsafeBufferPointer<UInt8>>,
        bitsPerCharacter: Int,
        value: (UInt8) -> UInt8?
    ) -> SecretBytes? {
        try? SecretBytes(count: byteCount) { bytes in
            var bits: UInt32 = 0
            var bitCount = 0
            var end = 0
            for character in text {
                guard let value = value(character) else { throw KeyRingError.Problem.malformedKey }
                bits = bits << bitsPerCharacter | UInt32(value)
                bitCount += bitsPerCharacter
                if bitCount >= 8 {
                    bitCount -= 8
                    bytes[end] = UInt8(truncatingIfNeeded: bits >> bitCount)
                    end += 1
                }
            }
            // Bits past the last byte are zero, or a character was mistyped (RFC 4648, section 3.5).
            guard bits & ((1 << bitCount) - 1) == 0 else { throw KeyRingError.Problem.malformedKey }
        }
    }
}

extension UInt8 {
    fileprivate var isIDCharacter: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
