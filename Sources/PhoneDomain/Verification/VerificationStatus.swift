/// How a verification stands. The raw values are the wire's.
public enum VerificationStatus: String, Sendable, CaseIterable {
    /// A code is out and may be checked.
    case pending
    /// The right code came in time.
    case approved
    /// Its owner called it off.
    case canceled
    /// Time ran out before the right code came.
    case expired
    /// Every check was used up on wrong codes.
    case maxAttemptsReached = "max_attempts_reached"
    /// No gateway would take the message.
    case failed
}
