import GRDB
import PhoneDomain

/// The rows of `session`.
struct SessionTable {
    static let name = "session"
    private static let columns = """
        session.id, session.account_id, session.user_agent, session.created_at, session.expires_at, \
        session.token_digest, session.previous_digest, session.refreshed_at, session.idle_until
        """

    let db: Database
    let accounts: AccountTable

    func find(_ id: Session.ID) throws -> Session? {
        try db.first(
            "SELECT \(Self.columns) FROM session WHERE id = ?",
            [id.description],
            of: Self.name,
            read: read
        )
    }

    /// The session with its account: one statement, since every request of a device asks for it.
    func signedIn(_ id: Session.ID) throws -> SignedIn? {
        try db.first(
            """
            SELECT \(Self.columns), \(AccountTable.columns)
            FROM session JOIN account ON account.id = session.account_id WHERE session.id = ?
            """,
            [id.description],
            of: Self.name
        ) { row in
            SignedIn(session: try read(&row), account: try accounts.read(&row))
        }
    }

    /// All sessions of the account, the youngest first and then by name.
    func all(of account: Account.ID) throws -> [Session] {
        try db.all(
            "SELECT \(Self.columns) FROM session WHERE account_id = ? ORDER BY created_at DESC, id",
            [account.description],
            of: Self.name,
            read: read
        )
    }

    /// Those of them that are not over at this moment.
    func all(of account: Account.ID, at now: Timestamp, limit: Int) throws -> [Session] {
        try db.all(
            """
            SELECT \(Self.columns) FROM session WHERE account_id = ? AND min(expires_at, idle_until) > ?
            ORDER BY created_at DESC, id LIMIT ?
            """,
            [account.description, now.milliseconds, max(0, limit)],
            of: Self.name,
            read: read
        )
    }

    /// The sessions whose identifiers come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [Session] {
        try db.all(
            "SELECT \(Self.columns) FROM session WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    /// Keeps what a command left of the session that was loaded; one that it left out is deleted.
    func save(_ session: Session?, loaded: Session?) throws {
        guard session != loaded else { return }
        switch (session, loaded) {
        case (let session?, let loaded?): try update(session, loaded: loaded)
        case (let session?, nil): try insert(session)
        case (nil, let loaded?): _ = try delete([loaded.id])
        case (nil, nil): break
        }
    }

    func insert(_ session: Session) throws {
        try db.run(
            """
            INSERT INTO session (
                id, account_id, user_agent, created_at, expires_at, token_digest, previous_digest, refreshed_at,
                idle_until
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                session.id.description, session.accountID.description, session.userAgent,
                session.createdAt.milliseconds, session.expiresAt.milliseconds, Blob(session.tokenDigest),
                session.previousDigest.map(Blob.init), session.refreshedAt.milliseconds,
                session.idleUntil.milliseconds,
            ]
        )
    }

    func delete(_ ids: [Session.ID]) throws -> Int {
        try ids.reduce(0) { count, id in
            try count + db.run("DELETE FROM session WHERE id = ?", [id.description])
        }
    }

    func delete(of account: Account.ID) throws -> Int {
        try db.run("DELETE FROM session WHERE account_id = ?", [account.description])
    }

    /// Deletes those that were over before this moment, those first that were over first.
    func purge(before moment: Timestamp, limit: Int) throws -> Int {
        try db.run(
            """
            DELETE FROM session WHERE id IN (
                SELECT id FROM session WHERE min(expires_at, idle_until) < ?
                ORDER BY min(expires_at, idle_until), id LIMIT ?
            )
            """,
            [moment.milliseconds, max(0, limit)]
        )
    }

    /// See ``VerificationTable`` for why that is guarded though it cannot be: of two uses of one token, one would be lost.
    private func update(_ session: Session, loaded: Session) throws {
        let count = try db.run(
            """
            UPDATE session SET token_digest = ?, previous_digest = ?, refreshed_at = ?, idle_until = ?
            WHERE id = ? AND token_digest = ?
            """,
            [
                Blob(session.tokenDigest), session.previousDigest.map(Blob.init), session.refreshedAt.milliseconds,
                session.idleUntil.milliseconds, session.id.description, Blob(loaded.tokenDigest),
            ]
        )
        guard count == 1 else { throw SQLiteStoreError.changedMeanwhile(table: Self.name) }
    }

    /// Reads ``columns``.
    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> Session {
        Session(
            id: try row.next(parsedBy: Session.ID.init),
            accountID: try row.next(parsedBy: Account.ID.init),
            userAgent: try row.next(),
            createdAt: try row.nextMoment(),
            expiresAt: try row.nextMoment(),
            tokenDigest: try row.nextBytes(),
            previousDigest: try row.next(as: Blob?.self)?.bytes,
            refreshedAt: try row.nextMoment(),
            idleUntil: try row.nextMoment()
        )
    }
}
