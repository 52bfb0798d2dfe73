import GRDB
import PhoneDomain

/// The rows of `verification`.
struct VerificationTable {
    static let name = "verification"
    static let columns = """
        verification.id, verification.e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, \
        verification.created_at, expires_at, next_send_at, sends_left, checks_left, verification.status, updated_at, \
        consumed_by, code_ttl, is_test, has_custom_code, sent_at, accepted_at, repeatable_by
        """

    let db: Database
    let plans: NumberingPlans
    let events: EventTable

    private static let byID = "SELECT \(columns) FROM verification WHERE id = ?"

    func find(_ id: Verification.ID) throws -> Verification? {
        try db.first(
            Self.byID,
            [id.description],
            of: Self.name,
            read: read
        )
    }

    private static let live = """
        SELECT \(columns) FROM verification WHERE expiry_day = ? AND e164 = ? AND owner = ? AND expires_at > ?
        ORDER BY expires_at DESC, id DESC
        """

    /// The verification of this number and owner that lives at this moment. A clock that was set back can make two of
    /// them live; it is the one that lives longer then.
    func live(e164: String, owner: Owner, at now: Timestamp) throws -> Verification? {
        // Whether one lives is not for a WHERE to say; the index passes over those whose time has surely run out.
        let over = now - Verification.longestLife
        return try DayIndex.verifications.first(in: db, from: DayIndex.day(of: over)) { day in
            try db.all(
                Self.live,
                [day, e164, owner.rawValue, over.milliseconds],
                of: Self.name,
                read: read
            )
            .first { $0.isLive(at: now) }
        }
    }

    /// The names of all verifications of this number.
    func ids(e164: String) throws -> [Verification.ID] {
        try db.all(
            "SELECT id FROM verification WHERE \(DayIndex.verifications.everyDay) AND e164 = ?",
            [e164],
            of: Self.name
        ) { row in
            try row.next(parsedBy: Verification.ID.init)
        }
    }

    /// The names of all verifications that were used for this account.
    func ids(consumedBy account: Account.ID) throws -> [Verification.ID] {
        try db.all(
            "SELECT id FROM verification WHERE consumed_by = ?",
            [account.description],
            of: Self.name
        ) { row in
            try row.next(parsedBy: Verification.ID.init)
        }
    }

    /// The verifications that were used for this account, and those of its number, in no order.
    func concerning(_ account: Account) throws -> [Verification] {
        let used = try db.all(
            "SELECT \(Self.columns) FROM verification WHERE consumed_by = ?",
            [account.id.description],
            of: Self.name,
            read: read
        )
        let others = try db.all(
            """
            SELECT \(Self.columns) FROM verification
            WHERE \(DayIndex.verifications.everyDay) AND e164 = ? AND consumed_by IS NOT ?
            """,
            [account.phoneNumber?.e164, account.id.description],
            of: Self.name,
            read: read
        )
        return used + others
    }

    func delete(_ ids: Set<Verification.ID>) throws -> Int {
        try ids.reduce(0) { count, id in
            try count + db.run("DELETE FROM verification WHERE id = ?", [id.description])
        }
    }

    /// Pending verifications that are over at this moment: their time has run out, or a clock that was ahead made them.
    func ended(at now: Timestamp, limit: Int) throws -> (values: [Verification], unreadable: [String]) {
        try db.readable(
            """
            SELECT \(Self.columns) FROM verification
            WHERE status = 'pending' AND expires_at <= ? AND (accepted_at >= sent_at OR created_at <= ?)
            UNION ALL
            SELECT \(Self.columns) FROM verification WHERE status = 'pending' AND expires_at > ? AND created_at >= ?
            LIMIT ?
            """,
            [
                now.milliseconds, (now - Verification.longestLife).milliseconds, now.milliseconds,
                (now + Verification.clockTolerance).milliseconds,
                max(0, limit),
            ],
            of: Self.name,
            read: read
        )
    }

    /// Records of ``ended(at:limit:)`` that cannot be read that they have expired, which announces nothing.
    func close(_ unreadable: [String]) throws {
        for id in unreadable { try db.run("UPDATE verification SET status = 'expired' WHERE id = ?", [id]) }
    }

    /// The verifications whose identifiers come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [Verification] {
        try db.all(
            "SELECT \(Self.columns) FROM verification WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    /// Keeps what a command left at this moment of the verification that was loaded, and what that announces.
    func save(_ verification: Verification?, loaded: Verification?, at now: Timestamp) throws {
        guard let verification, verification != loaded else { return }
        if let loaded, loaded.id == verification.id {
            try update(verification, loaded: loaded)
            try events.announce(Event(verification, was: loaded, at: now))
        } else {
            try insert(verification)
            try events.announce(Event(verification, was: nil, at: now))
        }
    }

    func insert(_ verification: Verification) throws {
        try db.run(
            """
            INSERT INTO verification (
                id, e164, owner, channel, language, code_key_id, code_mac, code_ciphertext, created_at, expires_at,
                next_send_at, sends_left, checks_left, status, updated_at, consumed_by, code_ttl, is_test,
                has_custom_code, sent_at, accepted_at, repeatable_by
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                verification.id.description, verification.phoneNumber.e164, verification.owner.rawValue,
                verification.channel.rawValue, verification.language.description, verification.code.keyID,
                Blob(verification.code.mac), Blob(verification.code.ciphertext), verification.createdAt.milliseconds,
                verification.expiresAt.milliseconds, verification.nextSendAt.milliseconds, verification.sendsLeft,
                verification.checksLeft, verification.recordedStatus.rawValue, verification.updatedAt.milliseconds,
                verification.consumedBy?.description, verification.codeTTL.wholeMilliseconds, verification.isTest,
                verification.hasCustomCode, verification.sentAt.milliseconds, verification.acceptedAt?.milliseconds,
                verification.repeatableBy?.rawValue,
            ]
        )
    }

    /// One writer at a time makes the guard hold always. It is there for the day when somebody gets that wrong: the
    /// operation fails then, where otherwise a check would be given back, or an approval used twice.
    private func update(_ verification: Verification, loaded: Verification) throws {
        let changes = Self.changes(from: loaded, to: verification)
        let count = try db.run(
            """
            UPDATE verification SET \(changes.text)
            WHERE id = ? AND sends_left = ? AND checks_left = ? AND status = ? AND consumed_by IS ?
            """,
            changes.arguments + [
                verification.id.description, loaded.sendsLeft, loaded.checksLeft, loaded.recordedStatus.rawValue,
                loaded.consumedBy?.description,
            ]
        )
        guard count == 1 else { throw SQLiteStoreError.changedMeanwhile(table: Self.name) }
    }

    /// Every column that a command may change.
    private static func changes(from loaded: Verification, to verification: Verification) -> Assignments {
        var changes = Assignments()
        changes.set("code_key_id", to: verification.code.keyID, was: loaded.code.keyID)
        changes.set("code_mac", to: Blob(verification.code.mac), was: Blob(loaded.code.mac))
        changes.set("code_ciphertext", to: Blob(verification.code.ciphertext), was: Blob(loaded.code.ciphertext))
        changes.set("has_custom_code", to: verification.hasCustomCode, was: loaded.hasCustomCode)
        changes.set("expires_at", to: verification.expiresAt.milliseconds, was: loaded.expiresAt.milliseconds)
        changes.set("next_send_at", to: verification.nextSendAt.milliseconds, was: loaded.nextSendAt.milliseconds)
        changes.set("sends_left", to: verification.sendsLeft, was: loaded.sendsLeft)
        changes.set("checks_left", to: verification.checksLeft, was: loaded.checksLeft)
        changes.set("status", to: verification.recordedStatus.rawValue, was: loaded.recordedStatus.rawValue)
        changes.set("updated_at", to: verification.updatedAt.milliseconds, was: loaded.updatedAt.milliseconds)
        changes.set("sent_at", to: verification.sentAt.milliseconds, was: loaded.sentAt.milliseconds)
        changes.set("accepted_at", to: verification.acceptedAt?.milliseconds, was: loaded.acceptedAt?.milliseconds)
        changes.set("repeatable_by", to: verification.repeatableBy?.rawValue, was: loaded.repeatableBy?.rawValue)
        changes.set("consumed_by", to: verification.consumedBy?.description, was: loaded.consumedBy?.description)
        return changes
    }

    /// Reads ``columns``.
    func read(_ row: inout RowReader) throws(SQLiteStoreError) -> Verification {
        let id = try row.next(parsedBy: Verification.ID.init)
        let phoneNumber = try row.next { try PhoneNumber(e164: $0, plans: plans) }
        let owner = Owner(rawValue: try row.next())
        let channel = try row.next(parsedBy: Channel.init(rawValue:))
        let language = try row.next(parsedBy: LanguageTag.init)
        let code = SealedCode(keyID: try row.next(), mac: try row.nextBytes(), ciphertext: try row.nextBytes())
        let (createdAt, expiresAt, nextSendAt) = (try row.nextMoment(), try row.nextMoment(), try row.nextMoment())
        let (sendsLeft, checksLeft): (Int, Int) = (try row.next(), try row.next())
        let recordedStatus = try row.next(parsedBy: VerificationStatus.init(rawValue:))
        let updatedAt = try row.nextMoment()
        let consumedBy = try row.nextOptional(parsedBy: Account.ID.init)
        return Verification(
            id: id,
            phoneNumber: phoneNumber,
            owner: owner,
            channel: channel,
            language: language,
            code: code,
            createdAt: createdAt,
            codeTTL: .milliseconds(try row.next(as: Int64.self)),
            isTest: try row.next(),
            hasCustomCode: try row.next(),
            expiresAt: expiresAt,
            sentAt: try row.nextMoment(),
            acceptedAt: try row.nextOptionalMoment(),
            nextSendAt: nextSendAt,
            sendsLeft: sendsLeft,
            checksLeft: checksLeft,
            recordedStatus: recordedStatus,
            updatedAt: updatedAt,
            consumedBy: consumedBy,
            repeatableBy: try row.next(as: String?.self).map(CallerMark.init(rawValue:))
        )
    }
}
