import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneHTTP

@Suite struct PersonalDataTests {
    private static let now = Timestamp(seconds: 1_767_225_600)
    private static let accountID = Account.ID(bits: 0, 1)

    private static func verification(_ number: UInt64, usedFor account: Account.ID?) throws -> Verification {
        try sampleVerification(
            bits: number,
            at: now,
            status: account == nil ? .pending : .approved,
            usedFor: account,
            labels: Labels(reference: Labels.Reference("of verification \(number)"))
        )
    }

    private static func signup(_ number: UInt64) -> Signup {
        Signup(
            id: Signup.ID(bits: 0, number),
            tokenDigest: [3],
            region: .korea,
            language: .korean,
            createdAt: now,
            expiresAt: now,
            phoneText: "010-1234-5678",
            verificationID: Verification.ID(bits: 0, number)
        )
    }

    private static func entry(_ action: AuditEntry.Action, _ number: UInt64, _ address: String) throws -> AuditEntry {
        AuditEntry(
            at: now,
            action: action,
            owner: .signup(Signup.ID(bits: 0, number)),
            address: ClientAddress(try #require(IPAddress(address))),
            verificationID: Verification.ID(bits: 0, number),
            maskedNumber: "+82 10-****-5678",
            numberDigest: NumberDigest(rawValue: "k:00"),
            prefixDigest: nil,
            region: .korea,
            verdict: action == .suppress ? .block : nil,
            reasons: action == .suppress ? [.prefixConversionLow] : []
        )
    }

    /// The second verification is someone else's, who typed the number: its message was suppressed silently.
    private static func data() throws -> PersonalData {
        var data = PersonalData(
            of: Account(
                id: accountID,
                phoneNumber: try PhoneNumber(e164: "+821012345678"),
                createdAt: now,
                createdBy: Verification.ID(bits: 0, 1)
            )
        )
        data.verifications = [try verification(1, usedFor: accountID), try verification(2, usedFor: nil)]
        data.messages = [
            OutboxMessage(
                id: OutboxMessage.ID(bits: 0, 2),
                verificationID: Verification.ID(bits: 0, 2),
                createdAt: now,
                isWithheld: true,
                status: .withheld,
                attempts: 1
            )
        ]
        data.signups = [signup(1), signup(2)]
        data.audit = [try entry(.signUp, 1, "192.0.2.1"), try entry(.suppress, 2, "198.51.100.2")]
        return data
    }

    private static func text() throws -> String {
        try data().text(at: now)
    }

    @Test func personalDataContainsNoGuardVerdicts() throws {
        let text = try Self.text()
        for word in ["withheld", "hold_back", "block", "verdict", "reasons", "prefix_conversion_low"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(text.contains(#""status":"sent","created_at":"2026-01-01T00:00:00.000Z","attempts":1"#))
        #expect(text.contains(#""action":"begin""#))
    }

    @Test func whatStrangersDidWithTheNumberIsTheirs() throws {
        let text = try Self.text()
        #expect(text.contains("192.0.2.1"))
        #expect(!text.contains("198.51.100.2"))
        #expect(text.contains(#""id":"sgn_00000000000000000000000000000001""#))
        #expect(!text.contains("sgn_00000000000000000000000000000002"))
        #expect(text.contains("of verification 1"))
        #expect(!text.contains("of verification 2"))
        // It says that someone requested a code for the number.
        #expect(text.contains(#""id":"ver_00000000000000000000000000000002""#))
    }

    @Test func noSecretIsInIt() throws {
        let text = try Self.text()
        #expect(!text.contains("sealed"))
        #expect(!text.contains("k:00"))
        #expect(!text.contains("digest"))
    }
}
