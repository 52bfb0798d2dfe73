import PhoneTestSupport
import Records
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
    private static func pumped(_ store: any CompleteStore, count: Int = 5) async throws -> LimitScene {
        let scene = try LimitScene(store, guarding: try GuardPolicy(prefixSample: 5, blockTime: .seconds(7200)))
        for index in 0..<count { try await scene.request("010-1234-\(5000 + index)") }
        return scene
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
        StoreRule("a block begins when the sample is ripe, is renewed while it is asked for, and ends") { scene in
            let guarded = try await pumped(scene.store)
            let ask = { try await guarded.refusals { try await guarded.request("010-1234-0000") } }
            let block = { try await scene.store.traffic(of: .prefix("+82101234")) }
            #expect(try await ask() == ["guard-challenge"])
            #expect(try await block().blockedUntil == nil)
            guarded.advance(by: .seconds(4200))
            #expect(try await ask() == ["guard-block"])
            #expect(try await block().blockedUntil == guarded.now + .seconds(7200))
            guarded.advance(by: .seconds(7199))
            for left in 1...4 {
                #expect(try await ask() == ["guard-block"])
                #expect(try await block().refusedInBlock == left)
            }
            #expect(try await ask() == ["guard-block"])
            #expect(try await block().blockedUntil == guarded.now + .seconds(7200))
            #expect(try await block().refusedInBlock == 0)
            guarded.advance(by: .seconds(7200))
            #expect(try await ask() == [])
            let hour = guarded.now.milliseconds / 3_600_000
            #expect(
                try await block()
                    == Traffic(hours: [Traffic.Hour(number: hour, sent: 1)], blockedUntil: nil, refusedInBlock: 0)
            )
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
        StoreRule("traffic is listed with what is blocked first, and then by how much was sent") { scene in
            let guarded = try await pumped(scene.store)
            guarded.advance(by: .seconds(4200))
            _ = try await guarded.refusals { try await guarded.request("010-1234-0000") }
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
            _ = try await guarded.refusals { try await guarded.request("010-1234-0000") }
            try await guarded.request("010-2222-0000")
            #expect(try await scene.store.unblock(beginning: "+82109") == [])
            #expect(try await scene.store.unblock(beginning: "+8210") == ["+82101234"])
            #expect(try await scene.store.traffic(of: .prefix("+82101234")) == .none)
            #expect(try await scene.store.traffic(of: .prefix("+82102222")) != .none)
            #expect(try await guarded.refusals { try await guarded.request("010-1234-0000") } == [])
            #expect(try await scene.store.unblock(beginning: "+8210") == [])
        },
        StoreRule("an operator's rules are kept, replaced, followed and removed") { scene in
            let guarded = try await pumped(scene.store)
            let ask = { try await guarded.refusals { try await guarded.request("010-1234-0000") } }
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
            _ = try await guarded.refusals { try await guarded.request("010-1234-0000") }
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
            #expect(try await guarded.refusals { try await guarded.request("010-1234-0000") } == ["guard-block"])
            #expect(try await scene.store.purgeExpired(at: LimitScene.start + .milliseconds(59_999), limit: 10) == 0)
            #expect(try await scene.store.purgeExpired(at: guarded.now, limit: 10) == 1)
            #expect(try await scene.store.guardRules() == [rule("+8211", .allow)])

            let silent = LimitScene.start + .seconds(49 * 3600)
            #expect(try await scene.store.purgeTraffic(at: silent - .milliseconds(1), limit: 10) == 0)
            // The other prefix, the country and the service, a few at a time.
            #expect(try await scene.store.purgeTraffic(at: silent, limit: 2) == 2)
            #expect(try await scene.store.purgeTraffic(at: silent, limit: 2) == 1)
            #expect(try await scene.store.purgeTraffic(at: silent, limit: 2) == 0)
            #expect(try await scene.store.traffic(at: silent, limit: 10).map(\.key.description) == ["+82101234"])
        },
    ]
}
