import CoreEncodings
import PhoneCLI
import PhoneSignup
import Testing

@Suite struct AuditListingTests {
    private let entries: [JSON] = [
        [
            "at": "2026-01-01T00:00:01.000Z", "action": "hold_back", "owner": "operator:shop\u{1B}[2J",
            "address": "203.0.113.7", "verification_id": "ver_00000000000000000000000000000001",
            "masked_number": "+82 10-****-5678", "subject": nil, "reason": nil, "verdict": "block",
            "reasons": ["prefix_blocked", "block_listed"],
        ],
        [
            "at": "2026-01-01T00:00:00.000Z", "action": "block_prefix", "owner": "operator:alice", "address": nil,
            "verification_id": nil, "masked_number": nil, "subject": "+8210123", "reason": "attack of the 1st",
            "verdict": nil, "reasons": [],
        ],
    ]

    @Test func `entries are shown in columns, and nothing in them acts on the terminal`() {
        #expect(
            Listing(entries: entries).table() == """
                TIME                      ACTION        ABOUT             VERIFICATION                          \
                BY                      ADDRESS      DETAILS
                2026-01-01T00:00:01.000Z  hold_back     +82 10-****-5678  ver_00000000000000000000000000000001  \
                operator:shop\\u001b[2J  203.0.113.7  block prefix_blocked block_listed
                2026-01-01T00:00:00.000Z  block_prefix  +8210123          -                                     \
                operator:alice          -            attack of the 1st
                """
        )
    }

    @Test func `in a terminal there are ages and short IDs, and no empty columns`() {
        let now = Timestamp(seconds: 1_767_225_600 + 7200)
        #expect(
            Listing(entries: [entries[1]]).table(.short(now: now)) == """
                TIME    ACTION        ABOUT     BY              DETAILS
                2h ago  block_prefix  +8210123  operator:alice  attack of the 1st
                """
        )
        #expect(Listing(entries: [entries[0]]).table(.short(now: now)).contains("  ver_00000001  "))
    }
}

@Suite struct PastMomentTests {
    private static let now = Timestamp(seconds: 1_767_225_600)

    @Test(arguments: [
        ("90s", "2025-12-31T23:58:30.000Z"), ("30m", "2025-12-31T23:30:00.000Z"), ("2h", "2025-12-31T22:00:00.000Z"),
        ("7d", "2025-12-25T00:00:00.000Z"), ("0d", "2026-01-01T00:00:00.000Z"),
        ("2025-11-21T09:00:00Z", "2025-11-21T09:00:00.000Z"), ("2025-11-21T09:00:00.250Z", "2025-11-21T09:00:00.250Z"),
        ("2025-11-21T09:00:00+09:00", "2025-11-21T00:00:00.000Z"),
    ])
    func `a time is read`(text: String, moment: String) throws {
        #expect(try #require(PastTime(text)).moment(now: Self.now).description == moment)
    }

    @Test(arguments: ["", "d", "7", "-7d", "+7d", "7 d", "7w", "1.5h", "9999999d", "yesterday", "2025-11-21", "７d"])
    func `anything else is not`(text: String) {
        #expect(PastTime(text) == nil)
    }
}
