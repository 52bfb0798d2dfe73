import Foundation
import PhoneTestSupport
import Testing

@testable import OpenSSLCrypto

private let counting = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

@Suite struct KeyRingTests {
    private func problem(_ text: String) throws -> (line: Int?, problem: KeyRingError.Problem) {
        let error = try #require(throws: KeyRingError.self) { try KeyRing(parsing: text, source: "PHONEPROOF_KEYS") }
        #expect(error.source == "PHONEPROOF_KEYS")
        return (error.line, error.problem)
    }

    @Test(arguments: [
        ("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", counting),
        ("000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F", counting),
        ("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", counting),
        (
            "+//7//v/+//7//v/+//7//v/+//7//v/+//7//v/+/8=",
            "fbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbfffbff"
        ),
    ])
    func `a key is 32 bytes in hexadecimal or base64`(text: String, key: String) throws {
        let ring = try KeyRing(parsing: "k1 \(text)")
        #expect(ring.ids == ["k1"])
        #expect(ring.keys[0].secret.hexadecimal == key)
    }

    @Test func `the newest key is the first; comments and blank lines are passed over`() throws {
        let ring = try KeyRing(
            parsing: """
                # a comment

                \t2026-01 \(counting)\t\r
                  # another
                2025.12_b   AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
                """
        )
        #expect(ring.ids == ["2026-01", "2025.12_b"])
    }

    @Test(arguments: ["", "\n\n", "# k1 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"])
    func `a ring without a key is an error`(text: String) throws {
        #expect(try problem(text) == (nil, .noKeys))
    }

    @Test(arguments: [
        "k1", counting, "k1 \(counting) # of today", "k1 \(counting) \(counting)",
    ])
    func `a line is an id and a key`(line: String) throws {
        #expect(try problem("# keys\n\n\(line)\n") == (3, .malformedLine))
    }

    @Test(arguments: ["k/1", "k:1", "키", String(repeating: "k", count: 33), counting])
    func `an id is 1 to 32 plain characters, so that no key is taken for one`(id: String) throws {
        #expect(try problem("\(id) \(counting)") == (1, .malformedID))
    }

    @Test(arguments: [
        // One digit too few, one too many, and a letter that is no digit.
        "00102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "0000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "g00102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        // 16 bytes.
        "000102030405060708090a0b0c0d0e0f", "AAECAwQFBgcICQoLDA0ODw==",
        // No padding, the URL alphabet, padding in the middle, too much of it, and bits past the last byte.
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "-__7__v_-__7__v_-__7__v_-__7__v_-__7__v_-_8=",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBka=xwdHh8=", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh==",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=",
    ])
    func `any other key is refused, and the error does not show it`(key: String) throws {
        let error = try #require(throws: KeyRingError.self) {
            try KeyRing(parsing: "# keys\nk1 \(key)", source: "/etc/phoneproof/keys")
        }
        #expect(error.line == 2)
        #expect(error.problem == .malformedKey)
        #expect(
            error.description == """
                /etc/phoneproof/keys:2: the key is not 32 bytes as 64 hexadecimal digits or 44 characters of base64; \
                copy it once more, or make one with `openssl rand -hex 32`
                """
        )
    }

    @Test func `no error shows what may be a key`() throws {
        let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        for text in [secret, "\(secret) k1", "\(secret) \(secret)", "k1 \(secret) x", "k1 \(secret)A"] {
            let error = try #require(throws: KeyRingError.self) { try KeyRing(parsing: text) }
            #expect(!error.description.contains("AAEC"))
            #expect(!String(reflecting: error).contains("AAEC"))
        }
    }

    @Test func `two keys of one id are an error`() throws {
        let text = "k1 \(counting)\nk2 \(counting)\nk1 \(counting)"
        #expect(try problem(text) == (3, .repeatedID("k1")))
    }

    @Test func `no description shows a key`() throws {
        let ring = try KeyRing(parsing: "k1 \(counting)")
        var dumped = ""
        dump(ring, to: &dumped)
        dump(ring.keys[0], to: &dumped)
        #expect(
            dumped == """
                ▿ keys k1
                  ▿ ids: 1 element
                    - "k1"
                ▿ OpenSSLCrypto.MasterKey
                  - id: "k1"
                  - secret: 32 secret bytes #0

                """
        )
        #expect("\(ring)" == "keys k1")
        #expect(String(reflecting: ring) == "keys k1")
        #expect("\(ring.keys[0])" == #"MasterKey(id: "k1", secret: 32 secret bytes)"#)
    }
}

@Suite struct KeyRingFileTests {
    private static let header = """
        # Keys of PhoneProof, the newest first: an id and 32 bytes in hexadecimal or base64 on each line.
        # Anyone who reads them can read the codes in a copy of the database: keep this file at mode 0600.

        """

    private let directory: KeyDirectory

    init() throws {
        directory = try KeyDirectory()
    }

    private func problem(_ body: () throws -> Void) throws -> KeyRingError.Problem {
        let error = try #require(throws: KeyRingError.self, performing: body)
        #expect(error.source == directory.keys)
        #expect(error.line == nil)
        return error.problem
    }

    @Test func `a file is made where there is none, for its owner alone, and read the next time`() throws {
        let random = ScriptedRandom([0xDE, 0xAD, 0xBE, 0xEF] + Array(0...31))
        let made = try KeyRing.loadOrCreate(at: directory.keys, random: random)
        #expect(made.wasCreated)
        #expect(made.ring.ids == ["deadbeef"])
        #expect(made.ring.keys[0].secret.hexadecimal == counting)
        #expect(try directory.text() == Self.header + "deadbeef \(counting)\n")
        #expect(try directory.mode() == 0o600)
        #expect(try directory.files() == ["keys"])

        let read = try KeyRing.loadOrCreate(at: directory.keys, random: random)
        #expect(!read.wasCreated)
        #expect(read.ring.keys[0].secret.hexadecimal == counting)
        #expect(try KeyRing.load(from: directory.keys).ids == ["deadbeef"])
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o777])
    func `a file that others have access to is refused`(mode: Int) throws {
        try directory.write("k1 \(counting)\n", mode: mode)
        let exposed = KeyRingError.Problem.exposed(mode: UInt32(mode))
        #expect(try problem { _ = try KeyRing.load(from: directory.keys) } == exposed)
        #expect(try problem { _ = try KeyRing.loadOrCreate(at: directory.keys) } == exposed)
        #expect(try problem { _ = try KeyRing.rotate(at: directory.keys) } == exposed)
        #expect(try directory.text() == "k1 \(counting)\n")
        #expect(
            KeyRingError(source: "keys", problem: exposed).description == """
                keys: others than the owner have access to the keys (mode 0\(String(mode, radix: 8))); \
                run chmod 600 on it, and if somebody may have read them, put a new key in front
                """
        )
    }

    @Test func `a group may read root's file, as Kubernetes mounts a secret, and change none`() {
        let root: uid_t = 0
        let service: uid_t = 65_532
        for mode: mode_t in [0o440, 0o640, 0o400] { #expect(!KeyFile.isExposed(mode: mode, owner: root, to: service)) }
        for mode: mode_t in [0o460, 0o450, 0o444] { #expect(KeyFile.isExposed(mode: mode, owner: root, to: service)) }
        #expect(KeyFile.isExposed(mode: 0o440, owner: service, to: service))
        #expect(KeyFile.isExposed(mode: 0o440, owner: root, to: root))
    }

    @Test(arguments: [0o600, 0o400, 0o700])
    func `a file that only its owner has access to is read`(mode: Int) throws {
        try directory.write("k1 \(counting)\n", mode: mode)
        #expect(try KeyRing.load(from: directory.keys).ids == ["k1"])
    }

    @Test func `a file that is missing is an error, except where it may be made`() throws {
        #expect(try problem { _ = try KeyRing.load(from: directory.keys) } == .missing)
        #expect(try problem { _ = try KeyRing.rotate(at: directory.keys) } == .missing)
        #expect(try directory.files() == [])
    }

    @Test func `a file with an error in it is not replaced by a new one`() throws {
        try directory.write("k1 \(counting)\nk2\n")
        let error = try #require(throws: KeyRingError.self) { try KeyRing.loadOrCreate(at: directory.keys) }
        #expect(error.line == 2)
        #expect(throws: error) { try KeyRing.rotate(at: directory.keys) }
        #expect(try directory.text() == "k1 \(counting)\nk2\n")
        try directory.write("")
        #expect(try problem { _ = try KeyRing.loadOrCreate(at: directory.keys) } == .noKeys)
        #expect(try directory.files() == ["keys"])
    }

    @Test func `what is no plain file is refused, and a pipe does not keep us waiting`() throws {
        try FileManager.default.createDirectory(atPath: directory.keys, withIntermediateDirectories: true)
        #expect(try problem { _ = try KeyRing.load(from: directory.keys) } == .notAFile)
        try FileManager.default.removeItem(atPath: directory.keys)
        try #require(mkfifo(directory.keys, 0o600) == 0)
        #expect(try problem { _ = try KeyRing.loadOrCreate(at: directory.keys) } == .notAFile)
    }

    @Test func `a file as large as no key file is refused`() throws {
        let comment = "#" + String(repeating: "x", count: 65_536 - 2) + "\n"
        try directory.write(comment + "k")
        #expect(try problem { _ = try KeyRing.load(from: directory.keys) } == .tooLarge)
        let line = "k1 \(counting)\n"
        try directory.write(comment.dropFirst(line.utf8.count).replacing(/^x/, with: "#") + line)
        #expect(try KeyRing.load(from: directory.keys).ids == ["k1"])
        #expect(try problem { _ = try KeyRing.rotate(at: directory.keys) } == .tooLarge)
        #expect(try KeyRing.load(from: directory.keys).ids == ["k1"])
    }

    @Test func `a directory that is not there is an error that says which step failed and why`() throws {
        let path = directory.path + "/none/keys"
        let error = try #require(throws: KeyRingError.self) { try KeyRing.loadOrCreate(at: path) }
        #expect(
            error.description == """
                \(path): cannot open the directory: No such file or directory; \
                check the permissions and free space of the file and its directory
                """
        )
    }

    @Test func `a directory that another process keeps locked is waited for no longer than that`() throws {
        try directory.write("k1 \(counting)\n")
        let descriptor = open(directory.path, O_RDONLY)
        #expect(flock(descriptor, LOCK_EX) == 0)
        #expect(try problem { _ = try KeyRing.rotate(at: directory.keys, waiting: .zero) } == .directoryLocked)
        #expect(try directory.text() == "k1 \(counting)\n")
        close(descriptor)
        #expect(try KeyRing.rotate(at: directory.keys, waiting: .zero).ids.count == 2)
    }

    @Test func `a dangling link is not followed to create a file`() throws {
        try FileManager.default.createSymbolicLink(atPath: directory.keys, withDestinationPath: "elsewhere")
        #expect(try problem { _ = try KeyRing.loadOrCreate(at: directory.keys) } == .missing)
        #expect(try directory.files() == ["keys"])
    }

    @Test func `a source that fails leaves no file, and a file as it was`() throws {
        #expect(throws: ScriptedRandom.Exhausted()) {
            try KeyRing.loadOrCreate(at: directory.keys, random: ScriptedRandom())
        }
        #expect(try directory.files() == [])
        try directory.write("k1 \(counting)\n")
        #expect(throws: ScriptedRandom.Exhausted()) {
            try KeyRing.rotate(at: directory.keys, random: ScriptedRandom())
        }
        #expect(try directory.text() == "k1 \(counting)\n")
    }

    @Test func `a rotation puts a key in front and leaves the other lines as they are`() throws {
        try directory.write(
            "# ours\n\nk1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n# until spring\nk0 \(counting)"
        )
        let random = ScriptedRandom([0, 0, 0, 7] + [UInt8](repeating: 0xEE, count: 32))
        let ring = try KeyRing.rotate(at: directory.keys, random: random)
        #expect(ring.ids == ["00000007", "k1", "k0"])
        #expect(
            try directory.text() == """
                # ours

                00000007 eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee
                k1 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
                # until spring
                k0 \(counting)
                """
        )
        #expect(try directory.mode() == 0o600)
        #expect(try directory.files() == ["keys"])
        #expect(try KeyRing.load(from: directory.keys).ids == ["00000007", "k1", "k0"])
    }

    @Test func `a rotation behind a symbolic link changes the file and keeps the link`() throws {
        try directory.write("k1 \(counting)\n")
        let link = directory.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "keys")
        let random = ScriptedRandom([0, 0, 0, 7] + [UInt8](repeating: 0xEE, count: 32))
        #expect(try KeyRing.rotate(at: link, random: random).ids == ["00000007", "k1"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "keys")
        #expect(try KeyRing.load(from: directory.keys).ids == ["00000007", "k1"])
    }

    @Test(.enabled("only root can give a file away") { geteuid() == 0 })
    func `a rotation by root leaves the file to its owner and group`() throws {
        try directory.write("k1 \(counting)\n")
        let owners: [FileAttributeKey: Int] = [.ownerAccountID: 12_345, .groupOwnerAccountID: 23_456]
        try FileManager.default.setAttributes(owners, ofItemAtPath: directory.keys)
        _ = try KeyRing.rotate(at: directory.keys)
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.keys)
        for (owner, id) in owners { #expect(attributes[owner] as? Int == id) }
        #expect(try directory.mode() == 0o600)
    }

    @Test func `a rotation that would repeat an id is an error and changes nothing`() throws {
        try directory.write("00000007 \(counting)\n")
        let random = ScriptedRandom([0, 0, 0, 7] + [UInt8](repeating: 0xEE, count: 32))
        let error = try #require(throws: KeyRingError.self) { try KeyRing.rotate(at: directory.keys, random: random) }
        #expect(error.problem == .repeatedID("00000007"))
        #expect(try directory.text() == "00000007 \(counting)\n")
    }

    @Test func `of many who make the file at once one does, and all get its key`() async throws {
        for _ in 0..<20 {
            let directory = try KeyDirectory()
            let path = directory.keys
            let made = try await atOnce(32) { _ in try KeyRing.loadOrCreate(at: path) }
            #expect(made.count { $0.wasCreated } == 1)
            #expect(Set(made.map { $0.ring.keys[0].secret.hexadecimal }).count == 1)
            #expect(Set(made.map(\.ring.ids)).count == 1)
            #expect(try directory.files() == ["keys"])
        }
    }

    @Test func `of many rotations at once none is lost`() async throws {
        try directory.write("k1 \(counting)\n")
        let path = directory.keys
        let newest = try await atOnce(64) { _ in try KeyRing.rotate(at: path).ids[0] }
        let ids = try KeyRing.load(from: path).ids
        #expect(ids.count == 65)
        #expect(ids.last == "k1")
        #expect(Set(ids) == Set(newest + ["k1"]))
        #expect(try directory.files() == ["keys"])
    }
}
