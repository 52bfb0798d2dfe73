import Testing

@testable import OpenSSLCrypto

@Suite struct KeyRingTests {
    private static let counting = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

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

                \t2026-01 \(Self.counting)\t\r
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
        #expect(try problem("\(id) \(Self.counting)") == (1, .malformedID))
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
        let text = "k1 \(Self.counting)\nk2 \(Self.counting)\nk1 \(Self.counting)"
        #expect(try problem(text) == (3, .repeatedID("k1")))
    }

    @Test func `a new key is named by eight hexadecimal digits and is 32 bytes of the source`() throws {
        let ring = try KeyRing(newKeyFrom: ScriptedRandom([0xDE, 0xAD, 0x00, 0x01] + Array(0...31)))
        #expect(ring.ids == ["dead0001"])
        #expect(ring.keys[0].secret.hexadecimal == Self.counting)
    }

    @Test func `a source that fails gives no key`() {
        #expect(throws: ScriptedRandom.Exhausted()) { try KeyRing(newKeyFrom: ScriptedRandom(Array(0...34))) }
    }

    @Test func `no description shows a key`() throws {
        let ring = try KeyRing(parsing: "k1 \(Self.counting)")
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
