/// A JSON Web Token in compact form (RFC 7515 section 7.1), before its signature has been verified.
package struct JSONWebToken {
    /// Longer texts are not parsed. Our tokens are shorter.
    package static let maxByteCount = 4096

    package let header: [String: JSON]
    /// A JSON object, if the signature is valid. Parse it afterwards.
    package let payload: [UInt8]
    /// The part of the text that is signed.
    package let signingInput: [UInt8]
    package let signature: [UInt8]

    /// nil unless the text has three parts in base64url as ``TextEncoding/decode(_:into:)`` accepts it, of which the
    /// first is a JSON object.
    package init?(_ text: String) {
        let text = text.utf8
        guard text.count <= Self.maxByteCount else { return nil }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = [UInt8](.base64URL, parts[2]),
            let header = [UInt8](.base64URL, parts[0]).flatMap(Self.members),
            let payload = [UInt8](.base64URL, parts[1])
        else { return nil }
        (self.header, self.payload, self.signature) = (header, payload, signature)
        signingInput = Array(text[..<parts[1].endIndex])
    }

    /// Whether the header's `typ` is this: the prefix is optional, and media types are case-insensitive (RFC 7515
    /// section 4.1.9).
    package func isOfType(_ type: String) -> Bool {
        guard let name = header["typ"]?.string?.asciiLowercased else { return false }
        return ["", "application/"].contains { $0 + type.asciiLowercased == name }
    }

    /// The members of a JSON object, which begins with the first byte; nil for anything else. It is strict where
    /// parsers differ (RFC 8725 section 2.6): names are unique and contain no escape.
    package static func members(of object: [UInt8]) -> [String: JSON]? {
        guard object.first == UInt8(ascii: "{"),
            case .object(let members) = object.withUnsafeBytes({ JSON(parsing: $0, maxDepth: 8, hasUniqueNames: true) })
        else { return nil }
        return Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }
}
