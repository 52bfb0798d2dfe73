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
