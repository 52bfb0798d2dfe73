import PhoneDomain
import PhoneStore
import PhoneTestSupport
import StoreSuite
import Testing

/// What every store must do, done by this one in memory and on a file.
@Suite struct SQLiteSuiteTests {
    private static let all = EventSubscription(to: Set(Event.Kind.allCases))

    @Test(arguments: StoreSuite.rules)
    func `in memory`(_ rule: StoreRule) async throws {
        try await rule.check(try SQLiteStore.inMemory(records: StoreSuite.types, announcing: Self.all))
    }

    @Test(arguments: StoreSuite.transactionRules)
    func `on a file`(_ rule: StoreRule) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("phone.db")
        try await rule.check(try SQLiteStore(path: path, records: StoreSuite.types, announcing: Self.all))
    }
}
