import PhoneDomain
import Records

/// The tables, of which `Records` describes every column, and what SQLite alone needs beside them.
///
/// - Rows are found by their key and no other number; WITHOUT ROWID saves the second search. The audit log's key is such a
///   number itself.
/// - There are no foreign keys: commands delete what belongs together, and each reference would cost a search.
enum Schema {
    /// Nothing has been released yet: until then the first version is changed in place.
    static let migrator = Migrator([{ try $0.execute(version1) }])

    private static let version1 = (RecordKind.tables.map(statements) + [ofSQLite]).joined(separator: "\n")

    private static func statements(of table: Table) -> String {
        let isLog = table.name == AuditRecord.table.name
        let columns = table.columns.enumerated().map { index, column in
            var words = "\(column.name) \(type(of: column))"
            if !column.isNullable { words += " NOT NULL" }
            if index == 0 { words += " PRIMARY KEY" }
            if column.isNotNegative { words += " CHECK (\(column.name) >= 0)" }
            return words
        }
        let indexes = table.indexes.map { "CREATE INDEX \($0.name) ON \(table.name) \($0.definition);\n" }
        return """
            CREATE TABLE \(table.name) (
                \(columns.joined(separator: ",\n    "))
            ) STRICT\(isLog ? "" : ", WITHOUT ROWID");
            \(indexes.joined())
            """
    }

    private static func type(of column: Table.Column) -> String {
        switch column.type {
        case .id, .bytes: "BLOB"
        case .text: "TEXT"
        case .integer, .boolean: "INTEGER"
        }
    }

    /// What lies anywhere is found by the day and then by itself (``DayIndex``). An audit entry is never changed, only unlinked
    /// from the person that it is about, and deleted when its time is over.
    private static let ofSQLite = """
        CREATE INDEX verification_live ON verification (\(DayIndex.day(of: "created_at")), e164);
        CREATE INDEX outbox_message_receipt
        ON outbox_message (\(DayIndex.day(of: "created_at")), gateway, gateway_message_id)
        WHERE gateway_message_id IS NOT NULL;
        CREATE INDEX audit_entry_number ON audit_entry (\(DayIndex.day(of: "at")), number_digest, id);
        CREATE TRIGGER audit_entry_is_append_only BEFORE UPDATE ON audit_entry
        WHEN NEW.id <> OLD.id OR NEW.at <> OLD.at OR NEW.action <> OLD.action OR NEW.reasons <> OLD.reasons
            OR NEW.verdict IS NOT OLD.verdict OR NEW.region IS NOT OLD.region
            OR NEW.verification_id IS NOT OLD.verification_id
            OR (NEW.owner IS NOT NULL AND NEW.owner IS NOT OLD.owner) OR NEW.address IS NOT NULL
            OR NEW.masked_number IS NOT NULL OR NEW.number_digest IS NOT NULL OR NEW.prefix_digest IS NOT NULL
        BEGIN
            SELECT RAISE(ABORT, 'an audit entry can only be unlinked');
        END;
        """
}

/// Brings a database from one version of its tables to the next. A migration that has been released is never changed, a new
/// one is added. The version is `user_version` (https://www.sqlite.org/pragma.html#pragma_user_version).
struct Migrator: Sendable {
    typealias Migration = @Sendable (SQLiteConnection) throws -> Void

    /// The first makes the tables of version 1, and so on.
    let migrations: [Migration]

    init(_ migrations: [Migration]) { self.migrations = migrations }

    /// Has the tables up to date. Several processes may ask at once: who comes second finds it done.
    ///
    /// - Parameter isAllowed: whether to change them if they are not.
    /// - Returns: whether they were changed.
    /// - Throws: ``SQLiteStoreError/newerSchema(path:)`` and ``SQLiteStoreError/olderSchema(path:)``, and what a migration
    ///   throws, of which nothing is kept then.
    func migrate(_ db: SQLiteConnection, isAllowed: Bool) throws -> Bool {
        var isChanged = false
        while try isBehind(db) {
            guard isAllowed else { throw SQLiteStoreError.olderSchema(path: db.path) }
            try db.transaction(.immediate) {
                guard try isBehind(db) else { return }
                let version = try db.version
                try migrations[version](db)
                try db.execute("PRAGMA user_version = \(version + 1)")
                isChanged = true
            }
        }
        return isChanged
    }

    private func isBehind(_ db: SQLiteConnection) throws -> Bool {
        let version = try db.version
        guard version <= migrations.count else { throw SQLiteStoreError.newerSchema(path: db.path) }
        return version < migrations.count
    }
}

extension SQLiteConnection {
    /// Of the tables: how many migrations have made them.
    var version: Int {
        get throws { Int(try integer("PRAGMA user_version") ?? 0) }
    }
}
