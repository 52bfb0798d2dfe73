import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    /// What holds while the clock is set back an hour, forth a day, and back again.
    static let clockRules = [
        StoreRule("a code that a clock set back would bring to life again later is closed before that") { scene in
            let begun = try await scene.request()
            scene.advance(by: .seconds(-3600))
            #expect(try await scene.refusal(of: StoreScene.rightCode, begun.id) == .codeExpired)
            let made = try await scene.request("010-8765-4321")
            #expect(try await scene.store.close(at: scene.now, limit: 10) == 1)
            #expect(try await scene.store.close(at: scene.now, limit: 10) == 0)
            #expect(try await scene.store.verification(begun.id)?.recordedStatus == .expired)

            // The time at which it was begun comes again.
            scene.advance(by: .seconds(3600))
            #expect(try await scene.refusal(of: StoreScene.rightCode, begun.id) == .codeExpired)
            scene.advance(by: .seconds(-3600))
            #expect(try await scene.check(StoreScene.rightCode, made.id).recordedStatus == .approved)
        },
        StoreRule("a clock that is set right by a little closes nothing") { scene in
            let begun = try await scene.request()
            scene.advance(by: .seconds(-299))
            #expect(try await scene.store.close(at: scene.now, limit: 10) == 0)
            #expect(try await scene.check(StoreScene.rightCode, begun.id).recordedStatus == .approved)
        },
        StoreRule("no more are closed at a time than were asked for") { scene in
            for index in 0..<3 { try await scene.request("010-1234-\(5000 + index)") }
            scene.advance(by: .seconds(-3600))
            #expect(try await scene.store.close(at: scene.now, limit: 2) == 2)
            #expect(try await scene.store.close(at: scene.now, limit: 2) == 1)
        },
        StoreRule("a code whose time has run out stays dead when the clock is set back") { scene in
            let begun = try await scene.request()
            scene.advance(by: .milliseconds(599_999))
            #expect(try await scene.store.close(at: scene.now, limit: 10) == 0)
            scene.advance(by: .milliseconds(1))
            #expect(try await scene.store.close(at: scene.now, limit: 10) == 1)
            scene.advance(by: .seconds(-300))
            #expect(try await scene.refusal(of: StoreScene.rightCode, begun.id) == .codeExpired)
        },
        StoreRule("what was proven is not closed") { scene in
            let proven = try await scene.prove()
            scene.advance(by: .seconds(3600))
            #expect(try await scene.store.close(at: scene.now, limit: 10) == 0)
            #expect(try await scene.store.verification(proven.id) == proven)
        },
        StoreRule("an approval given by a clock that was ahead is not to be used") { scene in
            let proven = try await scene.prove()
            scene.advance(by: .seconds(-300))
            #expect(try await scene.refusal { try await scene.signUp(proven.id) } == .codeExpired)
            scene.advance(by: .milliseconds(1))
            #expect(try await scene.refusal { try await scene.signUp(proven.id) } == nil)
        },
        StoreRule("checks that were used stay used, whatever the clock does") { scene in
            let begun = try await scene.request()
            for checksLeft in [4, 3] {
                let refusal = try await scene.refusal(of: StoreScene.wrongCode, begun.id)
                #expect(refusal?.checksLeft == checksLeft)
            }
            for step in [-3600, 86_400, -82_800] {
                scene.advance(by: .seconds(step))
                let refusal = try await scene.refusal(of: StoreScene.wrongCode, begun.id)
                #expect(step == -82_800 ? refusal?.checksLeft == 2 : refusal == .codeExpired)
            }
        },
        StoreRule("setting the clock back brings no messages back", policy: { try .hurried(sendsPerDay: 2) }) { scene in
            try await scene.request()
            try await scene.request()
            for step in [-3600, 7200, -7200] {
                scene.advance(by: .seconds(step))
                #expect(try await scene.refusal { try await scene.request() }?.code == "rate_limited")
            }
            scene.advance(by: .seconds(86_400))
            #expect(try await scene.refusal { try await scene.request() } == nil)
        },
        StoreRule(
            "a number is closed no longer than its lockout from the moment the clock was put right",
            policy: { try .hurried(maxConsecutiveFailures: 1) }
        ) { scene in
            scene.advance(by: .seconds(365 * 86_400))
            let begun = try await scene.request()
            _ = try await scene.refusal(of: StoreScene.wrongCode, begun.id)
            scene.advance(by: .seconds(-365 * 86_400))
            let closed = PhoneFailure.rateLimited(
                policies: [scene.policy.failureQuota],
                retryAt: StoreScene.start + .seconds(86_400)
            )
            #expect(try await scene.refusal { try await scene.request() } == closed)
            scene.advance(by: .milliseconds(86_399_999))
            #expect(try await scene.refusal { try await scene.request() } == closed)
            scene.advance(by: .milliseconds(1))
            #expect(try await scene.refusal { try await scene.request() } == nil)
        },
        StoreRule("what a clock that was ahead has queued for later is due once it is right") { scene in
            scene.advance(by: .seconds(86_400))
            _ = try await scene.prove()
            for event in try await scene.claimEvents() {
                let later = scene.now + Event.longestWait
                #expect(try await scene.settle(event, .retry(at: later, failure: "no response in time")))
            }
            let message = try #require(try await scene.claim().first)
            // A gateway asks for more patience than a message has.
            #expect(try await scene.settle(message, .retry(at: scene.now + .seconds(86_400), failure: "busy")))
            // Nothing that waits by a clock that is right.
            #expect(try await scene.store.hasten(at: scene.now, limit: 10) == 0)
            #expect(try await scene.store.nextAttempt() == scene.now + .seconds(3600))
            scene.advance(by: .seconds(-86_400))
            #expect(try await scene.claim().isEmpty)
            #expect(try await scene.claimEvents().isEmpty)
            // The message, the event, and what is for gateways.
            #expect(try await scene.store.hasten(at: scene.now, limit: 10) == 3)
            #expect(try await scene.store.hasten(at: scene.now, limit: 10) == 0)
            #expect(try await scene.claim().count == 1)
            #expect(try await scene.claimEvents().count == 1)
        },
        StoreRule("a message that is being sent is not claimed again when the clock is set back") { scene in
            try await scene.request()
            let message = try #require(try await scene.claim().first)
            for step in [-3600, 3599, 60] {
                scene.advance(by: .seconds(step))
                #expect(try await scene.claim().isEmpty)
            }
            #expect(try await scene.settle(message, .sent(gateway: "stub", gatewayMessageID: nil)))
        },
    ]
}
