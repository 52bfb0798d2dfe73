import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct CheckingRulesTests {
    @Test func checksSurviveAResendAndAreNotToBeHadByStartingOver() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        for second in 1...3 { _ = try scene.check("111111", at: Int64(second)) }
        #expect(try scene.begin(at: 30).word == "resent")
        #expect(scene.verification?.checksLeft == 2)
        for second in 31...32 { _ = try scene.check("111111", at: Int64(second)) }
        #expect(try scene.begin(at: 90) == .failure(.maxChecksReached(retryAt: Scene.start + .seconds(600))))
        #expect(try scene.cancel(at: 91) == .failure(.verificationClosed))
        #expect(try scene.begin(at: 600).word == "begun")
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
