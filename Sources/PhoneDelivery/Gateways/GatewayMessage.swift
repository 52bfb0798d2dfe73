public import PhoneDomain

/// A message as a gateway gets it. It bears a code or a secret, so nothing that prints, logs or reflects it sees the body or the variables.
public struct GatewayMessage: Hashable, Sendable {
    /// The outbox message's name (``OutboxMessage/ID``), the same for every attempt to send it.
    public let dedupeKey: String
    /// Whom it is for.
    public let to: PhoneNumber
    /// The text, code or secret and all. Never log it.
    public let body: String
    /// The language that was asked for.
    public let language: LanguageTag
    /// What a text that bears a code bears, for gateways that have a template of their own; nil for a notice. Never log it.
    public let variables: MessageVariables?

    /// A message of these parts.
    public init(
        dedupeKey: String,
        to: PhoneNumber,
        body: String,
        language: LanguageTag,
        variables: MessageVariables? = nil
    ) {
        self.variables = variables
        self.dedupeKey = dedupeKey
        self.to = to
        self.body = body
        self.language = language
    }
}

extension GatewayMessage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key and the masked number.
    public var description: String { "GatewayMessage(\(dedupeKey), to: \(to.masked))" }

    /// What ``description`` tells.
    public var debugDescription: String { description }

    /// What ``description`` tells, for `dump` and debuggers.
    public var customMirror: Mirror {
        Mirror(self, children: ["dedupeKey": dedupeKey, "to": to.masked, "language": language])
    }
}
