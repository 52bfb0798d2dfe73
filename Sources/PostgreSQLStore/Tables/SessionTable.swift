import PhoneDomain

/// The rows of `session`.
enum SessionTable: Table {
    static let name = "session"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("account_id", .text), ("user_agent", .text), ("created_at", .integer),
        ("expires_at", .integer), ("token_digest", .bytes), ("previous_digest", .bytes), ("refreshed_at", .integer),
        ("idle_until", .integer),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.sessions = [key]
        return keys
    }

    static func write(_ session: Session, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(session.accountID.description)
        row.write(session.userAgent)
        row.write(session.createdAt)
        row.write(session.expiresAt)
        row.write(session.tokenDigest)
        row.write(session.previousDigest)
        row.write(session.refreshedAt)
        row.write(session.idleUntil)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: Session) {
        let session = Session(
            id: try row.next(parsedBy: Session.ID.init),
            accountID: try row.next(parsedBy: Account.ID.init),
            userAgent: row.nextOptionalText(),
            createdAt: try row.nextMoment(),
            expiresAt: try row.nextMoment(),
            tokenDigest: try row.nextBytes(),
            previousDigest: row.nextOptionalBytes(),
            refreshedAt: try row.nextMoment(),
            idleUntil: try row.nextMoment()
        )
        return (session.id.description, session)
    }
}
