import CPostgreSQL
import Foundation
import PhoneDomain
import PhoneStore

/// A schema of a test's own on the server that the tests are run with, which goes with it.
///
/// `scripts/test` starts the server and names it by `PHONEPROOF_TEST_POSTGRESQL`. Where `swift test` is run by itself
/// there is none, and the suites of this target are skipped, each by name.
final class TestDatabase: Sendable {
    static let server = ProcessInfo.processInfo.environment["PHONEPROOF_TEST_POSTGRESQL"]

    /// What the store is opened with.
    let url: String
    /// The schema's name, and that by which the server knows the store's connections.
    let name: String

    /// A server has a few hundred connections at most, and tests run all at once.
    private static let permits = Permits(12)

    init() async throws {
        await Self.permits.take()
        name = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()
        let server = Self.server ?? ""
        url = server + (server.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(name)&application_name=\(name)"
        try run("CREATE SCHEMA \(name)")
    }

    deinit {
        _ = try? run("DROP SCHEMA \(name) CASCADE")
        Self.permits.giveBack()
    }

    /// A store over it. The server of the tests has a lot to do, so it has a lot of time.
    func open(
        timeout: Duration = .seconds(60),
        records types: RecordTypes = .core,
        announcing events: EventSubscription = .none
    ) throws -> PostgreSQLStore {
        try PostgreSQLStore(url: url, durability: .normal, timeout: timeout, records: types, announcing: events)
    }

    /// A connection to the schema past the store.
    func connect() throws -> SideConnection {
        let connection = try SideConnection(to: Self.server ?? "")
        try connection.run("SET client_min_messages = error")
        try connection.run("SET search_path = \(name)")
        return connection
    }

    /// Runs a statement past the store.
    ///
    /// - Returns: the first column of every row, as text.
    @discardableResult
    func run(_ sql: String) throws -> [String] {
        try connect().run(sql)
    }

    /// Deletes all that the store keeps.
    func empty() throws {
        let tables = try run("SELECT tablename FROM pg_tables WHERE schemaname = '\(name)'")
        try run(tables.filter { $0 != "phoneproof_migration" }.map { "DELETE FROM \($0)" }.joined(separator: ";"))
    }

    /// How many statements of the store wait for a lock at this moment.
    func waitingCount() throws -> Int {
        try run("SELECT 1 FROM pg_stat_activity WHERE application_name = '\(name)' AND wait_event_type = 'Lock'").count
    }

    /// Cuts the store's connections on the server's side.
    func cutConnections() throws {
        try run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(name)'")
    }

    /// Waits until something is so on the server.
    func wait(until isSo: () throws -> Bool) async throws {
        for _ in 0..<3000 {
            if try isSo() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw SideConnection.Failure(description: "it did not come to be in 30 seconds")
    }
}

extension Identifier {
    /// As a literal in a statement.
    var sql: String { "'\\x\(description.suffix(32))'::bytea" }
}
