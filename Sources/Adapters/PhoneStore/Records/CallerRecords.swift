public import PhoneAccounts
public import PhoneDomain

// Who calls, what they asked before, what they are notified of, and what tokens are signed with.

/// It refers to what it is about by no foreign key: that may go first, and the event goes when somebody picks it up.
extension Event: Record {
    public static let table = Table(
        "event",
        [
            .column("id", .text), .column("kind", .text), .column("subject", .text), .column("occurred_at", .integer),
            .column("status", .text), .column("attempts", .integer), .column("forgiven_attempts", .integer),
            .column("next_attempt_at", .integer), .optional("failure", .text), .optional("trace_parent", .text),
        ],
        indexes: [
            // Two, so that neither reader goes over and over what waits for the other's receiver.
            (
                "event_due",
                "(next_attempt_at, occurred_at, id) WHERE status = 'queued' AND kind <> 'message.feedback'"
            ),
            (
                "event_feedback_due",
                "(next_attempt_at, occurred_at, id) WHERE status = 'queued' AND kind = 'message.feedback'"
            ),
            ("event_status", "(status, occurred_at, id)"),
            ("event_subject", "(subject)"),
        ],
        guards: ["status", "attempts"],
        keepsFirst: true
    )

    public var key: EventID { id }

    public func write(to row: inout some ColumnWriter) {
        row.append(id.description, kind.rawValue, subject.description, occurredAt)
        row.append(status.rawValue, attempts, forgivenAttempts, nextAttemptAt)
        row.append(failure, traceParent?.description)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        // Made of what comes after it.
        _ = try row.text()
        self.init(
            kind: try row.oneOf(),
            subject: try row.parsed(EventSubject.init),
            occurredAt: try row.moment(),
            status: try row.oneOf(),
            attempts: try row.count(),
            forgivenAttempts: try row.count(),
            nextAttemptAt: try row.moment(),
            failure: try row.optionalText(),
            traceParent: try row.optionalParsed(TraceParent.init)
        )
    }
}

extension IdempotentRequest: Record {
    /// `name` is the owner, a line break and the caller's key; a row without `status` is being worked on.
    public static let table = Table(
        "idempotent_request",
        [
            .column("name", .text), .column("fingerprint", .text), .column("attempt", .integer),
            .column("lease_ends_at", .integer), .column("expires_at", .integer), .optional("status", .integer),
            .column("content_type", .text), .optional("location", .text), .column("body", .text),
            .optional("verification_id", .id("ver")),
        ],
        indexes: [
            ("idempotent_request_expires_at", "(expires_at, name)"),
            ("idempotent_request_verification", "(verification_id) WHERE verification_id IS NOT NULL"),
        ],
        expiry: "expires_at"
    )

    public var key: Name { name }

    public func write(to row: inout some ColumnWriter) {
        row.append(name.rawValue, fingerprint.description, attempt, leaseEndsAt)
        row.append(expiresAt, answer?.status, answer?.contentType ?? "", answer?.location)
        row.append(answer?.body ?? "", answer?.verificationID)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            name: try row.parsed(Name.init(rawValue:)),
            fingerprint: NumberDigest(rawValue: try row.text()),
            attempt: try row.count(),
            leaseEndsAt: try row.moment(),
            expiresAt: try row.moment(),
            answer: try Self.answer(from: &row)
        )
    }

    private static func answer(from row: inout some ColumnReader) throws(UnreadableRecord) -> StoredResponse? {
        let status = try row.optionalInteger()
        let answer = StoredResponse(
            status: Int(status ?? 0),
            contentType: try row.text(),
            location: try row.optionalText(),
            body: try row.text(),
            verificationID: try row.optionalID()
        )
        return status == nil ? nil : answer
    }
}

extension APIKey: IdentifiedRecord {
    public static let table = Table(
        "api_key",
        [
            .column("id", .id("key")), .column("name", .text), .column("digest", .bytes),
            // Separated by spaces, never empty.
            .column("scopes", .text), .optional("audience", .text), .column("created_at", .integer),
            .optional("last_used_at", .integer), .optional("revoked_at", .integer),
        ],
        isCommon: true
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(id, name.description, digest, scopes.list)
        row.append(audience, createdAt, lastUsedAt, revokedAt)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            name: try row.parsed(CallerName.init),
            digest: try row.bytes(),
            scopes: try row.parsed(Set<APIScope>.init(list:)),
            audience: try row.optionalText(),
            createdAt: try row.moment(),
            lastUsedAt: try row.optionalMoment(),
            revokedAt: try row.optionalMoment()
        )
    }
}

/// The private part is a ciphertext. Never more than a few rows.
extension SigningKey: IdentifiedRecord {
    public static let table = Table(
        "signing_key",
        [
            .column("id", .id("sig")), .column("algorithm", .text), .column("public_key", .bytes),
            .column("sealing_key_id", .text), .column("private_key_ciphertext", .bytes),
            .column("created_at", .integer), .column("active_at", .integer), .optional("gone_at", .integer),
        ],
        expiry: "gone_at"
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(id, algorithm.rawValue, publicKey)
        row.append(sealedPrivateKey.keyID, sealedPrivateKey.ciphertext)
        row.append(createdAt, activeAt, removedAt)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            algorithm: try row.parsed(SigningAlgorithm.init(rawValue:)),
            publicKey: try row.bytes(),
            sealedPrivateKey: SealedSecret(keyID: try row.text(), ciphertext: try row.bytes()),
            createdAt: try row.moment(),
            activeAt: try row.moment(),
            removedAt: try row.optionalMoment()
        )
    }
}
