import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDomain

@Suite struct CheckingRulesTests {
    @Test func checksSurviveAResendAndAreNotToBeHadByStartingOver() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        for second in 1...3 { _ = try scene.check("111111", at: Int64(second)) }
        #expect(try scene.begin(at: 30).word == "resent")
        #expect(scene.verification?.checksLeft == 2)
        for second in 31...32 { _ = try scene.check("111111", at: Int64(second)) }
        #expect(try scene.check(Scene.rightCode, at: 33).word == "max_checks_reached")
        #expect(try scene.begin(at: 90) == .failure(.maxChecksReached(retryAt: Scene.start + .seconds(600))))
        #expect(try scene.cancel(at: 91) == .failure(.verificationClosed))
        #expect(try scene.begin(at: 600).word == "begun")
    }

    @Test func aNetworkHasItsShareOfChecksThatNeedNoToken() throws {
        let holder = ClientAddress("203.0.113.7")
        var scene = try Scene()
        scene.isPublic = true
        func check(_ code: String, from address: String, at second: Int64) throws -> String {
            scene.address = ClientAddress(address)
            return try scene.check(code, at: second).word
        }
        // Those who have asked for no message share one share, from however many networks they come.
        scene.address = holder
        _ = try scene.begin(at: 0)
        for network in 1...3 {
            #expect(try check("111111", from: "198.51.100.\(network)", at: 1) == "code_incorrect")
        }
        scene.address = ClientAddress("198.51.100.4")
        let refusal = PhoneFailure.rateLimited(
            policies: [QuotaPolicy(name: "address-verification-checks", quota: 3, window: .seconds(600))],
            retryAt: Scene.start + .seconds(600)
        )
        #expect(try scene.check(Scene.rightCode, at: 2) == .failure(refusal))
        #expect(scene.verification?.checksLeft == 2)
        #expect(try check("111111", from: "203.0.113.7", at: 3) == "code_incorrect")
        #expect(try check(Scene.rightCode, from: "203.0.113.7", at: 4) == "approved")
        // A stranger asks first.
        scene.address = ClientAddress("2001:db8::1")
        _ = try scene.begin(at: 1000)
        for network in 1...4 {
            let expected = network < 4 ? "code_incorrect" : "rate_limited"
            #expect(try check("111111", from: "2001:db8:0:\(network)::1", at: 1001) == expected)
        }
        scene.address = holder
        #expect(try scene.begin(at: 1030).word == "resent")
        #expect(try check("111111", from: "203.0.113.7", at: 1031) == "code_incorrect")
        #expect(try check(Scene.rightCode, from: "203.0.113.7", at: 1032) == "approved")
        // Where a token is needed, all checks are its holder's.
        scene.isPublic = false
        _ = try scene.begin(at: 2000)
        for _ in 1...4 { #expect(try check("111111", from: "203.0.113.7", at: 2001) == "code_incorrect") }
        #expect(try check(Scene.rightCode, from: "203.0.113.7", at: 2002) == "approved")
    }

    @Test func aCodeOfAClockThatWasAheadDiesWithThatClock() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 3600)
        #expect(try scene.check(Scene.rightCode, at: 3299).word == "code_expired")
        #expect(try scene.check(Scene.rightCode, at: 3301).word == "approved")
    }

    @Test func aLockedVerificationSaysWhenTheNextMessageMayGo() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        for second in 1...5 { _ = try scene.check("111111", at: Int64(second)) }
        #expect(scene.verification?.nextSendAt == Scene.start + .seconds(600))
    }

    @Test func somebodyElsesVerificationIsNotThere() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        let other = Owner.operator("other")
        #expect(try scene.check(Scene.rightCode, at: 1, owner: other).word == "verification_not_found")
        #expect(try scene.cancel(at: 1, owner: other) == .failure(.verificationNotFound))
        #expect(scene.verification?.checksLeft == 5)
    }

    @Test func aHundredWrongCodesInARowCloseTheNumberForADay() throws {
        var scene = try Scene(
            policy: try VerificationPolicy(
                maxChecks: 10,
                resendCooldowns: [.zero],
                maxSendsPerNumberPerDay: 100,
                maxConsecutiveFailures: 20
            )
        )
        for turn in 0..<2 {
            let second = Int64(turn) * 600
            _ = try scene.begin(at: second)
            for _ in 0..<10 { _ = try scene.check("111111", at: second) }
        }
        let end = Scene.start + .seconds(600 + 86_400)
        #expect(
            try scene.begin(at: 1200)
                == .failure(.rateLimited(policies: [scene.policy.failureQuota], retryAt: end))
        )
        #expect(try scene.begin(at: 600 + 86_399).word == "rate_limited")
        #expect(try scene.begin(at: 600 + 86_400).word == "begun")
        #expect(try scene.check("111111", at: 600 + 86_400).refusal?.checksLeft == 9)
    }

    @Test func `a code that the guard withheld matches nothing, and wrong ones count against nobody else`() throws {
        var scene = try Scene()
        scene.abusePolicy.trafficGuard = try GuardPolicy(answer: .silent)
        let rule = GuardRule(prefix: "+8210", action: .block, until: nil, createdAt: Scene.start)
        scene.guardRules = [try #require(rule)]
        #expect(try scene.begin(at: 0).word == "begun")
        try scene.settle(.withheld, at: 1)
        #expect(try scene.check(Scene.rightCode, at: 2).word == "code_incorrect")
        #expect(try scene.check("111111", at: 2).refusal?.checksLeft == 3)
        #expect(scene.activity.consecutiveFailures == 0)
        // With the next message it is the code of somebody.
        scene.guardRules = []
        #expect(try scene.begin(at: 30).word == "resent")
        #expect(try scene.check("111111", at: 31).word == "code_incorrect")
        #expect(scene.activity.consecutiveFailures == 1)
        #expect(try scene.check(Scene.rightCode, at: 32).word == "approved")
    }

    @Test func `a code that every gateway refused matches nothing until another message carries it`() throws {
        var scene = try Scene()
        scene.channels = [.whatsapp, .call]
        _ = try scene.begin(at: 0)
        try scene.settle(.failed("no such account"), at: 1)
        #expect(try scene.check(Scene.rightCode, at: 2).word == "code_incorrect")
        #expect(scene.activity.consecutiveFailures == 0)
        #expect(scene.verification?.recordedStatus == .pending)
        #expect(try scene.begin(at: 30).word == "resent")
        try scene.settle(.unknown(gateway: "a", failure: "no answer"), at: 31)
        #expect(try scene.check(Scene.rightCode, at: 32).word == "approved")
    }

    @Test func theRightCodeClearsTheFailures() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        _ = try scene.check("111111", at: 1)
        #expect(scene.activity.consecutiveFailures == 1)
        _ = try scene.check(Scene.rightCode, at: 2)
        #expect(scene.activity.consecutiveFailures == 0)
        #expect(scene.activity.lastFailureAt == nil)
    }
}
