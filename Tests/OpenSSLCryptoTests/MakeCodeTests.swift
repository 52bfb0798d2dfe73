import OpenSSLCrypto
import PhoneDomain
import Testing

@Suite struct MakeCodeTests {
    /// The code of so many digits that comes of these bytes, and how many of the bytes were left.
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

    @Test func `leading zeros are digits like any other`() throws {
        #expect(try code(6, from: [0, 10, 20, 30, 4, 2] + [UInt8](repeating: 9, count: 10)) == ("000042", 0))
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
