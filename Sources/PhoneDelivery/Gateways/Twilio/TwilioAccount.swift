/// The account that messages are sent and paid with. It bears a secret, so nothing that prints, logs or reflects it shows
/// that.
public struct TwilioAccount: Hashable, Sendable {
    /// The account's name: `AC` and 32 hexadecimal digits.
    public let sid: String
    let authToken: String

    /// `nil` unless the name is `AC` and 32 hexadecimal digits, and the token 1 to 128 printable ASCII characters without
    /// spaces.
    public init?(sid: String, authToken: String) {
        guard sid.hasPrefix("AC"), sid.hasSIDDigits, 1...128 ~= authToken.utf8.count,
            authToken.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        self.sid = sid
        self.authToken = authToken
    }
}

extension TwilioAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name alone.
    public var description: String { sid }

    /// The name alone.
    public var debugDescription: String { sid }

    /// The name alone.
    public var customMirror: Mirror { Mirror(self, children: ["sid": sid]) }
}

extension String {
    /// Whether 32 hexadecimal digits follow a prefix of two letters, as in every name that Twilio gives.
    var hasSIDDigits: Bool {
        utf8.count == 34 && utf8.dropFirst(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }
}
