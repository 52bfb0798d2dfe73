import PhoneDomain
import PhoneNumbers
import PhoneTestSupport
import Testing

@testable import PhoneStore

/// Rows and values, from a record to the file and back.
@Suite struct RowTests {
    private let store: SQLiteStore
    private let useCase: VerificationUseCase
    private let context = RequestContext(owner: .local, region: .korea, language: .korean)

    init() throws {
        store = try .inMemory()
        useCase = try VerificationUseCase.plain(over: store)
    }

    /// The number of a column among those of its table.
    private func index(_ column: String, of table: Table) throws -> Int {
        try #require(table.columns.firstIndex { $0.name == column })
    }

    @Test(arguments: [
        ("e164", "'+82212345678901'"), ("channel", "'Pigeon'"), ("owner", "'x'"), ("language", "'!'"),
        ("status", "'lost'"),
        ("consumed_by", "x'01'"),
    ])
    func `a row that makes no sense is an error that reveals nothing of it`(column: String, value: String) async throws
    {
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        try store.execute("UPDATE verification SET \(column) = \(value)")
        let error = UnreadableRecord(table: "verification", column: try index(column, of: Verification.table))
        await #expect(throws: error) { _ = try await store.verification(begun.id) }
        #expect("\(error)" == "column \(error.column) of a row of verification cannot be read")
    }

    private func read<Value: Sendable>(
        _ value: String,
        _ read: @escaping @Sendable (inout RowReader) throws -> Value
    ) async throws -> Value? {
        try await store.rows("SELECT \(raw: value)") { row in
            var reader = RowReader(row, of: "none")
            return try read(&reader)
        }.first
    }

    @Test(arguments: ["1", "x'31'", "NULL", "1.0"])
    func `a column of another type than a text is no text`(value: String) async throws {
        await #expect(throws: UnreadableRecord(table: "none", column: 0)) {
            _ = try await read(value) { try $0.text() }
        }
    }

    @Test(arguments: ["'1'", "x'31'", "NULL", "1.0"])
    func `a column of another type than an integer is no number`(value: String) async throws {
        await #expect(throws: UnreadableRecord(table: "none", column: 0)) {
            _ = try await read(value) { try $0.integer() }
        }
    }

    private static let values: [SQLValue] = [
        .null, .integer(0 as Int64), .integer(Int64.min), .integer(Int64.max), .text(""), .text("a\0b"),
        .text("010-1234-5678"),
        .text("한국"), .text("$1"), .bytes([]), .bytes([0, 255, 0]),
    ]

    @Test func `values come back as they were, empty ones and those with a zero in them too`() throws {
        try store.writer.connection.sync { db in
            for value in Self.values {
                let found = try db.value("SELECT $1", [value])
                #expect(found == value)
            }
            var all: [SQLValue] = []
            var select: SQL = "SELECT 1"
            for value in Self.values { select += ", \(value)" }
            try db.forEach(select) { row in all = row.columns.indices.map { row[$0] } }
            #expect(all.dropFirst() == Self.values[...])
        }
    }

    @Test func `what is written as a row comes back as that row`() throws {
        // Empty texts and bytes beside others, and in a row that has nothing else.
        for text in ["", "a\0b", "한국"] {
            for bytes: [UInt8] in [[], [0, 255, 0]] {
                var row = Row()
                row.append(text)
                row.append(bytes)
                row.appendNull()
                let table = Table("sample", [.column("a", .text), .column("b", .bytes), .optional("c", .integer)])
                try store.execute("CREATE TABLE sample (a TEXT NOT NULL, b BLOB NOT NULL, c INTEGER) STRICT")
                try store.writer.connection.sync { db in
                    try db.restore([row], in: table)
                    var found: [Row] = []
                    try db.forEach("SELECT a, b, c FROM sample") { found.append($0) }
                    #expect(found == [row])
                }
                try store.execute("DROP TABLE sample")
            }
        }
    }

    @Test func `a statement runs within itself`() throws {
        try store.execute("CREATE TABLE sample (a INTEGER) STRICT; INSERT INTO sample VALUES (1), (2), (3)")
        var pairs: [SQLValue] = []
        try store.writer.connection.sync { db in
            let sql: SQL = "SELECT a FROM sample ORDER BY a"
            try db.forEach(sql) { outer in
                try db.forEach(sql) { inner in
                    pairs.append(.integer(outer.columns[0].integer * 10 + inner.columns[0].integer))
                }
            }
        }
        #expect(pairs == [11, 12, 13, 21, 22, 23, 31, 32, 33].map { .integer($0 as Int64) })
    }

    @Test func `statements of which there are ever more are forgotten`() throws {
        try store.writer.connection.sync { db in
            for number in 1...2000 { _ = try db.integer("SELECT \(number)") }
            #expect(db.compiledTexts.count < 600)
        }
    }

    @Test func `more parameters than values are an error, not NULL, and so are more values`() async throws {
        let error = SQLiteStoreError.failed(resultCode: 25, reason: "column index out of range")
        for sql in ["SELECT $1, $2", "SELECT 1"] {
            #expect(throws: error) { try store.writer.connection.sync { try $0.run(sql, [.integer(1 as Int64)]) } }
        }
    }

    @Test func `a write over what changed meanwhile is refused`() async throws {
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        let approved = try await useCase.check("123456", for: .id(begun.id), context: context)
        await #expect(throws: SQLiteStoreError.changedMeanwhile(table: "verification")) {
            try await store.transact { try $0.save(begun, approved) }
        }
        // Of a record that is gone as well.
        await #expect(throws: SQLiteStoreError.changedMeanwhile(table: "signup")) {
            try await store.transact { try $0.save(sampleSignup(1), sampleSignup(1, phoneText: "1")) }
        }
    }

    @Test func `a number has one account, whatever a program does`() async throws {
        let holders = [1, 2].map { NumberHolder(e164: "+821012345678", account: Account.ID(bits: 0, $0)) }
        try await store.change { try $0.put(holders[0]) }
        await #expect(
            throws: SQLiteStoreError.failed(
                resultCode: 1555,
                reason: "UNIQUE constraint failed: account_number.e164"
            )
        ) {
            try await store.change { try $0.put(holders[1]) }
        }
    }

    @Test func `what must not be negative is refused`() async throws {
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        #expect(throws: SQLiteStoreError.self) {
            try store.execute("UPDATE verification SET checks_left = -1 WHERE id = \(begun.id.literal)")
        }
    }
}
