import PhoneDomain

/// The rows of `audit_entry`. The server numbers them.
enum AuditEntryTable {
    static let name = "audit_entry"
    static let columns: [(name: String, type: ColumnType)] = [
        ("at", .integer), ("action", .text), ("owner", .text), ("address", .text), ("verification_id", .text),
        ("masked_number", .text), ("number_digest", .text), ("prefix_digest", .text), ("region", .text),
        ("verdict", .text), ("reasons", .text),
    ]

    /// An entry and where it is.
    typealias Place = (cursor: AuditCursor, entry: AuditEntry)

    /// What ``read(_:)`` reads.
    static let columnNames = "id, " + columns.map(\.name).joined(separator: ", ")

    static func inserts(_ entries: [AuditEntry]) -> [Query] {
        guard !entries.isEmpty else { return [] }
        var row = RowWriter(columns.map(\.type))
        for entry in entries {
            write(entry, to: &row)
            row.endRow()
        }
        return [Query(insertion(columns.map(\.name)), row.arguments)]
    }

    /// Adds entries at their places, and has the server count on behind them.
    static func inserts(at places: [Place]) -> [Query] {
        guard let last = places.map(\.cursor.serial).max() else { return [] }
        var row = RowWriter([.integer] + columns.map(\.type))
        for place in places {
            row.write(place.cursor.serial)
            write(place.entry, to: &row)
            row.endRow()
        }
        return [
            Query(insertion(["id"] + columns.map(\.name)), row.arguments),
            // Never back: what was given away once is not given away again.
            Query(
                """
                SELECT setval(name, greatest(nextval(name), $1))
                FROM (SELECT pg_get_serial_sequence('audit_entry', 'id')::regclass AS name) AS sequence
                """,
                [.integer(last)]
            ),
        ]
    }

    private static func write(_ entry: AuditEntry, to row: inout RowWriter) {
        row.write(entry.at)
        row.write(entry.action.rawValue)
        row.write(entry.owner?.rawValue)
        row.write(entry.address?.description)
        row.write(entry.verificationID?.description)
        row.write(entry.maskedNumber)
        row.write(entry.numberDigest?.description)
        row.write(entry.prefixDigest?.description)
        row.write(entry.region?.description)
        row.write(entry.verdict?.rawValue)
        row.write(entry.reasons.map(\.rawValue).joined(separator: " "))
    }

    private static func insertion(_ names: [String]) -> String {
        let arrays = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO audit_entry (\(names.joined(separator: ", "))) SELECT * FROM unnest(\(arrays))"
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> Place {
        let serial = try row.nextInteger()
        let at = try row.nextMoment()
        return (
            AuditCursor(at: at, serial: serial),
            AuditEntry(
                at: at,
                action: try row.next(parsedBy: AuditEntry.Action.init(rawValue:)),
                owner: try row.nextOptional(parsedBy: Owner.init(rawValue:)),
                address: try row.nextOptional(parsedBy: ClientAddress.init),
                verificationID: try row.nextOptional(parsedBy: Verification.ID.init),
                maskedNumber: row.nextOptionalText(),
                numberDigest: try row.nextOptional(parsedBy: NumberDigest.init(rawValue:)),
                prefixDigest: try row.nextOptional(parsedBy: NumberDigest.init(rawValue:)),
                region: try row.nextOptional(parsedBy: Region.init),
                verdict: try row.nextOptional(parsedBy: GuardVerdict.Action.init(rawValue:)),
                reasons: try row.next(parsedBy: reasons)
            )
        )
    }

    private static func reasons(_ text: String) -> [GuardVerdict.Reason]? {
        let names = text.split(separator: " ")
        let reasons = names.compactMap { GuardVerdict.Reason(rawValue: String($0)) }
        return reasons.count == names.count ? reasons : nil
    }
}
