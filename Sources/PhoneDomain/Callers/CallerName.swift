/// The name of a program that calls the service, as whoever runs the service calls it: 1 to 64 of the characters that
/// RFC 3986 section 2.3 leaves unreserved (letters, digits, `-`, `.`, `_`, `~`), so that it can stand in any log.
public struct CallerName: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// The name of this text, or nil if it is none.
    public init?(_ description: String) {
        guard (1...64).contains(description.utf8.count), description.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.description = description
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
