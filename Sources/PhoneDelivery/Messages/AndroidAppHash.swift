/// The 11 characters by which Android's SMS Retriever finds the app that a message is for.
///
/// Source: https://developers.google.com/identity/sms-retriever/overview.
public struct AndroidAppHash: Sendable, Equatable, CustomStringConvertible {
    /// The most bytes that a message for the SMS Retriever may have; counted in UTF-8, as Android shows the text.
    static let bytesInMessage = 140

    /// The hash as given.
    public let description: String

    /// `nil` unless the text is 11 characters of Base64: the beginning of the encoded SHA-256 of the app's package name and
    /// signing certificate.
    public init?(_ hash: String) {
        guard hash.utf8.count == 11, hash.utf8.allSatisfy(Self.isBase64) else { return nil }
        description = hash
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default:
            false
        }
    }
}
