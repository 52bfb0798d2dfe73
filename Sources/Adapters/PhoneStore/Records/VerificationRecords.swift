public import PhoneDomain
import PhoneNumbers
import PhoneSignup

// What a verification leaves: itself, its messages, and what its number has been through.

extension Verification: IdentifiedRecord {
    public static let table = Table(
        "verification",
        [
            .column("id", .id("ver")), .column("e164", .text), .column("owner", .text), .column("channel", .text),
            .column("language", .text), .column("code_key_id", .text),
            .column("code_mac", .bytes),
            .column("code_ciphertext", .bytes), .column("created_at", .integer), .column("code_ttl", .integer),
            .column("is_test", .boolean), .column("has_custom_code", .boolean), .optional("begun_from", .text),
            .column("expires_at", .integer), .column("sent_at", .integer), .optional("accepted_at", .integer),
            .column("next_send_at", .integer),
            .column("sends_left", .integer, isNotNegative: true),
            .column("checks_left", .integer, isNotNegative: true), .optional("checks_left_at_send", .integer),
            .column("status", .text),
            .column("updated_at", .integer), .optional("consumed_by", .id("acc")), .optional("repeatable_by", .text),
            .optional("fallbacks", .text), .optional("guessers", .text),
            .optional("last_request", .text), .optional("reference", .text), .optional("tags", .text),
        ],
        indexes: [
            ("verification_reference", "(reference, id) WHERE reference IS NOT NULL"),
            ("verification_pending", "(expires_at) WHERE status = 'pending'"),
            ("verification_consumed_by", "(consumed_by) WHERE consumed_by IS NOT NULL"),
        ],
        guards: ["sends_left", "checks_left", "status", "consumed_by"],
        isUsedSoon: true
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(id, phoneNumber.e164, owner.rawValue, channel.rawValue)
        row.append(language.description, code.keyID, code.mac, code.ciphertext)
        row.append(createdAt, codeTTL.wholeMilliseconds, isTest, hasCustomCode)
        row.append(begunFrom?.description)
        row.append(expiresAt, sentAt, acceptedAt, nextSendAt)
        row.append(sendsLeft, checksLeft, checksLeftAtSend, recordedStatus.rawValue)
        row.append(updatedAt, consumedBy, repeatableBy?.rawValue)
        row.append(fallbacks.isEmpty ? nil : fallbacks.map(\.rawValue).joined(separator: ","))
        row.append(guessers.isEmpty ? nil : guessers.map(\.rawValue).joined(separator: ","), lastRequest?.description)
        row.append(labels)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            phoneNumber: try row.number(),
            owner: try row.parsed(Owner.init(rawValue:)),
            channel: try row.parsed(Channel.init(rawValue:)),
            language: try row.parsed(LanguageTag.init),
            code: SealedCode(keyID: try row.text(), mac: try row.bytes(), ciphertext: try row.bytes()),
            createdAt: try row.moment(),
            codeTTL: .milliseconds(try row.integer()),
            isTest: try row.flag(),
            hasCustomCode: try row.flag(),
            begunFrom: try row.optionalParsed(ClientAddress.init),
            expiresAt: try row.moment(),
            sentAt: try row.moment(),
            acceptedAt: try row.optionalMoment(),
            nextSendAt: try row.moment(),
            sendsLeft: try row.count(),
            checksLeft: try row.count(),
            checksLeftAtSend: try row.optionalInteger().map(Int.init),
            recordedStatus: try row.oneOf(),
            updatedAt: try row.moment(),
            consumedBy: try row.optionalID(),
            repeatableBy: try row.optionalText().map(ClientOrigin.init(rawValue:)),
            fallbacks: try row.optionalText()?.split(separator: ",").compactMap { Channel(rawValue: String($0)) } ?? [],
            guessers: try row.optionalText()?.split(separator: ",").map { ClientOrigin(rawValue: String($0)) } ?? [],
            lastRequest: try row.optionalParsed(IdempotencyKey.init),
            labels: try row.labels()
        )
    }
}

extension OutboxMessage: IdentifiedRecord {
    public static let table = Table(
        "outbox_message",
        [
            .column("id", .id("msg")), .column("verification_id", .id("ver")), .column("created_at", .integer),
            .column("status", .text), .column("attempts", .integer), .column("next_attempt_at", .integer),
            .optional("gateway", .text), .optional("gateway_message_id", .text),
            .column("forgiven_attempts", .integer), .optional("failure", .text), .column("is_withheld", .boolean),
            .optional("trace_parent", .text), .optional("number_change_id", .id("chg")), .optional("wording", .text),
            .optional("owner_group", .text), .optional("awaits_receipt", .boolean),
            .optional("channel", .text), .optional("weight", .integer), .optional("fallback_at", .integer),
            .optional("cost", .integer), .optional("accepted_at", .integer), .optional("delivered_at", .integer),
            .optional("polling_id", .text), .optional("feedback", .text),
        ],
        indexes: [
            ("outbox_message_verification", "(verification_id)"),
            // Only what is queued, and only what went wrong: small however many messages were sent.
            ("outbox_message_due", "(next_attempt_at, created_at, id) WHERE status = 'queued'"),
            // Not with NOT IN: SQLite would make a table of the three each time that a message is written.
            (
                "outbox_message_few",
                "(status, created_at, id) WHERE status <> 'queued' AND status <> 'sent' AND status <> 'delivered'"
            ),
            ("outbox_message_number_change", "(number_change_id) WHERE number_change_id IS NOT NULL"),
            ("outbox_message_group", "(owner_group, created_at, id) WHERE owner_group IS NOT NULL"),
            // For a receipt. Few wait for one at a time, and those of most gateways never.
            ("outbox_message_receipt", "(gateway, gateway_message_id) WHERE awaits_receipt"),
            // Only where the next channel is taken by itself.
            ("outbox_message_fallback", "(fallback_at) WHERE fallback_at IS NOT NULL"),
        ],
        guards: ["status", "attempts"],
        isUsedSoon: true
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(id, verificationID, createdAt, status.rawValue)
        row.append(attempts, nextAttemptAt, gateway, gatewayMessageID)
        row.append(forgivenAttempts, failure, isWithheld, traceParent?.description)
        row.append(numberChangeID, wording?.rawText, group, awaitsReceipt ? true : nil)
        // Most go by SMS, which counts as one.
        row.append(channel == .sms ? nil : channel.rawValue, weight == 1 ? nil : weight)
        row.append(fallbackAt, cost, acceptedAt, deliveredAt)
        row.append(pollingID, feedback)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        let (id, verificationID) = (try row.id(ID.self), try row.id(Verification.ID.self))
        let (createdAt, status) = (try row.moment(), try row.oneOf(Status.self))
        let (attempts, nextAttemptAt) = (try row.count(), try row.moment())
        let (gateway, gatewayMessageID) = (try row.optionalText(), try row.optionalText())
        let (forgivenAttempts, failure) = (try row.count(), try row.optionalText())
        let (isWithheld, traceParent) = (try row.flag(), try row.optionalParsed(TraceParent.init))
        let (numberChangeID, wording) = (
            try row.optionalID(NumberChange.ID.self), try row.optionalParsed(MessageWording.init(rawText:))
        )
        let (group, awaitsReceipt) = (try row.optionalText(), try row.optionalInteger() == 1)
        self.init(
            id: id,
            verificationID: verificationID,
            numberChangeID: numberChangeID,
            channel: try row.optionalParsed(Channel.init(rawValue:)) ?? .sms,
            weight: try row.optionalInteger().map(Int.init) ?? 1,
            createdAt: createdAt,
            isWithheld: isWithheld,
            traceParent: traceParent,
            wording: wording,
            group: group,
            status: status,
            attempts: attempts,
            nextAttemptAt: nextAttemptAt,
            gateway: gateway,
            gatewayMessageID: gatewayMessageID,
            forgivenAttempts: forgivenAttempts,
            failure: failure,
            awaitsReceipt: awaitsReceipt,
            fallbackAt: try row.optionalMoment(),
            cost: try row.optionalInteger().map(Int.init),
            acceptedAt: try row.optionalMoment(),
            deliveredAt: try row.optionalMoment(),
            pollingID: try row.optionalText(),
            feedback: try row.optionalText()
        )
    }
}

/// There is no row for gateways whose senders have no rates.
extension SenderQueue: Record {
    public static let table = Table(
        "sender_queue",
        // Two moments in microseconds and a count for each sender, always read and written as one.
        [.column("gateway", .text), .column("senders", .text)]
    )

    public var key: String { gateway }

    public func write(to row: inout some ColumnWriter) {
        let numbers = numbers
        row.append(gateway)
        row.append(numbers: numbers.count) { numbers[$0] }
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        guard let queue = SenderQueue(gateway: try row.text(), numbers: try row.numbers()) else {
            throw row.unreadable()
        }
        self = queue
    }
}

extension WaitingMessage: Record {
    public static let table = Table(
        "waiting_message",
        [
            .column("verification_id", .id("ver")), .column("message_id", .id("msg")), .column("place", .integer),
            .column("gateway", .text), .column("sender", .integer), .column("due", .integer),
            .column("expires_at", .integer),
        ],
        indexes: [
            ("waiting_message_place", "(gateway, sender, place)"),
            ("waiting_message_expires_at", "(expires_at, verification_id)"),
        ],
        expiry: "expires_at"
    )

    public var key: Verification.ID { verificationID }

    public func write(to row: inout some ColumnWriter) {
        row.append(verificationID, messageID, place, gateway)
        row.append(sender, due, expiresAt)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            verificationID: try row.id(),
            messageID: try row.id(),
            place: try row.integer(),
            gateway: try row.text(),
            sender: try row.count(),
            due: try row.moment(),
            expiresAt: try row.moment()
        )
    }
}

/// There is no row for a number that nothing is known of.
extension ActiveNumber: Record {
    public static let table = Table(
        "number_activity",
        [
            .column("e164", .text),
            // Moments with spaces between: at most a hundred, always read and written as one.
            .column("recent_sends", .text), .column("recent_send_count", .integer), .column("senders", .text),
            .column("sends_in_run", .integer), .column("consecutive_failures", .integer),
            .optional("last_failure_at", .integer), .column("silent_since", .integer),
        ],
        isUsedSoon: true,
        erasedNumber: "e164"
    )

    public var key: String { e164 }
    public var isBlank: Bool { activity.silentSince == nil }

    public func write(to row: inout some ColumnWriter) {
        row.append(e164)
        let sends = activity.recentSends
        row.append(numbers: sends.count) { sends[$0].milliseconds }
        row.append(sends.count, activity.sendersText, activity.sendsInRun)
        row.append(activity.consecutiveFailures, activity.lastFailureAt)
        row.append(activity.silentSince ?? Timestamp(milliseconds: 0))
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        let e164 = try row.text()
        let recentSends = try row.numbers().map(Timestamp.init(milliseconds:))
        _ = try row.count()
        self.init(
            e164: e164,
            activity: NumberActivity(
                recentSends: recentSends,
                senders: NumberActivity.senders(try row.text()),
                sendsInRun: try row.count(),
                consecutiveFailures: try row.count(),
                lastFailureAt: try row.optionalMoment()
            )
        )
        _ = try row.moment()
    }
}

extension Signup: IdentifiedRecord {
    public static let table = Table(
        "signup",
        [
            .column("id", .id("sgn")), .column("token_digest", .bytes), .column("region", .text),
            .column("language", .text), .column("created_at", .integer), .column("expires_at", .integer),
            .column("phone_text", .text), .optional("verification_id", .id("ver")),
            .column("is_complete", .boolean), .optional("decision", .text),
            .optional("consent_version", .text), .optional("reference", .text), .optional("tags", .text),
        ],
        indexes: [("signup_expires_at", "(expires_at, id)")],
        expiry: "expires_at"
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(id, tokenDigest, region.description, language.description)
        row.append(createdAt, expiresAt, phoneText)
        row.append(verificationID, isComplete, decision?.rawValue, consentVersion)
        row.append(labels)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            tokenDigest: try row.bytes(),
            region: try row.parsed(Region.init),
            language: try row.parsed(LanguageTag.init),
            createdAt: try row.moment(),
            expiresAt: try row.moment(),
            phoneText: try row.text(),
            verificationID: try row.optionalID(),
            isComplete: try row.flag(),
            decision: try row.optionalOneOf(),
            consentVersion: try row.optionalText(),
            labels: try row.labels()
        )
    }
}
