import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@Suite struct OperatorTests {
    private static let now = Timestamp(seconds: 1_767_225_600)
    private let alice = Operator(owner: .operator("alice"), reason: AuditReason("ticket 7"))

    private func entry(prefix: String) throws -> AuditEntry {
        try alice.entry(.blockPrefix, prefix: prefix, digester: { PlainNumberDigester() }, at: Self.now)
    }

    @Test(arguments: [
        ("+8", "+8"), ("+82", "+82"), ("+8210123", "+8210123"), ("+82101234", "+82101234"),
        ("+821012345", "+82101234*"), ("+8210123456", "+82101234**"), ("+82101234567", "+82101234***"),
        ("+1201555012", "+1201555***"), ("+999123456789", "+999123456789"),
    ])
    func `a prefix is recorded as far as ten thousand numbers share it`(prefix: String, subject: String) throws {
        let entry = try entry(prefix: prefix)
        #expect(entry == alice.entry(.blockPrefix, subject, at: Self.now))
        #expect(entry.owner?.rawValue == "operator:alice")
        #expect(entry.reason?.description == "ticket 7")
    }

    @Test func `a whole number is recorded masked, with its digest`() throws {
        let entry = try entry(prefix: "+821012345678")
        #expect(entry.subject == nil)
        #expect(entry.maskedNumber == "+82 10-****-5678")
        #expect(entry.numberDigest == NumberDigest(rawValue: "test:+821012345678"))
        #expect(entry.region == .korea)
    }

    @Test func `a limit is recorded as it is, unless it counts by a number`() throws {
        func entry(_ key: String) throws -> AuditEntry {
            try alice.entry(
                .clearLimit,
                limit: LimitKey(rawValue: key),
                digester: { PlainNumberDigester() },
                at: Self.now
            )
        }
        for key in ["service-sends-1h", "address-sends-1h 203.0.113.7", "prefix-sends-1h +82101234"] {
            #expect(try entry(key) == alice.entry(.clearLimit, key, at: Self.now))
        }
        let ofNumber = try entry("number-sends-1h +821012345678")
        #expect(ofNumber.subject == "number-sends-1h")
        #expect(ofNumber.maskedNumber == "+82 10-****-5678")
        #expect(ofNumber.numberDigest == NumberDigest(rawValue: "test:+821012345678"))
    }

    @Test func `a digester that fails leaves no entry, and is not asked where there is no number`() throws {
        struct Missing: Error {}
        #expect(throws: Missing.self) {
            try alice.entry(.blockPrefix, prefix: "+821012345678", digester: { throw Missing() }, at: Self.now)
        }
        let entry = try alice.entry(.blockPrefix, prefix: "+8210", digester: { throw Missing() }, at: Self.now)
        #expect(entry.subject == "+8210")
    }

    @Test func `a reason is one line`() {
        #expect(AuditReason("공격 차단, ticket 7 🙂")?.description == "공격 차단, ticket 7 🙂")
        #expect(AuditReason(String(repeating: "a", count: 200)) != nil)
        for text in [
            "", "  ", "a\nb", "a\u{1B}[2J", "a\u{202E}b", "a\u{2028}b", "a\u{9B}", String(repeating: "a", count: 201),
        ] {
            #expect(AuditReason(text) == nil, "\(text.debugDescription)")
        }
    }
}
