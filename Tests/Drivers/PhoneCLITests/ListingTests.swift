import CoreEncodings
import PhoneCLI
import PhoneDomain
import PhoneSignup
import Testing

@Suite struct ListingTests {
    private static let now = Timestamp(seconds: 1_767_225_600)

    @Test(arguments: [
        (0, "0s ago"), (-59, "59s ago"), (-60, "1m ago"), (-3599, "59m ago"), (-86_399, "23h ago"),
        (-200_000, "2d ago"),
        (1, "in 1s"), (3600, "in 1h"), (90_000, "in 1d"),
    ])
    func `a time is an age in a terminal`(seconds: Int, age: String) {
        let rows = Listing([["at": .string((Self.now + .seconds(seconds)).description)]], [.init("TIME", "at")])
        #expect(rows.table(.short(now: Self.now)) == "TIME\n\(age)")
    }

    @Test func `a column without values is left out in a terminal, unless that says something`() {
        let rows = Listing(
            [["n": 1], ["n": 2]],
            [.init("N", "n"), .init("EMPTY", "empty"), .init("USED", "used.at", missing: "never")]
        )
        #expect(rows.table(.short(now: Self.now)) == "N  USED\n1  never\n2  never")
        #expect(rows.table() == "N  EMPTY  USED\n1  -      never\n2  -      never")
    }

    @Test func `an ID is known by its last eight digits or more, or the whole of it`() throws {
        let id = APIKey.ID(bits: 0x0123_4567_89AB_CDEF, 0x0011_2233_4455_6677)
        #expect(ListingStyle.short(now: Self.now).text(of: "by \(id)") == "by key_44556677")
        for text in ["key_44556677", "key_3344556677", id.description] {
            #expect(try #require(ShortName(text)).matches(id.description), "\(text)")
        }
        #expect(try !#require(ShortName("key_44556678")).matches(id.description))
        #expect(try !#require(ShortName("ver_44556677")).matches(id.description))
        for text in ["key_4455667", "44556677", "key_4455667G", "key_4455667x", "key_" + id.hexadecimal + "0"] {
            #expect(ShortName(text) == nil, "\(text)")
        }
    }
}

/// What commands print of the admin API's responses.
@Suite struct AdminTableTests {
    private static let now = Timestamp(seconds: 1_767_225_600)

    private static func json(_ text: String) throws -> JSON {
        try #require(Array(text.utf8).withUnsafeBytes { JSON(parsing: $0) })
    }

    private static let traffic = """
        {"items": [
         {"numbers": "+82103333", "state": "blocked_by_rule", "until": "2026-01-01T02:00:00.000Z", "sent": 5,
          "approved": 0, "suppressed": 2},
         {"numbers": "KR", "state": "ok", "until": null, "sent": 1000, "approved": 700, "suppressed": 10}],
         "next_cursor": null, "more": 6, "mode": "enforce", "last_day": {"sent": 1000, "approved": 700, "suppressed": 10},
         "hidden": {"count": 1, "prefix_sample": 20, "country_sample": 500}}
        """

    @Test func `the traffic is a summary, a table, and what it leaves out`() throws {
        #expect(
            GuardTable(try Self.json(Self.traffic)).text(.short(now: Self.now)) == """
                Last 24 h: 1000 messages, 700 approved (70%), 10 suppressed. Guard: enforce.

                PREFIX     STATE            UNTIL  SENT  APPROVED   SUPPRESSED
                +82103333  blocked by rule  in 2h  5     0 (0%)     2
                KR         ok               -      1000  700 (70%)  10

                6 more; show them with --limit.
                1 more with fewer than 20 messages (countries: 500); show them with --all.
                """
        )
        let none = #"{"items": [], "mode": "off", "last_day": {"sent": 0, "approved": 0, "suppressed": 0}}"#
        #expect(
            GuardTable(try Self.json(none)).text(.full) == """
                Last 24 h: 0 messages, 0 approved, 0 suppressed. Guard: off.

                Nothing is blocked or challenged, and there are no rules.
                """
        )
    }

    private static let limits = """
        {"items": [
         {"limit": "address-sends-1h 203.0.113.7", "used": 29, "quota": 30, "full_at": "2026-01-01T00:58:00.000Z"},
         {"limit": "number-calls-1h +821012345678", "used": 60, "quota": 100, "full_at": "2026-01-01T00:36:00.000Z"},
         {"limit": "address-sends-1h 203.0.113.8", "used": 14, "quota": 30, "full_at": "2026-01-01T00:28:00.000Z"},
         {"limit": "address-sends-1m 203.0.113.9", "used": null, "quota": null, "full_at": "2026-01-01T00:00:02.000Z"}],
         "next_cursor": null, "sent_last_day": 67, "daily_budget": 500, "locked_numbers": [
         {"phone_number": "+821012345678", "policy": "number-failures", "until": "2026-01-01T23:00:00.000Z"}]}
        """

    @Test func `limits that are less than half used are hidden, and no number is shown in full`() throws {
        let table = LimitsTable(try Self.json(Self.limits))
        #expect(
            table.text(all: false, limit: 9, .short(now: Self.now)) == """
                Messages in the last 24 hours: 67/500

                LIMIT                             USED    RESET
                address-sends-1h 203.0.113.7      29/30   in 58m
                number-calls-1h +82 10-****-5678  60/100  in 36m

                LOCKED NUMBER     LIMIT            UNTIL
                +82 10-****-5678  number-failures  in 23h

                1 less than half used; show them with --all.
                1 of a size that is not known here; show them with --all.
                """
        )
        #expect(table.text(all: true, limit: 1, .full).hasSuffix("\n\n3 more; show them with --limit."))
    }

    @Test func `a budget that is used up is not called nothing`() throws {
        let used = try Self.json(#"{"items": [], "sent_last_day": 20, "daily_budget": 20, "locked_numbers": []}"#)
        #expect(LimitsTable(used).text(all: false, limit: 9, .full) == "Messages in the last 24 hours: 20/20")
        let nothing = try Self.json(#"{"items": [], "sent_last_day": 0, "daily_budget": null, "locked_numbers": []}"#)
        #expect(
            LimitsTable(nothing).text(all: false, limit: 9, .full) == """
                Messages in the last 24 hours: 0, no daily budget

                No limit is nearly used up, and no number is locked.
                """
        )
    }
}
