/// The durable state of guided signups. Every method throws if the store cannot be reached or cannot write.
public protocol SignupStore: Sendable {
    /// Keeps a new signup.
    func insert(_ signup: Signup) async throws

    /// The signup of this name, or nil.
    func signup(_ id: Signup.ID) async throws -> Signup?

    /// Changes a signup in one atomic operation, so that two requests at once do not undo each other's change.
    ///
    /// - Parameter change: what to change; it must do nothing else, since a store may call it again after a conflict.
    /// - Returns: the signup after the change, or nil if there is none of this name.
    func update(_ id: Signup.ID, _ change: @escaping @Sendable (inout Signup) -> Void) async throws -> Signup?
}
