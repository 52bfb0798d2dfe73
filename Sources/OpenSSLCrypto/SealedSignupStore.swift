public import PhoneDomain

/// A store of signups in which no code field is in clear: it seals what it hands to the store behind it and opens what
/// comes back.
public struct SealedSignupStore: SignupStore {
    private let store: any SignupStore
    private let vault: OpenSSLCodeVault

    /// A store in front of another.
    public init(_ store: any SignupStore, vault: OpenSSLCodeVault) {
        self.store = store
        self.vault = vault
    }

    public func begin(_ command: BeginSignup) async throws -> BeginSignup.Outcome {
        try await store.begin(command.mapping(sealed))
    }

    public func signup(_ id: Signup.ID) async throws -> Signup? {
        try await store.signup(id).map(opened)
    }

    public func update(_ id: Signup.ID, _ change: @escaping @Sendable (inout Signup) -> Void) async throws -> Signup? {
        try await store.update(id) { [self] kept in
            var signup = opened(kept)
            change(&signup)
            kept = sealed(signup)
        }.map(opened)
    }

    /// If it cannot be sealed, the field is kept empty: the person types once more, and nothing is in clear.
    private func sealed(_ signup: Signup) -> Signup {
        var signup = signup
        signup.codeText = signup.codeText.isEmpty ? "" : (try? vault.seal(typed: signup.codeText, for: signup.id)) ?? ""
        return signup
    }

    /// If it cannot be opened, because its key is gone, the field is empty: the person types once more.
    private func opened(_ signup: Signup) -> Signup {
        var signup = signup
        signup.codeText = signup.codeText.isEmpty ? "" : (try? vault.open(typed: signup.codeText, for: signup.id)) ?? ""
        return signup
    }
}
