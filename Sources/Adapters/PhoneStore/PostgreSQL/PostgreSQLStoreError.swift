/// Why the store could not do its work, for the operator: no code, no phone number and no password is in it.
public enum PostgreSQLStoreError: Error, Hashable, Sendable {
    case invalidURL(reason: String)
    case unreachable(reason: String)
    /// A server is there and does not let us in: a wrong password, no such database. Trying again does not help.
    case refused(sqlState: String, reason: String)
    /// There was a limit to the connections of the server, the role or a pooler; nil where it is not known how many we
    /// have.
    case tooFewConnections(had: Int?, reason: String)
    /// A pooler gives our sessions to others between two transactions, or us theirs.
    case sessionShared
    /// The server only reads, as a standby does.
    case readOnly
    /// The connection was lost before anything was to be kept; nothing of the operation was.
    case disconnected(reason: String)
    /// The server did not answer in time; nothing of the operation was kept.
    case timedOut
    /// The server gave up a statement that took too long, most likely for a row that another had locked; nothing of the
    /// operation was kept, and other operations may go through.
    case waitedTooLong
    /// The connection was lost, or no answer came, after the server was asked to keep the operation: it may have been.
    case outcomeUnknown(reason: String)
    case overloaded(waiting: Int)
    /// A newer version of the program has changed the tables in a way that this one cannot live with.
    case newerSchema
    /// The tables are not there, or are those of an older version, and opening was not to change them.
    case olderSchema
    /// The server refused or failed, with its code (https://www.postgresql.org/docs/current/errcodes-appendix.html) and
    /// its own words. Nothing of the operation was kept.
    case failed(sqlState: String, reason: String)
    /// Others were first, again and again; nothing was changed.
    case conflict
    case closed
}

extension PostgreSQLStoreError: CustomStringConvertible {
    /// What happened and, where something can be done about it, what.
    public var description: String {
        switch self {
        case .invalidURL(let reason): "invalid database URL: \(reason)"
        case .unreachable(let reason): "cannot reach the database: \(reason)"
        case .refused(let sqlState, let reason): "the database refused the connection (\(sqlState)): \(reason)"
        case .tooFewConnections(let had, let reason):
            "an instance needs \(PostgreSQLStore.connectionCount) connections to the database, and got "
                + (had.map { "\($0)" } ?? "no more") + " (\(reason)); raise what limits them: max_connections, the "
                + "CONNECTION LIMIT of the role or database, or the pooler's pool_size"
        case .sessionShared:
            "the database is behind a pooler, such as PgBouncer, that shares sessions between transactions; this program works "
                + "in session mode only: set pool_mode = session, or connect to PostgreSQL itself"
        case .readOnly:
            "the database is read-only; connect to the primary, or several hosts and target_session_attrs=read-write"
        case .disconnected(let reason): "the connection to the database was lost: \(reason)"
        case .timedOut, .waitedTooLong: "the database did not answer in time"
        case .outcomeUnknown(let reason): "the database may or may not have committed the operation: \(reason)"
        case .overloaded(let waiting): "\(waiting) operations are already waiting for the database"
        case .newerSchema: "the database belongs to a newer version of this program; use that version"
        case .olderSchema: "the database has an older schema; migrate it first"
        case .failed(let sqlState, let reason): "PostgreSQL error \(sqlState): \(reason)"
        case .conflict: "other transactions kept changing the same rows"
        case .closed: "the database has been closed"
        }
    }
}

extension PostgreSQLStoreError {
    /// Whether nothing was kept and the same may go through when it is tried once more:
    /// https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html. A unique key that is there
    /// already (23505) is one that somebody inserted since we looked: the next attempt finds the row and locks it.
    var isRetryable: Bool {
        switch self {
        case .failed(let sqlState, _):
            ["40001", "40P01", "23505", "55P03"].contains(sqlState) || Self.ofStatements.contains(sqlState)
        case .disconnected: true
        default: false
        }
    }

    /// Why no more than some of a store's connections were opened. A pooler lets wait, or sends away, those that are
    /// too many.
    func afterConnecting(_ count: Int) -> PostgreSQLStoreError {
        switch self {
        case .tooFewConnections(_, let reason): .tooFewConnections(had: count, reason: reason)
        case .unreachable, .disconnected, .timedOut:
            count > 0 ? .tooFewConnections(had: count, reason: description) : self
        default: self
        }
    }

    /// Others have changed what was found before it was locked.
    static let serializationConflict = PostgreSQLStoreError.failed(sqlState: "40001", reason: "others were first")

    /// A prepared statement is gone, or its result has other columns than when it was prepared, since somebody has
    /// migrated meanwhile: on another connection it is prepared anew.
    private static let ofStatements = ["26000", "0A000"]

    /// Whether the outcome of a commit that was answered by this, or not at all, is unknown: the connection was ended,
    /// or the server says so itself (40003).
    var leavesCommitOpen: Bool {
        switch self {
        case .readOnly, .timedOut, .disconnected, .outcomeUnknown: true
        // Class 57: the server is shutting down, or an operator has ended the connection.
        case .failed(let sqlState, _):
            sqlState.hasPrefix("57P") || sqlState.hasPrefix("08") || sqlState == "40003"
        default: false
        }
    }

    /// Whether it may be this operation alone that the server does not take.
    var mayBeOfOneOperation: Bool {
        switch self {
        case .failed: !isRetryable
        case .waitedTooLong, .conflict: true
        default: false
        }
    }

    /// Whether the connection is of no more use, though it stands: another server may have become the primary.
    var asksForAnotherConnection: Bool {
        if case .failed(let sqlState, _) = self, Self.ofStatements.contains(sqlState) { return true }
        return leavesCommitOpen
    }

    /// Whether nobody else would have fared better at this moment.
    var isOfServer: Bool {
        switch self {
        case .unreachable, .refused, .tooFewConnections, .sessionShared, .readOnly, .timedOut, .disconnected: true
        default: false
        }
    }

    /// Whether it is a statement that failed, on a connection that stands.
    var isOfStatement: Bool {
        switch self {
        case .failed, .timedOut, .waitedTooLong, .readOnly: true
        default: false
        }
    }
}
