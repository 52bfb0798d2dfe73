/// The way by which a code reaches a person.
public enum Channel: String, Sendable, CaseIterable {
    /// A text message to the number itself.
    case sms
}
