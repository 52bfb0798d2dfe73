import PhoneDomain

/// The rows of `number_change`.
enum NumberChangeTable: Table {
    static let name = "number_change"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("account_id", .text), ("session_id", .text), ("verification_id", .text), ("old_e164", .text),
        ("new_e164", .text), ("language", .text), ("changed_at", .integer), ("undoable_until", .integer),
        ("undo_digest", .bytes), ("closed_at", .integer),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.numberChanges = [key]
        return keys
    }

    static func write(_ change: NumberChange, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(change.accountID.description)
        row.write(change.sessionID.description)
        row.write(change.verificationID.description)
        row.write(change.oldNumber?.e164)
        row.write(change.newNumber.e164)
        row.write(change.language.description)
        row.write(change.changedAt)
        row.write(change.undoableUntil)
        row.write(change.undoDigest)
        row.write(change.closedAt)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: NumberChange) {
        let plans = row.plans
        let change = NumberChange(
            id: try row.next(parsedBy: NumberChange.ID.init),
            accountID: try row.next(parsedBy: Account.ID.init),
            sessionID: try row.next(parsedBy: Session.ID.init),
            verificationID: try row.next(parsedBy: Verification.ID.init),
            oldNumber: try row.nextOptional { try? PhoneNumber(e164: $0, plans: plans) },
            newNumber: try row.next { try PhoneNumber(e164: $0, plans: plans) },
            language: try row.next(parsedBy: LanguageTag.init),
            changedAt: try row.nextMoment(),
            undoableUntil: try row.nextMoment(),
            undoDigest: try row.nextBytes(),
            closedAt: try row.nextOptionalMoment()
        )
        return (change.id.description, change)
    }
}
