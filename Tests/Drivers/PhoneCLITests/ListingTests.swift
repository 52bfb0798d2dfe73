import PhoneAdministration
import PhoneCLI
import PhoneDomain
import Testing

@Suite struct ListingTests {
    private static let now = Timestamp(seconds: 1_767_225_600)

    @Test(arguments: [
        (0, "0s ago"), (-59, "59s ago"), (-60, "1m ago"), (-3599, "59m ago"), (-86_399, "23h ago"),
        (-200_000, "2d ago"),
        (1, "in 1s"), (3600, "in 1h"), (90_000, "in 1d"),
    ])
    func `a time is an age in a terminal`(seconds: Int, age: String) {
        let rows = Listing([Self.now + .seconds(seconds)], columns: [.init("TIME", "time") { $0 }])
        #expect(rows.table(.short(now: Self.now)) == "TIME\n\(age)")
    }

    @Test func `a column without values is left out in a terminal, unless that says something`() {
        let rows = Listing(
            [1, 2],
            columns: [
                .init("N", "n") { $0 }, .init("EMPTY", "empty") { _ in String?.none },
                .init("USED", "used", missing: "never") { _ in Timestamp?.none },
            ]
        )
        #expect(rows.table(.short(now: Self.now)) == "N  USED\n1  never\n2  never")
        #expect(rows.table() == "N  EMPTY  USED\n1  -      never\n2  -      never")
    }

    @Test func `an ID is known by its last eight digits or more, or the whole of it`() throws {
        let id = APIKey.ID(bits: 0x0123_4567_89AB_CDEF, 0x0011_2233_4455_6677)
        #expect(id.shortName == "key_44556677")
        for text in ["key_44556677", "key_3344556677", id.description] {
            #expect(try #require(ShortName(text, prefix: "key_")).matches(id.description), "\(text)")
        }
        #expect(try !#require(ShortName("key_44556678", prefix: "key_")).matches(id.description))
        #expect(try !#require(ShortName("ver_44556677", prefix: "ver_")).matches(id.description))
        for text in ["key_4455667", "44556677", "key_4455667G", "key_4455667x", "key_" + id.hexadecimal + "0"] {
            #expect(ShortName(text, prefix: "key_") == nil, "\(text)")
        }
    }
}

@Suite struct GuardListingTests {
    private static let now = Timestamp(seconds: 1_767_225_600)

    private static func traffic(
        _ key: TrafficKey,
        sent: Int,
        approved: Int,
        suppressed: Int = 0,
        hoursAgo: Int64 = 0,
        blockedFor: Duration? = nil
    ) -> KeyedTraffic {
        let hour = Traffic.Hour(
            number: now.milliseconds / 3_600_000 - hoursAgo,
            sent: sent,
            approved: approved,
            suppressed: suppressed
        )
        let traffic = Traffic(hours: [hour], blockedUntil: blockedFor.map { now + $0 }, refusedInBlock: 0)
        return KeyedTraffic(key: key, traffic: traffic)
    }

    private static let traffic = [
        traffic(.service, sent: 1000, approved: 700, suppressed: 10),
        traffic(.country(.korea), sent: 1000, approved: 700, suppressed: 10),
        traffic(.prefix("+82101111"), sent: 90, approved: 70),
        traffic(.prefix("+82102222"), sent: 40, approved: 1, suppressed: 7),
        traffic(.prefix("+82103333"), sent: 5, approved: 0, suppressed: 2, blockedFor: .seconds(7200)),
        traffic(.prefix("+82104444"), sent: 3, approved: 1),
        traffic(.prefix("+82105555"), sent: 8, approved: 0, suppressed: 1),
        traffic(.prefix("+82106666"), sent: 30, approved: 0, hoursAgo: 5),
    ]

    private static func listing(
        _ policy: GuardPolicy = .standard,
        all: Bool = true,
        after place: GuardListing.Place? = nil,
        limit: Int = .max
    ) throws -> GuardListing {
        let rules = try [
            ("+8210444", GuardRule.Action.block, Timestamp?.none, Int64(0)),
            ("+82105555", .allow, now + .seconds(60), 0),
            ("+1", .block, now - .seconds(1), 0),
        ]
        .map { prefix, action, until, seconds in
            try #require(
                GuardRule(prefix: prefix, action: action, until: until, createdAt: Timestamp(seconds: seconds))
            )
        }
        return GuardListing(
            traffic,
            rules: rules,
            policy: policy,
            now: now,
            all: all,
            after: place,
            limit: limit
        )
    }

    @Test func `the worst is first, and what is below the sample is hidden`() throws {
        let text = try Self.listing(all: false, limit: 50).text(.short(now: Self.now))
        #expect(
            text == """
                Last 24 h: 1000 messages, 700 approved (70%), 10 suppressed. Guard: enforce.

                PREFIX     STATE            UNTIL  SENT  APPROVED   SUPPRESSED
                +82106666  blocked          -      30    0 (0%)     0
                +82103333  blocked          in 2h  5     0 (0%)     2
                +8210444   blocked by rule  -      3     1 (33%)    0
                +82102222  challenged       -      40    1 (2%)     7
                +82105555  allowed by rule  in 1m  8     0 (0%)     1
                KR         ok               -      1000  700 (70%)  10
                +82101111  ok               -      90    70 (77%)   0

                1 more with fewer than 20 messages (countries: 500); show them with --all.
                """
        )
        #expect(try Self.listing().page.rows.last?.numbers == "+82101111")
        #expect(try Self.listing().page.rows.map(\.numbers).contains("+82104444"))
    }

    @Test func `more than the limit is counted`() throws {
        let text = try Self.listing(limit: 2).text(.full)
        #expect(
            text.hasSuffix(
                "+82103333  blocked  2026-01-01T02:00:00.000Z  5     0 (0%)    2\n\n6 more; show them with --limit."
            )
        )
    }

    @Test func `a list goes on behind the place of its last row, whatever was added and dropped meanwhile`() throws {
        let all = try Self.listing().page.rows.map(\.numbers)
        #expect(all.count == 8)
        var (found, place): ([String], GuardListing.Place?) = ([], nil)
        for left in [5, 2, 0] {
            let (rows, more) = try Self.listing(after: place, limit: 3).page
            #expect(more == left)
            found += rows.map(\.numbers)
            place = rows.last.flatMap { GuardListing.Place($0.place.description) }
            #expect(place != nil)
        }
        #expect(found == all)
        #expect(GuardListing.Place("1 2") == nil)
        var listing = GuardListing([], rules: [], policy: .standard, now: Self.now, limit: 2)
        for index in 0..<3000 {
            listing.add([Self.traffic(.prefix("+8210\(1000 + index)"), sent: 1 + index % 10, approved: 1)])
        }
        #expect(listing.page.rows.map(\.numbers) == ["+82101009", "+82101019"])
        #expect(listing.page.more == 2998)
    }

    @Test func `networks are judged by their own samples, and hidden where they have little traffic`() throws {
        let traffic = ["2001:db8:1:2::/64": 40, "2001:db8:1::/48": 39, "203.0.113.7": 42, "203.0.113.8": 19].map {
            Self.traffic(.network(ClientAddress.Network($0)!), sent: $1, approved: 1, suppressed: 3)
        }
        let text = GuardListing(traffic, rules: [], policy: .standard, now: Self.now, all: false).text(.full)
        #expect(
            text == """
                Last 24 h: 0 messages, 0 approved, 0 suppressed. Guard: enforce.

                PREFIX             STATE       UNTIL  SENT  APPROVED  SUPPRESSED
                203.0.113.7        challenged  -      42    1 (2%)    3
                2001:db8:1:2::/64  challenged  -      40    1 (2%)    3
                2001:db8:1::/48    ok          -      39    1 (2%)    3

                1 more with fewer than 20 messages (countries: 500); show them with --all.
                """
        )
    }

    @Test func `a guard that only observes blocks nothing`() throws {
        let rows = try Self.listing(GuardPolicy(mode: .shadow), all: false).page.rows
        #expect(rows.first { $0.numbers == "+82102222" }?.state == .observed)
        #expect(rows.first { $0.numbers == "+82106666" }?.state == .observed)
        let none = GuardListing([], rules: [], policy: .standard, now: Self.now).text(.full)
        #expect(
            none == """
                Last 24 h: 0 messages, 0 approved, 0 suppressed. Guard: enforce.

                Nothing is blocked or challenged, and there are no rules.
                """
        )
    }

    @Test func `JSON has everything, the worst first`() throws {
        let json = try Self.listing(limit: 4).json
        #expect(
            json == """
                {
                  "rules": [
                    {
                      "prefix": "+8210444",
                      "action": "block",
                      "created_at": "1970-01-01T00:00:00.000Z"
                    },
                    {
                      "prefix": "+82105555",
                      "action": "allow",
                      "until": "2026-01-01T00:01:00.000Z",
                      "created_at": "1970-01-01T00:00:00.000Z"
                    }
                  ],
                  "traffic": [
                    {
                      "numbers": "+82106666",
                      "state": "blocked",
                      "sent": 30,
                      "approved": 0,
                      "suppressed": 0
                    },
                    {
                      "numbers": "+82103333",
                      "state": "blocked",
                      "until": "2026-01-01T02:00:00.000Z",
                      "sent": 5,
                      "approved": 0,
                      "suppressed": 2
                    },
                    {
                      "numbers": "+8210444",
                      "state": "blocked_by_rule",
                      "sent": 3,
                      "approved": 1,
                      "suppressed": 0
                    },
                    {
                      "numbers": "+82104444",
                      "state": "blocked_by_rule",
                      "sent": 3,
                      "approved": 1,
                      "suppressed": 0
                    }
                  ]
                }
                """
        )
    }
}

@Suite struct LimitsListingTests {
    private static let now = Timestamp(seconds: 1_767_225_600)

    /// A meter of an hourly limit of which this many are used.
    private static func meter(_ key: String, used: Int64, of quota: Int64) -> MeterInUse {
        let fullAt = RateMeter.fullAt(now) + used * (3_600_000_000 / quota)
        return MeterInUse(key: LimitKey(rawValue: key), meter: RateMeter(fullAt: fullAt))
    }

    private static func listing() throws -> LimitsListing {
        var policy = LimitPolicy.none
        policy.sendsByAddress = [try #require(RateLimit("30/1h"))]
        policy.sendsByCountry = [try #require(RateLimit("100/1h"))]
        policy.dailyBudget = 500
        let meters = [
            meter("country-sends-1h KR", used: 60, of: 100), meter("address-sends-1h 203.0.113.7", used: 29, of: 30),
            meter("address-sends-1h 203.0.113.8", used: 14, of: 30),
            meter("address-sends-1m 203.0.113.9", used: 1, of: 30),
        ]
        let closure = NumberActivity(
            recentSends: [],
            sendsInRun: 0,
            consecutiveFailures: 100,
            lastFailureAt: now - .seconds(3600)
        )
        .closure(at: now, policy: .standard)
        return LimitsListing(
            meters,
            lockedNumbers: [("+821012345678", try #require(closure))],
            sent: 67,
            limits: policy,
            now: now
        )
    }

    @Test func `the nearest to exhaustion is first, and what is less than half used is hidden`() throws {
        #expect(
            try Self.listing().text(all: false, limit: 9, .short(now: Self.now)) == """
                Messages in the last 24 hours: 67/500

                LIMIT                         USED    RESET
                address-sends-1h 203.0.113.7  29/30   in 58m
                country-sends-1h KR           60/100  in 36m

                LOCKED NUMBER     LIMIT            UNTIL
                +82 10-****-5678  number-failures  in 23h

                1 less than half used; show them with --all.
                1 of a size that is not known here; show them with --all.
                """
        )
        #expect(
            try Self.listing().rows(all: true).map(\.key.description) == [
                "address-sends-1h 203.0.113.7", "country-sends-1h KR", "address-sends-1h 203.0.113.8",
                "address-sends-1m 203.0.113.9",
            ]
        )
        let text = try Self.listing().text(all: true, limit: 1, .full)
        #expect(text.hasSuffix("\n\n3 more; show them with --limit."))
    }

    @Test func `JSON has everything, and no number in clear`() throws {
        let json = try Self.listing().json(limit: 9)
        #expect(json.contains(#""key": "address-sends-1m 203.0.113.9""#))
        for member in [
            #""quota": 30"#, #""remaining": 1"#, #""used": 29"#, #""sent_last_day": 67"#, #""daily_budget": 500"#,
        ] {
            #expect(json.contains(member), "\(member)")
        }
        #expect(!json.contains("12345678"))
    }

    @Test func `a budget that is used up and a limit of a size that is not known are not called nothing`() {
        let meter = MeterInUse(key: LimitKey(rawValue: "tenant-x"), meter: RateMeter(fullAt: 0))
        var policy = LimitPolicy.none
        policy.dailyBudget = 20
        let listing = LimitsListing([meter], lockedNumbers: [], sent: 20, limits: policy, now: Self.now)
        #expect(
            listing.text(all: false, limit: 9, .full) == """
                Messages in the last 24 hours: 20/20

                1 of a size that is not known here; show them with --all.
                """
        )
        #expect(listing.text(all: true, limit: 9, .full).contains("tenant-x"))
    }

    @Test func `nothing is a sentence`() {
        let text = LimitsListing([], lockedNumbers: [], sent: 0, limits: .none, now: Self.now).text(
            all: false,
            limit: 9,
            .full
        )
        #expect(
            text == """
                Messages in the last 24 hours: 0, no daily budget

                No limit is nearly used up, and no number is locked.
                """
        )
    }
}
