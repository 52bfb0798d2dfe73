import COpenSSL
import CoreEncodings
import PhoneTestSupport
import Testing

@testable import OpenSSLCrypto

@Suite struct ES256Tests {
    /// RFC 7515 appendix A.3.
    enum JWS {
        static let text = """
            eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.\
            DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
            """
        static let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
        static let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
        static let d = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"
    }

    /// The order of the group (FIPS 186-4, D.1.2.3).
    static let order = [UInt8](hexadecimal: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

    private func bytes(_ text: String...) throws -> [UInt8] {
        try text.flatMap { try #require([UInt8](.base64URL, $0.utf8)) }
    }

    @Test func `verifies the example of RFC 7515`() throws {
        let token = try #require(JSONWebToken(JWS.text))
        #expect(token.header == ["alg": .string("ES256")])
        #expect(
            JSONWebToken.members(of: token.payload)
                == ["iss": .string("joe"), "exp": .integer(1_300_819_380), "http://example.com/is_root": .bool(true)]
        )
        let key = try #require(ES256.PublicKey(bytes(JWS.x, JWS.y)))
        #expect(key.verifies(token.signature, of: token.signingInput))
        #expect(isErrorQueueEmpty())
    }

    @Test func `any changed bit of signature or input makes it invalid`() throws {
        let token = try #require(JSONWebToken(JWS.text))
        let key = try #require(ES256.PublicKey(bytes(JWS.x, JWS.y)))
        for bit in 0..<512 {
            var signature = token.signature
            signature[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.verifies(signature, of: token.signingInput))
            #expect(isErrorQueueEmpty())
        }
        for index in token.signingInput.indices {
            var input = token.signingInput
            input[index] ^= 1
            #expect(!key.verifies(token.signature, of: input))
        }
    }

    /// Zeros among them, which a broken verifier takes for everything (CVE-2022-21449).
    @Test func `only two numbers from 1 to the order, 32 bytes each, are a signature`() throws {
        let token = try #require(JSONWebToken(JWS.text))
        let key = try #require(ES256.PublicKey(bytes(JWS.x, JWS.y)))
        let der = try #require(ES256.derSignature(token.signature))
        let (r, s) = (Array(token.signature.prefix(32)), Array(token.signature.suffix(32)))
        let (zero, ones) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32))
        let one = Array(zero.dropLast()) + [1]
        let wrong: [[UInt8]] = [
            [], [0], r, r + s.dropLast(), r + s + [0], [0] + r + s, r + s + r + s, der, s + r, zero + zero, r + zero,
            zero + s, Self.order + Self.order, Self.order + s, r + Self.order, zero + Self.order, Self.order + zero,
            ones + ones, one + one,
        ]
        for signature in wrong {
            #expect(!key.verifies(signature, of: token.signingInput))
            #expect(isErrorQueueEmpty())
        }
    }

    /// RFC 6979 appendix A.2.5; *k* does not matter to who verifies.
    @Test(arguments: [
        (
            "sample",
            """
            efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716\
            f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8
            """
        ),
        (
            "test",
            """
            f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367\
            019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083
            """
        ),
    ])
    func `verifies the signatures of RFC 6979`(message: String, signature: String) throws {
        let key = try #require(
            ES256.PrivateKey(
                [UInt8](hexadecimal: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
            )
        )
        #expect(
            key.publicKey.bytes.hexadecimal
                == "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        )
        #expect(key.publicKey.verifies([UInt8](hexadecimal: signature), of: Array(message.utf8)))
        #expect(!key.publicKey.verifies([UInt8](hexadecimal: signature), of: Array((message + "s").utf8)))
    }

    /// RFC 7515 appendix A.3 and RFC 7517 appendix A.2.
    @Test(arguments: [
        (JWS.d, JWS.x, JWS.y),
        (
            "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE", "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"
        ),
    ])
    func `a private key has the public key of the RFCs`(d: String, x: String, y: String) throws {
        let key = try #require(ES256.PrivateKey(bytes(d)))
        #expect(try key.publicKey.bytes == bytes(x, y))
        let message = Array("message".utf8)
        let (one, other) = (try key.sign(message), try key.sign(message))
        #expect(one.count == 64 && one != other)
        #expect(try #require(ES256.PublicKey(bytes(x, y))).verifies(one, of: message))
        #expect(key.publicKey.verifies(other, of: message))
        #expect(!key.publicKey.verifies(one, of: message + [0]))
    }

    /// FIPS 186-5 appendix A.2.2: 1 to *n* − 1.
    @Test func `only numbers below the order are private keys`() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        var last = Self.order
        last[31] -= 1
        #expect(ES256.PrivateKey(zero.dropLast() + [1])?.publicKey.bytes.prefix(4) == [0x6B, 0x17, 0xD1, 0xF2])
        #expect(ES256.PrivateKey(last)?.publicKey.bytes.prefix(4) == [0x6B, 0x17, 0xD1, 0xF2])
        var next = Self.order
        next[31] += 1
        let ones = [UInt8](repeating: 0xFF, count: 32)
        let wrongs: [[UInt8]] = [zero, Self.order, next, ones, [], [1], last.dropLast(), last + [0]]
        for wrong in wrongs {
            #expect(ES256.PrivateKey(wrong) == nil, "\(wrong)")
            #expect(isErrorQueueEmpty())
        }
    }

    @Test func `only points on the curve are public keys`() throws {
        let good = try bytes(JWS.x, JWS.y)
        #expect(ES256.PublicKey(good) != nil)
        var off = good
        off[63] ^= 1
        let zero = [UInt8](repeating: 0, count: 64)
        let ones = [UInt8](repeating: 0xFF, count: 64)
        let wrongs: [[UInt8]] = [off, zero, ones, [], good.dropLast(), good + [0], [0x04] + good]
        for wrong in wrongs {
            #expect(ES256.PublicKey(wrong) == nil, "\(wrong)")
            #expect(isErrorQueueEmpty())
        }
    }

    @Test func `a short r or s keeps its leading zeros`() throws {
        let key = try #require(ES256.PrivateKey(bytes(JWS.d)))
        // One signature of 128 has a leading zero byte in r or s.
        var shorter = 0
        for number in 0..<3000 {
            let message = Array("\(number)".utf8)
            let signature = try key.sign(message)
            #expect(signature.count == 64 && key.publicKey.verifies(signature, of: message))
            if signature[0] == 0 || signature[32] == 0 { shorter += 1 }
        }
        #expect(shorter > 0)
    }

    @Test func `threads share a key`() async throws {
        let key = try #require(ES256.PrivateKey(bytes(JWS.d)))
        let validities = try await atOnce(64) { number in
            let message = Array("\(number)".utf8)
            return key.publicKey.verifies(try key.sign(message), of: message)
        }
        #expect(validities == Array(repeating: true, count: 64))
    }
}
