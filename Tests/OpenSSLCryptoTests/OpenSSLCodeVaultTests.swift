import OpenSSLCrypto
import PhoneDomain
import Synchronization
import Testing

@Suite struct OpenSSLCodeVaultTests {
    /// The bytes 0 to 31.
    private static let oldKey = "old 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    private static let newKey = "new ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"

    private let context = CodeContext(
        verificationID: Identifier(bits: 0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210),
        e164: "+821012345678"
    )

    private func vault(_ keys: String = oldKey, random: any RandomBytes = OpenSSLRandom()) throws -> OpenSSLCodeVault {
        try OpenSSLCodeVault(keys: KeyRing(parsing: keys), random: random)
    }

    private func code(_ digits: String = "042137") throws -> VerificationCode {
        try #require(VerificationCode(digits))
    }

    /// The expectations are from Python's `cryptography`. A change of them makes codes in flight worthless.
    @Test func `a sealed code is what it has always been`() throws {
        let sealed = try vault(random: ScriptedRandom(Array(0xA0...0xAB))).seal(code(), for: context)
        #expect(sealed.keyID == "old")
        #expect(sealed.mac.hexadecimal == "12b2e3d4d6f3056e1af43152f399a0d3ddffe6052d04d2558212ec32a2de074f")
        #expect(
            sealed.ciphertext.hexadecimal
                == "a0a1a2a3a4a5a6a7a8a9aaab" + "f22fae4786d09ffc2a65ecb4b2ec3739" + "4e0e545866b619b76f991e0608b705b9"
        )
    }

    @Test(arguments: ["0000", "9999", "00000", "042137", "0123456", "99999999", "000000000", "9876543210"])
    func `a sealed code matches and opens`(digits: String) throws {
        let sealed = try vault().seal(code(digits), for: context)
        #expect(try vault().matches(code(digits), sealed, for: context))
        #expect(try vault().open(sealed, for: context) == code(digits))
        #expect(sealed.mac.count == 32)
        #expect(sealed.ciphertext.count == 12 + 16 + 16)
        #expect(isErrorQueueEmpty())
    }

    @Test(arguments: ["042138", "142137", "42137", "0421370", "0042137"])
    func `another code does not match`(digits: String) throws {
        let sealed = try vault().seal(code(), for: context)
        #expect(try !vault().matches(code(digits), sealed, for: context))
    }

    @Test func `the same code is sealed into another ciphertext each time`() throws {
        let vault = try vault()
        let sealed = try (0..<1000).map { _ in try vault.seal(code(), for: context) }
        #expect(Set(sealed.map(\.ciphertext)).count == 1000)
        #expect(Set(sealed.map { $0.ciphertext.prefix(12) }).count == 1000)
    }

    @Test func `a code that was sealed for another verification or number neither matches nor opens`() throws {
        let sealed = try vault().seal(code(), for: context)
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
            #expect(try !vault().matches(code(), sealed, for: other))
            #expect(throws: CodeVaultError.notAuthentic(keyID: "old")) { try vault().open(sealed, for: other) }
            #expect(isErrorQueueEmpty())
        }
    }

    @Test func `a digit cannot move from the code to the number`() throws {
        let sealed = try vault().seal(code("1234567"), for: context)
        let shifted = CodeContext(verificationID: context.verificationID, e164: "+8210123456781")
        #expect(try !vault().matches(code("234567"), sealed, for: shifted))
    }

    @Test func `no bit of the MAC may be altered`() throws {
        let sealed = try vault().seal(code(), for: context)
        for bit in 0..<256 {
            var mac = sealed.mac
            mac[bit / 8] ^= 1 << (bit % 8)
            let altered = SealedCode(keyID: "old", mac: mac, ciphertext: sealed.ciphertext)
            #expect(try !vault().matches(code(), altered, for: context))
        }
    }

    @Test(arguments: [[], Array(repeating: 0, count: 31), Array(repeating: 0, count: 33)] as [[UInt8]])
    func `a MAC of another length does not match`(mac: [UInt8]) throws {
        let altered = SealedCode(keyID: "old", mac: mac, ciphertext: try vault().seal(code(), for: context).ciphertext)
        #expect(try !vault().matches(code(), altered, for: context))
    }

    @Test func `no bit of the nonce, the ciphertext and the tag may be altered`() throws {
        let sealed = try vault().seal(code(), for: context)
        for bit in 0..<(sealed.ciphertext.count * 8) {
            var ciphertext = sealed.ciphertext
            ciphertext[bit / 8] ^= 1 << (bit % 8)
            let altered = SealedCode(keyID: "old", mac: sealed.mac, ciphertext: ciphertext)
            #expect(throws: CodeVaultError.notAuthentic(keyID: "old")) { try vault().open(altered, for: context) }
        }
        #expect(isErrorQueueEmpty())
    }

    @Test func `nothing may be missing from the ciphertext or added to it`() throws {
        let sealed = try vault().seal(code(), for: context)
        let others = (0..<44).map { Array(sealed.ciphertext.prefix($0)) } + [sealed.ciphertext + [0]]
        for ciphertext in others {
            let altered = SealedCode(keyID: "old", mac: sealed.mac, ciphertext: ciphertext)
            #expect(throws: CodeVaultError.notAuthentic(keyID: "old")) { try vault().open(altered, for: context) }
        }
    }

    @Test func `codes in flight survive a rotation and new ones are sealed under the new key`() throws {
        let inFlight = try vault().seal(code(), for: context)
        let rotated = try vault(Self.newKey + "\n" + Self.oldKey)
        #expect(try rotated.matches(code(), inFlight, for: context))
        #expect(try rotated.open(inFlight, for: context) == code())

        let fresh = try rotated.seal(code(), for: context)
        #expect(fresh.keyID == "new")
        #expect(fresh.mac != inFlight.mac)
        #expect(try rotated.matches(code(), fresh, for: context))
        #expect(try rotated.open(fresh, for: context) == code())
    }

    @Test func aRingThatIsRotatedInUseOpensCodesOldAndNew() throws {
        let ring = Mutex(try KeyRing(parsing: Self.oldKey))
        let vault = try OpenSSLCodeVault(keys: ring.withLock { $0 }, reloading: { ring.withLock { $0 } })
        let inFlight = try vault.seal(code(), for: context)

        try ring.withLock { $0 = try KeyRing(parsing: Self.newKey + "\n" + Self.oldKey) }
        let elsewhere = try self.vault(Self.newKey).seal(code(), for: context)
        #expect(try vault.seal(code(), for: context).keyID == inFlight.keyID)
        // What another process has sealed makes this one look.
        #expect(try vault.matches(code(), elsewhere, for: context))
        #expect(try vault.seal(code(), for: context).keyID == elsewhere.keyID)
        #expect(try vault.matches(code(), inFlight, for: context))
        #expect(try vault.open(inFlight, for: context) == code())
    }

    @Test func aRingThatCannotBeReadAnewLeavesTheKeysAsTheyAre() throws {
        struct Unreadable: Error {}
        let vault = try OpenSSLCodeVault(keys: KeyRing(parsing: Self.oldKey), reloading: { throw Unreadable() })
        let inFlight = try vault.seal(code(), for: context)
        #expect(throws: Unreadable.self) { try vault.reloadKeys() }
        let elsewhere = try self.vault(Self.newKey).seal(code(), for: context)
        #expect(throws: CodeVaultError.unknownKey(id: elsewhere.keyID)) {
            try vault.matches(code(), elsewhere, for: context)
        }
        #expect(try vault.matches(code(), inFlight, for: context))
    }

    @Test func `a code under a key that the ring lacks is an error that names the key`() throws {
        let sealed = try vault(Self.newKey).seal(code(), for: context)
        #expect(throws: CodeVaultError.unknownKey(id: "new")) { try vault().matches(code(), sealed, for: context) }
        #expect(throws: CodeVaultError.unknownKey(id: "new")) { try vault().open(sealed, for: context) }
        #expect(
            CodeVaultError.unknownKey(id: "new").description
                == "the code was sealed under the key new, which is not in the key ring; put the key back until the code has expired"
        )
    }

    @Test func `a code does not match or open under another key of the same name`() throws {
        let sealed = try vault().seal(code(), for: context)
        let impostor = try vault(Self.newKey.replacing("new", with: "old"))
        #expect(try !impostor.matches(code(), sealed, for: context))
        #expect(throws: CodeVaultError.notAuthentic(keyID: "old")) { try impostor.open(sealed, for: context) }
    }

    @Test func `a source that fails gives no nonce, so nothing is sealed`() throws {
        let vault = try vault(random: ScriptedRandom(Array(1...11)))
        #expect(throws: ScriptedRandom.Exhausted()) { try vault.seal(code(), for: context) }
    }

    @Test func `no description shows a key`() throws {
        let vault = try vault()
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
