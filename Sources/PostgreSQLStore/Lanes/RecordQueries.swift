import PhoneDomain
import Records

// Statements made of each table's description.

extension Query {
    /// The statements that bring the server to what a unit of work left. In order of the keys, so that two batches that insert
    /// the same ones wait for each other in one direction.
    static func saves<R: TrackedRecord>(_ changes: RecordChanges<R>) -> [Query] {
        let table = R.table
        var queries: [Query] = []
        if !changes.inserted.isEmpty {
            // Else it fails if one of them is there by now; see ``PostgreSQLStoreError/isWorthAnotherTry``.
            let first = table.keepsFirst ? " ON CONFLICT (\(table.key)) DO NOTHING" : ""
            queries.append(insert(rows(of: changes.inserted), into: table, first))
        }
        if !changes.updated.isEmpty {
            // Of rows that the transaction has locked: nobody has changed or deleted them since they were read.
            let columns = table.columns.dropFirst().map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
            queries.append(
                insert(
                    rows(of: changes.updated.map(\.current)),
                    into: table,
                    " ON CONFLICT (\(table.key)) DO UPDATE SET \(columns)"
                )
            )
        }
        if !changes.deleted.isEmpty {
            queries.append(
                Query(
                    "DELETE FROM \(table.name) WHERE \(table.key) = ANY($1)",
                    [.array(table.columns[0].type, changes.deleted.map(\.value))]
                )
            )
        }
        return queries
    }

    static func insert(_ rows: [Row], into table: Table, _ conflict: String = "") -> Query {
        let names = table.columns.map(\.name).joined(separator: ", ")
        let arrays = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return Query(
            "INSERT INTO \(table.name) (\(names)) SELECT * FROM unnest(\(arrays))\(conflict)",
            Argument.arrays(table.columns.map(\.type), rows)
        )
    }

    private static func rows(of records: [some Record]) -> [Row] {
        let rows = records.map { record in
            var row = Row()
            record.write(to: &row)
            return row
        }
        guard rows.count > 1 else { return rows }
        return rows.sorted { one, two in
            let (key, other) = (one.columns[0], two.columns[0])
            guard key.kind != .integer else { return key.integer < other.integer }
            return one.bytes[..<key.end].lexicographicallyPrecedes(two.bytes[..<other.end])
        }
    }

    /// Adds entries to the end of the audit log. Those of one millisecond are told apart by a sequence that all instances share,
    /// so that the later one has the higher key; it begins anew after a million.
    static func appends(_ entries: [AuditEntry]) -> [Query] {
        guard !entries.isEmpty else { return [] }
        let rows = entries.map { entry in
            let serial = AuditRecord.serial(at: entry.at, 0)
            return Row(AuditRecord(cursor: AuditCursor(at: entry.at, serial: serial), entry: entry))
        }
        return [Query(auditInsertion, Argument.arrays(AuditRecord.table.columns.map(\.type), rows))]
    }

    private static let auditInsertion: String = {
        let names = AuditRecord.table.columns.map(\.name)
        let list = names.joined(separator: ", ")
        let arrays = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return """
            INSERT INTO audit_entry (\(list))
            SELECT id + nextval('\(Schema.auditSequence)'), \(names.dropFirst().joined(separator: ", "))
            FROM unnest(\(arrays)) AS entry (\(list))
            """
    }()
}

/// Collects the statements that save a unit of work, so that they can be sent together with the commit.
final class ChangeCollector: RecordSink {
    private(set) var queries: [Query] = []

    func save<R: TrackedRecord>(_ changes: RecordChanges<R>) {
        queries += Query.saves(changes)
    }

    func append(_ entries: [AuditEntry]) {
        queries += Query.appends(entries)
    }
}
