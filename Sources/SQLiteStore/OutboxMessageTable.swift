import GRDB
import PhoneDomain

/// The rows of `outbox_message`.
struct OutboxMessageTable {
    static let name = "outbox_message"
    static let columns = """
        outbox_message.id, verification_id, outbox_message.created_at, outbox_message.status, attempts, \
        next_attempt_at, gateway, gateway_message_id, forgiven_attempts, failure, is_withheld, trace_parent, \
        number_change_id, wording, account
        """
    private static let joined = joined(by: "")

    private static func joined(by index: String) -> String {
        """
        SELECT \(columns), \(VerificationTable.columns)
        FROM outbox_message \(index) JOIN verification ON verification.id = verification_id
        """
    }

    private static let dueIndex = "INDEXED BY outbox_message_due"
    private static let byID = "\(joined) WHERE outbox_message.id = ?"
    private static let due = """
        \(joined(by: dueIndex)) WHERE outbox_message.status = 'queued' AND next_attempt_at <= ?
        ORDER BY next_attempt_at, outbox_message.created_at, outbox_message.id LIMIT ?
        """

    let db: Database
    let verifications: VerificationTable
    let changes: NumberChangeTable
    let events: EventTable

    func find(_ id: OutboxMessage.ID) throws -> OutboxClaim? {
        try db.first(Self.byID, [id.description], of: Self.name, read: read).map(withChange)
    }

    private static let byGateway = """
        SELECT \(columns) FROM outbox_message WHERE creation_day = ? AND gateway = ? AND gateway_message_id = ?
        """

    /// The message that a gateway calls so, the newest if it repeats itself.
    func find(gateway: String, messageID: String) throws -> OutboxMessage? {
        try DayIndex.messages.first(in: db) { day in
            try db.first(Self.byGateway, [day, gateway, messageID], of: Self.name, read: readMessage)
        }
    }

    /// The messages of these verifications, in no order.
    func all(of verifications: Set<Verification.ID>) throws -> [OutboxMessage] {
        try verifications.flatMap { verification in
            try db.all(
                "SELECT \(Self.columns) FROM outbox_message WHERE verification_id = ?",
                [verification.description],
                of: Self.name,
                read: readMessage
            )
        }
    }

    /// The names of all messages of these verifications, and of the notices of these changes.
    func ids(
        of verifications: Set<Verification.ID>,
        _ changes: Set<NumberChange.ID>
    ) throws -> Set<OutboxMessage.ID> {
        let messages = try verifications.flatMap { try ids("verification_id = ?", $0.description) }
        let notices = try changes.flatMap { try ids("number_change_id = ?", $0.description) }
        return Set(messages + notices)
    }

    private func ids(_ condition: String, _ text: String) throws -> [OutboxMessage.ID] {
        try db.all("SELECT id FROM outbox_message WHERE \(condition)", [text], of: Self.name) { row in
            try row.next(parsedBy: OutboxMessage.ID.init)
        }
    }

    func delete(_ ids: Set<OutboxMessage.ID>) throws -> Int {
        try ids.reduce(0) { count, id in
            try count + db.run("DELETE FROM outbox_message WHERE id = ?", [id.description])
        }
    }

    func newest(of status: OutboxMessage.Status, limit: Int) throws -> Claims {
        try claims(
            """
            \(Self.joined) WHERE outbox_message.status = ?
            ORDER BY outbox_message.created_at DESC, outbox_message.id DESC LIMIT ?
            """,
            [status.rawValue, max(0, limit)]
        )
    }

    /// The messages that have been due the longest. The index has them in this order, so that a backlog is not sorted
    /// anew for every claim; it is named since SQLite, which knows nothing of the rows, prefers the one by status.
    func due(at now: Timestamp, limit: Int) throws -> Claims {
        try claims(Self.due, [now.milliseconds, max(0, limit)])
    }

    /// Messages, and the IDs of those that cannot be read, be it for their own row or for that of what they belong to.
    typealias Claims = (readable: [OutboxClaim], unreadable: [String])

    private func claims(_ sql: String, _ arguments: Arguments) throws -> Claims {
        var (found, unreadable) = try db.readable(sql, arguments, of: Self.name, read: read)
        found = try found.compactMap { claim in
            do {
                return try withChange(claim)
            } catch SQLiteStoreError.unreadable {
                unreadable.append(claim.message.id.description)
                return nil
            }
        }
        return (found, unreadable)
    }

    func nextAttempt() throws -> Timestamp? {
        try db.first(
            "SELECT min(next_attempt_at) FROM outbox_message \(Self.dueIndex) WHERE status = 'queued'",
            of: Self.name
        ) { row in
            try row.nextOptionalMoment()
        } ?? nil
    }

    /// Reads no row: the index has all of them, and nothing else.
    func backlog() throws -> OutboxBacklog {
        try db.first(
            """
            SELECT count(*), min(created_at) FROM outbox_message INDEXED BY outbox_message_status
            WHERE status = 'queued'
            """,
            of: Self.name
        ) { row in
            OutboxBacklog(count: try row.next(), oldest: try row.nextOptionalMoment())
        } ?? OutboxBacklog(count: 0, oldest: nil)
    }

    /// Read in the order of the index, which is named as in ``due(at:limit:)``.
    func awaitingReceipts(_ question: AwaitedReceipts) throws -> [SentMessage] {
        let (moment, id) = question.last?.order ?? (question.after, "")
        return try db.all(
            """
            SELECT id, created_at, gateway_message_id FROM outbox_message INDEXED BY outbox_message_status
            WHERE status = 'sent' AND created_at > ? AND created_at <= ? AND (created_at, id) > (?, ?)
            AND gateway = ? AND gateway_message_id IS NOT NULL ORDER BY created_at, id LIMIT ?
            """,
            [
                question.after.milliseconds, question.through.milliseconds, moment.milliseconds, id, question.gateway,
                max(0, question.limit),
            ],
            of: Self.name
        ) { row in
            SentMessage(
                id: try row.next(parsedBy: OutboxMessage.ID.init),
                createdAt: try row.nextMoment(),
                gatewayMessageID: try row.next()
            )
        }
    }

    /// The messages whose identifiers come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [OutboxMessage] {
        try db.all(
            "SELECT \(Self.columns) FROM outbox_message WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: readMessage
        )
    }

    func insert(_ message: OutboxMessage) throws {
        try db.run(
            """
            INSERT INTO outbox_message (
                id, verification_id, created_at, status, attempts, next_attempt_at, gateway, gateway_message_id,
                forgiven_attempts, failure, is_withheld, trace_parent, number_change_id, wording, account
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                message.id.description, message.verificationID.description, message.createdAt.milliseconds,
                message.status.rawValue, message.attempts, message.nextAttemptAt.milliseconds, message.gateway,
                message.gatewayMessageID, message.forgivenAttempts, message.failure, message.isWithheld,
                message.traceParent?.description, message.numberChangeID?.description, message.wording?.rawText,
                message.account?.description,
            ]
        )
    }

    /// Keeps what became of a message at this moment, and what that announces, unless another attempt has begun since it was
    /// loaded; see ``VerificationTable`` for why that is guarded though it cannot be.
    func update(_ message: OutboxMessage, loaded: OutboxMessage, at now: Timestamp) throws {
        guard message != loaded else { return }
        let changes = Self.changes(from: loaded, to: message)
        let count = try db.run(
            "UPDATE outbox_message SET \(changes.text) WHERE id = ? AND status = ? AND attempts = ?",
            changes.arguments + [message.id.description, loaded.status.rawValue, loaded.attempts]
        )
        guard count == 1 else { throw SQLiteStoreError.changedMeanwhile(table: Self.name) }
        try events.announce(Event(message, was: loaded, at: now))
    }

    /// Every column that a command may change.
    private static func changes(from loaded: OutboxMessage, to message: OutboxMessage) -> Assignments {
        var changes = Assignments()
        changes.set("status", to: message.status.rawValue, was: loaded.status.rawValue)
        changes.set("attempts", to: message.attempts, was: loaded.attempts)
        changes.set(
            "next_attempt_at",
            to: message.nextAttemptAt.milliseconds,
            was: loaded.nextAttemptAt.milliseconds
        )
        changes.set("gateway", to: message.gateway, was: loaded.gateway)
        changes.set("gateway_message_id", to: message.gatewayMessageID, was: loaded.gatewayMessageID)
        changes.set("forgiven_attempts", to: message.forgivenAttempts, was: loaded.forgivenAttempts)
        changes.set("failure", to: message.failure, was: loaded.failure)
        return changes
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> OutboxClaim {
        OutboxClaim(message: try readMessage(&row), verification: try verifications.read(&row))
    }

    /// The claim with the change that its message tells of. Few messages are notices: what is asked for most often joins no
    /// third table for them.
    private func withChange(_ claim: OutboxClaim) throws -> OutboxClaim {
        guard let id = claim.message.numberChangeID else { return claim }
        return OutboxClaim(message: claim.message, verification: claim.verification, change: try changes.find(id))
    }

    /// Reads ``columns``.
    func readMessage(_ row: inout RowReader) throws(SQLiteStoreError) -> OutboxMessage {
        let id = try row.next(parsedBy: OutboxMessage.ID.init)
        let verificationID = try row.next(parsedBy: Verification.ID.init)
        let createdAt = try row.nextMoment()
        let status = try row.next(parsedBy: OutboxMessage.Status.init(rawValue:))
        let attempts: Int = try row.next()
        let nextAttemptAt = try row.nextMoment()
        let (gateway, gatewayMessageID): (String?, String?) = (try row.next(), try row.next())
        let forgivenAttempts: Int = try row.next()
        let failure: String? = try row.next()
        let isWithheld: Bool = try row.next()
        let traceParent = try row.nextOptional(parsedBy: TraceParent.init)
        return OutboxMessage(
            id: id,
            verificationID: verificationID,
            numberChangeID: try row.nextOptional(parsedBy: NumberChange.ID.init),
            createdAt: createdAt,
            isWithheld: isWithheld,
            traceParent: traceParent,
            wording: try row.nextOptional(parsedBy: MessageWording.init(rawText:)),
            account: try row.nextOptional(parsedBy: TenantAccount.ID.init),
            status: status,
            attempts: attempts,
            nextAttemptAt: nextAttemptAt,
            gateway: gateway,
            gatewayMessageID: gatewayMessageID,
            forgivenAttempts: forgivenAttempts,
            failure: failure
        )
    }
}
