import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct EraseNumberTests {
    private let command: EraseNumber

    init() throws {
        command = try Self.erasing("+821012345678")
    }

    private static func erasing(_ e164: String) throws -> EraseNumber {
        try EraseNumber(
            PhoneNumber(e164: e164),
            digester: PlainNumberDigester(),
            owner: .local,
            now: Timestamp(seconds: 0)
        )
    }

    private func signup(_ text: String, region: String = "KR", verification: UInt64? = nil) throws -> Signup {
        Signup(
            id: Signup.ID(bits: 0, 1),
            tokenDigest: [],
            region: try #require(Region(region)),
            language: .korean,
            createdAt: Timestamp(seconds: 0),
            expiresAt: Timestamp(seconds: 1),
            phoneText: text,
            codeText: "",
            verificationID: verification.map { Verification.ID(bits: 0, $0) }
        )
    }

    @Test(arguments: [
        ("010-1234-5678", "KR"), ("01012345678", "KR"), ("+82 10-1234-5678", "US"), ("０１０ １２３４ ５６７８", "KR"),
        ("1012345678", "KR"), ("+82 010 1234 5678", "JP"), (" 010.1234.5678 ", "KR"),
    ])
    func `a phone field that reads as the number goes`(text: String, region: String) throws {
        #expect(command.covers(try signup(text, region: region), of: []))
    }

    @Test(arguments: [
        ("", "KR"), ("010-", "KR"), ("010-1234-567", "KR"), ("010-1234-56789", "KR"), ("010-1234-5679", "KR"),
        ("010-1234-5678", "US"), ("🙂010-1234-5678", "KR"),
    ])
    func `one that does not stays`(text: String, region: String) throws {
        #expect(!command.covers(try signup(text, region: region), of: []))
    }

    @Test func `a signup goes for its verification, whatever is in its field`() throws {
        #expect(command.covers(try signup("010-", verification: 7), of: [Verification.ID(bits: 0, 7)]))
        #expect(!command.covers(try signup("010-", verification: 8), of: [Verification.ID(bits: 0, 7)]))
    }

    @Test func `rules for the number go, and none for a prefix or another`() throws {
        func rule(_ prefix: String) throws -> GuardRule {
            try #require(GuardRule(prefix: prefix, action: .block, until: nil, createdAt: Timestamp(seconds: 0)))
        }
        #expect(command.covers(try rule("+821012345678")))
        for prefix in ["+82", "+82101234567", "+8210123456789", "+821012345679"] {
            #expect(!command.covers(try rule(prefix)), "\(prefix)")
        }
    }

    @Test func `limits by the number go, and none by prefix, address, country or service`() throws {
        #expect(command.covers(LimitKey(policy: "number-checks-1h", subject: "+821012345678")))
        for key in [
            "prefix-sends-1h +82101234", "prefix-sends-1h +821012345678", "address-sends-1h 203.0.113.7",
            "country-sends-1h KR", "service-sends-1h", "number-checks-1h +8210123456789", "number-checks-1h 1012345678",
        ] {
            #expect(!command.covers(LimitKey(rawValue: key)), "\(key)")
        }
    }

    @Test func `the entry of the erasure does not tell whom it concerned`() {
        #expect(command.entry == command.entry.unlinked)
        #expect(command.entry.action == .erase)
        #expect(command.entry.owner == .local)
        #expect(command.entry.region == nil)
    }

    @Test func `an owner who is one person is unlinked, and a program stays named`() throws {
        func entry(_ owner: String) throws -> AuditEntry {
            AuditEntry(
                at: Timestamp(seconds: 5),
                action: .begin,
                owner: Owner(rawValue: owner),
                address: ClientAddress("203.0.113.7"),
                verificationID: Verification.ID(bits: 0, 7),
                maskedNumber: "+82 10-****-5678",
                numberDigest: NumberDigest(rawValue: "test:+821012345678"),
                prefixDigest: NumberDigest(rawValue: "test:+82101234"),
                region: .korea,
                verdict: .allow,
                reasons: [.vouched, .prefixConversionPending]
            )
        }
        let signup = try entry("sgn_00000000000000000000000000000001").unlinked
        #expect(signup.owner == nil)
        #expect(try entry("shop").unlinked.owner?.rawValue == "shop")
        #expect((signup.address, signup.maskedNumber) == (nil, nil))
        #expect((signup.numberDigest, signup.prefixDigest) == (nil, nil))
        #expect(
            (signup.at, signup.action, signup.verificationID) == (
                Timestamp(seconds: 5), .begin, Verification.ID(bits: 0, 7)
            )
        )
        #expect((signup.region, signup.verdict) == (.korea, .allow))
        #expect(signup.reasons == [.vouched, .prefixConversionPending])
    }
}
