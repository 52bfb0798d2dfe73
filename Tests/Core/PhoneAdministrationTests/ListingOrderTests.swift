import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Testing

@testable import PhoneAdministration

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
        let traffic = Traffic(hours: [hour], blockedUntil: blockedFor.map { now + $0 })
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
        let listing = try Self.listing(all: false, limit: 50)
        #expect(
            listing.page.rows.map { "\($0.numbers) \($0.state.rawValue) \($0.sent) \($0.approved) \($0.suppressed)" }
                == [
                    "+82106666 blocked 30 0 0", "+82103333 blocked 5 0 2", "+8210444 blocked_by_rule 3 1 0",
                    "+82102222 challenged 40 1 7", "+82105555 allowed_by_rule 8 0 1", "KR ok 1000 700 10",
                    "+82101111 ok 90 70 0",
                ]
        )
        #expect(listing.page.rows.map(\.until)[1] == Self.now + .seconds(7200))
        #expect(listing.small == 1)
        #expect(try Self.listing().page.rows.last?.numbers == "+82101111")
        #expect(try Self.listing().page.rows.map(\.numbers).contains("+82104444"))
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
        let listing = GuardListing(traffic, rules: [], policy: .standard, now: Self.now, all: false)
        #expect(
            listing.page.rows.map { "\($0.numbers) \($0.state.rawValue)" } == [
                "203.0.113.7 challenged", "2001:db8:1:2::/64 challenged", "2001:db8:1::/48 ok",
            ]
        )
        #expect(listing.small == 1)
    }

    @Test func `a guard that only observes blocks nothing`() throws {
        let rows = try Self.listing(GuardPolicy(mode: .shadow), all: false).page.rows
        #expect(rows.first { $0.numbers == "+82102222" }?.state == .observed)
        #expect(rows.first { $0.numbers == "+82106666" }?.state == .observed)
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
        let meters = [
            meter("country-sends-1h KR", used: 60, of: 100), meter("address-sends-1h 203.0.113.7", used: 29, of: 30),
            meter("address-sends-1h 203.0.113.8", used: 14, of: 30),
            meter("address-sends-1m 203.0.113.9", used: 1, of: 30),
        ]
        var listing = LimitsListing(limits: policy, now: now)
        listing.add(meters)
        listing.finish(limit: .max)
        return listing
    }

    @Test func `the nearest to exhaustion is first, and what is of no known size last`() throws {
        #expect(
            try Self.listing().sorted.map(\.key.description) == [
                "address-sends-1h 203.0.113.7", "country-sends-1h KR", "address-sends-1h 203.0.113.8",
                "address-sends-1m 203.0.113.9",
            ]
        )
    }
}

@Suite struct GuardOutlookTests {
    @Test func `other samples and percentages close other prefixes`() throws {
        let prefixes = [
            Traffic.Sample(sent: 9): 1000, Traffic.Sample(sent: 30, approved: 1): 2,
            Traffic.Sample(sent: 100, approved: 60): 5,
        ]
        func outlook(_ level: GuardPolicy.Level, _ kind: TrafficKey.Kind = .prefix) -> [Int] {
            let outlook = GuardPolicy(level: level).outlook(prefixes, of: kind)
            return [outlook.requested, outlook.closed, outlook.suppressed, outlook.approved]
        }
        #expect(outlook(.basic) == [9560, 0, 0, 0])
        // One approval justifies six messages.
        #expect(outlook(.standard) == [9560, 2, 8, 2])
        #expect(outlook(.max) == [9560, 2, 30, 2])
        // Of networks as large as these it takes twice as many.
        for kind in [TrafficKey.Kind.network56, .network48] { #expect(outlook(.max, kind) == [9560, 2, 10, 2]) }
        for kind in [TrafficKey.Kind.address, .network64] { #expect(outlook(.max, kind) == [9560, 2, 30, 2]) }
        #expect(outlook(.max, .country) == [9560, 0, 0, 0])
        let countries = GuardPolicy(level: .max).outlook([Traffic.Sample(sent: 500, approved: 20): 1], of: .country)
        #expect([countries.closed, countries.suppressed, countries.approved] == [1, 100, 20])
    }
}
