import PhoneDomain

/// The rows of `outbox_message`.
enum OutboxMessageTable: Table {
    static let name = "outbox_message"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("verification_id", .text), ("created_at", .integer), ("status", .text), ("attempts", .integer),
        ("next_attempt_at", .integer), ("gateway", .text), ("gateway_message_id", .text),
        ("forgiven_attempts", .integer), ("failure", .text), ("is_withheld", .boolean),
        ("trace_parent", .text), ("number_change_id", .text), ("wording", .text), ("account", .text),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.messages = [key]
        return keys
    }

    static func write(_ message: OutboxMessage, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(message.verificationID.description)
        row.write(message.createdAt)
        row.write(message.status.rawValue)
        row.write(message.attempts)
        row.write(message.nextAttemptAt)
        row.write(message.gateway)
        row.write(message.gatewayMessageID)
        row.write(message.forgivenAttempts)
        row.write(message.failure)
        row.write(message.isWithheld)
        row.write(message.traceParent?.description)
        row.write(message.numberChangeID?.description)
        row.write(message.wording?.rawText)
        row.write(message.account?.description)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: OutboxMessage) {
        let id = try row.next(parsedBy: OutboxMessage.ID.init)
        let verificationID = try row.next(parsedBy: Verification.ID.init)
        let createdAt = try row.nextMoment()
        let status = try row.next(parsedBy: OutboxMessage.Status.init(rawValue:))
        let attempts = try row.nextCount()
        let nextAttemptAt = try row.nextMoment()
        let (gateway, gatewayMessageID) = (row.nextOptionalText(), row.nextOptionalText())
        let forgivenAttempts = try row.nextCount()
        let failure = row.nextOptionalText()
        let isWithheld = try row.nextBoolean()
        let traceParent = try row.nextOptional(parsedBy: TraceParent.init)
        let message = OutboxMessage(
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
        return (id.description, message)
    }
}
