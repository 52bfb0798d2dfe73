/// What was decided about a number whose account has been dormant, under ``AccountPolicy/Recycling/ask``. The raw values
/// are what callers write and stores keep.
public enum DormantDecision: String, Sendable, CaseIterable {
    /// It is the same person.
    case signIn = "sign_in"
    /// It is somebody else, or wants to begin anew.
    case newAccount = "new_account"
}
