import GRDB
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import SQLiteStore

@Suite struct RowTests {
    private let store: SQLiteStore
    private let useCase: LivePhoneUseCase
    private let context = RequestContext(owner: .local, region: .korea, language: .korean)

    init() throws {
        store = try .inMemory()
        useCase = LivePhoneUseCase(
            store: store,
            vault: FixedCodeVault(code: try #require(VerificationCode("123456"))),
            digester: PlainNumberDigester(),
            identifiers: CountingIdentifiers(),
            clock: ManualClock()
        )
    }

    private func execute(_ sql: String) async throws {
        try await store.writer.connection.write { try $0.execute(sql: sql) }
    }

    @Test(arguments: [
        ("e164 = '+82212345678901'", 1), ("channel = 'pigeon'", 3), ("language = '!'", 4), ("status = 'lost'", 13),
        ("id = 'msg_00000000000000000000000000000001'", 0),
    ])
    func `a row that makes no sense is an error that tells nothing of it`(change: String, column: Int) async throws {
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        try await execute(
            "PRAGMA defer_foreign_keys = ON; DELETE FROM outbox_message; UPDATE verification SET \(change)"
        )
        let error = SQLiteStoreError.unreadable(table: "verification", column: column)
        await #expect(throws: error) {
            let id = column == 0 ? "msg_00000000000000000000000000000001" : begun.id.description
            _ = try await store.read { tables in
                try tables.db.first(
                    "SELECT \(VerificationTable.columns) FROM verification WHERE id = ?",
                    [id],
                    of: VerificationTable.name,
                    read: tables.verifications.read
                )
            }
        }
        #expect("\(error)" == "column \(column) of a row of verification cannot be read")
    }

    @Test(arguments: [
        ("tenant", "name = '1'", 2), ("tenant", "default_template = '!'", 5), ("tenant", "limits = 'x'", 6),
        ("safe_number", "e164 = '+821087654321'", 0), ("outbox_message", "wording = 'x'", 13),
        ("outbox_message", "account = 'x'", 14), ("api_key", "account = 'x'", 4), ("api_key", "tenant = 'x'", 5),
    ])
    func `a row of tenants that makes no sense is an error`(table: String, change: String, column: Int) async throws {
        try await execute(
            """
            INSERT INTO tenant VALUES ('ten_00000000000000000000000000000001', 'tac_00000000000000000000000000000002',
                'Shop', 6, 0, NULL, '', 0, 0);
            INSERT INTO safe_number VALUES ('tac_00000000000000000000000000000002 +821012345678',
                'saf_00000000000000000000000000000003', 'tac_00000000000000000000000000000002', '+821012345678', 0);
            INSERT INTO api_key (id, name, digest, scopes, created_at)
                VALUES ('key_00000000000000000000000000000004', 'shop', x'', 'verifications', 0)
            """
        )
        _ = try await useCase.requestCode(for: "010-1234-5678", context: context)
        let kinds: [String: RecordKind] = [
            "tenant": .tenant, "safe_number": .safeNumber, "outbox_message": .message, "api_key": .apiKey,
        ]
        let kind = try #require(kinds[table])
        #expect(try await store.records(of: kind, after: nil, limit: 9).count == 1)
        try await execute("UPDATE \(table) SET \(change)")
        await #expect(throws: SQLiteStoreError.unreadable(table: table, column: column)) {
            _ = try await store.records(of: kind, after: nil, limit: 9)
        }
    }

    @Test(arguments: ["1", "x'31'", "NULL", "1.0"])
    func `a column of another type than a text is no text`(value: String) async throws {
        await #expect(throws: SQLiteStoreError.unreadable(table: "none", column: 0)) {
            _ = try await store.read { try $0.db.first("SELECT \(value)", of: "none") { try $0.next(as: String.self) } }
        }
    }

    @Test(arguments: ["'1'", "x'31'", "NULL", "1.0"])
    func `a column of another type than an integer is no number`(value: String) async throws {
        await #expect(throws: SQLiteStoreError.unreadable(table: "none", column: 0)) {
            _ = try await store.read { try $0.db.first("SELECT \(value)", of: "none") { try $0.next(as: Int.self) } }
        }
    }

    @Test func `texts and bytes come back as they were, empty ones and those with a zero in them too`() async throws {
        let texts = ["", "a\0b", "010-1234-5678", "한국"]
        let bytes: [[UInt8]] = [[], [0, 255, 0]]
        let found = try await store.read { tables in
            func back<Value>(_ value: any Bindable, _ read: (inout RowReader) throws -> Value) throws -> Value? {
                try tables.db.first("SELECT ?", [value], of: "none", read: read)
            }
            let texts = try texts.map { try back($0) { try $0.next(as: String.self) } }
            let bytes = try bytes.map { try back(Blob($0)) { try $0.nextBytes() } }
            return (texts, bytes)
        }
        #expect(found.0 == texts)
        #expect(found.1 == bytes)
    }

    @Test func `more question marks than values are an error, not NULL`() async throws {
        let error = SQLiteStoreError.failed(resultCode: 25, reason: "column index out of range")
        await #expect(throws: error) { _ = try await store.read { try $0.db.run("SELECT ?, ?", [1]) } }
    }

    @Test func `a write over what changed meanwhile is refused`() async throws {
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        let approved = try await useCase.verify("123456", for: begun.id, context: context)
        await #expect(throws: SQLiteStoreError.changedMeanwhile(table: "verification")) {
            try await store.write { try $0.verifications.save(approved, loaded: begun, at: approved.updatedAt) }
        }
        let claim = try #require(
            try await store.claim(limit: 1, at: begun.createdAt, until: begun.expiresAt).first
        )
        await #expect(throws: SQLiteStoreError.changedMeanwhile(table: "outbox_message")) {
            try await store.write { tables in
                let stale = OutboxMessage(
                    id: claim.message.id,
                    verificationID: begun.id,
                    createdAt: begun.createdAt
                )
                try tables.messages.update(claim.message, loaded: stale, at: begun.createdAt)
            }
        }
    }

    @Test func `a number has one account, whatever a program does`() async throws {
        let number = try PhoneNumber(e164: "+821012345678")
        let accounts = [1, 2].map { serial in
            Account(
                id: Account.ID(bits: 0, serial),
                phoneNumber: number,
                createdAt: Timestamp(seconds: 0),
                createdBy: Verification.ID(bits: 0, serial)
            )
        }
        try await store.write { try $0.accounts.save(accounts[0], loaded: nil, at: Timestamp(seconds: 0)) }
        await #expect(
            throws: SQLiteStoreError.failed(resultCode: 2067, reason: "UNIQUE constraint failed: account.e164")
        ) {
            try await store.write { try $0.accounts.save(accounts[1], loaded: nil, at: Timestamp(seconds: 0)) }
        }
    }
}
