import PhoneAccounts
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneAdministration
@testable import PhoneDomain

@Suite struct EraseNumberTests {
    private let command: EraseNumber

    init() throws {
        command = try Self.erasing("+821012345678")
    }

    private static func erasing(_ e164: String) throws -> EraseNumber {
        try EraseNumber(
            PhoneNumber(e164: e164),
            digester: PlainNumberDigester(),
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
            verificationID: verification.map { Verification.ID(bits: 0, $0) }
        )
    }

    @Test(arguments: [
        ("010-1234-5678", "KR"), ("01012345678", "KR"), ("+82 10-1234-5678", "US"), ("０１０ １２３４ ５６７８", "KR"),
        ("1012345678", "KR"), ("+82 010 1234 5678", "JP"), (" 010.1234.5678 ", "KR"),
        ("🙂010-1234-5678", "KR"), ("010 1234 5678 x9", "KR"), ("call +82 10-1234-5678;ext=7", "US"),
    ])
    func `a phone field that contains the number goes`(text: String, region: String) throws {
        #expect(command.covers(try signup(text, region: region), of: []))
    }

    @Test(arguments: [
        ("", "KR"), ("010-", "KR"), ("010-1234-567", "KR"), ("010-1234-56789", "KR"), ("010-1234-5679", "KR"),
        ("010-1234-5678", "US"), ("🙂010-1234-56789", "KR"),
    ])
    func `one that does not stays`(text: String, region: String) throws {
        #expect(!command.covers(try signup(text, region: region), of: []))
    }

    @Test func `a signup goes for its verification, whatever is in its field`() throws {
        #expect(command.covers(try signup("010-", verification: 7), of: [Verification.ID(bits: 0, 7)]))
        #expect(!command.covers(try signup("010-", verification: 8), of: [Verification.ID(bits: 0, 7)]))
    }

    @Test(arguments: [
        (#"{"a":"010-1234-5678"}"#, #"{"a":"[erased 1]"}"#),
        (
            #"{"a":["+821012345678","+82 (0)10 1234 5678","０１０ １２３４ ５６７８"],"b":1}"#,
            #"{"a":["[erased 1]","[erased 2]","[erased 3]"],"b":1}"#
        ),
        (#"{"call 010.1234.5678\nor 010-1234-5679":"x"}"#, #"{"call [erased 1]\nor 010-1234-5679":"x"}"#),
        (#"{"a":"02-123-4567/010-1234-5678 010-8765-4321"}"#, #"{"a":"02-123-4567/[erased 1] 010-8765-4321"}"#),
        (#"{"a":"\"\u00011012345678\\"}"#, #"{"a":"\"\u0001[erased 1]\\"}"#),
        (#"{"a":821012345678,"b":[1012345678,-1012345678]}"#, #"{"a":null,"b":[null,-1012345678]}"#),
        // Each name in an object is its own, also behind an earlier erasure.
        (#"{"[erased 1]":0,"01012345678":1,"+821012345678":2}"#, #"{"[erased 1]":0,"[erased 2]":1,"[erased 3]":2}"#),
        (#"{"한글 이름":"전화 010 1234 5678 번"}"#, #"{"한글 이름":"전화 [erased 1] 번"}"#),
    ])
    func `in metadata a mark stands where the number stood`(json: String, redacted: String) {
        #expect(command.erased(from: AccountMetadata(json: json)) == AccountMetadata(json: redacted))
    }

    @Test(arguments: [
        "{}", #"{"a":"010-1234-5679"}"#, #"{"a":"21012345678","b":"0101234567"}"#,
        #"{"a":10.12345678,"b":1012345678e1}"#,
        #"{"a":1.1012345678,"b":1012345678.0}"#, #"{"a":"010-1234-","b":"5678"}"#,
        #"{"a":true,"b":"x1012345678901234567890"}"#,
    ])
    func `what is no such number stays in metadata`(json: String) {
        #expect(command.erased(from: AccountMetadata(json: json)) == nil)
    }

    @Test func `only what ends as the number is parsed`() {
        for text in ["010 1234 5678", "12345678", "+82 10-1234-5678"] {
            #expect(command.mayBeNumber(text.unicodeScalars))
        }
        for text in ["8 8 8 8 8 8 8 8 8 8", "010-8765-4321", "5678", "1234 5678 010 1234 5678 0101234 5678"] {
            #expect(!command.mayBeNumber(text.unicodeScalars))
        }
        // As many digits of the number as there is room for, none of them a whole one.
        let metadata = AccountMetadata(json: #"{"a":"\#(String(repeating: "8 ", count: 8000))"}"#)
        #expect(command.erased(from: metadata) == nil)
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

    @Test func `the audit entry of an erasure does not identify the person`() {
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
        #expect(try entry("caller:shop").unlinked.owner?.rawValue == "caller:shop")
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

    @Test(arguments: [
        ("asked by +821012345678 / 010-1234-5678", "asked by [erased 1] / [erased 2]"),
        (#"\"０１０ １２３４ ５６７８\" of 010-1234-5679"#, #"\"[erased 1]\" of 010-1234-5679"#),
        ("ticket 7", "ticket 7"),
    ])
    func `its own reason does not keep the number`(reason: String, left: String) throws {
        let command = try EraseNumber(
            PhoneNumber(e164: "+821012345678"),
            by: Operator(reason: AuditReason(reason)),
            digester: PlainNumberDigester(),
            now: Timestamp(seconds: 0)
        )
        #expect(command.entry.reason?.description == left)
    }
}
