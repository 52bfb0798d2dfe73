import Foundation
import PhoneDomain
import Records
import Testing

@testable import SQLiteStore

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

    @Test(arguments: ["", "-wal", "-shm"])
    func `what is moved away is missed at once, and all is well when it is back`(_ suffix: String) async throws {
        try await store.insert(sampleSignup(1))
        let name = "phone.db" + suffix
        try move(name, to: "elsewhere")
        try await expectRefusals(.fileMissing(path: folder.path(name)))

        try move("elsewhere", to: name)
        try await store.ping()
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
        #expect(try await store.signup(Signup.ID(bits: 0, 2)) == nil)
        try await store.insert(sampleSignup(2))
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
