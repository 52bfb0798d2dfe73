/// The account at Solapi (or CoolSMS, which is the same) that messages are sent and paid with. It bears a secret, so nothing
/// that prints, logs or reflects it shows that.
public struct SolapiAccount: Hashable, Sendable {
    /// The name of the key.
    public let apiKey: String
    let apiSecret: String

    /// `nil` unless the key is 1 to 64 ASCII letters and digits, and the secret 1 to 128 printable ASCII characters without
    /// spaces.
    public init?(apiKey: String, apiSecret: String) {
        guard 1...64 ~= apiKey.utf8.count, apiKey.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }),
            apiSecret.isGatewayKey
        else { return nil }
        self.apiKey = apiKey
        self.apiSecret = apiSecret
    }
}

extension SolapiAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key's name alone.
    public var description: String { apiKey }

    /// The key's name alone.
    public var debugDescription: String { apiKey }

    /// The key's name alone.
    public var customMirror: Mirror { Mirror(self, children: ["apiKey": apiKey]) }
}
