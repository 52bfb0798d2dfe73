import PhoneDomain
import PhoneSignup
import Testing

@Suite struct SendingRulesTests {
    @Test func aResendWaitsLongerEachTimeAndSendsTheSameCode() throws {
        var scene = try Scene()
        var words = [try scene.begin(at: 0).word]
        let first = try #require(scene.verification)
        for second in [29, 30, 89, 90, 209, 210, 509, 510] { words.append(try scene.begin(at: Int64(second)).word) }
        #expect(
            words == [
                "begun", "resend_too_soon", "resent", "resend_too_soon", "resent", "resend_too_soon", "resent",
                "resend_too_soon", "resent",
            ]
        )
        let last = try #require(scene.verification)
        #expect(last.id == first.id)
        #expect(last.code == first.code)
        #expect(last.expiresAt == first.expiresAt)
        #expect(last.checksLeft == 5)
        #expect(last.sendsLeft == 0)
        #expect(scene.queued.count == 5)
    }

    @Test func oneWhoWaitedForTheStoreDoesNotShortenTheWaitOfOthers() throws {
        var scene = try Scene()
        #expect(try scene.begin(at: 100).word == "begun")
        let tooSoon = Result<BeginVerification.Answer, PhoneFailure>.failure(
            .resendTooSoon(nextSendAt: Scene.start + .seconds(130))
        )
        #expect(try [91, 129].map { try scene.begin(at: $0) } == [tooSoon, tooSoon])
        #expect(try scene.begin(at: 130).word == "resent")
    }

    @Test func oneWhoWaitedIsNotTooSoonWhereThereIsNoWait() throws {
        var scene = try Scene(policy: try VerificationPolicy(resendCooldowns: [.zero]))
        #expect(try scene.begin(at: 100).word == "begun")
        #expect(try scene.begin(at: 91).word == "resent")
        #expect(scene.activity.recentSends == [Scene.start + .seconds(100), Scene.start + .seconds(100)])
    }

    @Test func theCooldownIsTheNumbersWhateverTheClient() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        let other = Owner.operator("other")
        #expect(try scene.begin(at: 10, owner: other).word == "resend_too_soon")
        #expect(try scene.begin(at: 30, owner: other).word == "begun")
        #expect(try scene.begin(at: 89, owner: other).word == "resend_too_soon")
    }

    @Test func aNumberHasTenMessagesInAnyTwentyFourHours() throws {
        var scene = try Scene(policy: try VerificationPolicy(maxSends: 1, resendCooldowns: [.zero]))
        for turn in 0..<10 { #expect(try scene.begin(at: Int64(turn) * 601).word == "begun") }
        let day: Int64 = 86_400
        #expect(
            try scene.begin(at: 7000)
                == .failure(
                    .rateLimited(
                        policies: [scene.policy.sendQuota],
                        retryAt: Scene.start + .seconds(day)
                    )
                )
        )
        #expect(try scene.begin(at: day - 1).word == "rate_limited")
        #expect(try scene.begin(at: day).word == "begun")
        #expect(try scene.begin(at: day + 600).word == "rate_limited")
    }

    @Test func cancelingDoesNotClearTheWait() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        _ = try scene.cancel(at: 1)
        #expect(try scene.begin(at: 2).word == "resend_too_soon")
        #expect(try scene.begin(at: 30).word == "begun")
    }

    @Test func aClockThatWasFarAheadDoesNotCloseTheNumber() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 31_536_000)
        scene.verification = nil
        #expect(try scene.begin(at: 0).word == "resend_too_soon")
        #expect(try scene.begin(at: 30).word == "begun")
        #expect(scene.activity.recentSends == [Scene.start, Scene.start + .seconds(30)])
    }
}
