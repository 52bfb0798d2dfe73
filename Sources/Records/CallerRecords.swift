public import PhoneDomain

// Who calls, what they asked before, what they are notified of, and what tokens are signed with.

extension EventID: RecordKey {
    public func write(to row: inout Row) { row.append(description) }

    public init?(_ value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }
}

/// It refers to what it is about by no foreign key: that may go first, and the event goes when somebody picks it up.
extension Event: TrackedRecord {
    public static let table = Table(
        "event",
        [
            .column("id", .text), .column("kind", .text), .column("subject", .text), .column("occurred_at", .integer),
            .column("status", .text), .column("attempts", .integer), .column("forgiven_attempts", .integer),
            .column("next_attempt_at", .integer), .optional("failure", .text), .optional("trace_parent", .text),
        ],
        indexes: [
            ("event_due", "(next_attempt_at, occurred_at, id) WHERE status = 'queued'"),
            ("event_status", "(status, occurred_at, id)"),
            ("event_subject", "(subject)"),
        ],
        guards: ["status", "attempts"],
        keepsFirst: true
    )

    public static func map(of unit: UnitOfWork) -> RecordMap<Event> { unit.events }

    public var key: EventID { id }

    public func write(to row: inout Row) {
        row.append(id.description)
        row.append(kind.rawValue)
        row.append(subject.description)
        row.append(occurredAt)
        row.append(status.rawValue)
        row.append(attempts)
        row.append(forgivenAttempts)
        row.append(nextAttemptAt)
        row.append(failure)
        row.append(traceParent?.description)
    }

    public init(from row: inout RowReader) throws(UnreadableRecord) {
        // Made of what comes after it.
        _ = try row.text()
        self.init(
            kind: try row.parsed(Kind.init(rawValue:)),
            subject: try row.parsed(EventSubject.init),
            occurredAt: try row.moment(),
            status: try row.parsed(Status.init(rawValue:)),
            attempts: try row.count(),
            forgivenAttempts: try row.count(),
            nextAttemptAt: try row.moment(),
            failure: try row.optionalText(),
            traceParent: try row.optionalParsed(TraceParent.init)
        )
    }
}

extension IdempotentRequest.Name: RecordKey {
    public func write(to row: inout Row) { row.append(rawValue) }

    public init?(_ value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self.init(rawValue: text)
    }
}

extension IdempotentRequest: TrackedRecord {
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
        ]
    )

    public static func map(of unit: UnitOfWork) -> RecordMap<IdempotentRequest> { unit.requests }

    public var key: Name { name }

    public func write(to row: inout Row) {
        row.append(name.rawValue)
        row.append(fingerprint.description)
        row.append(attempt)
        row.append(leaseEndsAt)
        row.append(expiresAt)
        row.append(answer?.status)
        row.append(answer?.contentType ?? "")
        row.append(answer?.location)
        row.append(answer?.body ?? "")
        row.append(answer?.verificationID)
    }

    public init(from row: inout RowReader) throws(UnreadableRecord) {
        let name = try row.parsed(Name.init(rawValue:))
        let fingerprint = NumberDigest(rawValue: try row.text())
        let attempt = try row.count()
        let (leaseEndsAt, expiresAt) = (try row.moment(), try row.moment())
        let status = try row.optionalInteger()
        let contentType = try row.text()
        let location = try row.optionalText()
        let body = try row.text()
        let verificationID = try row.optionalID(Verification.ID.self)
        self.init(
            name: name,
            fingerprint: fingerprint,
            attempt: attempt,
            leaseEndsAt: leaseEndsAt,
            expiresAt: expiresAt,
            answer: status.map {
                StoredResponse(
                    status: Int($0),
                    contentType: contentType,
                    location: location,
                    body: body,
                    verificationID: verificationID
                )
            }
        )
    }
}

extension APIKey: TrackedRecord {
    public static let table = Table(
        "api_key",
        [
            .column("id", .id("key")), .column("name", .text), .column("digest", .bytes),
            // With spaces between, never empty.
            .column("scopes", .text), .optional("account", .id("tac")), .optional("tenant", .id("ten")),
            .column("created_at", .integer), .optional("last_used_at", .integer), .optional("revoked_at", .integer),
        ]
    )

    public static func map(of unit: UnitOfWork) -> RecordMap<APIKey> { unit.apiKeys }

    public var key: ID { id }

    public func write(to row: inout Row) {
        row.append(id)
        row.append(name.description)
        row.append(digest)
        row.append(scopes.list)
        row.append(account)
        row.append(tenant)
        row.append(createdAt)
        row.append(lastUsedAt)
        row.append(revokedAt)
    }

    public init(from row: inout RowReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            name: try row.parsed(CallerName.init),
            digest: try row.bytes(),
            scopes: try row.parsed(Set<APIScope>.init(list:)),
            account: try row.optionalID(),
            tenant: try row.optionalID(),
            createdAt: try row.moment(),
            lastUsedAt: try row.optionalMoment(),
            revokedAt: try row.optionalMoment()
        )
    }
}

extension Tenant: TrackedRecord {
    public static let table = Table(
        "tenant",
        [
            .column("id", .id("ten")), .column("account", .id("tac")), .column("name", .text),
            .column("code_length", .integer), .column("options", .integer), .optional("default_template", .text),
            // A line for each limit and bucket.
            .column("limits", .text), .column("created_at", .integer), .column("updated_at", .integer),
        ],
        indexes: [("tenant_account", "(account, created_at, id)")]
    )

    public static func map(of unit: UnitOfWork) -> RecordMap<Tenant> { unit.tenants }

    public var key: ID { id }

    public func write(to row: inout Row) {
        row.append(id)
        row.append(account)
        row.append(name.description)
        row.append(codeLength)
        row.append(options.rawValue)
        row.append(defaultTemplate?.description)
        row.append(limits.rawText)
        row.append(createdAt)
        row.append(updatedAt)
    }

    public init(from row: inout RowReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            account: try row.id(),
            name: try row.parsed(TenantName.init),
            codeLength: try row.count(),
            options: TenantOptions(rawValue: try row.count()),
            defaultTemplate: try row.optionalParsed(TemplateName.init(_:)),
            limits: try row.parsed { [TenantLimit](rawText: $0) },
            createdAt: try row.moment(),
            updatedAt: try row.moment()
        )
    }
}

extension SafeNumber: TrackedRecord {
    /// `key` is the account and the number, which is what keeps an account from having a number twice.
    public static let table = Table(
        "safe_number",
        [
            .column("key", .text), .column("id", .id("saf")), .column("account", .id("tac")), .column("e164", .text),
            .column("created_at", .integer),
        ],
        // For the erasure of a number.
        indexes: [("safe_number_e164", "(e164)")]
    )

    public static func map(of unit: UnitOfWork) -> RecordMap<SafeNumber> { unit.safeNumbers }

    public func write(to row: inout Row) {
        row.append(key)
        row.append(id)
        row.append(account)
        row.append(e164)
        row.append(createdAt)
    }

    public init(from row: inout RowReader) throws(UnreadableRecord) {
        let key = try row.text()
        self.init(id: try row.id(), account: try row.id(), e164: try row.text(), createdAt: try row.moment())
        guard self.key == key else { throw UnreadableRecord(table: Self.table.name, column: 0) }
    }
}

/// The private part is a ciphertext. Never more than a few rows.
extension SigningKey: Record {
    public static let table = Table(
        "signing_key",
        [
            .column("id", .id("sig")), .column("public_key", .bytes), .column("sealing_key_id", .text),
            .column("private_key_ciphertext", .bytes), .column("created_at", .integer),
            .column("active_at", .integer), .optional("gone_at", .integer),
        ]
    )

    public var key: ID { id }

    public func write(to row: inout Row) {
        row.append(id)
        row.append(publicKey)
        row.append(sealedPrivateKey.keyID)
        row.append(sealedPrivateKey.ciphertext)
        row.append(createdAt)
        row.append(activeAt)
        row.append(removedAt)
    }

    public init(from row: inout RowReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            publicKey: try row.bytes(),
            sealedPrivateKey: SealedSecret(keyID: try row.text(), ciphertext: try row.bytes()),
            createdAt: try row.moment(),
            activeAt: try row.moment(),
            removedAt: try row.optionalMoment()
        )
    }
}
