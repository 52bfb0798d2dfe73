import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDomain

extension StoreSuite {
    private static func rule(
        _ prefix: String,
        _ action: GuardRule.Action,
        until: Timestamp? = nil
    ) throws -> GuardRule {
        try #require(GuardRule(prefix: prefix, action: action, until: until, createdAt: StoreScene.start))
    }

    /// A guard that goes by five messages, behind which `count` messages went to a prefix and nobody typed a code.
    private static func pumped(_ store: any SQLStore, count: Int = 5) async throws -> LimitScene {
        let scene = try LimitScene(store, guarding: try GuardPolicy(prefixSample: 5, blockTime: .seconds(7200)))
        for index in 0..<count { try await scene.request("010-1234-\(5000 + index)") }
        return scene
    }

    private static func networks(
        _ address: String,
        at now: Timestamp,
        in store: any SQLStore
    ) async throws -> [Traffic.Sample] {
        var samples: [Traffic.Sample] = []
        for network in try #require(ClientAddress(address)).networks {
            samples.append(try await store.traffic(of: .network(network)).lastDay(at: now))
        }
        return samples
    }

    static let guardRules = [
        StoreRule("of 200 requests at once to one prefix as many come through as the guard's sample has") { scene in
            let guarded = try LimitScene(scene.store, guarding: try GuardPolicy(prefixSample: 5))
            let refusals = try await guarded.requestAtOnce(200) { ("010-1234-\(5000 + $0)", nil) }
            #expect(refusals.count { $0 == [] } == 5)
            #expect(refusals.count { $0 == ["guard-challenge"] } == 195)
            #expect(try await scene.store.traffic(of: .prefix("+82101234")).lastDay(at: guarded.now).sent == 5)
            #expect(try await scene.store.metersInUse(at: guarded.now, limit: 10) == [])
        },
        StoreRule("of twenty who bring one proof at once one gets a message, and a purge forgets it") { scene in
            var policy = try GuardPolicy(prefixSample: 5)
            policy.work = try WorkPolicy(easiest: 100, hardest: 3200)
            let guarded = try LimitScene(scene.store, guarding: policy, challenger: .plain())
            for index in 0..<5 { try await guarded.request("010-1234-\(5000 + index)") }
            let challenge = try await guarded.challenge("010-1234-6000")
            let proof = PlainRequestAuthenticator().solve(challenge.work)
            let outcomes = try await atOnce(20) { _ in try await guarded.outcome(of: "010-1234-6000", proof: proof) }
            #expect(outcomes.count { $0 == "sent" } == 1)
            #expect(outcomes.count { $0 == "used" } == 19)
            let key = try #require(proof?.key)
            let used = UsedProof(key: key, expiresAt: LimitScene.start + .seconds(600))
            func kept() async throws -> [StoredRecord] {
                try await scene.store.records(of: UsedProof.self, after: nil, limit: 10)
            }
            #expect(try await kept() == [StoredRecord(used)])
            _ = try await scene.store.purgeExpired(at: used.expiresAt - .milliseconds(1), limit: 10)
            #expect(try await kept() == [StoredRecord(used)])
            _ = try await scene.store.purgeExpired(at: used.expiresAt, limit: 10)
            #expect(try await kept() == [])
        },
        StoreRule("a device has a limit of its own, by a digest of its ID") { scene in
            let guarded = try LimitScene(
                scene.store,
                limits: try .only { $0.sendsByDevice = [try #require(RateLimit("2/1d"))] }
            )
            for (number, expected) in [(0, []), (1, []), (2, ["device-sends-1d"])] {
                let refused = try await refusingLimits {
                    try await guarded.request("010-1234-500\(number)", by: ClientSignals(deviceID: "tablet-7"))
                }
                #expect(refused == expected)
            }
            try await guarded.request("010-1234-5002", by: ClientSignals(deviceID: "tablet-8"))
            try await guarded.request("010-1234-5003", by: ClientSignals(userAgent: "tablet-7"))
            let keys = try await scene.store.metersInUse(at: guarded.now, limit: 10).map(\.key.description)
            #expect(keys.count == 2)
            #expect(keys.allSatisfy { $0.hasPrefix("device-sends-1d ") })
        },
        StoreRule(
            "a prefix and its country are remembered for two weeks by a day on which people came, and others are not"
        ) {
            scene in
            let guarded = try LimitScene(scene.store, guarding: try GuardPolicy(prefixSample: 5))
            for index in 0..<24 {
                let begun = try await guarded.request("010-1234-\(5000 + index)", from: LimitScene.address)
                try await guarded.check(StoreScene.rightCode, begun.id, from: LimitScene.address)
            }
            try await guarded.request("010-9999-0000", from: LimitScene.address)
            func kept(afterDays days: Int) async throws -> [String] {
                let now = LimitScene.start + .seconds(days * 86_400)
                while try await scene.store.purgeTraffic(at: now, limit: 10) > 0 {}
                return try await scene.store.records(of: KeyedTraffic.self, after: nil, limit: 10)
                    .compactMap { try $0.record(as: KeyedTraffic.self)?.key.description }.sorted()
            }
            let prefix = TrafficKey.prefix("+82101234")
            #expect(try await kept(afterDays: 3) == ["+82101234", "KR"])
            guarded.advance(by: .seconds(7 * 86_400))
            // As many as were approved then, before anybody has typed a code.
            for index in 0..<24 { try await guarded.request("010-1234-\(6000 + index)") }
            #expect(try await refusingLimits { try await guarded.request("010-1234-6024") } == ["guard-challenge"])
            let traffic = try await scene.store.traffic(of: prefix)
            #expect(traffic.peaks == [Traffic.Peak(day: 20_454, approved: 24)])
            #expect(traffic.lastDay(at: guarded.now) == Traffic.Sample(sent: 24))
            #expect(try await kept(afterDays: 14) == ["+82101234", "KR"])
            #expect(try await kept(afterDays: 15) == [])
        },
        StoreRule("approvals are counted, once each") { scene in
            let guarded = try await pumped(scene.store, count: 2)
            let begun = try await guarded.request("010-1234-0000", from: LimitScene.address)
            try await guarded.check(StoreScene.rightCode, begun.id, from: LimitScene.address)
            try await guarded.check(StoreScene.rightCode, begun.id, from: LimitScene.address)
            for key in [TrafficKey.prefix("+82101234"), .country(.korea), .service] {
                let sample = try await scene.store.traffic(of: key).lastDay(at: guarded.now)
                #expect(sample == Traffic.Sample(sent: 3, approved: 1))
            }
        },
        StoreRule("what a verification leads to counts for the networks that it was begun from") { scene in
            let guarded = try LimitScene(scene.store, guarding: .standard)
            let counted = { try await networks("203.0.113.7", at: guarded.now, in: scene.store) }
            let begun = try await guarded.request("010-1234-0000", from: "203.0.113.7")
            #expect(begun.begunFrom == ClientAddress("203.0.113.7"))
            #expect(try await counted() == [Traffic.Sample(sent: 1)])
            let claimed = try await scene.claim()
            #expect(try await scene.settle(claimed[0], .failed("no money")))
            #expect(try await counted() == [Traffic.Sample()])
            _ = try await scene.retry(claimed[0])
            #expect(try await counted() == [Traffic.Sample(sent: 1)])
            try await guarded.request("010-1234-0000", from: "2001:db8:1:2::7")
            try await guarded.check(StoreScene.rightCode, begun.id, from: "2001:db8:1:2::7")
            #expect(try await counted() == [Traffic.Sample(sent: 2, approved: 1)])
            // A server that does not say for whom it asks has no network.
            try await guarded.request("010-2222-0000")
            let keys = try await scene.store.traffic(at: guarded.now, limit: 10).map(\.key.description)
            #expect(keys == ["KR", "service", "+82101234", "203.0.113.7", "+82102222"])
        },
        StoreRule("a narrow network is counted once the one around it has five messages") { scene in
            let guarded = try LimitScene(scene.store, guarding: .standard)
            for index in 0..<11 {
                let begun = try await guarded.request("010-\(2000 + index)-0000", from: "2001:db8:1:2::\(index)")
                try await guarded.check(StoreScene.rightCode, begun.id, from: "203.0.113.7")
            }
            let counted = try await networks("2001:db8:1:2::7", at: guarded.now, in: scene.store)
            #expect(counted.map(\.sent) == [1, 6, 11])
            #expect(counted.map(\.approved) == [2, 7, 11])
            #expect(try await networks("203.0.113.7", at: guarded.now, in: scene.store) == [Traffic.Sample()])
        },
        StoreRule("a network that has messages sent and types no code is closed, and an operator opens it") { scene in
            let guarded = try LimitScene(scene.store, guarding: .standard)
            let network = TrafficKey.network(try #require(ClientAddress.Network("2001:db8:1::/48")))
            let ask = { (index: Int) in
                let address = "2001:db8:\(index < 500 ? 1 : 2):\(String(index / 2, radix: 16))00::1"
                return try await refusingLimits {
                    try await guarded.request("010-\(2000 + index)-0000", from: address)
                }
            }
            for index in 0..<40 { #expect(try await ask(index) == []) }
            #expect(try await ask(40) == ["guard-challenge"])
            guarded.advance(by: .seconds(4200))
            #expect(try await ask(41) == ["guard-block"])
            #expect(try await ask(500) == [])
            let first = try #require(try await scene.store.traffic(at: guarded.now, limit: 1).first)
            #expect(first.key == network)
            #expect(first.traffic.blockedUntil == guarded.now + .seconds(43_200))
            #expect(first.traffic.suppressedLastDay(at: guarded.now) == 2)
            // What is refused costs no row for each network that it takes.
            let refused = try await networks("2001:db8:1:1400::1", at: guarded.now, in: scene.store)
            #expect(refused.map(\.sent) == [0, 0, 40])
            #expect(try await scene.store.unblock(network) == [network])
            #expect(try await scene.store.unblock(network) == [])
            #expect(try await ask(42) == [])
        },
        StoreRule("traffic is listed with what is blocked first, and then by how much was sent") { scene in
            let guarded = try await pumped(scene.store)
            guarded.advance(by: .seconds(4200))
            _ = try await refusingLimits { try await guarded.request("010-1234-0000") }
            for index in 0..<3 { try await guarded.request("+1 201 555 010\(index)") }
            for phone in ["010-3333-0000", "010-2222-0000", "010-3333-0001"] { try await guarded.request(phone) }
            let keys = try await scene.store.traffic(at: guarded.now, limit: 10).map(\.key.description)
            #expect(keys == ["+82101234", "service", "KR", "+1201555", "US", "+82103333", "+82102222"])
            #expect(
                try await scene.store.traffic(at: guarded.now, limit: 2).map(\.key.description) == [
                    "+82101234", "service",
                ]
            )
            let later = guarded.now + .seconds(7200 + 90_000)
            #expect(try await scene.store.traffic(at: later, limit: 10) == [])
        },
        StoreRule("ending a block lets messages through, and says which blocks there were") { scene in
            let guarded = try await pumped(scene.store)
            guarded.advance(by: .seconds(4200))
            _ = try await refusingLimits { try await guarded.request("010-1234-0000") }
            try await guarded.request("010-2222-0000")
            #expect(try await scene.store.unblock(.prefix("+82109")) == [])
            #expect(try await scene.store.unblock(.prefix("+8210")) == [.prefix("+82101234")])
            #expect(try await scene.store.traffic(of: .prefix("+82101234")) == .none)
            #expect(try await scene.store.traffic(of: .prefix("+82102222")) != .none)
            #expect(try await refusingLimits { try await guarded.request("010-1234-0000") } == [])
            #expect(try await scene.store.unblock(.prefix("+8210")) == [])
        },
        StoreRule("an operator's rules are kept, replaced, followed and removed") { scene in
            let guarded = try await pumped(scene.store)
            let ask = { try await refusingLimits { try await guarded.request("010-1234-0000") } }
            let until = LimitScene.start + .seconds(60)
            #expect(try await scene.store.guardRules() == [])
            try await scene.store.set(rule("+8210", .allow))
            #expect(try await ask() == [])
            try await scene.store.set(rule("+82101234", .block, until: until))
            #expect(try await ask() == ["guard-block"])
            #expect(
                try await scene.store.guardRules() == [rule("+8210", .allow), rule("+82101234", .block, until: until)]
            )
            guarded.advance(by: .seconds(60))
            #expect(try await ask() == [])
            try await scene.store.set(rule("+8210", .block))
            #expect(try await ask() == ["guard-block"])
            #expect(try await scene.store.removeGuardRule(prefix: "+8210") == rule("+8210", .block))
            #expect(try await scene.store.removeGuardRule(prefix: "+8210") == nil)
            #expect(try await ask() == ["guard-challenge"])
        },
        StoreRule("the last verdicts on a prefix are found by its digests") { scene in
            let guarded = try await pumped(scene.store)
            _ = try await refusingLimits { try await guarded.request("010-1234-0000") }
            let begun = try await guarded.request("010-2222-0000")
            try await guarded.check(StoreScene.rightCode, begun.id)
            let digest = NumberDigest(rawValue: "test:+82101234")
            let last = try await scene.store.verdicts(prefix: [NumberDigest(rawValue: "old:x"), digest], limit: 2)
            #expect(last.map(\.action) == [.suppress, .begin])
            #expect(last.map(\.verdict) == [.challenge, .allow])
            #expect(last.map(\.reasons) == [[.prefixConversionPending], [.sampleSmall]])
            #expect(last.map(\.maskedNumber) == ["+82 10-****-0000", "+82 10-****-5004"])
            #expect(try await scene.store.verdicts(prefix: [digest], limit: 100).count == 6)
            let other = NumberDigest(rawValue: "test:+82102222")
            #expect(try await scene.store.verdicts(prefix: [other], limit: 100).map(\.action) == [.begin])
            #expect(try await scene.store.verdicts(prefix: [], limit: 100) == [])
        },
        StoreRule("a purge takes traffic that is silent for two days, rules whose time is over, and no block") {
            scene in
            let guarded = try LimitScene(
                scene.store,
                guarding: try GuardPolicy(prefixSample: 5, blockTime: .seconds(30 * 86_400))
            )
            for index in 0..<5 { try await guarded.request("010-1234-\(5000 + index)") }
            try await guarded.request("010-2222-0000")
            try await scene.store.set(rule("+8210", .allow, until: LimitScene.start + .seconds(60)))
            try await scene.store.set(rule("+8211", .allow))
            guarded.advance(by: .seconds(4200))
            #expect(try await refusingLimits { try await guarded.request("010-1234-0000") } == ["guard-block"])
            #expect(try await scene.store.purgeExpired(at: LimitScene.start + .milliseconds(59_999), limit: 10) == 0)
            #expect(try await scene.store.purgeExpired(at: guarded.now, limit: 10) == 1)
            #expect(try await scene.store.guardRules() == [rule("+8211", .allow)])

            let silent = LimitScene.start + .seconds(49 * 3600)
            #expect(try await scene.store.purgeTraffic(at: silent - .milliseconds(1), limit: 10) == 0)
            #expect(try await scene.store.purgeTraffic(at: silent, limit: 1) == 1)
            #expect(try await scene.store.traffic(of: .prefix("+82102222")) == .none)
            // Country and service had the refused one, an hour later; one at a time.
            let later = silent + .seconds(3600)
            #expect(try await scene.store.purgeTraffic(at: later, limit: 1) == 1)
            #expect(try await scene.store.purgeTraffic(at: later, limit: 1) == 1)
            #expect(try await scene.store.purgeTraffic(at: later, limit: 1) == 0)
            #expect(try await scene.store.traffic(at: later, limit: 10).map(\.key.description) == ["+82101234"])
        },
    ]
}
