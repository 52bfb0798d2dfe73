import CoreEncodings
import PhoneDomain
import Testing

@testable import OpenSSLCrypto
@testable import Passkeys

/// The registration of a key, by the steps of WebAuthn Level 2, section 7.1
/// (https://www.w3.org/TR/webauthn-2/#sctn-registering-a-new-credential). Those that need the store are with the server.
@Suite struct RegistrationTests {
    // swift-format-ignore: NeverUseForceTry
    static let site = try! RelyingParty(id: "phone.example", origins: ["https://phone.example", "https://app.example"])

    static func register(_ change: (inout SoftAuthenticator) -> Void = { _ in }) throws -> Registration {
        var device = SoftAuthenticator()
        change(&device)
        return try Registration(device.create("Y2hhbGxlbmdl"), at: site)
    }

    static func expect(_ fault: CeremonyFault, _ change: (inout SoftAuthenticator) -> Void) {
        #expect(throws: fault) { try register(change) }
    }

    private func expectMalformed(_ change: (JSON) -> JSON) throws {
        let json = change(try SoftAuthenticator().create("Y2hhbGxlbmdl"))
        #expect(throws: CeremonyFault.malformed) { try Registration(json, at: Self.site) }
    }

    @Test func `a key is registered with its ID, counter, flags and transports`() throws {
        let registration = try Self.register { $0.counter = 7 }
        #expect(registration.challenge == "Y2hhbGxlbmdl")
        #expect(registration.credentialID == Array("a key of a device".utf8).base64URL)
        #expect(registration.key.algorithm == .es256)
        #expect(registration.counter == 7)
        #expect(registration.transports == ["internal"])
    }

    @Test func `step 3: what is no attestation response`() throws {
        try expectMalformed { $0.with("type", "password") }
        try expectMalformed { $0.with("response", nil) }
        for name in ["clientDataJSON", "attestationObject"] {
            try expectMalformed { $0.with("response", name, nil) }
            try expectMalformed { $0.with("response", name, "not base64url!") }
            try expectMalformed { $0.with("response", name, "AA==") }
        }
        try expectMalformed { $0.with("rawId", "AAAA") }
        try expectMalformed { $0.with("id", nil) }
    }

    @Test func `steps 5 and 6: the client's data is UTF-8 and JSON`() throws {
        try expectMalformed { $0.with("response", "clientDataJSON", .string([0xFF, 0xFE].base64URL)) }
        try expectMalformed { $0.with("response", "clientDataJSON", .string(Array("[]".utf8).base64URL)) }
        try expectMalformed { $0.with("response", "clientDataJSON", .string(Array("{".utf8).base64URL)) }
        // A byte order mark is left out (UTF-8 decode).
        _ = try Self.register { $0.mark = [0xEF, 0xBB, 0xBF] }
    }

    @Test func `step 7: the type is that of a registration`() {
        Self.expect(.type) { $0.type = "webauthn.get" }
        Self.expect(.type) { $0.type = "" }
    }

    @Test func `step 9: the origin is on the list`() throws {
        _ = try Self.register { $0.origin = "https://app.example" }
        for origin in [
            "https://phone.example.evil.example", "http://phone.example", "https://phone.example:444", "null", "",
        ] {
            Self.expect(.origin) { $0.origin = origin }
        }
        Self.expect(.origin) { $0.clientData = #","crossOrigin":true"# }
        _ = try Self.register { $0.clientData = #","crossOrigin":false"# }
    }

    @Test func `step 10: no token binding is in use`() throws {
        Self.expect(.tokenBinding) { $0.clientData = #","tokenBinding":{"status":"present","id":"AAAA"}"# }
        _ = try Self.register { $0.clientData = #","tokenBinding":{"status":"supported"}"# }
    }

    @Test func `step 12: the attestation object is strict CBOR of three members`() {
        Self.expect(.malformed) { $0.trailing = [0] }
        Self.expect(.malformed) { $0.attestation = [] }
        Self.expect(.malformed) { $0.extra = [0] }
        Self.expect(.malformed) { $0.id = [] }
        Self.expect(.malformed) { $0.id = [UInt8](repeating: 1, count: 1024) }
    }

    @Test func `step 13: the hash is of the relying party's ID`() {
        Self.expect(.relyingParty) { $0.relyingParty = "evil.example" }
    }

    @Test func `step 14: the person was present`() { Self.expect(.presence) { $0.flags = 0x04 } }

    @Test func `step 15: the person was verified`() { Self.expect(.verification) { $0.flags = 0x01 } }

    @Test func `a key that is kept elsewhere is one that can be`() throws {
        Self.expect(.backup) { $0.flags = 0x15 }
        #expect(try Self.register { $0.flags = 0x0D }.flags.contains(.backupEligible))
        #expect(try Self.register { $0.flags = 0x1D }.flags.contains(.backedUp))
    }

    @Test func `step 16: the algorithm is one that was asked for`() throws {
        let rsa = try #require(RS256.PrivateKey(try RS256.PrivateKey.generate()))
        #expect(try Self.register { $0.key = .rs256(rsa) }.key.algorithm == .rs256)
        let point = SoftAuthenticator().key.cose
        func key(_ index: Int, _ byte: UInt8) -> [UInt8] { point.enumerated().map { $0 == index ? byte : $1 } }
        // The kind, the algorithm, the curve and the point.
        for (index, byte) in [(2, UInt8(1)), (4, 0x27), (6, 2), (12, 0xFF)] {
            Self.expect(.algorithm) { $0.cose = key(index, byte) }
        }
        // EdDSA, and a key with a member that it should not have: a private one.
        Self.expect(.algorithm) {
            $0.cose = [0xA4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32] + [UInt8](repeating: 1, count: 32)
        }
        Self.expect(.algorithm) { $0.cose = [0xA6] + point.dropFirst() + [0x23, 0x41, 1] }
        // An exponent of 3.
        Self.expect(.algorithm) {
            $0.cose = [0xA4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x59, 1, 0] + rsa.publicKey.bytes + [0x21, 0x41, 3]
        }
    }

    @Test func `step 17: extensions that were not asked for are ignored`() throws {
        _ = try Self.register {
            $0.flags = 0x85
            $0.extra = [0xA1, 0x61, 0x61, 0xF5]
        }
        Self.expect(.malformed) { $0.flags = 0x85 }
        Self.expect(.malformed) {
            $0.flags = 0x85
            $0.extra = [0x01]
        }
    }

    @Test func `steps 18 to 21: no attestation, or the key's own`() throws {
        let none = SoftAuthenticator().attestation
        Self.expect(.attestation) { $0.attestation = none.dropLast() + [0xA1, 0x61, 0x61, 0x01] }
        Self.expect(.attestation) {
            $0.attestation =
                [0x63] + Array("fmt".utf8) + [0x63] + Array("tpm".utf8) + [0x67] + Array("attStmt".utf8) + [0xA0]
        }
        _ = try Self.register { $0.isSelfAttested = true }
        Self.expect(.attestation) {
            $0.isSelfAttested = true
            $0.spoilsSignature = true
        }
    }
}
