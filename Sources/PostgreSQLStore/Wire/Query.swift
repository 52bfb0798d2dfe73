/// A statement with the values for it.
struct Query: Sendable {
    let sql: String
    let arguments: [Argument]
    /// Whether the server compiles it once for the connection. The text must be one of few then.
    let isPrepared: Bool

    init(_ sql: String, _ arguments: [Argument] = []) {
        self.sql = sql
        self.arguments = arguments
        isPrepared = true
    }

    private init(unprepared sql: String) {
        self.sql = sql
        arguments = []
        isPrepared = false
    }

    /// A statement that is over before it is worth compiling, or that must go through where nothing else does.
    static func once(_ sql: String) -> Query {
        Query(unprepared: sql)
    }

    /// Named, since a server may be set up to begin with another level; the store's reasons hold for this one.
    static let begin = once("BEGIN ISOLATION LEVEL READ COMMITTED")
    /// The server may not give up while it commits: it has the rows by then, and what it gives up is to wait for a
    /// synchronous standby, which it does not even call an error
    /// (https://www.postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION-HA). We give up instead, and say so.
    static let commit = [once("SET LOCAL statement_timeout = 0"), once("COMMIT")]
    static let rollback = once("ROLLBACK")
}
