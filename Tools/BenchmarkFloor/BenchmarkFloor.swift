/// What scripts/bench measures PhoneProof against: the least that a server, and a database, can do of the same work.
///
/// - `serve`: an HTTP server that reads a body, writes one as long as PhoneProof's, and does nothing in between.
/// - `sqlite FILE SYNCHRONOUS SECONDS BATCH`: the statements of a start, by SQLite's own interface, in a file that
///   `phoneproof migrate` made.
@main struct BenchmarkFloor {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "serve": try await HTTPFloor.serve()
        case "sqlite": try SQLiteFloor(arguments: Array(arguments.dropFirst())).run()
        default: throw UsageError()
        }
    }
}

/// An argument that is missing, or is none.
struct UsageError: Error, CustomStringConvertible {
    let description = "usage: BenchmarkFloor serve | sqlite FILE full|normal SECONDS OPERATIONS_PER_TRANSACTION"
}
