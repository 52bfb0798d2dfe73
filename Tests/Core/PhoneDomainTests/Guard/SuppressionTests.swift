import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDomain

/// What limits, the budget and the guard make of a request for a code.
@Suite struct SuppressionTests {
    /// A prefix of which 20 messages were sent in the hour before last, and none approved; the scene begins at second
    /// 1000.
    private func pumpedScene(_ trafficGuard: GuardPolicy) throws -> Scene {
        var scene = try Scene()
        scene.abusePolicy.trafficGuard = trafficGuard
        scene.traffic.prefix = Traffic(hours: [Traffic.Hour(number: -2, sent: 20)])
        return scene
    }

    private let blockedUntil = Scene.start + .seconds(43_200)

    @Test func `a message that goes out is counted everywhere and takes one of each limit`() throws {
        var scene = try Scene()
        scene.abusePolicy = .standard
        scene.address = ClientAddress("203.0.113.7")
        #expect(try scene.begin(at: 0).word == "begun")
        let hour = [Traffic.Hour(number: 0, sent: 1)]
        #expect(
            [scene.traffic.prefix.hours, scene.traffic.country.hours, scene.traffic.service.hours] == [
                hour, hour, hour,
            ]
        )
        #expect(
            scene.limits.meters.mapValues(\.fullAt) == [
                LimitKey(rawValue: "address-sends-1h 203.0.113.7"): 1_120_000_000,
                LimitKey(rawValue: "prefix-sends-1h +82101234"): 1_036_000_000,
                LimitKey(rawValue: "country-sends-1h KR"): 1_000_720_000,
                LimitKey(rawValue: "service-sends-1h"): 1_000_360_000,
            ]
        )
        #expect(scene.audit.map(\.verdict) == [.allow])
        #expect(scene.audit.map(\.reasons) == [[.sampleSmall]])
        #expect(try scene.check(Scene.rightCode, at: 1).word == "approved")
        #expect(scene.traffic.prefix.hours == [Traffic.Hour(number: 0, sent: 1, approved: 1)])
    }

    @Test func `a limit that is reached refuses, and nothing is taken or written`() throws {
        var scene = try Scene(policy: try VerificationPolicy(resendCooldowns: [.zero]))
        scene.abusePolicy.limits.sendsByPrefix = [try #require(RateLimit("1/1h"))]
        scene.abusePolicy.limits.sendsByService = [try #require(RateLimit("10/1h"))]
        #expect(try scene.begin(at: 0).word == "begun")
        let (limits, traffic, activity) = (scene.limits.meters, scene.traffic, scene.activity)
        #expect(
            try scene.begin(at: 60)
                == .failure(
                    .rateLimited(
                        policies: [QuotaPolicy(name: "prefix-sends-1h", quota: 1, window: .seconds(3600))],
                        retryAt: Scene.start + .seconds(3600)
                    )
                )
        )
        #expect(scene.limits.meters == limits)
        #expect(scene.traffic == traffic)
        #expect(scene.activity == activity)
        #expect(scene.queued.count == 1)
        #expect(scene.audit.map(\.action) == [.begin])
    }

    @Test func `the rules of the number come before the limits`() throws {
        var scene = try Scene()
        scene.abusePolicy.limits.sendsByPrefix = [try #require(RateLimit("1/1h"))]
        _ = try scene.begin(at: 0)
        #expect(try scene.begin(at: 1) == .failure(.resendTooSoon(nextSendAt: Scene.start + .seconds(30))))
    }

    @Test func `a limit that a clock ahead used up opens again`() throws {
        var scene = try Scene()
        scene.abusePolicy.limits.sendsByService = [try #require(RateLimit("2/1h"))]
        let number = try PhoneNumber(parsing: "010-1234-5678", region: .korea)
        scene.limits = LimitLedger(scene.abusePolicy.limits.sends(to: number, from: nil)) { _ in
            RateMeter(fullAt: .max)
        }
        #expect(try scene.begin(at: 0).word == "begun")
    }

    @Test func `a budget that a clock ahead used up opens again`() throws {
        var scene = try Scene()
        scene.abusePolicy.limits.dailyBudget = 1
        scene.traffic.service = Traffic(hours: [Traffic.Hour(number: 10_000, sent: 1)])
        #expect(try scene.begin(at: 0).word == "rate_limited")
        #expect(try scene.begin(at: 25 * 3600 - 1001).word == "rate_limited")
        #expect(try scene.begin(at: 25 * 3600 - 1000).word == "begun")
    }

    @Test func `the budget says when there will be room, and takes nothing`() throws {
        var scene = try Scene(policy: try VerificationPolicy(resendCooldowns: [.zero]))
        scene.abusePolicy.limits.dailyBudget = 2
        #expect(try scene.begin(at: 0).word == "begun")
        #expect(try scene.begin(at: 3000).word == "begun")
        let (traffic, activity) = (scene.traffic, scene.activity)
        #expect(
            try scene.begin(at: 3001)
                == .failure(
                    .rateLimited(
                        policies: [QuotaPolicy(name: "service-budget-1d", quota: 2, window: .seconds(86_400))],
                        // The end of hour 24.
                        retryAt: Timestamp(seconds: 25 * 3600)
                    )
                )
        )
        #expect(scene.traffic == traffic)
        #expect(scene.activity == activity)
    }

    @Test func `what counts as several is refused where fewer are left, and given back where it was not sent`() throws {
        var scene = try Scene(policy: try VerificationPolicy(maxSends: 20, resendCooldowns: [.zero]))
        scene.weights = [.call: 10]
        scene.abusePolicy.limits.dailyBudget = 20
        scene.abusePolicy.limits.sendsByCountry = [try #require(RateLimit("25/1h"))]
        for second in 0..<6 { #expect(try scene.begin(at: Int64(second)).word != "rate_limited") }
        scene.verification = nil
        scene.channels = [.call]
        #expect(try scene.begin(at: 6).word == "begun")
        scene.verification = nil
        guard case .failure(.rateLimited(let policies, _)) = try scene.begin(at: 7) else {
            Issue.record("16 and 10 are over 20")
            return
        }
        #expect(policies.map(\.name) == ["country-sends-1h"])
        let queued = try #require(scene.queued.last)
        var refused = queued
        refused.settle(.failed("refused"), at: Scene.start + .seconds(7))
        refused.count(in: &scene.limits, &scene.traffic, insteadOf: queued, at: Scene.start + .seconds(7))
        #expect(scene.traffic.service.lastDay(at: Scene.start).sent == 6)
        #expect(scene.traffic.prefix.lastDay(at: Scene.start).sent == 6)
        #expect(try scene.begin(at: 8).word == "begun")
        scene.verification = nil
        scene.abusePolicy.limits.sendsByCountry = []
        guard case .failure(.rateLimited(let policies, _)) = try scene.begin(at: 9) else {
            Issue.record("16 and 10 are over 20")
            return
        }
        #expect(policies.map(\.name) == ["service-budget-1d"])
        scene.channels = [.sms]
        #expect(try scene.begin(at: 9).word == "begun")
    }

    /// However the requests fall, no span of 24 hours has more messages than the budget.
    @Test(arguments: 0..<20)
    func `no 24 hours of a random history have more than the budget`(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let budget = Int.random(in: 1...8, using: &generator)
        var scene = try Scene(policy: try VerificationPolicy(maxSends: 1, resendCooldowns: [.zero]))
        scene.abusePolicy.limits.dailyBudget = budget
        var sent: [Int64] = []
        var second: Int64 = 0
        for _ in 0..<300 {
            second += Int64.random(in: 0...(Bool.random(using: &generator) ? 60 : 20_000), using: &generator)
            scene.verification = nil
            scene.activity = .none
            if try scene.begin(at: second).word == "begun" { sent.append(second) }
        }
        for first in sent {
            #expect(sent.count { $0 >= first && $0 < first + 86_400 } <= budget, "from \(first)")
        }
        // And it is used: within 26 hours of asking on and on there is room again.
        #expect(sent.count > 300 / 40)
    }

    @Test func `a block refuses, begins nothing, and is remembered`() throws {
        var scene = try pumpedScene(.standard)
        let refusal = Result<BeginVerification.Answer, PhoneFailure>.failure(
            .rateLimited(
                policies: [QuotaPolicy(name: "guard-block", quota: 0, window: .seconds(43_200))],
                retryAt: blockedUntil
            )
        )
        #expect(try scene.begin(at: 0) == refusal)
        #expect(try scene.begin(at: 1) == refusal)
        #expect(scene.verification == nil)
        #expect(scene.queued == [])
        #expect(scene.activity == .none)
        #expect(scene.limits.meters == [:])
        #expect(scene.traffic.prefix.blockedUntil == blockedUntil)
        #expect(scene.traffic.prefix.refusedInBlock == 1)
        #expect(scene.traffic.service.hours == [Traffic.Hour(number: 0, suppressed: 2)])
        #expect(scene.audit.map(\.action) == [.suppress, .suppress])
        #expect(scene.audit.map(\.verificationID) == [nil, nil])
        #expect(scene.audit.map(\.reasons) == [[.prefixConversionLow], [.prefixBlocked]])
    }

    @Test func `in silence everything is as if the message went out, but for the message`() throws {
        var open = try Scene()
        open.abusePolicy.limits = .standard
        open.abusePolicy.trafficGuard = .standard
        open.address = ClientAddress("203.0.113.7")
        var silent = try pumpedScene(try GuardPolicy(answer: .silent))
        silent.abusePolicy.limits = .standard
        silent.address = open.address
        for second in [0, 1, 30, 31, 90] as [Int64] {
            let (withheld, sent) = (try silent.begin(at: second), try open.begin(at: second))
            #expect(withheld.map { $0.verification.id } == sent.map { $0.verification.id })
            #expect(withheld.word == sent.word)
        }
        // And for what no client sees: whether the code counts.
        #expect((silent.verification?.checksLeftAtSend, open.verification?.checksLeftAtSend) == (nil, 5))
        open.verification?.checksLeftAtSend = nil
        #expect(silent.verification == open.verification)
        #expect(silent.activity == open.activity)
        #expect(silent.limits == open.limits)
        #expect(silent.queued.map(\.id) == open.queued.map(\.id))
        #expect(silent.queued.map(\.isWithheld) == [true, true, true])
        #expect(open.queued.map(\.isWithheld) == [false, false, false])
        #expect(silent.traffic.service.hours == [Traffic.Hour(number: 0, suppressed: 3)])
        #expect(silent.audit.map(\.action) == [.suppress, .suppress, .suppress])
        #expect(silent.audit.map(\.verdict) == [.block, .block, .block])
    }

    @Test func `a challenge is heard even where blocks are silent, and who vouches gets through`() throws {
        var scene = try Scene()
        scene.abusePolicy.trafficGuard = try GuardPolicy(answer: .silent)
        scene.traffic.prefix = Traffic(hours: [Traffic.Hour(number: 0, sent: 20)])
        scene.abusePolicy.limits.sendsByPrefix = [try #require(RateLimit("1/1h"))]
        scene.abusePolicy.limits.sendsByAddress = [try #require(RateLimit("2/1h"))]
        scene.address = ClientAddress("203.0.113.7")
        #expect(
            try scene.begin(at: 0)
                == .failure(
                    .rateLimited(
                        policies: [QuotaPolicy(name: "guard-challenge", quota: 0, window: .seconds(43_200))],
                        retryAt: Scene.start + .seconds(600)
                    )
                )
        )
        // What is refused uses up what its address may have, and not what the prefix has for those who are vouched for.
        #expect(scene.limits.meters.keys.map(\.description) == ["address-sends-1h 203.0.113.7"])
        #expect(scene.traffic.country.hours == [Traffic.Hour(number: 0, suppressed: 1)])
        #expect(scene.traffic.prefix.hours == [Traffic.Hour(number: 0, sent: 20, suppressed: 1)])
        scene.isVouched = true
        #expect(try scene.begin(at: 0).word == "begun")
        #expect(scene.queued.map(\.isWithheld) == [false])
        #expect(scene.audit.map(\.verdict) == [.challenge, .allow])
    }

    @Test func `watching, messages go out and are counted`() throws {
        var scene = try pumpedScene(try GuardPolicy(mode: .shadow))
        #expect(try scene.begin(at: 0).word == "begun")
        #expect(scene.queued.map(\.isWithheld) == [false])
        #expect(scene.traffic.service.hours == [Traffic.Hour(number: 0, sent: 1)])
        #expect(scene.audit.map(\.action) == [.begin])
        #expect(scene.audit.map(\.verdict) == [.shadow])
    }

    @Test func `approvals unblock a prefix without anybody acting`() throws {
        var scene = try Scene(policy: try VerificationPolicy(maxSends: 20, resendCooldowns: [.zero]))
        scene.abusePolicy.trafficGuard = try GuardPolicy(prefixSample: 5, prefixPercent: 20)
        var words: [String] = []
        for second in 0..<6 { words.append(try scene.begin(at: Int64(second)).word) }
        #expect(words == ["begun", "resent", "resent", "resent", "resent", "rate_limited"])
        #expect(try scene.check(Scene.rightCode, at: 6).word == "approved")
        scene.activity = .none
        #expect(try scene.begin(at: 7).word == "begun")
    }
}
