import PostgreSQLStore
import StoreSuite
import Testing

/// What every store must do, done by this one on a real server.
@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct SuiteTests {
    @Test(arguments: StoreSuite.rules)
    func `on a server`(_ rule: StoreRule) async throws {
        let database = try TestDatabase()
        let store = try PostgreSQLStore(url: database.url, durability: .normal, timeout: .seconds(60))
        try await rule.check(store)
        store.close()
    }
}
