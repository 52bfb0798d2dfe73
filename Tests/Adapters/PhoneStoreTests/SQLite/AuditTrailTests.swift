import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneStore

/// What the database itself sees to, whatever a program does.
@Suite struct AuditTrailTests {
    private let store: SQLiteStore
    private let useCase: VerificationUseCase
    private let context = RequestContext(
        owner: .signup(Signup.ID(bits: 0, 1)),
        region: .korea,
        language: .korean,
        address: ClientAddress("203.0.113.7")
    )

    init() throws {
        store = try .inMemory()
        useCase = try VerificationUseCase.plain(over: store)
    }

    private func trail() async throws -> [AuditEntry] {
        try await store.entries(AuditQuery(limit: 100)).entries
    }

    @Test(arguments: [
        "at = at + 1", "action = 'cancel'", "owner = 'somebody'", "address = '198.51.100.1'", "region = 'US'",
        "verdict = 'block'", "reasons = ''", "verification_id = NULL", "masked_number = 'x', number_digest = NULL",
        "id = 7", "number_digest = 'x'", "prefix_digest = 'x'", "measure = NULL", "reference = 'x'", "tags = 'a:b'",
        // Nor may one be unlinked in part.
        "address = NULL", "masked_number = NULL", "owner = NULL",
    ])
    func `an entry is changed by nothing but unlinking`(change: String) async throws {
        _ = try await useCase.requestCode(for: "010-1234-5678", context: context)
        let before = try await trail()
        #expect(throws: SQLiteStoreError.self) { try store.execute("UPDATE audit_entry SET \(change)") }
        // Not even on the way.
        let unlinking = "owner = NULL, address = NULL, masked_number = NULL, number_digest = NULL, prefix_digest = NULL"
        if !unlinking.contains(change) {
            let missing = unlinking.split(separator: ", ").filter { !change.hasPrefix($0.prefix { $0 != " " }) }
            let both = ([change] + missing.map(String.init).filter { !change.contains($0) }).joined(separator: ", ")
            #expect(throws: SQLiteStoreError.self) { try store.execute("UPDATE audit_entry SET \(both)") }
        }
        #expect(try await trail() == before)
    }

    @Test(arguments: [("owner = NULL, ", nil), ("", "sgn_00000000000000000000000000000001")])
    func `an entry may be unlinked, and its owner stay`(change: String, owner: String?) async throws {
        _ = try await useCase.requestCode(for: "010-1234-5678", context: context)
        try store.execute(
            """
            UPDATE audit_entry
            SET \(change)address = NULL, masked_number = NULL, number_digest = NULL, prefix_digest = NULL
            """
        )
        let entry = try #require(try await trail().first)
        #expect(entry.owner?.rawValue == owner)
        #expect(
            entry.unlinked
                == AuditEntry(
                    at: Timestamp(seconds: 1_767_225_600),
                    action: .begin,
                    owner: nil,
                    verificationID: Verification.ID(bits: 0, 1),
                    region: .korea,
                    verdict: .allow,
                    reasons: [.sampleSmall],
                    measure: GuardMeasure(
                        prefix: .init(sent: 0, approved: 0, budget: 20),
                        country: .init(sent: 0, approved: 0, budget: 500)
                    )
                )
        )
    }

    @Test func `an operation whose entry cannot be kept is undone`() async throws {
        let begun = try await useCase.requestCode(for: "010-1234-5678", context: context)
        let full = "CREATE TRIGGER full BEFORE INSERT ON audit_entry BEGIN SELECT RAISE(ABORT, 'full'); END"
        func refuses(_ work: () async throws -> Void) async throws {
            let before = try contents()
            try store.execute(full)
            await #expect(throws: PhoneFailure.unavailable(cause: "SQLite error 1811: full")) { try await work() }
            try store.execute("DROP TRIGGER full")
            #expect(try contents() == before)
        }
        try await refuses { _ = try await useCase.requestCode(for: "010-8765-4321", context: context) }
        try await refuses { _ = try await useCase.check("654321", for: .id(begun.id), context: context) }
        try await refuses { _ = try await useCase.check("123456", for: .id(begun.id), context: context) }
        try await refuses { _ = try await useCase.cancel(begun.id, owner: context.owner) }
        _ = try await useCase.check("123456", for: .id(begun.id), context: context)
        try await refuses { _ = try await useCase.signUp("123456", for: begun.id, context: context) }
    }

    /// Every row of every table.
    private func contents() throws -> [[Row]] {
        try store.writer.connection.sync { db in
            try RecordTypes.core.tables.map { table in
                var rows: [Row] = []
                try db.forEach("SELECT * FROM \(table)") { rows.append($0) }
                return rows
            }
        }
    }

    @Test func `entries of one moment follow each other, in one batch and in the next`() async throws {
        let (moment, later) = (Timestamp(milliseconds: 5), Timestamp(milliseconds: 6))
        for _ in 1...2 {
            try await store.change { unit in
                for at in [moment, moment, later, moment] { unit.append(sampleEntry(at: at)) }
            }
        }
        let first = AuditRecord.serial(at: moment, 0)
        let next = AuditRecord.serial(at: later, 0)
        #expect(
            try store.column("SELECT id FROM audit_entry ORDER BY id")
                == (0..<6).map { .integer(first + $0) } + [.integer(next), .integer(next + 1)]
        )
    }
}
