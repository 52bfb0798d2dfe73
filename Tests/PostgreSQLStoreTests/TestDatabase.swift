import CPostgreSQL
import Foundation

/// A schema of a test's own on the server that the tests are run with, which goes with it.
///
/// `scripts/test` starts the server and names it by `PHONEPROOF_TEST_POSTGRESQL`. Where `swift test` is run by itself
/// there is none, and the suites of this target are skipped, each by name.
final class TestDatabase: Sendable {
    static let server = ProcessInfo.processInfo.environment["PHONEPROOF_TEST_POSTGRESQL"]

    /// What the store is opened with.
    let url: String
    private let name: String

    init() throws {
        name = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()
        let server = Self.server ?? ""
        url = server + (server.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(name)"
        try Self.run("CREATE SCHEMA \(name)")
    }

    deinit {
        _ = try? Self.run("SET client_min_messages = error", "DROP SCHEMA \(name) CASCADE")
    }

    /// Runs a statement in the schema, past the store.
    ///
    /// - Returns: the first column of every row, as text.
    @discardableResult
    func run(_ sql: String) throws -> [String] {
        try Self.run("SET search_path = \(name)", sql)
    }

    @discardableResult
    private static func run(_ statements: String...) throws -> [String] {
        let connection = PQconnectdb(server ?? "")
        defer { PQfinish(connection) }
        var rows: [String] = []
        for statement in statements {
            let result = PQexec(connection, statement)
            defer { PQclear(result) }
            let status = PQresultStatus(result)
            guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
                throw Failure(description: String(cString: PQerrorMessage(connection)))
            }
            rows = (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
        }
        return rows
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
