import GRDB
import PhoneDomain

/// The rows of `signup`.
struct SignupTable {
    static let name = "signup"
    private static let columns = """
        id, token_digest, region, language, created_at, expires_at, phone_text, code_text, verification_id, is_complete, \
        decision
        """

    let db: Database

    func find(_ id: Signup.ID) throws -> Signup? {
        try db.first(
            "SELECT \(Self.columns) FROM signup WHERE id = ?",
            [id.description],
            of: Self.name,
            read: read
        )
    }

    /// Every signup. Those whose time is over are deleted soon, so that there are not many.
    func all() throws -> (values: [Signup], unreadable: [String]) {
        try db.readable("SELECT \(Self.columns) FROM signup", of: Self.name, read: read)
    }

    /// The signups that have begun one of these last.
    func all(of verifications: Set<Verification.ID>) throws -> [Signup] {
        try verifications.flatMap { verification in
            try db.all(
                "SELECT \(Self.columns) FROM signup WHERE verification_id = ?",
                [verification.description],
                of: Self.name,
                read: read
            )
        }
    }

    /// The signups whose identifiers come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [Signup] {
        try db.all(
            "SELECT \(Self.columns) FROM signup WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    func insert(_ signup: Signup) throws {
        try db.run(
            "INSERT INTO signup (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                signup.id.description, Blob(signup.tokenDigest), signup.region.description,
                signup.language.description, signup.createdAt.milliseconds, signup.expiresAt.milliseconds,
                signup.phoneText, signup.codeText, signup.verificationID?.description, signup.isComplete,
                signup.decision?.rawValue,
            ]
        )
    }

    /// Keeps what a signup may change.
    func update(_ signup: Signup) throws {
        try db.run(
            """
            UPDATE signup SET phone_text = ?, code_text = ?, verification_id = ?, is_complete = ?, decision = ? WHERE id = ?
            """,
            [
                signup.phoneText, signup.codeText, signup.verificationID?.description, signup.isComplete,
                signup.decision?.rawValue, signup.id.description,
            ]
        )
    }

    /// Deletes the signups that have begun one of these last.
    func delete(of verifications: Set<Verification.ID>) throws -> Int {
        try verifications.reduce(0) { count, id in
            try count + db.run("DELETE FROM signup WHERE verification_id = ?", [id.description])
        }
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> Signup {
        Signup(
            id: try row.next(parsedBy: Signup.ID.init),
            tokenDigest: try row.nextBytes(),
            region: try row.next(parsedBy: Region.init),
            language: try row.next(parsedBy: LanguageTag.init),
            createdAt: try row.nextMoment(),
            expiresAt: try row.nextMoment(),
            phoneText: try row.next(),
            codeText: try row.next(),
            verificationID: try row.nextOptional(parsedBy: Verification.ID.init),
            isComplete: try row.next(),
            decision: try row.nextOptional(parsedBy: DormantDecision.init(rawValue:))
        )
    }
}
