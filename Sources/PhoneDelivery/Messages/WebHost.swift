/// The host of the website on which a code is to be entered. Browsers offer the code there and nowhere else.
///
/// Source: Origin-bound one-time codes, https://wicg.github.io/sms-one-time-codes/.
public struct WebHost: Sendable, Equatable, CustomStringConvertible {
    /// The bare host name, such as `example.com`.
    public let description: String

    /// `nil` unless the text is a bare host name in lower case, as it would stand in an https URL: two or more labels of
    /// letters, digits and inner hyphens (RFC 1123 §2.1), at most 63 characters each and 253 in all, the last one not of
    /// digits alone (an IP address). No scheme, port, path, user or final dot; an international name in its `xn--` form.
    public init?(_ host: String) {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard
            host.utf8.count <= 253,
            labels.count >= 2,
            labels.allSatisfy(Self.isLabel),
            let last = labels.last, !last.allSatisfy(Self.isDigit)
        else { return nil }
        description = host
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return 1...63 ~= label.count && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { isDigit($0) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == hyphen }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
