import Foundation
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneStore

/// A database whose files are taken away while it is open.
@Suite struct MovedFileTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.path("phone.db"), durability: .normal)
    }

    private func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path(other))
    }

    private func expectRefusals(_ error: SQLiteStoreError) async throws {
        await #expect(throws: error) { try await store.insert(sampleSignup(2)) }
        await #expect(throws: error) { try await store.signup(Signup.ID(bits: 0, 1)) }
        await #expect(throws: error) { try await store.apiKey(APIKey.ID(bits: 0, 1)) }
        await #expect(throws: error) { try await store.ping() }
    }

    @Test(arguments: [[""], ["-wal"], ["-shm"], ["", "-wal", "-shm"]])
    func `what is moved away is missed at once, and all is well when it is back`(_ suffixes: [String]) async throws {
        try await store.insert(sampleSignup(1))
        for suffix in suffixes { try move("phone.db" + suffix, to: "elsewhere" + suffix) }
        try await expectRefusals(.fileMissing(path: folder.path("phone.db" + suffixes[0])))

        for suffix in suffixes { try move("elsewhere" + suffix, to: "phone.db" + suffix) }
        try await store.ping()
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
        #expect(try await store.signup(Signup.ID(bits: 0, 2)) == nil)
        try await store.insert(sampleSignup(2))
    }

    @Test func `what is deleted is missed, and a restart begins anew`() async throws {
        try await store.insert(sampleSignup(1))
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: folder.path("phone.db" + suffix))
        }
        try await expectRefusals(.fileMissing(path: folder.path("phone.db")))
        store.close()
        let opened = try SQLiteStore(path: folder.path("phone.db"))
        #expect(try await opened.signup(Signup.ID(bits: 0, 1)) == nil)
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func `another file in its place is not taken for it`(_ suffix: String) async throws {
        try await store.insert(sampleSignup(1))
        let name = "phone.db" + suffix
        try FileManager.default.copyItem(atPath: folder.path(name), toPath: folder.path("copy"))
        try move(name, to: "elsewhere")
        try move("copy", to: name)
        try await expectRefusals(.fileReplaced(path: folder.path(name)))
    }

    /// A backup, which is put in its place as the error says: by a restart.
    private func replace() async throws {
        try await store.insert(sampleSignup(1))
        let copy = TableCopy(of: .core, digester: PlainRequestAuthenticator())
        let now = Timestamp(seconds: 7)
        _ = try await BackupFile.make(of: store, at: folder.path("saved"), isReplacing: false, now: now, copy: copy)
        try await store.insert(sampleSignup(2))
        try move("phone.db", to: "elsewhere")
        try FileManager.default.copyItem(atPath: folder.path("saved"), toPath: folder.path("phone.db"))
    }

    @Test(arguments: [true, false])
    func `what is put in its place is whole after a restart, and so is what was there`(_ isKilled: Bool) async throws {
        try await replace()
        if isKilled {
            let error = SQLiteStoreError.fileReplaced(path: folder.path("phone.db"))
            await #expect(throws: error) { try await store.insert(sampleSignup(3)) }
        } else {
            store.close()
        }
        // Its own file is still open here.
        try FileManager.default.copyItem(atPath: folder.path("elsewhere"), toPath: folder.path("own"))
        for (name, ids) in [("phone.db", [1]), ("own", [1, 2])] as [(String, [Int])] {
            let opened = try SQLiteStore(path: folder.path(name))
            let found = try await opened.records(of: Signup.self, after: nil, limit: 10)
            #expect(found.count == ids.count, "\(name)")
            for id in ids {
                #expect(try await opened.signup(Signup.ID(bits: 0, UInt64(id))) == sampleSignup(id))
            }
            #expect(try await opened.rows("PRAGMA integrity_check") { $0[0] } == [.text("ok")])
            opened.close()
        }
    }

    /// Of a process that was killed before it knew.
    @Test func `a log that is of another database is not replayed`() async throws {
        try await replace()
        let saved = try Data(contentsOf: URL(filePath: folder.path("saved")))
        #expect(throws: SQLiteStoreError.foreignLog(path: folder.path("phone.db"))) {
            _ = try SQLiteStore(path: folder.path("phone.db"))
        }
        #expect(try Data(contentsOf: URL(filePath: folder.path("phone.db"))) == saved)
        for suffix in ["-wal", "-shm"] { try move("phone.db" + suffix, to: "elsewhere" + suffix) }
        let opened = try SQLiteStore(path: folder.path("phone.db"))
        #expect(try await opened.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
        #expect(try await opened.signup(Signup.ID(bits: 0, 2)) == nil)
    }

    @Test func `what to do is said`() {
        #expect(
            "\(SQLiteStoreError.fileMissing(path: "/a/b.db"))"
                == "the file /a/b.db of the database is gone; put it back, or restart to begin a new one"
        )
        #expect(
            "\(SQLiteStoreError.fileReplaced(path: "/a/b.db"))"
                == "a different file is at /a/b.db than the one in use; restart to use it"
        )
    }
}
