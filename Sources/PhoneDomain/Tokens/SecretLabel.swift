/// What a derived secret is for. The raw values go into its making: one that is changed makes worthless what is out.
public enum SecretLabel: String, Sendable, CaseIterable {
    /// A refresh token.
    case refreshToken = "refresh token v1"
    /// What tells a refresh token of this service from made-up ones.
    case refreshTokenTag = "refresh token tag v1"
    /// What takes a change of number back.
    case undo = "undo of a number change v1"
}
