/// What a message bears, one by one: for gateways that fill in a template of their own. It bears a code, so nothing that
/// prints, logs or reflects it sees that.
public struct MessageVariables: Hashable, Sendable {
    /// The code. Never log it.
    public let code: String
    /// What the service is called in the message's language.
    public let service: String
    /// For how many minutes the code holds, 1 to 99.
    public let minutes: Int

    /// Variables of these values.
    public init(code: String, service: String, minutes: Int) {
        self.code = code
        self.service = service
        self.minutes = minutes
    }
}

extension MessageVariables: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The service alone.
    public var description: String { "MessageVariables(\(service))" }

    /// What ``description`` tells.
    public var debugDescription: String { description }

    /// What ``description`` tells, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["service": service, "minutes": minutes]) }
}
