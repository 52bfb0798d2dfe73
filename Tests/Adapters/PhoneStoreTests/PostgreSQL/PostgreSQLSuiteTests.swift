import PhoneStore
import StoreSuite
import Testing

/// What every store must do, done by this one on a real server.
@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct PostgreSQLSuiteTests {
    @Test(arguments: StoreSuite.rules)
    func `by one instance`(_ rule: StoreRule) async throws {
        try await Instances.use { try await rule.check($0.one) }
    }

    /// What one has done the next one sees, and what is done at once is done by all of them at once.
    @Test(arguments: StoreSuite.transactionRules)
    func `by three instances in turn`(_ rule: StoreRule) async throws {
        try await Instances.use { try await rule.check($0) }
    }
}
