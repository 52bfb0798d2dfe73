import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneSignup
public import PhoneStore
import PhoneTestSupport
import Testing

/// What a dock keeps: a note about a number, for a time, or with an account.
struct Note: Identified, IdentifiedRecord {
    static let identifierPrefix = "not"
    static let table = Table(
        "note",
        [
            .column("id", .id("not")), .column("e164", .text), .column("expires_at", .integer),
            .optional("text", .text),
            .optional("account_id", .id("acc")), .column("is_seen", .boolean), .column("digest", .bytes),
        ],
        indexes: [("note_e164", "(e164)"), ("note_expires_at", "(expires_at, id)")],
        guards: ["text"],
        expiry: "expires_at",
        erasedNumber: "e164",
        account: "account_id"
    )

    let id: Identifier<Note>
    let e164: String
    let expiresAt: Timestamp
    var text: String?
    var account: Account.ID?

    func write(to row: inout some ColumnWriter) {
        row.append(id, e164, expiresAt, text)
        row.append(account, true, [1] as [UInt8])
    }

    init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            e164: try row.text(),
            expiresAt: try row.moment(),
            text: try row.optionalText()
        )
        account = try row.optionalID()
        _ = (try row.flag(), try row.bytes())
    }

    init(id: ID, e164: String = "+821012345678", expiresAt: Timestamp = StoreScene.start, text: String? = nil) {
        (self.id, self.e164, self.expiresAt, self.text) = (id, e164, expiresAt, text)
    }

    init(
        _ serial: UInt64,
        _ e164: String = "+821012345678",
        after seconds: Int64 = 0,
        text: String? = nil,
        account: Account.ID? = nil
    ) {
        self.init(
            id: ID(bits: 0, serial),
            e164: e164,
            expiresAt: StoreScene.start + .seconds(seconds),
            text: text
        )
        self.account = account
    }
}

/// Changes a note, or makes one.
private struct Write: OneRecordCommand {
    typealias Stored = Note
    let note: Note
    var key: Note.ID { note.id }

    func apply(to state: inout Note?) -> Result<String?, Never> {
        defer { state = note }
        return .success(state?.text)
    }
}

extension StoreSuite {
    /// What a store of the suite keeps.
    public static let types = RecordTypes(docks: [Note.self])

    static let dockRules: [StoreRule] = [
        StoreRule("a dock's records are kept, changed, purged and erased like all others") { scene throws in
            let store = scene.store
            func notes() async throws -> [Note] { try await store.all(Note.self, "ORDER BY id") }
            #expect(try await store.execute(.change, Write(note: Note(1)).run).get() == nil)
            #expect(try await store.execute(.change, Write(note: Note(1, text: "a")).run).get() == nil)
            #expect(try await store.execute(.change, Write(note: Note(1, text: "b")).run).get() == "a")
            #expect(try await store.execute(.change, Write(note: Note(2, after: 9)).run).get() == nil)
            #expect(try await store.execute(.change, Write(note: Note(3, "+821087654321", after: 9)).run).get() == nil)
            #expect(try await store.find(Note.self, Note.ID(bits: 0, 1)) == Note(1, text: "b"))
            #expect(try await notes() == [Note(1, text: "b"), Note(2, after: 9), Note(3, "+821087654321", after: 9)])

            #expect(try await store.purgeExpired(at: StoreScene.start - .milliseconds(1), limit: 9) == 0)
            #expect(try await store.purgeExpired(at: StoreScene.start, limit: 9) == 1)

            var expected = Erasure()
            expected.rows = ["note": 1]
            #expect(try await store.erase(try AuditScene(store).erasing()) == expected)
            #expect(try await notes() == [Note(3, "+821087654321", after: 9)])
        },
        accountRule("what a dock keeps with an account is in its export, and goes with it or its number") { scene in
            let (anna, ben) = (try await scene.signUp(AccountScene.anna), try await scene.signUp(AccountScene.ben))
            for (serial, account) in [(1, anna.account), (2, anna.account), (3, ben.account)] as [(UInt64, Account.ID)]
            {
                var note = Note(serial, "+12", text: "a")
                note.account = account
                let kept = note
                try await scene.store.execute(.change) { try $0.put(kept) }
            }
            let data = try #require(try await scene.store.personalData(of: anna.account) { _ in [] })
            let fields: [OwnedRecord.Field] = [
                .init("e164", .text("+12")), .init("expires_at", .moment(StoreScene.start)), .init("text", .text("a")),
                .init("is_seen", .flag(true)),
            ]
            #expect(
                data.others
                    == [1, 2].map {
                        OwnedRecord(
                            kind: "note",
                            fields: [.init("id", .text(Note.ID(bits: 0, $0).description))] + fields
                        )
                    }
            )
            func owners() async throws -> [Account.ID?] {
                try await scene.store.all(Note.self, "ORDER BY id").map(\.account)
            }
            _ = try await scene.requestDeletion(anna).get()
            scene.advance(by: .seconds(14 * 86_400))
            #expect(try await scene.delete(anna.account))
            #expect(try await owners() == [ben.account])
            let number = try #require(ben.signedIn?.account.phoneNumber)
            let erased = try await scene.store.erase(
                EraseNumber(number, digester: PlainNumberDigester(), now: scene.now)
            )
            #expect(erased.rows["note"] == 1)
            #expect(try await owners() == [])
        },
    ]
}
