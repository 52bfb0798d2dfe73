import PhoneAdministration
import PhoneDomain
public import PhoneStore
import PhoneTestSupport
import Testing

/// What a dock keeps: a note about a number, for a time.
struct Note: Identified, IdentifiedRecord {
    static let identifierPrefix = "not"
    static let table = Table(
        "note",
        [.column("id", .id("not")), .column("e164", .text), .column("expires_at", .integer), .optional("text", .text)],
        indexes: [("note_e164", "(e164)"), ("note_expires_at", "(expires_at, id)")],
        guards: ["text"],
        expiry: "expires_at",
        erasedNumber: "e164"
    )

    let id: Identifier<Note>
    let e164: String
    let expiresAt: Timestamp
    var text: String?

    func write(to row: inout some ColumnWriter) { row.append(id, e164, expiresAt, text) }

    init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            e164: try row.text(),
            expiresAt: try row.moment(),
            text: try row.optionalText()
        )
    }

    init(id: ID, e164: String = "+821012345678", expiresAt: Timestamp = StoreScene.start, text: String? = nil) {
        (self.id, self.e164, self.expiresAt, self.text) = (id, e164, expiresAt, text)
    }

    init(_ serial: UInt64, _ e164: String = "+821012345678", after seconds: Int64 = 0, text: String? = nil) {
        self.init(
            id: ID(bits: 0, serial),
            e164: e164,
            expiresAt: StoreScene.start + .seconds(seconds),
            text: text
        )
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
        }
    ]
}
