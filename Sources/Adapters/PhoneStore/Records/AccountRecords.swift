public import PhoneDomain
import PhoneNumbers

// What signing up leaves, for the years after it.

extension Account: IdentifiedRecord {
    public static let table = Table(
        "account",
        [
            .column("id", .id("acc")), .optional("e164", .text), .column("phone_number_since", .integer),
            .column("created_at", .integer), .optional("created_by", .id("ver")), .column("last_active_at", .integer),
            // A JSON object.
            .column("metadata", .text), .optional("deletion_due_at", .integer), .column("session_generation", .integer),
            .optional("consent_version", .text), .optional("consented_at", .integer),
            .optional("suspended_at", .integer), .optional("external_id", .text),
        ],
        indexes: [("account_due", "(deletion_due_at, id) WHERE deletion_due_at IS NOT NULL")],
        guards: ["e164", "deletion_due_at", "session_generation"]
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(id, phoneNumber?.e164, phoneNumberSince, createdAt)
        row.append(createdBy, lastActiveAt, metadata.json, deletionDueAt)
        row.append(sessionGeneration, consent?.version, consent?.acceptedAt, suspendedAt)
        row.append(externalID?.description)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            phoneNumber: try row.optionalNumber(),
            phoneNumberSince: try row.moment(),
            createdAt: try row.moment(),
            createdBy: try row.optionalID(),
            lastActiveAt: try row.moment(),
            metadata: AccountMetadata(json: try row.text()),
            deletionDueAt: try row.optionalMoment(),
            sessionGeneration: try row.count(),
            consent: try row.pair(try row.optionalText(), try row.optionalMoment()).map {
                Consent(version: $0, acceptedAt: $1)
            },
            suspendedAt: try row.optionalMoment(),
            externalID: try row.optionalParsed(ExternalID.init)
        )
    }
}

extension Account {
    public var holder: NumberHolder? { phoneNumber.map { NumberHolder(e164: $0.e164, account: id) } }
}

/// Which account has a number: its key is what keeps two accounts from having one.
public struct NumberHolder: Record {
    public let e164: String
    public let account: Account.ID

    public init(e164: String, account: Account.ID) { (self.e164, self.account) = (e164, account) }

    public static let table = Table("account_number", [.column("e164", .text), .column("account_id", .id("acc"))])

    public var key: String { e164 }

    public func write(to row: inout some ColumnWriter) { row.append(e164, account) }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(e164: try row.text(), account: try row.id())
    }
}

/// Which account has an external ID: its key is what keeps two accounts from having one.
public struct ExternalHolder: Record {
    public let externalID: String
    public let account: Account.ID

    public init(externalID: String, account: Account.ID) { (self.externalID, self.account) = (externalID, account) }

    public static let table = Table(
        "account_external_id",
        [.column("external_id", .text), .column("account_id", .id("acc"))]
    )

    public var key: String { externalID }

    public func write(to row: inout some ColumnWriter) { row.append(externalID, account) }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(externalID: try row.text(), account: try row.id())
    }
}

extension Session: IdentifiedRecord {
    public static let table = Table(
        "session",
        [
            .column("id", .id("ses")), .column("account_id", .id("acc")), .optional("user_agent", .text),
            .column("created_at", .integer), .column("expires_at", .integer), .column("token_digest", .bytes),
            .optional("previous_digest", .bytes), .column("refreshed_at", .integer), .column("idle_until", .integer),
            .optional("client_id", .id("cli")), .optional("scopes", .text), .column("generation", .integer),
            .column("proof", .text),
        ],
        indexes: [("session_account", "(account_id, created_at DESC, id)")],
        guards: ["token_digest"]
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(id, accountID, userAgent, createdAt)
        row.append(expiresAt, tokenDigest, previousDigest, refreshedAt)
        row.append(idleUntil, grant?.clientID, grant?.scopes.list, generation)
        row.append(proof.rawValue)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            accountID: try row.id(),
            userAgent: try row.optionalText(),
            createdAt: try row.moment(),
            expiresAt: try row.moment(),
            tokenDigest: try row.bytes(),
            previousDigest: try row.optionalBytes(),
            refreshedAt: try row.moment(),
            idleUntil: try row.moment(),
            grant: try row.pair(try row.optionalID(), try row.optionalParsed(Set<OpenIDScope>.init(list:))).map {
                ClientGrant(clientID: $0, scopes: $1)
            },
            generation: try row.count(),
            proof: try row.oneOf()
        )
    }
}

extension NumberChange: IdentifiedRecord {
    public static let table = Table(
        "number_change",
        [
            .column("id", .id("chg")), .column("account_id", .id("acc")), .column("session_id", .id("ses")),
            .column("verification_id", .id("ver")), .optional("old_e164", .text), .column("new_e164", .text),
            .column("language", .text), .column("changed_at", .integer), .column("undoable_until", .integer),
            .column("undo_digest", .bytes), .optional("closed_at", .integer),
        ],
        indexes: [
            ("number_change_account", "(account_id, changed_at, id)"),
            ("number_change_undo_digest", "(undo_digest)"),
            // The erasure of a number looks here.
            ("number_change_old_e164", "(old_e164) WHERE old_e164 IS NOT NULL"),
            ("number_change_new_e164", "(new_e164)"),
        ],
        guards: ["closed_at"]
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(id, accountID, sessionID, verificationID)
        row.append(oldNumber?.e164, newNumber.e164, language.description, changedAt)
        row.append(undoableUntil, undoDigest, closedAt)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            accountID: try row.id(),
            sessionID: try row.id(),
            verificationID: try row.id(),
            oldNumber: try row.optionalNumber(),
            newNumber: try row.number(),
            language: try row.parsed(LanguageTag.init),
            changedAt: try row.moment(),
            undoableUntil: try row.moment(),
            undoDigest: try row.bytes(),
            closedAt: try row.optionalMoment()
        )
    }
}
