import GRDB
import PhoneDomain

/// The rows of `verification`.
struct VerificationTable {
    static let name = "verification"
    static let columns = """
        verification.id, verification.e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, \
        verification.created_at, expires_at, next_send_at, sends_left, checks_left, verification.status, updated_at, \
        consumed_by
        """

    let db: Database
    let plans: NumberingPlans

    func find(_ id: Verification.ID) throws -> Verification? {
        try db.first(
            "SELECT \(Self.columns) FROM verification WHERE id = ?",
            [id.description],
            of: Self.name,
            read: read
        )
    }

    /// The verification of this number and owner that lives at this moment. A clock that was set back can make two of
    /// them live; it is the one that lives longer then.
    func live(e164: String, owner: Owner, at now: Timestamp) throws -> Verification? {
        // Whether one lives is not for a WHERE to say; the index passes over those whose time ran out.
        try db.all(
            """
            SELECT \(Self.columns) FROM verification WHERE e164 = ? AND owner = ? AND expires_at > ?
            ORDER BY expires_at DESC, id DESC
            """,
            [e164, owner.rawValue, now.milliseconds],
            of: Self.name,
            read: read
        )
        .first { $0.isLive(at: now) }
    }

    /// Pending verifications that are over at this moment: their time has run out, or a clock that was ahead made them.
    func ended(at now: Timestamp, limit: Int) throws -> [Verification] {
        try db.all(
            """
            SELECT \(Self.columns) FROM verification WHERE status = 'pending' AND expires_at <= ?
            UNION ALL
            SELECT \(Self.columns) FROM verification WHERE status = 'pending' AND expires_at > ? AND created_at >= ?
            LIMIT ?
            """,
            [now.milliseconds, now.milliseconds, (now + Verification.clockTolerance).milliseconds, max(0, limit)],
            of: Self.name,
            read: read
        )
    }

    /// Keeps what a command left of the verification that was loaded.
    func save(_ verification: Verification?, loaded: Verification?) throws {
        guard let verification, verification != loaded else { return }
        if let loaded, loaded.id == verification.id {
            try update(verification, loaded: loaded)
        } else {
            try insert(verification)
        }
    }

    private func insert(_ verification: Verification) throws {
        try db.run(
            """
            INSERT INTO verification (
                id, e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, created_at, expires_at,
                next_send_at, sends_left, checks_left, status, updated_at, consumed_by
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                verification.id.description, verification.phoneNumber.e164, verification.owner.rawValue,
                verification.channel.rawValue, verification.language.description, verification.code.keyID,
                Blob(verification.code.mac), Blob(verification.code.ciphertext), verification.createdAt.milliseconds,
                verification.expiresAt.milliseconds, verification.nextSendAt.milliseconds, verification.sendsLeft,
                verification.checksLeft, verification.recordedStatus.rawValue, verification.updatedAt.milliseconds,
                verification.consumedBy?.description,
            ]
        )
    }

    /// One writer at a time makes the guard hold always. It is there for the day when somebody gets that wrong: the
    /// operation fails then, where otherwise a check would be given back, or an approval used twice.
    private func update(_ verification: Verification, loaded: Verification) throws {
        let count = try db.run(
            """
            UPDATE verification
            SET next_send_at = ?, sends_left = ?, checks_left = ?, status = ?, updated_at = ?, consumed_by = ?
            WHERE id = ? AND sends_left = ? AND checks_left = ? AND status = ? AND consumed_by IS ?
            """,
            [
                verification.nextSendAt.milliseconds, verification.sendsLeft, verification.checksLeft,
                verification.recordedStatus.rawValue, verification.updatedAt.milliseconds,
                verification.consumedBy?.description,
                verification.id.description, loaded.sendsLeft, loaded.checksLeft, loaded.recordedStatus.rawValue,
                loaded.consumedBy?.description,
            ]
        )
        guard count == 1 else { throw SQLiteStoreError.changedMeanwhile(table: Self.name) }
    }

    /// Reads ``columns``.
    func read(_ row: inout RowReader) throws(SQLiteStoreError) -> Verification {
        Verification(
            id: try row.next(parsedBy: Verification.ID.init),
            phoneNumber: try row.next { try PhoneNumber(e164: $0, plans: plans) },
            owner: Owner(rawValue: try row.next()),
            channel: try row.next(parsedBy: Channel.init(rawValue:)),
            language: try row.next(parsedBy: LanguageTag.init),
            code: SealedCode(keyID: try row.next(), mac: try row.nextBytes(), ciphertext: try row.nextBytes()),
            createdAt: try row.nextMoment(),
            expiresAt: try row.nextMoment(),
            nextSendAt: try row.nextMoment(),
            sendsLeft: try row.next(),
            checksLeft: try row.next(),
            recordedStatus: try row.next(parsedBy: VerificationStatus.init(rawValue:)),
            updatedAt: try row.nextMoment(),
            consumedBy: try row.nextOptional(parsedBy: Account.ID.init)
        )
    }
}
