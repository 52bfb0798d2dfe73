public import PhoneAccounts
public import PhoneDomain

// What limits do not concern.

extension LimitLedger {
    public static let none = LimitLedger([]) { _ in nil }
}

extension SignupStore {
    public func insert(_ signup: Signup) async throws { try await begin(BeginSignup(signup, from: nil, limits: .none)) }

    @discardableResult
    public func update(
        _ id: Signup.ID,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup? { try await update(id, within: .none, change) }
}

extension OpenIDStore {
    public func insert(_ code: AuthorizationCode) async throws { try await insert(code, within: .none) }
}

extension AccountStore {
    public func record(_ entry: AuditEntry) async throws { try await record(entry, within: .none) }
}
