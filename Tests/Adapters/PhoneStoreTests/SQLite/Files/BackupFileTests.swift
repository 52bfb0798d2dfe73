import Foundation
import PhoneAdministration
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneStore

/// The rest of it is in Tests/EndToEnd/Storage/test_backup.py.
@Suite struct BackupFileTests {
    private let folder: TemporaryFolder
    private let saved: String
    private let copy = TableCopy(of: .core, digester: PlainRequestAuthenticator())

    init() throws {
        folder = try TemporaryFolder()
        saved = folder.path("saved")
    }

    private func save() async throws -> CopyResult {
        let store = try SQLiteStore(path: folder.path("phone.db"))
        try await store.insert(sampleSignup(1))
        return try await BackupFile.make(
            of: store,
            at: saved,
            isReplacing: false,
            now: Timestamp(seconds: 7),
            copy: copy
        )
    }

    @Test func `one of an older version is brought to the current schema in a copy`() async throws {
        #expect(try await save().isComplete)
        let bytes = try Data(contentsOf: URL(filePath: saved))
        let later = SQLiteMigrator(
            SQLiteSchema.migrator(.core).migrations + [
                { try $0.execute("ALTER TABLE signup ADD COLUMN colour TEXT; UPDATE signup SET colour = 'red'") }
            ]
        )
        let file = try BackupFile(at: saved, migrator: later, copy: copy)
        var colours: [SQLValue] = []
        try file.read { session in try session.forEach("SELECT colour FROM signup") { colours.append($0[0]) } }
        #expect(colours == [.text("red")])
        #expect(file.madeAt == Timestamp(seconds: 7))
        #expect(try Data(contentsOf: URL(filePath: saved)) == bytes)
    }

    @Test func `a bit that has changed is noticed wherever it is`() async throws {
        _ = try await save()
        let bytes = try Data(contentsOf: URL(filePath: saved))
        let changed = folder.path("changed")
        // A prime, so that it is in every part of a page, and in every page.
        for place in stride(from: 0, to: bytes.count, by: TestSize.isFull ? 101 : 1009) {
            var flipped = bytes
            flipped[place] ^= 1 << (place % 8)
            try flipped.write(to: URL(filePath: changed))
            #expect(throws: BackupError.self, "\(place)") { _ = try BackupFile(at: changed, copy: copy) }
        }
        for whole in [bytes + Data([0]), bytes.dropLast()] {
            try whole.write(to: URL(filePath: changed))
            #expect(throws: BackupError.self) { _ = try BackupFile(at: changed, copy: copy) }
        }
        #expect(try BackupFile(at: saved, copy: copy).madeAt == Timestamp(seconds: 7))
    }

    @Test func `one of a newer version is refused`() async throws {
        _ = try await save()
        #expect(throws: BackupError.newerSchema(saved)) {
            _ = try BackupFile(at: saved, migrator: SQLiteMigrator([]), copy: copy)
        }
    }
}
