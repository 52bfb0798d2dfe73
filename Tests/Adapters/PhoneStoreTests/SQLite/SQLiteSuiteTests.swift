import PhoneDomain
import PhoneStore
import PhoneTestSupport
import StoreSuite
import Testing

/// What every store must do, done by this one in memory and on a file.
@Suite struct SQLiteSuiteTests {
    private static let all = EventSubscription(to: Set(Event.Kind.standard))

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

    /// A failure names its seed, which makes the same day again.
    @Test(arguments: 1...(TestSize.isFull ? 2000 : 100))
    func `a day with restarts`(seed: Int) async throws {
        let folder = try TemporaryFolder()
        let open = { try SQLiteStore(path: folder.path("phone.db"), durability: .normal, records: StoreSuite.types) }
        var store = try open()
        let day = try await StoreSuite.day(seed, steps: 120, in: store) {
            store.close()
            store = try open()
            return store
        }
        #expect(day.violations == [])
        // A day on which everything is refused would prove little.
        #expect(day.answers > 40)
    }
}
