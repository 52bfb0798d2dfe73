import CPostgreSQL

/// A connection of a test's own, by which it looks behind the store's back and gets in its way.
final class SideConnection {
    private let pointer: OpaquePointer?

    init(to url: String) throws {
        pointer = PQconnectdb(url)
        guard PQstatus(pointer) == CONNECTION_OK else {
            throw Failure(description: String(cString: PQerrorMessage(pointer)))
        }
    }

    deinit {
        PQfinish(pointer)
    }

    /// Runs statements.
    ///
    /// - Returns: the first column of every row of the last, as text.
    @discardableResult
    func run(_ sql: String) throws -> [String] {
        let result = PQexec(pointer, sql)
        defer { PQclear(result) }
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
            throw Failure(description: String(cString: PQerrorMessage(pointer)))
        }
        return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
