/// The account that messages are sent and paid with. It bears a secret, so nothing that prints, logs or reflects it shows
/// that.
///
/// Source: https://developer.vonage.com/en/api/sms.
public struct VonageAccount: Hashable, Sendable {
    /// The account's name: 8 letters and digits.
    public let apiKey: String
    let apiSecret: String

    /// `nil` unless the name is 8 ASCII letters and digits, and the secret 6 to 128 printable ASCII characters without
    /// spaces.
    public init?(apiKey: String, apiSecret: String) {
        // Vonage's own description says 32 at most. It is Vonage's to refuse a longer one.
        guard apiKey.utf8.count == 8, apiKey.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }),
            6...128 ~= apiSecret.utf8.count, apiSecret.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        self.apiKey = apiKey
        self.apiSecret = apiSecret
    }
}

extension VonageAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name alone.
    public var description: String { apiKey }

    /// The name alone.
    public var debugDescription: String { apiKey }

    /// The name alone.
    public var customMirror: Mirror { Mirror(self, children: ["apiKey": apiKey]) }
}
