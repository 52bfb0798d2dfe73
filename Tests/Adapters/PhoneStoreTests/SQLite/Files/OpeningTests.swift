import Foundation
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneStore

@Suite struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func pragma(_ name: String, of store: SQLiteStore) throws -> SQLValue? {
        try store.column("PRAGMA \(name)").first
    }

    @Test func `every commit is flushed, unless durability is normal`() async throws {
        let full = try SQLiteStore(path: folder.path("full.db"))
        let normal = try SQLiteStore(path: folder.path("normal.db"), durability: .normal)
        #expect(try pragma("synchronous", of: full) == .integer(2))
        // Less than that, and a loss of power could cost the database.
        #expect(try pragma("synchronous", of: normal) == .integer(1))
        for store in [full, normal] {
            #expect(try pragma("wal_autocheckpoint", of: store) == .integer(0))
        }
    }

    @Test func `the writer logs ahead and waits for others`() async throws {
        let store = try SQLiteStore(path: folder.path("phone.db"))
        #expect(try pragma("journal_mode", of: store) == .text("wal"))
        #expect(try pragma("busy_timeout", of: store) == .integer(5000))
        let patient = try SQLiteStore(path: folder.path("phone.db"), busyTimeout: .milliseconds(7500))
        #expect(try pragma("busy_timeout", of: patient) == .integer(7500))
    }

    @Test func `what was kept is there when the file is opened again`() async throws {
        let path = folder.path("phone.db")
        try await SQLiteStore(path: path).insert(sampleSignup(1))
        #expect(try await SQLiteStore(path: path).signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
        #expect(
            try await SQLiteStore(path: path, migrating: false).signup(Signup.ID(bits: 0, 1)) == sampleSignup(1)
        )
    }

    @Test func `a closed store leaves the database file alone, even while others have it open`() async throws {
        let store = try SQLiteStore(path: folder.path("phone.db"))
        try await store.insert(sampleSignup(1))
        #expect(try await store.signup(Signup.ID(bits: 0, 1)) == sampleSignup(1))
        store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["phone.db"])
        await #expect(throws: SQLiteStoreError.closed) { try await store.insert(sampleSignup(2)) }
        await #expect(throws: SQLiteStoreError.closed) { _ = try await store.signup(Signup.ID(bits: 0, 1)) }
        store.close()
    }

    @Test func `folders and files are made for their owner alone`() async throws {
        let path = folder.path("deep/er/phone.db")
        let store = try SQLiteStore(path: path)
        try await store.insert(sampleSignup(1))
        for (name, mode) in [
            ("deep", 0o700), ("deep/er", 0o700), ("deep/er/phone.db", 0o600), ("deep/er/phone.db-wal", 0o600),
            ("deep/er/phone.db-shm", 0o600),
        ] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        }
    }

    @Test func `tables that are not up to date are refused unless they may be migrated`() async throws {
        let path = folder.path("phone.db")
        #expect(throws: SQLiteStoreError.olderSchema(path: path)) { try SQLiteStore(path: path, migrating: false) }
        for _ in 1...2 { _ = try SQLiteStore(path: path) }
        try await SQLiteStore(path: path, migrating: false).ping()
    }

    @Test func `tables of a newer version are refused and left alone`() async throws {
        let path = folder.path("phone.db")
        _ = try SQLiteStore(path: path)
        try SQLiteConnection(path: path).execute("PRAGMA user_version = 2")
        for migrating in [true, false] {
            #expect(throws: SQLiteStoreError.newerSchema(path: path)) {
                try SQLiteStore(path: path, migrating: migrating)
            }
        }
        #expect(
            "\(SQLiteStoreError.newerSchema(path: "/a/b.db"))"
                == "the database /a/b.db belongs to a newer version of this program; use that version"
        )
    }

    @Test func `many may open one new file at once`() async throws {
        let path = folder.path("phone.db")
        try await atOnce(1...16) { number in try await SQLiteStore(path: path).insert(sampleSignup(number)) }
        let store = try SQLiteStore(path: path)
        for number in 1...16 {
            #expect(try await store.signup(Signup.ID(bits: 0, UInt64(number))) == sampleSignup(number))
        }
    }

    @Test func `while one opens or migrates a database, others wait`() throws {
        let descriptor = open(folder.path(""), O_RDONLY)
        defer { close(descriptor) }
        try DatabaseFolder(of: folder.path("phone.db")).alone(waiting: .zero) {
            #expect(flock(descriptor, LOCK_EX | LOCK_NB) == -1)
        }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    }

    @Test func `who keeps the folder locked is named`() throws {
        let path = folder.path("phone.db")
        let descriptor = open(folder.path(""), O_RDONLY)
        #expect(flock(descriptor, LOCK_EX) == 0)
        #expect(throws: SQLiteStoreError.folderLocked(path: folder.path(""), process: getpid())) {
            try SQLiteStore(path: path, busyTimeout: .zero)
        }
        close(descriptor)
        _ = try SQLiteStore(path: path, busyTimeout: .zero)
        #expect(
            "\(SQLiteStoreError.folderLocked(path: "/a/", process: 7))"
                == "process 7 holds the lock on the database folder, /a/, as one does that opens or migrates it; wait until it "
                + "is done, or end it"
        )
    }

    @Test(arguments: [true, false])
    func `a symbolic link leads to the file, whether it is there or not`(isThere: Bool) async throws {
        let file = folder.path("elsewhere/phone.db")
        if isThere { _ = try SQLiteStore(path: file) }
        // One link that names its target from where it is, and one that leads to that link.
        for (link, target) in [("near.db", "elsewhere/phone.db"), ("far.db", folder.path("near.db"))] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        }
        for (number, path) in [file, folder.path("near.db"), folder.path("far.db")].reversed().enumerated() {
            try await SQLiteStore(path: path).insert(sampleSignup(number + 1))
        }
        let store = try SQLiteStore(path: file)
        for number in 1...3 { #expect(try await store.signup(Signup.ID(bits: 0, UInt64(number))) != nil) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted()
                == ["elsewhere", "far.db", "near.db"]
        )
    }

    @Test func `a link in a circle is refused`() throws {
        let path = folder.path("phone.db")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "phone.db")
        #expect(throws: SQLiteStoreError.self) { try SQLiteStore(path: path) }
    }

    @Test func `a folder that cannot be is named`() throws {
        let file = folder.path("file")
        try Data().write(to: URL(filePath: file))
        #expect(throws: SQLiteStoreError.unusableFolder(path: file + "/in/", reason: "Not a directory")) {
            try SQLiteStore(path: file + "/in/phone.db")
        }
    }

    @Test func `a file that is no database is named and left alone`() throws {
        let path = folder.path("letter.txt")
        let letter = Data(repeating: 0x61, count: 4096)
        try letter.write(to: URL(filePath: path))
        #expect(throws: SQLiteStoreError.unusableFile(path: path, reason: "file is not a database")) {
            try SQLiteStore(path: path)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == letter)
        #expect(throws: SQLiteStoreError.unusableFile(path: folder.path(""), reason: "it is not a plain file")) {
            try SQLiteStore(path: folder.path(""))
        }
    }
}
