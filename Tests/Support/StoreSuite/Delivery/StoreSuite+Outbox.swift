import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let outboxRules = [
        StoreRule("a claim contains the message and its verification, and moves the next attempt") { scene in
            let begun = try await scene.request()
            let end = StoreScene.start + .seconds(60)
            let claims = try await scene.store.claim(limit: 10, at: StoreScene.start, until: end)
            let claimed = OutboxMessage(
                id: OutboxMessage.ID(bits: 0, 2),
                verificationID: begun.id,
                createdAt: StoreScene.start,
                status: .queued,
                attempts: 1,
                nextAttemptAt: end
            )
            #expect(claims == [OutboxClaim(message: claimed, verification: begun)])
            #expect(try await scene.store.nextAttempt() == end)
        },
        StoreRule("eight dispatchers claim each message once") { scene in
            for index in 0..<40 {
                try await scene.request("010-1234-\(5000 + index)")
            }
            let claimed = try await atOnce(8) { _ in
                var mine: [OutboxMessage] = []
                // Not without end: a store that forgets its claims gives the same ones again and again.
                while case let claimed = try await scene.claim(limit: 3), !claimed.isEmpty, mine.count < 40 {
                    mine += claimed
                }
                return mine
            }
            #expect(claimed.joined().count == 40)
            #expect(Set(claimed.joined().map(\.id)).count == 40)
            #expect(claimed.joined().allSatisfy { $0.attempts == 1 })
        },
        StoreRule("messages are claimed in the order in which they fell due") { scene in
            for phone in ["010-1111-1111", "010-2222-2222", "010-3333-3333"] {
                try await scene.request(phone)
                scene.advance(by: .seconds(1))
            }
            let first = try await scene.claim(limit: 1)
            #expect(first.map(\.id) == [OutboxMessage.ID(bits: 0, 2)])
            #expect(
                try await scene.settle(first[0], .retry(at: StoreScene.start + .milliseconds(1500), failure: "busy"))
            )
            #expect(
                try await scene.claim().map(\.id) == [
                    OutboxMessage.ID(bits: 0, 4), OutboxMessage.ID(bits: 0, 2), OutboxMessage.ID(bits: 0, 6),
                ]
            )
            #expect(try await scene.claim(limit: 0).isEmpty)
        },
        StoreRule("an expired claim is claimed anew, and its first claimant settles nothing any more") { scene in
            try await scene.request()
            let first = try await scene.claim()
            scene.advance(by: .milliseconds(59_999))
            #expect(try await scene.claim().isEmpty)
            scene.advance(by: .milliseconds(1))
            let second = try await scene.claim()
            #expect(second.map(\.id) == first.map(\.id))
            #expect(second.map(\.attempts) == [2])
            #expect(try await scene.settle(first[0], .failed("no money")) == false)
            #expect(try await scene.settle(second[0], .sent(gateway: "stub", gatewayMessageID: nil)))
            #expect(try await scene.settle(second[0], .failed("no money")) == false)
            #expect(try await scene.store.nextAttempt() == nil)
            scene.advance(by: .seconds(3600))
            #expect(try await scene.claim().isEmpty)
            #expect(try await scene.store.verification(first[0].verificationID)?.recordedStatus == .pending)
        },
        StoreRule("a message to be tried again is due when it was said to be") { scene in
            try await scene.request()
            let claimed = try await scene.claim()
            let retryAt = StoreScene.start + .seconds(5)
            #expect(try await scene.settle(claimed[0], .retry(at: retryAt, failure: "busy")))
            #expect(try await scene.store.nextAttempt() == retryAt)
            #expect(try await scene.claim().isEmpty)
            scene.advance(by: .seconds(5))
            #expect(try await scene.claim().map(\.attempts) == [2])
        },
        StoreRule("a message that no gateway takes fails its verification, unless that has ended") { scene in
            let failed = try await scene.request()
            let approved = try await scene.prove("010-8765-4321")
            scene.advance(by: .seconds(1))
            for message in try await scene.claim() {
                #expect(try await scene.settle(message, .failed("no money")))
            }
            let kept = try await scene.store.verification(failed.id)
            #expect(kept?.recordedStatus == .failed)
            #expect(kept?.updatedAt == StoreScene.start + .seconds(1))
            #expect(try await scene.refusal(of: StoreScene.rightCode, failed.id) == .verificationClosed)
            #expect(try await scene.store.verification(approved.id) == approved)
        },
        StoreRule("a dropped message is done with, and its verification stays as it was") { scene in
            let begun = try await scene.request()
            let claimed = try await scene.claim()
            #expect(try await scene.settle(claimed[0], .dropped))
            #expect(try await scene.store.nextAttempt() == nil)
            #expect(try await scene.store.verification(begun.id) == begun)
        },
        StoreRule("the result of a message that does not exist is not stored") { scene in
            let unknown = SettleMessage(
                id: OutboxMessage.ID(bits: 9, 9),
                attempt: 1,
                result: .dropped,
                now: StoreScene.start
            )
            let isKept = try await scene.store.settle(unknown)
            #expect(!isKept)
        },
        StoreRule("the backlog is what is queued, claimed or not, and its age that of the oldest") { scene in
            #expect(try await scene.store.backlog() == OutboxBacklog(count: 0, oldest: nil))
            for phone in ["010-1111-1111", "010-2222-2222", "010-3333-3333"] {
                try await scene.request(phone)
                scene.advance(by: .seconds(1))
            }
            #expect(try await scene.store.backlog() == OutboxBacklog(count: 3, oldest: StoreScene.start))
            let claimed = try await scene.claim(limit: 1)
            #expect(try await scene.store.backlog() == OutboxBacklog(count: 3, oldest: StoreScene.start))
            #expect(try await scene.settle(claimed[0], .sent(gateway: "stub", gatewayMessageID: nil)))
            #expect(
                try await scene.store.backlog() == OutboxBacklog(count: 2, oldest: StoreScene.start + .seconds(1))
            )
        },
        StoreRule("a message has the trace of the request that asked for it, and a resend that of its own") { scene in
            let first = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            let second = TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")
            for traceParent in [first, second, nil] {
                try await TraceParent.$current.withValue(traceParent) { _ = try await scene.request() }
                scene.advance(by: .seconds(300))
            }
            let claimed = try await scene.claim()
            #expect(claimed.map(\.traceParent) == [first, second, nil])
            #expect(
                try await scene.settle(claimed[0], .retry(at: scene.now + .seconds(1), failure: "busy"))
            )
            scene.advance(by: .seconds(1))
            #expect(try await scene.claim().map(\.traceParent) == [first])
        },
        StoreRule("codes that gateways accepted are counted, and an approval for the last message of its verification")
        {
            scene in
            let asked = try await scene.request()
            let (other, silent) = (try await scene.request("010-2222-2222"), try await scene.request("010-3333-3333"))
            let (queued, failed) = (try await scene.request("010-4444-4444"), try await scene.request("010-5555-5555"))
            let refused = try await scene.request("010-6666-6666")
            func send(_ id: Verification.ID, _ result: DeliveryResult) async throws {
                let message = try await scene.claim(limit: 1)[0]
                #expect(message.verificationID == id)
                #expect(try await scene.settle(message, result))
            }
            try await send(asked.id, .sent(gateway: "a", gatewayMessageID: nil))
            try await send(other.id, .sent(gateway: "b", gatewayMessageID: nil, outcome: .delivered))
            try await send(silent.id, .unknown(gateway: "a", failure: "no answer"))
            let wait = DeliveryResult.retry(at: scene.now + .seconds(3600), failure: "busy", gateway: "b")
            try await send(queued.id, wait)
            try await send(failed.id, .failed("no"))
            try await send(refused.id, .failed("no such number", gateway: "d"))
            scene.advance(by: .seconds(60))
            try await scene.request()
            try await send(asked.id, .sent(gateway: "c", gatewayMessageID: nil))
            scene.advance(by: .seconds(5))
            try await scene.check(StoreScene.rightCode, asked.id)
            try await scene.check(StoreScene.rightCode, other.id)

            func samples(until end: Timestamp, limit: Int = 9) async throws -> [RouteSample] {
                // IDs of this test have no time in front.
                try await scene.store.routeSamples(from: Timestamp(seconds: 0), to: end, limit: limit)
            }
            func sample(_ gateway: String, _ asked: Verification, at seconds: Int64, _ approved: Int64?) -> RouteSample
            {
                RouteSample(
                    by: gateway,
                    .sms,
                    to: asked.phoneNumber,
                    createdAt: StoreScene.start + .seconds(seconds),
                    approvedAfter: approved.map { .seconds($0) }
                )
            }
            let all = [
                sample("c", asked, at: 60, 5), sample("d", refused, at: 0, nil), sample("a", silent, at: 0, nil),
                sample("b", other, at: 0, 65), sample("a", asked, at: 0, nil),
            ]
            #expect(try await samples(until: scene.now) == all)
            #expect(try await samples(until: scene.now, limit: 1) == [all[0]])
            #expect(try await samples(until: Timestamp(seconds: 0)) == [])
            #expect(try await scene.store.routeSamples(from: scene.now, to: scene.now, limit: 9) == [])
            #expect(try await scene.store.gatewaysUsed(by: asked.id) == ["c", "a"])
            #expect(try await scene.store.gatewaysUsed(by: queued.id) == [])
        },
        StoreRule("of settlements at once of one attempt one counts") { scene in
            try await scene.request()
            let claimed = try await scene.claim()
            let counted = try await atOnce(20) { index in
                try await scene.settle(claimed[0], .sent(gateway: "gateway \(index)", gatewayMessageID: nil))
            }
            #expect(counted.count { $0 } == 1)
        },
    ]
}
