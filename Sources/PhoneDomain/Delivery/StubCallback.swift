/// Who is to be told what becomes of a message that the SMS stub takes. It bears a secret, so nothing that prints, logs or
/// reflects it shows that, nor the address, which may bear another.
public struct StubCallback: Hashable, Sendable {
    /// The longest address that is taken, in bytes. Twilio says of none; browsers and servers take no longer ones.
    private static let longestURL = 2048

    /// Where to post, as it was written: it is part of what is signed.
    public let url: String
    /// The account in whose name the message was sent: `AC` and 32 hexadecimal digits.
    public let account: String
    /// The token that the sender showed, by which the receiver knows the stub; nil if the sender showed none. Nothing is
    /// signed then.
    public let authToken: String?

    /// `nil` unless the address is one of `http` or `https` with a host of letters, digits, hyphens and dots (or an address
    /// of IPv6), in printable ASCII, without a user and without a fragment.
    public init?(url: String, account: String, authToken: String?) {
        guard url.utf8.count <= Self.longestURL, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            Self.isWeb(url)
        else { return nil }
        self.url = url
        self.account = account
        self.authToken = authToken
    }

    private static func isWeb(_ url: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) }) else {
            return false
        }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !rest.contains("#") else { return false }
        // Of an address of IPv6 the colons stand in brackets (RFC 3986 section 3.2.2).
        let isBracketed = authority.first == "["
        guard
            let hostEnd = isBracketed
                ? authority.firstIndex(of: "]").map(authority.index(after:))
                : authority.firstIndex(of: ":") ?? authority.endIndex
        else { return false }
        let host = authority[..<hostEnd]
        let port = authority[hostEnd...]
        return (isBracketed ? isIPv6(host.dropFirst().dropLast()) : isName(host)) && (port.isEmpty || isPort(port))
    }

    private static func isName(_ host: Substring) -> Bool {
        !host.isEmpty && host.first != "."
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    private static func isIPv6(_ host: Substring) -> Bool {
        host.contains(":") && host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.dropFirst().allSatisfy(\.isNumber)
            && Int(text.dropFirst()).map { (1...65_535).contains($0) } ?? false
    }
}

extension StubCallback: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The account alone.
    public var description: String { "callback of \(account)" }

    /// The account alone.
    public var debugDescription: String { description }

    /// The account alone.
    public var customMirror: Mirror { Mirror(self, children: ["account": account]) }
}
