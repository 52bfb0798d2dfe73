import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneStore
@testable import StoreSuite

/// A row that cannot be read is passed over, and blocks no other.
@Suite struct SQLiteUnreadableRowTests {
    private let log = CommitLog()
    private let clock = ManualClock()
    private let store: SQLiteStore
    private let useCase: VerificationUseCase
    private let context = RequestContext(owner: .local, region: .korea, language: .korean)

    init() throws {
        store = try .inMemory(announcing: EventSubscription(to: Set(Event.Kind.standard)) {}, observer: log)
        useCase = try VerificationUseCase.plain(over: store, clock: clock)
    }

    private func begin() async throws -> [Verification] {
        var begun: [Verification] = []
        for number in ["010-1111-1111", "010-2222-2222"] {
            begun.append(try await useCase.requestCode(for: number, context: context))
        }
        return begun
    }

    private func key(_ table: String, _ id: some CustomStringConvertible) -> UnreadableRow {
        UnreadableRow(table: table, key: "\(id)")
    }

    @Test(arguments: [
        "UPDATE outbox_message SET wording = 'x' WHERE verification_id = %",
        "UPDATE verification SET channel = 'Pigeon' WHERE id = %",
    ])
    func `a message is put off by a lease, and listed no more`(change: String) async throws {
        let begun = try await begin()
        let messages = try await store.messages(status: .queued, limit: 9).map(\.message)
        try store.execute(change.replacing("%", with: begun[0].id.literal))
        let now = clock.now()
        let broken = try #require(messages.first { $0.verificationID == begun[0].id })

        // Not even where there is room for one alone.
        #expect(try await store.claim(limit: 1, at: now, until: now + .seconds(60)) == [])
        #expect(log.rows == [key("outbox_message", broken.id)])
        let claims = try await store.claim(limit: 1, at: now, until: now + .seconds(30))
        #expect(claims.map(\.verification.id) == [begun[1].id])
        #expect(try await store.nextAttempt() == now + .seconds(30))
        #expect(try await store.messages(status: nil, limit: 9).map(\.message.id) == claims.map(\.message.id))
        #expect(log.rows.count == 2)
    }

    @Test func `an event is put off, be it for its own row or for what it is about`() async throws {
        let begun = try await begin()
        for verification in begun { _ = try await useCase.check("123456", for: .id(verification.id), context: context) }
        let now = clock.now()
        try store.execute("UPDATE verification SET language = '!' WHERE id = \(begun[0].id.literal)")
        let claims = try await store.claimEvents(limit: 9, at: now, until: now + .seconds(60))
        #expect(claims.map(\.event.subject) == [.verification(begun[1].id)])
        #expect(log.rows.map(\.table) == ["event"])
        #expect(try await store.events(status: nil, limit: 9).count == 2)

        try store.execute(
            "UPDATE verification SET language = 'en'; UPDATE event SET trace_parent = 'x' WHERE subject = '\(begun[0].id)'"
        )
        let later = now + .seconds(60)
        #expect(try await store.claimEvents(limit: 9, at: later, until: later + .seconds(60)).count == 1)
        #expect(log.rows.map(\.table) == ["event", "event"])
    }

    @Test func `a verification expires, and is purged`() async throws {
        let begun = try await begin()
        try store.execute("UPDATE verification SET language = '!' WHERE id = \(begun[0].id.literal)")
        clock.advance(by: .seconds(600))
        #expect(try await store.close(at: clock.now(), limit: 1) == 1)
        #expect(try await store.close(at: clock.now(), limit: 1) == 1)
        #expect(try await store.close(at: clock.now(), limit: 1) == 0)
        #expect(log.rows == [key("verification", begun[0].id)])
        clock.advance(by: .seconds(1))
        #expect(try await store.purge(before: clock.now(), limit: 9) > 0)
        #expect(try store.column("SELECT 1 FROM verification") == [])
    }

    @Test func `a person is erased, though rows of theirs and of others make no sense`() async throws {
        let begun = try await begin()
        _ = try await useCase.signUp("123456", for: begun[0].id, context: context)
        try store.execute(
            """
            UPDATE verification SET language = '!';
            DROP TRIGGER audit_entry_is_append_only;
            UPDATE audit_entry SET action = 'x' WHERE verification_id = \(begun[0].id.literal);
            INSERT INTO signup (id, token_digest, region, language, created_at, expires_at, phone_text, is_complete)
                VALUES (x'00000000000000000000000000000001', x'00', '!', 'ko', 0, 0, '', 0)
            """
        )
        let command = try EraseNumber(
            begun[0].phoneNumber,
            digester: PlainNumberDigester(),
            now: clock.now()
        )
        let erasure = try await store.erase(command)
        #expect(erasure.accounts == 1)
        #expect(erasure.verifications == 1)
        #expect(Set(log.rows.map(\.table)) == ["audit_entry", "signup"])
        let left = try store.column(
            """
            SELECT (SELECT count(*) FROM account) + (SELECT count(*) FROM verification WHERE e164 LIKE '%11111111')
                + (SELECT count(*) FROM audit_entry WHERE action = 'x' AND (owner IS NOT NULL
                    OR coalesce(address, masked_number, number_digest, prefix_digest) IS NOT NULL))
            """
        )
        #expect(left == [.integer(0)])
    }
}
