/// What events are signed with, as Standard Webhooks writes it: `whsec_` and 24 to 64 bytes in base64
/// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme").
public struct WebhookSecret: Sendable {
    private static let prefix = "whsec_"
    private static let byteCounts = 24...64
    /// As many as the digest of the signature has: more would add nothing (RFC 2104, section 3).
    private static let newByteCount = 32

    let bytes: SecretBytes

    /// Reads a secret; nil for anything else. The padding at the end may be missing.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        var characters = text.utf8.dropFirst(Self.prefix.utf8.count)
        let count = characters.count
        while characters.last == UInt8(ascii: "="), count - characters.count < 2 { characters.removeLast() }
        guard characters.count == count || count.isMultiple(of: 4), characters.count % 4 != 1 else { return nil }
        let byteCount = characters.count * 3 / 4
        let values = characters.compactMap(\.base64Value)
        // What does not fill a byte must be zero: a secret is written in one way only.
        let isPadded = values.last.map {
            $0 & (characters.count % 4 == 2 ? 15 : characters.count % 4 == 3 ? 3 : 0) == 0
        }
        guard Self.byteCounts.contains(byteCount), values.count == characters.count, isPadded ?? false else {
            return nil
        }
        bytes = SecretBytes(count: byteCount) { bytes in
            for index in 0..<byteCount {
                let (place, shift) = (index / 3 * 4 + index % 3, UInt16(index % 3 * 2))
                let next = place + 1 < values.count ? UInt16(values[place + 1]) : 0
                bytes[index] = UInt8(truncatingIfNeeded: (UInt16(values[place]) << 6 | next) >> (4 - shift))
            }
        }
    }

    /// The text of a new secret of 256 random bits.
    ///
    /// - Throws: what the random source throws.
    public static func makeText(random: any RandomBytes = OpenSSLRandom()) throws -> String {
        prefix + (try random.bytes(newByteCount)).base64
    }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    public var description: String { "••••" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
