/// The durable state of verifications, of the numbers they concern and of the accounts they make.
///
/// Each operation is atomic: it loads the command's state, applies the command to it and keeps what it left, and no
/// other operation, of this process or another, comes between. What an operation has returned survives a crash.
/// Every method throws if the store cannot be reached or cannot write; nothing of the operation is kept then.
public protocol VerificationStore: Sendable {
    /// Begins a verification or queues its code again.
    func begin(_ command: BeginVerification) async throws -> BeginVerification.Answer

    /// Checks a code.
    func check(_ command: CheckVerification) async throws -> CheckVerification.Outcome

    /// Calls a verification off.
    func cancel(_ command: CancelVerification) async throws -> CancelVerification.Outcome

    /// Checks a code and uses the approval.
    func signUp(_ command: SignUp) async throws -> SignUp.Outcome

    /// The verification of this name, or nil.
    func verification(_ id: Verification.ID) async throws -> Verification?

    /// The account of this name, or nil.
    func account(_ id: Account.ID) async throws -> Account?
}
