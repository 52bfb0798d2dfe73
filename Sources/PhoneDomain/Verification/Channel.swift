/// How a code reaches the person.
public enum Channel: String, Sendable, CaseIterable {
    case sms
}
