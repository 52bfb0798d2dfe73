/// The service of NAVER Cloud that messages are sent by, and the key by which it is asked. It bears a secret, so nothing that
/// prints, logs or reflects it shows that.
public struct SENSAccount: Hashable, Sendable {
    /// The service's name, as the console shows it: `ncp:sms:kr:000000000000:name`.
    public let serviceID: String
    /// The name of the key.
    public let accessKey: String
    let secretKey: String

    /// `nil` unless the service's name begins with `ncp:sms:` and has letters, digits, `:`, `-`, `_` and `.` alone, and both
    /// parts of the key are 1 to 128 printable ASCII characters without spaces.
    public init?(serviceID: String, accessKey: String, secretKey: String) {
        guard serviceID.hasPrefix("ncp:sms:"), 9...128 ~= serviceID.utf8.count,
            serviceID.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ":-_.".contains($0)) }),
            accessKey.isGatewayKey, secretKey.isGatewayKey
        else { return nil }
        self.serviceID = serviceID
        self.accessKey = accessKey
        self.secretKey = secretKey
    }
}

extension SENSAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The service's name alone.
    public var description: String { serviceID }

    /// The service's name alone.
    public var debugDescription: String { serviceID }

    /// The service's name alone.
    public var customMirror: Mirror { Mirror(self, children: ["serviceID": serviceID]) }
}
