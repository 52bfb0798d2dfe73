import CoreEncodings
import Testing

@testable import OpenSSLCrypto

@Suite struct RS256Tests {
    private let bytes: [UInt8]
    private let key: RS256.PrivateKey
    private let message = Array("header.claims".utf8)

    init() throws {
        bytes = try RS256.PrivateKey.generate()
        key = try #require(RS256.PrivateKey(bytes))
    }

    @Test func `a public key that is read again verifies what the private key signs, and nothing else`() throws {
        let read = try #require(RS256.PublicKey(key.publicKey.bytes))
        let signature = try key.sign(message)
        #expect(signature.count == 256)
        #expect(read.verifies(signature, of: message))
        #expect(!read.verifies(signature, of: message + [0]))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!read.verifies(changed, of: message))
        }
        let wrong: [[UInt8]] = [[], signature.dropLast(), signature + [0], [UInt8](repeating: 0, count: 256)]
        for signature in wrong { #expect(!read.verifies(signature, of: message)) }
        #expect(isErrorQueueEmpty())
    }

    @Test func `its numbers are those of a JSON Web Key`() throws {
        #expect(key.publicKey.numbers == ["n": key.publicKey.bytes.base64URL, "e": "AQAB"])
    }

    @Test func `what is no key of 2048 bits is none`() {
        let noKeys: [[UInt8]] = [[], [1], bytes.dropLast(), [0] + bytes, Array(repeating: 0xFF, count: 32)]
        for bytes in noKeys { #expect(RS256.PrivateKey(bytes) == nil) }
        let modulus = key.publicKey.bytes
        let noModuli: [[UInt8]] = [
            [], modulus.dropLast(), modulus + [1], [0x7F] + modulus.dropFirst(), modulus.dropLast() + [2],
        ]
        for bytes in noModuli { #expect(RS256.PublicKey(bytes) == nil) }
        #expect(isErrorQueueEmpty())
    }
}
