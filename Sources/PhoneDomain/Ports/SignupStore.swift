/// The durable state of guided signups. Every method throws if the store cannot be reached or cannot write.
public protocol SignupStore: Sendable {
    /// Begins a signup and counts it against its limits, in one atomic operation.
    func begin(_ command: BeginSignup) async throws -> BeginSignup.Outcome

    /// The signup of this name, or nil.
    func signup(_ id: Signup.ID) async throws -> Signup?

    /// Changes a signup in one atomic operation, so that two requests at once do not undo each other's change.
    ///
    /// - Parameter change: what to change; it must do nothing else, since a store may call it again after a conflict.
    /// - Returns: the signup after the change, or nil if there is none of this name.
    func update(_ id: Signup.ID, _ change: @escaping @Sendable (inout Signup) -> Void) async throws -> Signup?
}

extension SignupStore {
    /// Keeps a new signup, which no limit stands against.
    public func insert(_ signup: Signup) async throws {
        _ = try await begin(BeginSignup(signup))
    }
}
