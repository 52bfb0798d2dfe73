import CoreEncodings
import PhoneDomain
import Testing

@testable import OpenSSLCrypto
@testable import Passkeys

/// An authenticator and its browser, with all that a test may want to be wrong.
struct SoftAuthenticator {
    /// The key of a device.
    enum Key {
        case es256(ES256.PrivateKey)
        case rs256(RS256.PrivateKey)

        /// As COSE has it (RFC 9052 section 7).
        var cose: [UInt8] {
            switch self {
            case .es256(let key):
                let point = key.publicKey.bytes
                return [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32] + point.prefix(32) + [0x22, 0x58, 32]
                    + point.suffix(32)
            case .rs256(let key):
                return [0xA4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x59, 1, 0] + key.publicKey.bytes + [0x21, 0x43, 1, 0, 1]
            }
        }

        func sign(_ message: [UInt8]) throws -> [UInt8] {
            switch self {
            case .es256(let key): try #require(ES256.derSignature(key.sign(message)))
            case .rs256(let key): try key.sign(message)
            }
        }
    }

    static let origin = "https://phone.example"

    // swift-format-ignore: NeverForceUnwrap
    var key = Key.es256(ES256.PrivateKey([UInt8](repeating: 7, count: 32))!)
    var id: [UInt8] = Array("a key of a device".utf8)
    var counter: UInt32 = 0
    var flags: UInt8 = 0x05
    var relyingParty = "phone.example"
    var origin = Self.origin
    var type: String?
    var userHandle: [UInt8]?
    /// More members of the client's data, with a comma before.
    var clientData = ""
    /// What stands before the client's data.
    var mark: [UInt8] = []
    /// In place of what the key says of itself.
    var cose: [UInt8]?
    /// Behind the authenticator's data, within what is signed.
    var extra: [UInt8] = []
    /// The map of an attestation without its data: `fmt` and `attStmt`.
    var attestation: [UInt8] =
        [0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8) + [0xA0]
    var isSelfAttested = false
    /// Of the attestation object.
    var trailing: [UInt8] = []
    var spoilsSignature = false

    private func authenticatorData(credential: Bool) throws -> [UInt8] {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * UInt32($0))) }
        let head = try RelyingParty.digest(Array(relyingParty.utf8)) + [flags | (credential ? 0x40 : 0)] + bytes
        guard credential else { return head + extra }
        let length = [UInt8(id.count >> 8), UInt8(id.count & 0xFF)]
        return head + [UInt8](repeating: 0, count: 16) + length + id + (cose ?? key.cose) + extra
    }

    private func clientDataJSON(_ type: String, _ challenge: String) -> [UInt8] {
        mark
            + Array(
                #"{"type":"\#(self.type ?? type)","challenge":"\#(challenge)","origin":"\#(origin)"\#(clientData)}"#
                    .utf8
            )
    }

    /// RegistrationResponseJSON.
    func create(_ challenge: String) throws -> JSON {
        let (client, data) = (clientDataJSON("webauthn.create", challenge), try authenticatorData(credential: true))
        var statement = attestation
        if isSelfAttested {
            let signature = try key.sign(data + RelyingParty.digest(client)) + (spoilsSignature ? [0] : [])
            statement =
                [0x63] + Array("fmt".utf8) + [0x66] + Array("packed".utf8) + [0x67] + Array("attStmt".utf8) + [
                    0xA2, 0x63,
                ]
                + Array("alg".utf8) + [0x26, 0x63] + Array("sig".utf8) + [0x58, UInt8(signature.count)] + signature
        }
        // In the shortest form.
        let count = [UInt8(data.count >> 8), UInt8(data.count & 0xFF)]
        let length = data.count < 256 ? [0x58, count[1]] : [0x59] + count
        let object =
            [0xA3] + statement + [0x68] + Array("authData".utf8) + length + data + trailing
        return [
            "id": .string(id.base64URL), "rawId": .string(id.base64URL), "type": "public-key",
            "response": [
                "clientDataJSON": .string(client.base64URL), "attestationObject": .string(object.base64URL),
                "transports": ["internal", "new-one"],
            ],
        ]
    }

    /// AuthenticationResponseJSON.
    func get(_ challenge: String) throws -> JSON {
        let (client, data) = (clientDataJSON("webauthn.get", challenge), try authenticatorData(credential: false))
        var signature = try key.sign(data + RelyingParty.digest(client))
        if spoilsSignature { signature[signature.count - 1] ^= 1 }
        return [
            "id": .string(id.base64URL), "rawId": .string(id.base64URL), "type": "public-key",
            "response": [
                "clientDataJSON": .string(client.base64URL), "authenticatorData": .string(data.base64URL),
                "signature": .string(signature.base64URL), "userHandle": .string(userHandle?.base64URL),
            ],
        ]
    }
}

extension JSON {
    /// Without a member, or with another value of it.
    func with(_ name: String, _ value: JSON?) -> JSON {
        .object(members.filter { $0.name != name } + (value.map { [Member(name, $0)] } ?? []))
    }

    func with(_ outer: String, _ name: String, _ value: JSON?) -> JSON {
        with(outer, (self[outer] ?? [:]).with(name, value))
    }
}
