import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

extension StoreSuite {
    private static func limits(_ text: String) throws -> [RateLimit] {
        [try #require(RateLimit(text))]
    }

    /// The `index`th number of a block of its own.
    private static func scattered(_ index: Int) -> String { "010-\(2000 + index)-0000" }

    private static func expect(
        _ policy: LimitPolicy,
        refuses name: String,
        _ store: any SQLStore,
        _ request: @escaping @Sendable (Int) -> (phone: String, address: String?)
    ) async throws {
        let scene = try LimitScene(store, limits: policy)
        let refusals = try await scene.requestAtOnce(200, request)
        #expect(refusals.count { $0 == [] } == 30)
        #expect(refusals.count { $0 == [name] } == 170)
        #expect(try await store.claim(limit: 1000, at: scene.now, until: scene.now + .seconds(60)).count == 30)
        #expect(try await scene.store.traffic(of: .service).hours.map(\.sent) == [30])
    }

    static let limitRules = [
        StoreRule("of 200 requests at once from one address as many come through as its limit says") { scene in
            try await expect(
                .only { $0.sendsByAddress = try limits("30/1h") },
                refuses: "address-sends-1h",
                scene.store
            ) {
                (scattered($0), LimitScene.address)
            }
        },
        StoreRule("of 200 requests at once as many come through as the limit of the service says") { scene in
            try await expect(
                .only { $0.sendsByService = try limits("30/1h") },
                refuses: "service-sends-1h",
                scene.store
            ) { ($0.isMultiple(of: 2) ? scattered($0) : "+1 201 555 \(1000 + $0)", nil) }
        },
        StoreRule("of 200 requests at once as many come through as the budget of the day says") { scene in
            try await expect(.only { $0.dailyBudget = 30 }, refuses: "service-budget-1d", scene.store) {
                (scattered($0), nil)
            }
        },
        StoreRule("one address, prefix or country that is used up is no other's affair") { scene in
            let policy = try LimitPolicy.only {
                $0.sendsByAddress = try limits("1/1h")
                $0.sendsByPrefix = try limits("2/1h")
                $0.sendsByCountry = try limits("3/1h")
            }
            let limited = try LimitScene(scene.store, limits: policy)
            let refusals = { (phone: String, address: String) in
                try await refusingLimits { try await limited.request(phone, from: address) }
            }
            #expect(try await refusals("010-1234-0001", "203.0.113.1") == [])
            #expect(try await refusals("010-5678-0001", "203.0.113.1") == ["address-sends-1h"])
            #expect(try await refusals("010-1234-0002", "203.0.113.2") == [])
            #expect(try await refusals("010-1234-0003", "203.0.113.2") == ["address-sends-1h", "prefix-sends-1h"])
            #expect(try await refusals("010-5678-0001", "203.0.113.3") == [])
            #expect(try await refusals("010-5678-0002", "203.0.113.4") == ["country-sends-1h"])
            #expect(try await refusals("+1 201 555 0123", "203.0.113.4") == [])
        },
        StoreRule("a refused request takes nothing from any limit") { scene in
            let policy = try LimitPolicy.only {
                $0.sendsByAddress = try limits("1/1h")
                $0.sendsByPrefix = try limits("2/1h")
            }
            let limited = try LimitScene(scene.store, limits: policy)
            try await limited.request("010-1234-0001", from: "203.0.113.1")
            for _ in 0..<5 {
                #expect(
                    try await refusingLimits { try await limited.request("010-1234-0002", from: "203.0.113.1") }
                        == ["address-sends-1h"]
                )
            }
            let meters = try await scene.store.metersInUse(at: limited.now, limit: 10)
            #expect(
                meters == [
                    MeterInUse(
                        key: LimitKey(rawValue: "address-sends-1h 203.0.113.1"),
                        meter: RateMeter(fullAt: (LimitScene.start + .seconds(3600)).milliseconds * 1000)
                    ),
                    MeterInUse(
                        key: LimitKey(rawValue: "prefix-sends-1h +82101234"),
                        meter: RateMeter(fullAt: (LimitScene.start + .seconds(1800)).milliseconds * 1000)
                    ),
                ]
            )
            #expect(
                try await refusingLimits { try await limited.request("010-1234-0002", from: "203.0.113.2") } == []
            )
        },
        StoreRule("an operation that fails takes nothing from any limit and is no traffic") { scene in
            let policy = try LimitPolicy.only {
                $0.sendsByService = try limits("1/1h")
                $0.checksByAddress = try limits("1/1h")
            }
            let broken = try LimitScene(scene.store, limits: policy, digester: BrokenDigester())
            await #expect(throws: PhoneFailure.self) { try await broken.request("010-1234-0001") }
            #expect(try await scene.store.metersInUse(at: broken.now, limit: 10) == [])
            #expect(try await scene.store.traffic(of: .service) == .none)

            let limited = try LimitScene(scene.store, limits: policy)
            let begun = try await limited.request("010-1234-0001")
            let noVault = try LimitScene(scene.store, limits: policy, vault: BrokenVault())
            await #expect(throws: PhoneFailure.self) {
                try await noVault.check(StoreScene.rightCode, begun.id, from: LimitScene.address)
            }
            try await limited.check(StoreScene.rightCode, begun.id, from: LimitScene.address)
        },
        StoreRule("of 200 wrong codes at once from one address as many are compared as its limit says") { scene in
            let policy = try LimitPolicy.only { $0.checksByAddress = try limits("30/1h") }
            let limited = try LimitScene(scene.store, limits: policy)
            var begun: [Verification.ID] = []
            for index in 0..<50 { begun.append(try await limited.request(scattered(index)).id) }
            let ids = begun
            let failures = try await atOnce(200) { index in
                try await scene.refusal {
                    try await limited.check(StoreScene.wrongCode, ids[index % 50], from: LimitScene.address)
                }?.code ?? "approved"
            }
            #expect(failures.count { $0 == "code_incorrect" } == 30)
            #expect(failures.count { $0 == "rate_limited" } == 170)
        },
        StoreRule("of 200 signups begun at once from one address as many are as its limit says") { scene in
            let policy = try LimitPolicy.only { $0.signupsByAddress = try limits("30/1h") }
            let refusals = try await atOnce(200) { index in
                try await scene.refusal {
                    try await scene.store.begin(
                        BeginSignup(signup(UInt64(index + 1)), from: ClientAddress(LimitScene.address), limits: policy)
                    )
                }
            }
            #expect(refusals.count { $0 == nil } == 30)
            let quota = QuotaPolicy(name: "address-signups-1h", quota: 30, window: .seconds(3600))
            let refused = PhoneFailure.rateLimited(policies: [quota], retryAt: StoreScene.start + .seconds(120))
            #expect(refusals.count { $0 == refused } == 170)
            try await scene.store.begin(BeginSignup(signup(201), from: ClientAddress("203.0.113.8"), limits: policy))
        },
        StoreRule("the meters of a policy are found a page at a time, those first that are full last") { scene in
            let policy = try LimitPolicy.only {
                $0.sendsByAddress = try limits("4/1h")
                $0.sendsByService = try limits("9/1d")
            }
            let limited = try LimitScene(scene.store, limits: policy)
            for (person, address) in [1, 1, 2, 3, 3, 3, 4].enumerated() {
                try await limited.request(scattered(person), from: "203.0.113.\(address)")
            }
            let store = scene.store
            #expect(
                try await store.limitPolicies().map(\.description) == [
                    "address-sends-1h 203.0.113.1", "service-sends-1d",
                ]
            )
            var (found, last) = ([String](), MeterInUse?.none)
            repeat {
                let page = try await store.metersInUse(of: "address-sends-1h", at: limited.now, after: last, limit: 1)
                found += page.map { String($0.key.description.suffix(1)) }
                last = page.last
            } while last != nil && found.count < 9
            #expect(found == ["3", "1", "2", "4"])
        },
        StoreRule("a key that is cleared has its whole quota again") { scene in
            let policy = try LimitPolicy.only { $0.sendsByPrefix = try limits("1/1h") }
            let limited = try LimitScene(scene.store, limits: policy)
            try await limited.request("010-1234-0001")
            let key = LimitKey(rawValue: "prefix-sends-1h +82101234")
            #expect(try await refusingLimits { try await limited.request("010-1234-0002") } == ["prefix-sends-1h"])
            #expect(try await scene.store.clear(key))
            #expect(try await scene.store.metersInUse(at: limited.now, limit: 10) == [])
            #expect(try await refusingLimits { try await limited.request("010-1234-0002") } == [])
            #expect(try await scene.store.clear(LimitKey(rawValue: "prefix-sends-1h +82109999")) == false)
        },
        StoreRule("numbers that had much are found, and forgotten when they are cleared") { scene in
            let limited = try LimitScene(scene.store)
            let begun = try await limited.request("010-1234-0002")
            try await limited.request("010-1234-0002")
            try await limited.request("010-1234-0001")
            let wrong = await #expect(throws: PhoneFailure.self) {
                try await limited.check(StoreScene.wrongCode, begun.id)
            }
            #expect(wrong?.checksLeft == 4)
            let second = ActiveNumber(
                e164: "+821012340002",
                activity: NumberActivity(
                    recentSends: [LimitScene.start, LimitScene.start],
                    sendsInRun: 2,
                    consecutiveFailures: 1,
                    lastFailureAt: LimitScene.start
                )
            )
            #expect(try await scene.store.activeNumbers(sends: 2, failures: 100, after: "", limit: 10) == [second])
            #expect(try await scene.store.activeNumbers(sends: 100, failures: 1, after: "", limit: 10) == [second])
            #expect(try await scene.store.activeNumbers(sends: 3, failures: 2, after: "", limit: 10) == [])
            #expect(
                try await scene.store.activeNumbers(sends: 1, failures: 1, after: "", limit: 1).map(\.e164) == [
                    "+821012340001"
                ]
            )
            #expect(try await scene.store.clearActivity(of: PhoneNumber(e164: second.e164)))
            #expect(try await scene.store.clearActivity(of: PhoneNumber(e164: second.e164)) == false)
            #expect(
                try await scene.store.activeNumbers(sends: 1, failures: 1, after: "", limit: 10).map(\.e164) == [
                    "+821012340001"
                ]
            )
        },
        StoreRule("a purge takes meters that are full again, and none that is in use") { scene in
            let policy = try LimitPolicy.only {
                $0.sendsByPrefix = try limits("2/1h")
                $0.sendsByService = try limits("1/1d")
            }
            let limited = try LimitScene(scene.store, limits: policy)
            try await limited.request("010-1234-0001")
            #expect(try await scene.store.purgeTraffic(at: limited.now + .milliseconds(1_799_999), limit: 10) == 0)
            #expect(try await scene.store.purgeTraffic(at: limited.now + .seconds(1800), limit: 10) == 1)
            #expect(
                try await scene.store.metersInUse(at: limited.now, limit: 10).map(\.key.description)
                    == ["service-sends-1d"]
            )
        },
        StoreRule(
            "one address has half of what a number may have in a day, until it proves the number",
            policy: { try .hurried(sendsPerDay: 10) }
        ) { scene in
            let (here, there) = (ClientAddress("192.0.2.1"), ClientAddress("2001:db8::1"))
            func ask(_ person: UInt64, _ address: ClientAddress?) async throws -> PhoneFailure? {
                let owner = Owner.signup(Signup.ID(bits: 0, person))
                return try await scene.refusal { try await scene.request(as: owner, from: address) }
            }
            let first = Owner.signup(Signup.ID(bits: 0, 1))
            let begun = try await scene.request(as: first, from: here)
            for person in 2...5 as ClosedRange<UInt64> { #expect(try await ask(person, here) == nil) }
            scene.advance(by: .seconds(60))
            let closed = PhoneFailure.rateLimited(
                policies: [QuotaPolicy(name: "address-number-day", quota: 5, window: .seconds(86_400))],
                retryAt: StoreScene.start + .seconds(86_400)
            )
            #expect(try await ask(6, here) == closed)
            // Another address, and a program with a key, are not kept out by that.
            #expect(try await ask(7, there) == nil)
            #expect(try await scene.refusal { try await scene.request(from: here) } == nil)
            #expect(try await ask(6, here) == closed)
            try await scene.check(StoreScene.rightCode, begun.id, as: first, from: here)
            #expect(try await ask(8, here) == nil)
        },
        StoreRule(
            "a network has half of what a number may have in a day, whichever of its addresses asks",
            policy: { try .hurried(sendsPerDay: 10) }
        ) { scene in
            func ask(_ person: UInt64, _ network: String) async throws -> PhoneFailure? {
                let address = ClientAddress("\(network):\(person)::1")
                return try await scene.refusal {
                    try await scene.request(as: .signup(Signup.ID(bits: 0, person)), from: address)
                }
            }
            for person in 1...5 as ClosedRange<UInt64> { #expect(try await ask(person, "2001:db8:1") == nil) }
            let closed = PhoneFailure.rateLimited(
                policies: [QuotaPolicy(name: "address-number-day", quota: 5, window: .seconds(86_400))],
                retryAt: StoreScene.start + .seconds(86_400)
            )
            let (sixth, other) = (try await ask(6, "2001:db8:1"), try await ask(7, "2001:db8:2"))
            #expect(sixth == closed)
            #expect(other == nil)
        },
        StoreRule("of 50 takes at once as many come through as the limit says, and a refused one takes nothing") {
            scene in
            let few = LimitRule("looks", try #require(RateLimit("7/1h")), of: "a")
            let many = LimitRule("looks", try #require(RateLimit("20/1d")), of: "a")
            let take = TakeLimits(rules: [few, many], now: StoreScene.start)
            let refusals = try await atOnce(50) { _ in try await refusingLimits { try await scene.store.take(take) } }
            #expect(refusals.count { $0 == [] } == 7)
            #expect(refusals.count { $0 == ["looks-1h"] } == 43)
            var left = 0
            let one = TakeLimits(rules: [many], now: StoreScene.start)
            while try await scene.refusal({ try await scene.store.take(one) }) == nil { left += 1 }
            #expect(left == 13)
        },
    ]
}
