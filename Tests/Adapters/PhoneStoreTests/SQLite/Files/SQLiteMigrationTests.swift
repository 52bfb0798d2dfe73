import Foundation
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneStore

/// A database of this version, opened by one that has another.
@Suite struct SQLiteMigrationTests {
    private let folder: TemporaryFolder
    private let path: String

    /// With a second version, as a later program may have.
    private static let later = SQLiteMigrator(
        SQLiteSchema.migrator(.core).migrations + [
            { try $0.execute("ALTER TABLE signup ADD COLUMN colour TEXT; UPDATE signup SET colour = 'red'") }
        ]
    )

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("phone.db")
    }

    private func open(
        _ migrator: SQLiteMigrator,
        at other: String? = nil,
        migrating: Bool = true
    ) throws -> SQLiteStore.Connections {
        try SQLiteStore.Connections(other ?? path, migrating: migrating, busyTimeout: .seconds(60), migrator: migrator)
    }

    @Test func `what is there is brought to the next version, and a program of this one refuses it then`() async throws
    {
        try await SQLiteStore(path: path).insert(sampleSignup(1))
        #expect(throws: SQLiteStoreError.olderSchema(path: path)) { try open(Self.later, migrating: false) }
        for _ in 1...2 {
            let colour = try open(Self.later).writer.sync { try $0.value("SELECT colour FROM signup") }
            #expect(colour == .text("red"))
        }
        _ = try open(Self.later, migrating: false)
        for migrating in [true, false] {
            #expect(throws: SQLiteStoreError.newerSchema(path: path)) {
                try SQLiteStore(path: path, migrating: migrating)
            }
        }
    }

    @Test func `a version that no program has made is refused`() throws {
        try open(SQLiteSchema.migrator(.core)).writer.sync { try $0.execute("PRAGMA user_version = -1") }
        #expect(throws: SQLiteStoreError.newerSchema(path: path)) { try open(SQLiteSchema.migrator(.core)) }
    }

    @Test func `columns that a later version has added do no harm to a statement of this one`() async throws {
        let connections = try open(Self.later)
        let store = SQLiteStore(writer: connections.writer, reader: connections.reader)
        try await store.insert(sampleSignup(1))
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
    }

    @Test func `a migration that fails leaves the version before it`() async throws {
        let failing = SQLiteMigrator(
            Self.later.migrations + [
                { try $0.execute("ALTER TABLE signup ADD COLUMN size TEXT; INSERT INTO none VALUES (1)") }
            ]
        )
        let error = SQLiteStoreError.failed(resultCode: 1, reason: "no such table: none")
        for _ in 1...2 { #expect(throws: error) { try open(failing) } }
        let connections = try open(Self.later, migrating: false)
        let columns = try connections.writer.sync { db in
            try db.integer("SELECT count(*) FROM pragma_table_info('signup') WHERE name IN ('colour', 'size')")
        }
        #expect(columns == 1)
    }

    /// What a process leaves that is killed are its files as they are at that moment.
    @Test func `a migration that is killed at any statement is as before, and is done when it begins anew`()
        async throws
    {
        struct Killed: Error {}
        let store = try SQLiteStore(path: path)
        for serial in 1...200 { try await store.insert(sampleSignup(serial)) }
        store.close()
        let statements = [
            "ALTER TABLE signup ADD COLUMN colour TEXT", "UPDATE signup SET colour = 'red'",
            "CREATE TABLE shade AS SELECT id, colour, randomblob(2000) FROM signup",
            "CREATE INDEX shade_colour ON shade (colour)", "UPDATE shade SET colour = 'blue'",
        ]
        let before = SQLiteSchema.migrator(.core).migrations
        let whole = SQLiteMigrator(before + [{ try $0.execute(statements.joined(separator: ";")) }])
        for place in 0...statements.count {
            let image = folder.path("killed-\(place)")
            let killed = SQLiteMigrator(
                before + [
                    { [path] db in
                        // What is not committed goes to the disk all the same.
                        try db.execute("PRAGMA cache_size = 5")
                        for statement in statements.prefix(place) { try db.execute(statement) }
                        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
                            try FileManager.default.copyItem(atPath: path + suffix, toPath: image + suffix)
                        }
                        throw Killed()
                    }
                ]
            )
            #expect(throws: (any Error).self) { try open(killed) }
            #expect(throws: SQLiteStoreError.olderSchema(path: image)) { try open(whole, at: image, migrating: false) }
            let connections = try open(whole, at: image)
            let count = try connections.writer.sync { db in
                try db.integer("SELECT count(*) FROM shade JOIN signup USING (id) WHERE shade.colour = 'blue'")
            }
            #expect(count == 200, "\(place)")
        }
    }

    @Test func `many may migrate at once`() async throws {
        _ = try SQLiteStore(path: path)
        try await atOnce(8) { _ in _ = try open(Self.later) }
        #expect(try open(Self.later).writer.sync { try $0.version } == 2)
    }

    @Test func `what a migration has written is no more for others to copy`() throws {
        let large = SQLiteMigrator(
            SQLiteSchema.migrator(.core).migrations + [
                {
                    try $0.execute(
                        """
                        CREATE TABLE large AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                        SELECT randomblob(100) FROM n
                        """
                    )
                }
            ]
        )
        let connections = try open(large)
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")).count < 100_000)
        #expect(try connections.reader.sync { try $0.integer("SELECT count(*) FROM large") } == 5000)
    }

    @Test func `every table has the columns that its records have, and their names`() throws {
        try open(SQLiteSchema.migrator(.core)).reader.sync { db in
            for table in RecordTypes.core.tables {
                var names: [SQLValue] = []
                try db.forEach("SELECT name FROM pragma_table_info(\(table.name)) ORDER BY cid") {
                    names.append($0[0])
                }
                #expect(names == table.columns.map { .text($0.name) })
            }
        }
    }
}
