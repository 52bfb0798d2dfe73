import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneStore

@Suite(.enabled(if: TestDatabase.server != nil, "scripts/test starts a server"))
struct PostgreSQLMigrationTests {
    fileprivate let database: TestDatabase

    init() async throws {
        database = try await TestDatabase()
    }

    fileprivate func migrator(_ migrations: [PostgreSQLSchema.Migration]) throws -> PostgreSQLMigrator {
        let options = ConnectionOptions(
            servers: try ServerAddresses(url: database.url),
            isDurable: true,
            timeout: .seconds(60)
        )
        return PostgreSQLMigrator(try Connection.open(options.patient), migrations: migrations)
    }

    /// The version behind the last one that there is.
    private static let next = (PostgreSQLSchema.migrations(.core).map(\.version).max() ?? 0) + 1

    fileprivate static func adding(_ version: Int64, oldestProgram: Int64, _ statement: String)
        -> PostgreSQLSchema.Migration
    {
        PostgreSQLSchema.Migration(version: version, oldestProgram: oldestProgram, statements: [statement])
    }

    @Test func `tables are made once, however many make them at once`() async throws {
        let url = database.url
        let done = try await atOnce(6) { _ in try PostgreSQLStore.migrate(url: url, timeout: .seconds(60)) }
        #expect(done.flatMap(\.self) == PostgreSQLSchema.migrations(.core).map(\.version))
        #expect(
            try database.run("SELECT version || ' ' || oldest_program FROM phoneproof_migration ORDER BY version")
                == PostgreSQLSchema.migrations(.core).map { "\($0.version) \($0.oldestProgram)" }
        )
    }

    @Test func `what is not migrated is not opened by one who is not to migrate it`() throws {
        #expect(throws: PostgreSQLStoreError.olderSchema) { try PostgreSQLStore(url: database.url, migrating: false) }
        #expect(try database.run("SELECT 1 FROM pg_tables WHERE schemaname = '\(database.name)'") == [])
        try PostgreSQLStore.migrate(url: database.url)
        _ = try PostgreSQLStore(url: database.url, migrating: false)
    }

    @Test func `a program goes on beside a newer one whose migration only adds`() async throws {
        let store = try database.open()
        let scene = try ServerScene(store)
        let begun = try await scene.request()
        let adding = Self.adding(
            Self.next,
            oldestProgram: 1,
            "ALTER TABLE verification ADD purpose text NOT NULL DEFAULT ''"
        )
        #expect(try migrator(PostgreSQLSchema.migrations(.core) + [adding]).migrate() == [Self.next])
        // The one that runs, one that is started now, and one that is told to look only.
        try await scene.check(begun.id)
        try await scene.request("010-8765-4321")
        let other = try ServerScene(try database.open(), identifiers: CountingIdentifiers(after: 100))
        try await other.request("010-1111-2222")
        try migrator(PostgreSQLSchema.migrations(.core)).requireUpToDate()
        #expect(try PostgreSQLStore.migrate(url: database.url) == [])
    }

    @Test func `a program does not touch what a newer one has taken away`() throws {
        let taking = Self.adding(Self.next, oldestProgram: Self.next, "ALTER TABLE verification DROP repeatable_by")
        try migrator(PostgreSQLSchema.migrations(.core) + [taking]).migrate()
        for isMigrating in [true, false] {
            #expect(throws: PostgreSQLStoreError.newerSchema) {
                try PostgreSQLStore(url: database.url, migrating: isMigrating)
            }
        }
        #expect(throws: PostgreSQLStoreError.newerSchema) { try PostgreSQLStore.migrate(url: database.url) }
    }

    @Test func `a migration that fails leaves nothing behind`() throws {
        let wrong = PostgreSQLSchema.Migration(
            version: Self.next,
            oldestProgram: 1,
            statements: ["CREATE TABLE extra (id text)", "CREATE TABLE account (id text)"]
        )
        #expect {
            try migrator(PostgreSQLSchema.migrations(.core) + [wrong]).migrate()
        } throws: { error in
            guard case .failed("42P07", _) = error as? PostgreSQLStoreError else { return false }
            return true
        }
        #expect(
            try database.run("SELECT version FROM phoneproof_migration ORDER BY version")
                == PostgreSQLSchema.migrations(.core).map { "\($0.version)" }
        )
        #expect(
            try database.run("SELECT 1 FROM pg_tables WHERE tablename = 'extra' AND schemaname = '\(database.name)'")
                == []
        )
    }
}

// MARK: - Two versions side by side

/// A note as one version of a program has it.
private protocol NoteVersion: Sendable {
    /// All have the same text.
    static var columns: [String] { get }
    /// The one that it reads.
    static var read: Int { get }
    static var table: Table { get }
    /// How many migrations it knows.
    static var schema: Int { get }
}

extension NoteVersion {
    fileprivate static func makeTable() -> Table {
        Table("note", [.column("id", .id("not"))] + columns.map { .column($0, .text) })
    }
}

private struct Note<Version: NoteVersion>: IdentifiedRecord, Identified {
    static var identifierPrefix: String { "not" }
    static var table: Table { Version.table }

    let id: Identifier<Self>
    let text: String

    init(_ text: String, serial: UInt64 = 1) { (id, self.text) = (ID(bits: 0, serial), text) }

    func write(to row: inout some ColumnWriter) {
        row.append(id)
        for _ in Version.columns { row.append(text) }
    }

    init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        id = try row.id()
        var texts: [String] = []
        for _ in Version.columns { texts.append(try row.text()) }
        text = texts[Version.read]
    }
}

private struct Keep<Version: NoteVersion>: OneRecordCommand {
    typealias Stored = Note<Version>
    let note: Note<Version>
    var key: Note<Version>.ID { note.id }

    func apply(to state: inout Note<Version>?) -> Result<String?, Never> {
        defer { state = note }
        return .success(state?.text)
    }
}

/// Has a column `text`, which is to be called `body`.
private enum First: NoteVersion {
    static let columns = ["text"]
    static let (read, schema) = (0, 1)
    static let table = makeTable()
}

/// Writes both. It reads the old one, which the first version writes too.
private enum Second: NoteVersion {
    static let columns = ["text", "body"]
    static let (read, schema) = (0, 2)
    static let table = makeTable()
}

/// Reads the new one, in which each row has its text now. It writes both, since the second version reads the old one.
private enum Third: NoteVersion {
    static let columns = ["text", "body"]
    static let (read, schema) = (1, 3)
    static let table = makeTable()
}

/// Knows only the new one.
private enum Fourth: NoteVersion {
    static let columns = ["body"]
    static let (read, schema) = (0, 4)
    static let table = makeTable()
}

/// As the fourth; its migration takes the old column away.
private enum Fifth: NoteVersion {
    static let columns = ["body"]
    static let (read, schema) = (0, 5)
    static let table = makeTable()
}

/// A column gets another name over five versions, two of which run beside each other at each step. It is the example for
/// every change of the tables that is more than an addition.
extension PostgreSQLMigrationTests {
    private static let steps: [PostgreSQLSchema.Migration] =
        PostgreSQLSchema.migrations(RecordTypes(docks: [Note<First>.self])) + [
            // Expand: the first version neither writes nor reads it.
            adding(2, oldestProgram: 1, #"ALTER TABLE note ADD body text COLLATE "C" NOT NULL DEFAULT ''"#),
            // Once no first version runs, each row that is written has both.
            adding(3, oldestProgram: 2, "UPDATE note SET body = text WHERE body <> text"),
            // The third version writes it still, the fourth does not.
            adding(4, oldestProgram: 3, "ALTER TABLE note ALTER text SET DEFAULT ''"),
            // Contract: none that runs knows it any more.
            adding(5, oldestProgram: 4, "ALTER TABLE note DROP text"),
        ]

    /// What a version of the program does at its start.
    private func start<Version: NoteVersion>(_: Version.Type, isMigrating: Bool = true) throws -> PostgreSQLStore {
        let migrator = try migrator(Array(Self.steps[..<Version.schema]))
        if isMigrating { try migrator.migrate() } else { try migrator.requireUpToDate() }
        let options = ConnectionOptions(
            servers: try ServerAddresses(url: database.url),
            isDurable: true,
            timeout: .seconds(60)
        )
        return PostgreSQLStore(options, records: RecordTypes(docks: [Note<Version>.self]))
    }

    private func write<Version: NoteVersion>(_ text: String, by _: Version.Type, in store: PostgreSQLStore) async throws
    {
        _ = try await store.execute(.change, Keep(note: Note<Version>(text)).run).get()
    }

    private func text<Version: NoteVersion>(
        _ serial: UInt64 = 1,
        by _: Version.Type,
        in store: PostgreSQLStore
    ) async throws -> String? {
        try await store.find(Note<Version>.self, Note<Version>("", serial: serial).id)?.text
    }

    /// Both write what the other reads, one after the other, and what the older one wrote before is there.
    private func assertGoOn<Old: NoteVersion, New: NoteVersion>(
        _ older: PostgreSQLStore,
        _: Old.Type,
        beside _: New.Type,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> PostgreSQLStore {
        let before = try await text(by: Old.self, in: older)
        let newer = try start(New.self)
        #expect(try await text(by: New.self, in: newer) == before, sourceLocation: location)
        for text in ["by the older", "and again"] {
            try await write(text, by: Old.self, in: older)
            #expect(try await self.text(by: New.self, in: newer) == text, sourceLocation: location)
            try await write(text + ", changed", by: New.self, in: newer)
            #expect(try await self.text(by: Old.self, in: older) == text + ", changed", sourceLocation: location)
        }
        // One that is started again goes on too, whether it may migrate or not.
        _ = try start(Old.self)
        _ = try start(Old.self, isMigrating: false)
        return newer
    }

    @Test func `a column gets another name while two versions at a time run`() async throws {
        let first = try start(First.self)
        try await write("of before", by: First.self, in: first)
        // Nobody changes this one.
        _ = try await first.execute(.change, Keep(note: Note<First>("old", serial: 2)).run).get()
        let second = try await assertGoOn(first, First.self, beside: Second.self)
        let third = try await assertGoOn(second, Second.self, beside: Third.self)
        let fourth = try await assertGoOn(third, Third.self, beside: Fourth.self)
        let fifth = try await assertGoOn(fourth, Fourth.self, beside: Fifth.self)
        #expect(try await text(2, by: Fifth.self, in: fifth) == "old")
        // What is older by two versions or more is not started, and says why.
        for isMigrating in [true, false] {
            #expect(throws: PostgreSQLStoreError.newerSchema) { try start(First.self, isMigrating: isMigrating) }
            #expect(throws: PostgreSQLStoreError.newerSchema) { try start(Third.self, isMigrating: isMigrating) }
        }
    }

    @Test func `a version that reads a new column while an older one writes the old one would lose its changes`()
        async throws
    {
        let first = try start(First.self)
        try await write("a", by: First.self, in: first)
        // It skips the second step: had migration 3 the oldest program 1, this would be the result.
        let third = try start(Third.self)
        try await write("b", by: First.self, in: first)
        #expect(try await text(by: Third.self, in: third) == "a")
        #expect(throws: PostgreSQLStoreError.newerSchema) { try start(First.self) }
    }
}
