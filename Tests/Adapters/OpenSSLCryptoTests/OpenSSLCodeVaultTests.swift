import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Synchronization
import Testing

@testable import OpenSSLCrypto

@Suite struct OpenSSLCodeVaultTests {
    private let context = CodeContext(
        verificationID: Identifier(bits: 0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210),
        e164: "+821012345678"
    )

    private func code(_ digits: String = "042137") throws -> VerificationCode {
        try #require(VerificationCode(digits))
    }

    /// The expectations are from Python's `cryptography`. A change of them makes codes in flight worthless.
    @Test func `a sealed code is what it has always been`() throws {
        let sealed = try makeVault(random: ScriptedRandom(Array(0xA0...0xAB))).seal(code(), for: context)
        #expect(sealed.keyID == "old")
        #expect(sealed.mac.hexadecimal == "12b2e3d4d6f3056e1af43152f399a0d3ddffe6052d04d2558212ec32a2de074f")
        #expect(
            sealed.ciphertext.hexadecimal
                == "a0a1a2a3a4a5a6a7a8a9aaab" + "f22fae4786d09ffc2a65ecb4b2ec3739" + "4e0e545866b619b76f991e0608b705b9"
        )
    }

    @Test(arguments: ["0000", "9999", "00000", "042137", "0123456", "99999999", "000000000", "9876543210"])
    func `a sealed code matches and opens`(digits: String) throws {
        let sealed = try makeVault().seal(code(digits), for: context)
        #expect(try makeVault().matches(code(digits), sealed, for: context))
        #expect(try makeVault().open(sealed, for: context) == code(digits))
        #expect(sealed.mac.count == 32)
        #expect(sealed.ciphertext.count == 12 + 16 + 16)
        #expect(isErrorQueueEmpty())
    }

    @Test(arguments: ["042138", "142137", "42137", "0421370", "0042137"])
    func `another code does not match`(digits: String) throws {
        let sealed = try makeVault().seal(code(), for: context)
        #expect(try !makeVault().matches(code(digits), sealed, for: context))
    }

    @Test func `the same code is sealed into another ciphertext each time`() throws {
        let vault = try makeVault()
        let sealed = try (0..<1000).map { _ in try vault.seal(code(), for: context) }
        #expect(Set(sealed.map(\.ciphertext)).count == 1000)
        #expect(Set(sealed.map { $0.ciphertext.prefix(12) }).count == 1000)
    }

    @Test func `a code that was sealed for another verification or number neither matches nor opens`() throws {
        let sealed = try makeVault().seal(code(), for: context)
        let others = [
            CodeContext(
                verificationID: Identifier(bits: 0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3211),
                e164: "+821012345678"
            ),
            CodeContext(verificationID: context.verificationID, e164: "+821012345679"),
            CodeContext(verificationID: context.verificationID, e164: "+82101234567"),
            CodeContext(verificationID: context.verificationID, e164: ""),
        ]
        for other in others {
            #expect(try !makeVault().matches(code(), sealed, for: other))
            #expect(throws: CodeVaultError.notAuthentic(keyID: "old")) { try makeVault().open(sealed, for: other) }
            #expect(isErrorQueueEmpty())
        }
    }

    @Test func `a digit cannot move from the code to the number`() throws {
        let sealed = try makeVault().seal(code("1234567"), for: context)
        let shifted = CodeContext(verificationID: context.verificationID, e164: "+8210123456781")
        #expect(try !makeVault().matches(code("234567"), sealed, for: shifted))
    }

    @Test func `no bit of the MAC may be altered`() throws {
        let sealed = try makeVault().seal(code(), for: context)
        for bit in 0..<256 {
            var mac = sealed.mac
            mac[bit / 8] ^= 1 << (bit % 8)
            let altered = SealedCode(keyID: "old", mac: mac, ciphertext: sealed.ciphertext)
            #expect(try !makeVault().matches(code(), altered, for: context))
        }
    }

    @Test func `codes in flight survive a rotation and new ones are sealed under the new key`() throws {
        let inFlight = try makeVault().seal(code(), for: context)
        let rotated = try makeVault(newKey, oldKey)
        #expect(try rotated.matches(code(), inFlight, for: context))
        #expect(try rotated.open(inFlight, for: context) == code())

        let fresh = try rotated.seal(code(), for: context)
        #expect(fresh.keyID == "new")
        #expect(fresh.mac != inFlight.mac)
        #expect(try rotated.matches(code(), fresh, for: context))
        #expect(try rotated.open(fresh, for: context) == code())
    }

    @Test func `a ring that is rotated in use opens codes old and new`() throws {
        let ring = Mutex(try KeyRing(parsing: oldKey))
        let vault = try OpenSSLCodeVault(keys: ring.withLock { $0 }, reloading: { ring.withLock { $0 } })
        let inFlight = try vault.seal(code(), for: context)

        try ring.withLock { $0 = try KeyRing(parsing: newKey + "\n" + oldKey) }
        let elsewhere = try makeVault(newKey).seal(code(), for: context)
        #expect(try vault.seal(code(), for: context).keyID == inFlight.keyID)
        // What another process has sealed makes this one look.
        #expect(try vault.matches(code(), elsewhere, for: context))
        #expect(try vault.seal(code(), for: context).keyID == elsewhere.keyID)
        #expect(try vault.matches(code(), inFlight, for: context))
        #expect(try vault.open(inFlight, for: context) == code())
    }

    @Test func `a ring that cannot be read again leaves the keys as they are`() throws {
        struct Unreadable: Error {}
        let vault = try OpenSSLCodeVault(keys: KeyRing(parsing: oldKey), reloading: { throw Unreadable() })
        let inFlight = try vault.seal(code(), for: context)
        #expect(throws: Unreadable.self) { try vault.reloadKeys() }
        let elsewhere = try makeVault(newKey).seal(code(), for: context)
        #expect(throws: CodeVaultError.unknownKey(id: elsewhere.keyID)) {
            try vault.matches(code(), elsewhere, for: context)
        }
        #expect(try vault.matches(code(), inFlight, for: context))
    }

    @Test func `a code under a key that the ring lacks is an error that names the key`() throws {
        let sealed = try makeVault(newKey).seal(code(), for: context)
        #expect(throws: CodeVaultError.unknownKey(id: "new")) { try makeVault().matches(code(), sealed, for: context) }
        #expect(throws: CodeVaultError.unknownKey(id: "new")) { try makeVault().open(sealed, for: context) }
        #expect(
            CodeVaultError.unknownKey(id: "new").description
                == "the code is encrypted with the key new, which is not in the key file; put the key back until the code has expired"
        )
    }

    @Test func `a code does not match or open under another key of the same name`() throws {
        let sealed = try makeVault().seal(code(), for: context)
        let impostor = try makeVault(newKey.replacing("new", with: "old"))
        #expect(try !impostor.matches(code(), sealed, for: context))
        #expect(throws: CodeVaultError.notAuthentic(keyID: "old")) { try impostor.open(sealed, for: context) }
    }

    @Test func `a source that fails gives no nonce, so nothing is sealed`() throws {
        let vault = try makeVault(random: ScriptedRandom(Array(1...11)))
        #expect(throws: ScriptedRandom.Exhausted()) { try vault.seal(code(), for: context) }
    }

    @Test func `no description shows a key`() throws {
        let vault = try makeVault()
        var dumped = ""
        dump(vault, to: &dumped)
        #expect(
            dumped == """
                ▿ code vault with the keys old
                  ▿ keys: 1 element
                    - "old"

                """
        )
        #expect("\(vault)" == "code vault with the keys old")
        #expect(String(reflecting: vault) == "code vault with the keys old")
    }
}

@Suite struct MakeCodeTests {
    /// The code of N digits that comes of these bytes, and how many of the bytes were left.
    private func code(_ length: Int, from bytes: [UInt8]) throws -> (digits: String, unusedCount: Int) {
        let random = ScriptedRandom(bytes)
        let vault = try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom()), random: random)
        return (try vault.makeCode(length: length).digits, random.unusedCount)
    }

    @Test func `each byte below 250 is a digit, its remainder by ten`() throws {
        for first in stride(from: 0, to: 240, by: 10) {
            let bytes = Array(UInt8(first)...UInt8(first + 15))
            #expect(try code(10, from: bytes) == ("0123456789", 0))
        }
    }

    @Test(arguments: 250...255 as ClosedRange<UInt8>)
    func `a byte from 250 on is no digit`(byte: UInt8) throws {
        let bytes: [UInt8] = [byte, 249, byte, byte, 248, 7, 16, 25, 34, 43] + [1, 1, 1, 1, 1, 1]
        #expect(try code(6, from: bytes) == ("987654", 0))
    }

    @Test func `the first and the last code can come`() throws {
        #expect(try code(6, from: [UInt8](repeating: 0, count: 16)) == ("000000", 0))
        #expect(try code(6, from: [UInt8](repeating: 249, count: 16)) == ("999999", 0))
    }

    @Test func `when sixteen bytes are not enough the next sixteen go on`() throws {
        let first: [UInt8] = [1, 2, 3] + [UInt8](repeating: 255, count: 13)
        let second: [UInt8] = [UInt8](repeating: 255, count: 12) + [4, 5, 6, 7]
        #expect(try code(6, from: first + second + [8]) == ("123456", 1))
    }

    @Test(arguments: VerificationCode.lengths)
    func `a code has the length that was asked for`(length: Int) throws {
        #expect(try code(length, from: Array(100...115)).digits == String("0123456789".prefix(length)))
    }

    @Test(arguments: [Int.min, -1, 0, 3, 11, Int.max])
    func `other lengths are refused before any byte is drawn`(length: Int) throws {
        let random = ScriptedRandom([UInt8](repeating: 1, count: 128))
        let vault = try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom()), random: random)
        #expect(throws: CodeVaultError.unsupportedLength(length)) { try vault.makeCode(length: length) }
        #expect(random.unusedCount == 128)
    }

    @Test func `a source that fails gives no code, even when it fails in the middle`() throws {
        #expect(throws: ScriptedRandom.Exhausted()) { try code(6, from: []) }
        #expect(throws: ScriptedRandom.Exhausted()) {
            try code(6, from: Array(1...5) + [UInt8](repeating: 255, count: 11))
        }
    }

    @Test func `a source that is stuck gives no code, not a shorter one, and does not hang`() throws {
        #expect(throws: CodeVaultError.brokenRandomSource) {
            try code(6, from: [UInt8](repeating: 255, count: 1000))
        }
        #expect(throws: CodeVaultError.brokenRandomSource) {
            try code(6, from: [1, 2, 3, 4, 5] + [UInt8](repeating: 255, count: 1000))
        }
    }
}

/// Whether every code is equally likely, by Pearson's chi-square test.
@Suite struct CodeDistributionTests {
    /// Codes counted by the digit at each position and by their first and last three digits.
    struct Counts {
        var digits = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 6)
        var firstThree = [Int](repeating: 0, count: 1000)
        var lastThree = [Int](repeating: 0, count: 1000)

        init(of count: Int, from random: any RandomBytes) throws {
            let vault = try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom()), random: random)
            for _ in 0..<count {
                var number = 0
                for (position, digit) in try vault.makeCode(length: 6).digits.utf8.enumerated() {
                    let value = Int(digit - UInt8(ascii: "0"))
                    digits[position][value] += 1
                    number = number * 10 + value
                }
                firstThree[number / 1000] += 1
                lastThree[number % 1000] += 1
            }
        }

        static func chiSquare(_ counts: [Int]) -> Double {
            let expected = Double(counts.reduce(0, +)) / Double(counts.count)
            return counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        }
    }

    @Test func `a million codes of a known source are spread evenly`() throws {
        let counts = try Counts(of: 1_000_000, from: SeededRandom(seed: 20_260_127))
        // Even codes exceed these with a probability of 1e-3; byte % 10 without rejection gives some 366.
        for position in counts.digits { #expect(Counts.chiSquare(position) < 27.88) }
        #expect(Counts.chiSquare(counts.firstThree) < 1142.85)
        #expect(Counts.chiSquare(counts.lastThree) < 1142.85)
    }

    @Test func `codes of OpenSSL are spread evenly`() throws {
        let counts = try Counts(of: 250_000, from: OpenSSLRandom())
        // Even codes exceed each of these with a probability of 1e-10, and one of the eight with 8e-10.
        for position in counts.digits { #expect(Counts.chiSquare(position) < 65.82) }
        #expect(Counts.chiSquare(counts.firstThree) < 1310.17)
        #expect(Counts.chiSquare(counts.lastThree) < 1310.17)
        #expect(isErrorQueueEmpty())
    }
}

@Suite struct ConcurrentUseTests {
    @Test func `one vault serves many tasks at once, each with its own codes`() async throws {
        let vault = try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom()))
        let tokens = OpenSSLTokenVault()
        let random = OpenSSLRandom()
        let failures = try await atOnce(16) { task in
            var failures = 0
            for round in 0..<500 {
                let context = CodeContext(
                    verificationID: try random.makeIdentifier(),
                    e164: "+8210\(10_000_000 + task * 500 + round)"
                )
                let other = CodeContext(verificationID: try random.makeIdentifier(), e164: context.e164)
                let code = try vault.makeCode(length: 4 + round % 7)
                let sealed = try vault.seal(code, for: context)
                let token = try tokens.makeToken(prefix: "su_")
                if try !vault.matches(code, sealed, for: context) { failures += 1 }
                if try vault.matches(code, sealed, for: other) { failures += 1 }
                if try vault.open(sealed, for: context) != code { failures += 1 }
                if (try? vault.open(sealed, for: other)) != nil { failures += 1 }
                if try !tokens.matches(token, digest: tokens.digest(of: token)) { failures += 1 }
                if !isErrorQueueEmpty() { failures += 1 }
            }
            return failures
        }
        #expect(failures == Array(repeating: 0, count: 16))
    }
}
