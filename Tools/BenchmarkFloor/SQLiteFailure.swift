/// What SQLite says when something fails.
struct SQLiteFailure: Error, CustomStringConvertible {
    let description: String
}
