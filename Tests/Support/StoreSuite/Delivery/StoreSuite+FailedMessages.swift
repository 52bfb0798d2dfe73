import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let failedMessageRules = [
        StoreRule("why a message was last not taken is kept, until a gateway takes it") { scene in
            try await scene.request()
            var claimed = try await scene.claim()
            #expect(try await scene.settle(claimed[0], .retry(at: scene.now, failure: "busy (503)")))
            #expect(try await scene.store.messages(status: .queued, limit: 1).map(\.message.failure) == ["busy (503)"])
            claimed = try await scene.claim()
            #expect(claimed.map(\.failure) == ["busy (503)"])
            #expect(try await scene.settle(claimed[0], .sent(gateway: "a", gatewayMessageID: "1")))
            #expect(try await scene.store.messages(status: .sent, limit: 1).map(\.message.failure) == [nil])
        },
        StoreRule("of a message that may be at a gateway it is kept at which, and it may be retried by any") { scene in
            let begun = try await scene.request()
            var claimed = try await scene.claim()
            #expect(try await scene.settle(claimed[0], .retry(at: scene.now, failure: "no answer", gateway: "a")))
            claimed = try await scene.claim()
            #expect(claimed.map(\.gateway) == ["a"])
            #expect(try await scene.settle(claimed[0], .postponed(until: scene.now)))
            claimed = try await scene.claim()
            #expect(claimed.map(\.gateway) == ["a"])
            #expect(try await scene.settle(claimed[0], .unknown(gateway: "a", failure: "no answer")))
            let unknown = try await scene.store.messages(status: .unknown, limit: 9)
            #expect(unknown.map(\.message.gateway) == ["a"])
            #expect(unknown.map(\.message.failure) == ["no answer"])
            #expect(unknown.map(\.verification.recordedStatus) == [.pending])
            #expect(try await scene.store.traffic(of: .service).lastDay(at: scene.now).sent == 1)
            #expect(try await scene.store.verification(begun.id)?.acceptedAt == scene.now)
            _ = try await scene.retry(claimed[0]).get()
            #expect(try await scene.claim().map(\.gateway) == [nil])
            #expect(try await scene.store.traffic(of: .service).lastDay(at: scene.now).sent == 1)
        },
        StoreRule("an attempt without a gateway does not count, and is still distinguished from others") { scene in
            try await scene.request()
            let first = try await scene.claim()
            #expect(try await scene.settle(first[0], .postponed(until: scene.now + .seconds(30))))
            #expect(try await scene.store.nextAttempt() == scene.now + .seconds(30))
            scene.advance(by: .seconds(30))
            let second = try await scene.claim()
            #expect(second.map(\.attempts) == [2])
            #expect(second.map(\.countedAttempts) == [1])
            #expect(try await scene.settle(first[0], .failed("late")) == false)
        },
        StoreRule("messages are listed newest first, all or of one status, and no more than asked for") { scene in
            var begun: [Verification] = []
            for index in 1...5 {
                begun.append(try await scene.request("010-1111-111\(index)"))
                if index != 3 { scene.advance(by: .seconds(1)) }
            }
            let claimed = try await scene.claim()
            #expect(try await scene.settle(claimed[0], .failed("no money")))
            #expect(try await scene.settle(claimed[1], .sent(gateway: "a", gatewayMessageID: "1")))
            #expect(try await scene.settle(claimed[4], .failed("no such number (21211)")))
            let all = try await scene.store.messages(status: nil, limit: 10)
            #expect(all.map(\.verification.id) == begun.reversed().map(\.id))
            #expect(all.map(\.message.status) == [.failed, .queued, .queued, .sent, .failed])
            #expect(all.map(\.verification.recordedStatus) == [.failed, .pending, .pending, .pending, .failed])
            let failed = try await scene.store.messages(status: .failed, limit: 10)
            #expect(failed == [all[0], all[4]])
            #expect(failed.map(\.message.failure) == ["no such number (21211)", "no money"])
            #expect(try await scene.store.messages(status: nil, limit: 2) == Array(all.prefix(2)))
            #expect(try await scene.store.messages(status: .queued, limit: 1) == [all[1]])
            #expect(try await scene.store.messages(status: .dropped, limit: 10).isEmpty)
        },
        StoreRule("what no gateway took was not sent to anybody, until it is tried again and one takes it") { scene in
            let prefix = TrafficKey.prefix("+82101234")
            func sent() async throws -> [Int] {
                var counts: [Int] = []
                for key in [prefix, .country(.korea), .service] {
                    counts.append(try await scene.store.traffic(of: key).lastDay(at: scene.now).sent)
                }
                return counts
            }
            try await scene.request()
            #expect(try await sent() == [1, 1, 1])
            let claimed = try await scene.claim()
            #expect(try await scene.settle(claimed[0], .failed("no money")))
            #expect(try await sent() == [0, 0, 0])
            #expect(try await scene.settle(claimed[0], .failed("no money")) == false)
            #expect(try await sent() == [0, 0, 0])
            _ = try await scene.retry(claimed[0])
            #expect(try await sent() == [1, 1, 1])
            let again = try await scene.claim()
            #expect(try await scene.settle(again[0], .sent(gateway: "a", gatewayMessageID: "1")))
            #expect(try await sent() == [1, 1, 1])
        },
        StoreRule("a failed message is owed again when it is to be retried, and its verification pends again") {
            scene in
            let begun = try await scene.request()
            let claimed = try await scene.claim()
            #expect(try await scene.settle(claimed[0], .failed("no money")))
            scene.advance(by: .seconds(90))
            let queued = OutboxMessage(
                id: claimed[0].id,
                verificationID: begun.id,
                createdAt: StoreScene.start,
                status: .queued,
                attempts: 1,
                nextAttemptAt: scene.now,
                forgivenAttempts: 1,
                failure: "no money"
            )
            #expect(try await scene.retry(claimed[0]) == .success(queued))
            #expect(try await scene.retry(claimed[0]) == .failure(.notFailed))
            var retries = AuditQuery(limit: 10)
            retries.action = .retry
            #expect(try await scene.store.entries(retries).entries.map(\.verificationID) == [begun.id])
            let kept = try await scene.store.verification(begun.id)
            #expect(kept?.recordedStatus == .pending)
            #expect(kept?.updatedAt == scene.now)
            #expect(kept?.checksLeft == begun.checksLeft)
            #expect(kept?.expiresAt == begun.expiresAt)
            #expect(try await scene.claim().map(\.countedAttempts) == [1])
            #expect(try await scene.check(StoreScene.rightCode, begun.id).recordedStatus == .approved)
        },
        StoreRule("a message whose code has expired, or is not awaited any more, is not retried") { scene in
            let canceled = try await scene.request()
            let expired = try await scene.request("010-8765-4321")
            let claimed = try await scene.claim()
            try await scene.cancel(canceled.id)
            #expect(try await scene.settle(claimed[0], .dropped))
            #expect(try await scene.retry(claimed[0]) == .failure(.verificationClosed))
            #expect(try await scene.settle(claimed[1], .failed("no money")))
            scene.advance(by: .seconds(600))
            #expect(try await scene.retry(claimed[1]) == .failure(.expired))
            #expect(try await scene.store.verification(expired.id)?.recordedStatus == .failed)
            #expect(try await scene.store.messages(status: .failed, limit: 9).map(\.message.id) == [claimed[1].id])
            #expect(try await scene.store.nextAttempt() == nil)
            let unknown = RetryMessage(id: OutboxMessage.ID(bits: 9, 9), now: scene.now)
            #expect(try await scene.store.retry(unknown) == .failure(.notFound))
        },
        StoreRule("of retries at once of one message one counts") { scene in
            try await scene.request()
            let claimed = try await scene.claim()
            #expect(try await scene.settle(claimed[0], .failed("no money")))
            let outcomes = try await atOnce(20) { _ in try await scene.retry(claimed[0]) }
            #expect(outcomes.count { $0 == .failure(.notFailed) } == 19)
        },
    ]
}

extension StoreScene {
    func retry(_ message: OutboxMessage) async throws -> Result<OutboxMessage, RetryMessage.Refusal> {
        try await store.retry(RetryMessage(id: message.id, now: now))
    }
}
