import PhoneDomain

/// The tables, of which `Records` describes every column, and what SQLite alone needs beside them.
///
/// - Rows are found by their key and no other number; WITHOUT ROWID saves the second search. The audit log's key is
///   such a number itself.
/// - There are no foreign keys: commands delete what belongs together, and each reference would cost a search.
enum SQLiteSchema {
    /// Nothing has been released yet: until then the first version is changed in place.
    static func migrator(_ types: RecordTypes) -> SQLiteMigrator {
        SQLiteMigrator([{ try $0.execute((types.tables.flatMap(statements) + [ofSQLite]).joined(separator: ";\n")) }])
    }

    private static func statements(of table: Table) -> [String] {
        table.definition(type, options: table === AuditRecord.table ? " STRICT" : " STRICT, WITHOUT ROWID")
    }

    private static func type(of column: Table.ColumnType) -> String {
        switch column {
        case .id, .bytes: "BLOB"
        case .text: "TEXT"
        case .integer, .boolean: "INTEGER"
        }
    }

    /// An audit entry is never changed, only unlinked from the person that it is about, and deleted when its time is
    /// over.
    private static let ofSQLite = """
        \(DayIndex.definition);
        CREATE TRIGGER audit_entry_is_append_only BEFORE UPDATE ON audit_entry
        WHEN NEW.id <> OLD.id OR NEW.at <> OLD.at OR NEW.action <> OLD.action OR NEW.reasons <> OLD.reasons
            OR NEW.verdict IS NOT OLD.verdict OR NEW.region IS NOT OLD.region
            OR NEW.verification_id IS NOT OLD.verification_id
            OR (NEW.owner IS NOT NULL AND NEW.owner IS NOT OLD.owner) OR NEW.address IS NOT NULL
            OR NEW.masked_number IS NOT NULL OR NEW.number_digest IS NOT NULL OR NEW.prefix_digest IS NOT NULL
            OR NEW.measure IS NOT OLD.measure OR NEW.reference IS NOT NULL OR NEW.tags IS NOT NULL
        BEGIN
            SELECT RAISE(ABORT, 'an audit entry can only be unlinked');
        END;
        """
}

/// Brings a database from one version of its tables to the next. A migration that has been released is never changed, a
/// new one is added. The version is `user_version` (https://www.sqlite.org/pragma.html#pragma_user_version).
struct SQLiteMigrator: Sendable {
    typealias Migration = @Sendable (SQLiteConnection) throws -> Void

    /// The first makes the tables of version 1, and so on.
    let migrations: [Migration]

    init(_ migrations: [Migration]) { self.migrations = migrations }

    /// Returns whether the tables had to be changed. Several processes may ask at once: the second finds it done.
    func migrate(_ db: SQLiteConnection, isAllowed: Bool) throws -> Bool {
        var isChanged = false
        while try isBehind(db) {
            guard isAllowed else { throw SQLiteStoreError.olderSchema(path: db.path) }
            try db.transaction(.writing) {
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
        // A negative one is no version, and of no migration.
        guard (0...migrations.count).contains(version) else { throw SQLiteStoreError.newerSchema(path: db.path) }
        return version < migrations.count
    }
}

extension SQLiteConnection {
    /// How many migrations have made the tables.
    var version: Int { get throws { Int(try integer("PRAGMA user_version") ?? 0) } }
}
