import PhoneDomain
public import PhoneStore

/// One rule that every store keeps, as a check that can be run against any of them.
public struct StoreRule: Sendable, CustomStringConvertible {
    /// The rule in words.
    public let description: String
    private let policy: @Sendable () throws -> VerificationPolicy
    private let abusePolicy: @Sendable () throws -> AbusePolicy
    private let check: @Sendable (StoreScene) async throws -> Void

    init(
        _ description: String,
        policy: @escaping @Sendable () throws -> VerificationPolicy = { .standard },
        abusePolicy: @escaping @Sendable () throws -> AbusePolicy = { .none },
        check: @escaping @Sendable (StoreScene) async throws -> Void
    ) {
        self.description = description
        self.policy = policy
        self.abusePolicy = abusePolicy
        self.check = check
    }

    /// Checks the rule, with the expectations of Swift Testing.
    ///
    /// - Parameter store: an empty store.
    /// - Throws: what no rule foresees.
    public func check(_ store: any SQLStore) async throws {
        try await check(StoreScene(store: store, policy: policy(), abusePolicy: abusePolicy()))
    }
}

// Rules about what people, the audit log and clients see of a store.
extension StoreSuite {
    static func accountRule(
        _ description: String,
        accountPolicy: AccountPolicy = .standard,
        sessionPolicy: SessionPolicy = .standard,
        check: @escaping @Sendable (AccountScene) async throws -> Void
    ) -> StoreRule {
        StoreRule(description) { scene in
            try await check(AccountScene(scene.store, accountPolicy: accountPolicy, sessionPolicy: sessionPolicy))
        }
    }

    static func auditRule(
        _ description: String,
        check: @escaping @Sendable (AuditScene) async throws -> Void
    ) -> StoreRule { StoreRule(description) { try await check(AuditScene($0.store)) } }

    static func clientRule(
        _ description: String,
        countries: [String] = [],
        check: @escaping @Sendable (ClientScene) async throws -> Void
    ) -> StoreRule { StoreRule(description) { try await check(ClientScene($0.store, countries: countries)) } }
}
