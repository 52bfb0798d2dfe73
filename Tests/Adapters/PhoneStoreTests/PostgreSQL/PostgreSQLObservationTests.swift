import PhoneDomain
import Testing

@testable import PhoneStore
@testable import StoreSuite

/// What the observer of a store gets.
@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct PostgreSQLObservationTests {
    @Test func `the observer gets each batch, and audit entries once they are committed`() async throws {
        let database = try await TestDatabase()
        let log = CommitLog()
        let store = try PostgreSQLStore(url: database.url, timeout: .seconds(60), observer: log)
        let scene = try ServerScene(store)
        let begun = try await scene.request()
        _ = try? await scene.check(begun.id, "654321")
        try await scene.check(begun.id)
        _ = try await store.verification(begun.id)
        _ = try await store.claim(limit: 1, at: begun.createdAt, until: begun.createdAt)
        #expect(log.entries.map(\.action) == [.begin, .mismatch, .approve])
        #expect(log.batches(.write).map(\.operations) == [1, 1, 1, 1])
        #expect(log.batches(.read).last?.operations == 1)
        #expect(log.failures == 0)
    }

    @Test func `the observer gets no audit entry of a lost batch`() async throws {
        let database = try await TestDatabase()
        let log = CommitLog()
        let store = try PostgreSQLStore(url: database.url, timeout: .seconds(60), observer: log)
        let scene = try ServerScene(store)
        try await scene.request()
        try database.run("ALTER TABLE audit_entry RENAME TO aside")
        #expect(try await scene.outage { try await scene.request("010-8765-4321") } != nil)
        #expect(log.entries.map(\.action) == [.begin])
        #expect(log.failures == 1)
    }

    @Test func `the observer gets the audit entries of accounts, their deletion too`() async throws {
        let database = try await TestDatabase()
        let log = CommitLog()
        let store = try PostgreSQLStore(url: database.url, timeout: .seconds(60), observer: log)
        let scene = try AccountScene(store)
        let device = try await scene.signUp(AccountScene.anna)
        _ = try await scene.change(device, to: AccountScene.ben)
        _ = try await scene.requestDeletion(device)
        // Not yet.
        _ = try await scene.delete(device.account)
        #expect(log.entries.last?.action == .requestDeletion)
        scene.advance(by: .seconds(14 * 86_400))
        _ = try await scene.delete(device.account)
        #expect(
            log.entries.map(\.action) == [
                .begin, .approve, .signUp, .begin, .approve, .changeNumber, .leaveNumber, .requestDeletion,
                .deleteAccount,
            ]
        )
        #expect(log.failures == 0)
    }
}
