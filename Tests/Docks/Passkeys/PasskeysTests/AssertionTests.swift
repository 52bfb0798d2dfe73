import CoreEncodings
import PhoneDomain
import PhoneSignup
import Testing

@testable import OpenSSLCrypto
@testable import Passkeys

/// A proof by a key, by the steps of WebAuthn Level 2, section 7.2
/// (https://www.w3.org/TR/webauthn-2/#sctn-verifying-assertion). Those that need the store are with the server.
@Suite struct AssertionTests {
    private static let account = Account.ID(bits: 1, 2)

    private static func passkey(_ device: SoftAuthenticator) throws -> Passkey {
        let registration = try Registration(device.create("AAAA"), at: RegistrationTests.site)
        let name = try #require(PasskeyName("Phone"))
        return Passkey(registration, of: account, name: name, at: Timestamp(seconds: 0))
    }

    private static func device() -> SoftAuthenticator {
        var device = SoftAuthenticator()
        device.userHandle = account.bytes
        return device
    }

    private static func prove(_ change: (inout SoftAuthenticator) -> Void = { _ in }) throws {
        var device = device()
        let passkey = try passkey(device)
        change(&device)
        try Assertion(device.get("AAAA"), at: RegistrationTests.site).check(passkey)
    }

    private static func expect(_ fault: CeremonyFault, _ change: (inout SoftAuthenticator) -> Void) {
        #expect(throws: fault) { try prove(change) }
    }

    @Test func `a key proves that it is there`() throws {
        try Self.prove()
        let rsa = try #require(RS256.PrivateKey(try RS256.PrivateKey.generate()))
        var device = Self.device()
        device.key = .rs256(rsa)
        let passkey = try Self.passkey(device)
        try Assertion(device.get("AAAA"), at: RegistrationTests.site).check(passkey)
    }

    @Test func `step 4: what is no assertion response`() throws {
        let json = try Self.device().get("AAAA")
        for name in ["clientDataJSON", "authenticatorData", "signature"] {
            #expect(throws: CeremonyFault.malformed) {
                try Assertion(json.with("response", name, nil), at: RegistrationTests.site)
            }
        }
        #expect(throws: CeremonyFault.malformed) {
            try Assertion(json.with("rawId", "AAAA"), at: RegistrationTests.site)
        }
        #expect(throws: CeremonyFault.malformed) {
            let long = JSON.string([UInt8](repeating: 1, count: 1024).base64URL)
            _ = try Assertion(json.with("id", long).with("rawId", long), at: RegistrationTests.site)
        }
    }

    @Test func `step 6: the person was not known before, so the key says whose it is`() {
        Self.expect(.user) { $0.userHandle = nil }
        Self.expect(.user) { $0.userHandle = Account.ID(bits: 1, 3).bytes }
    }

    @Test func `steps 9 and 10: the client's data is UTF-8 and JSON`() {
        Self.expect(.malformed) { $0.mark = [0xFF] }
        Self.expect(.malformed) { $0.clientData = "," }
    }

    @Test func `step 11: the type is that of a proof`() { Self.expect(.type) { $0.type = "webauthn.create" } }

    @Test func `step 13: the origin of a proof is on the list`() {
        Self.expect(.origin) { $0.origin = "https://phone.example.evil.example" }
        Self.expect(.origin) { $0.clientData = #","crossOrigin":true"# }
    }

    @Test func `step 14: a proof is bound to no other connection`() {
        Self.expect(.tokenBinding) { $0.clientData = #","tokenBinding":{"status":"present"}"# }
    }

    @Test func `step 15: a proof is for this relying party`() {
        Self.expect(.relyingParty) { $0.relyingParty = "evil.example" }
    }

    @Test func `steps 16 and 17: the person was present and verified`() {
        Self.expect(.presence) { $0.flags = 0x04 }
        Self.expect(.verification) { $0.flags = 0x01 }
    }

    @Test func `whether a key can be kept elsewhere does not change`() {
        Self.expect(.backup) { $0.flags = 0x0D }
        Self.expect(.backup) { $0.flags = 0x15 }
    }

    @Test func `step 18: extensions of a proof are ignored`() throws {
        try Self.prove {
            $0.flags = 0x85
            $0.extra = [0xA0]
        }
        Self.expect(.malformed) { $0.extra = [0xA0] }
    }

    @Test func `steps 19 and 20: the signature is this key's, over just this`() throws {
        Self.expect(.signature) { $0.spoilsSignature = true }
        Self.expect(.signature) { $0.key = .es256(ES256.PrivateKey([UInt8](repeating: 9, count: 32))!) }
        let device = Self.device()
        let passkey = try Self.passkey(device)
        let other = try device.get("BBBB")["response"]?["signature"]
        let json = try device.get("AAAA").with("response", "signature", other)
        #expect(throws: CeremonyFault.signature) {
            try Assertion(json, at: RegistrationTests.site).check(passkey)
        }
    }

    @Test(
        arguments: [
            (0, 0, true), (0, 1, true), (5, 6, true), (5, 4_000_000_000, true), (5, 5, false), (5, 4, false),
            (5, 0, false),
        ] as [(UInt32, UInt32, Bool)]
    )
    func `step 21: a counter goes on, or there is none`(before: UInt32, after: UInt32, isAccepted: Bool) throws {
        var device = Self.device()
        device.counter = before
        var passkey = try Self.passkey(device)
        device.counter = after
        let assertion = try Assertion(device.get("AAAA"), at: RegistrationTests.site)
        if isAccepted {
            try passkey.use(assertion.data, at: Timestamp(seconds: 9))
            #expect(passkey.counter == Int64(after))
            #expect(passkey.lastUsedAt == Timestamp(seconds: 9))
        } else {
            #expect(throws: CeremonyFault.counter) { try passkey.use(assertion.data, at: Timestamp(seconds: 9)) }
        }
    }
}
