import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

extension StoreSuite {
    static let claimedAtOnceRules = [
        StoreRule("a message may be claimed as it is queued: who queues it has it in hand as the store keeps it") {
            scene in
            let (result, claim) = try await scene.beginClaimed()
            let answer = try result.get()
            #expect(answer.isNew)
            let begun = answer.verification
            let kept = OutboxMessage(
                id: OutboxMessage.ID(bits: 0, 2),
                verificationID: begun.id,
                createdAt: StoreScene.start,
                status: .queued,
                attempts: 1,
                nextAttemptAt: StoreScene.start + .seconds(60),
                gateway: nil,
                gatewayMessageID: nil
            )
            #expect(claim == OutboxClaim(message: kept, verification: begun))
            #expect(try await scene.store.messages(status: .queued, limit: 9) == [claim])
            #expect(try await scene.store.nextAttempt() == StoreScene.start + .seconds(60))
            #expect(try await scene.claim().isEmpty)
            #expect(try await scene.settle(kept, .sent(gateway: "a", gatewayMessageID: "SM1")))
            #expect(try await scene.store.messages(status: nil, limit: 9).map(\.message.status) == [.sent])
            #expect(try await scene.store.verification(begun.id)?.acceptedAt == StoreScene.start)
        },
        StoreRule("so may one that is sent again, and only those that are asked for") { scene in
            _ = try await scene.beginClaimed()
            let (none, nothing) = try await scene.beginClaimed()
            #expect(throws: PhoneFailure.self) { try none.get() }
            #expect(nothing == nil)
            scene.advance(by: .seconds(30))
            let (again, claim) = try await scene.beginClaimed()
            let answer = try again.get()
            #expect(!answer.isNew)
            #expect(claim?.verification == answer.verification)
            #expect(claim?.message.attempts == 1)
            try await scene.request("010-8765-4321")
            #expect(try await scene.claim().map(\.attempts) == [1])
            #expect(try await scene.store.messages(status: .queued, limit: 9).count == 3)
        },
        StoreRule("a message that was claimed as it was queued is not lost with the process that queued it") { scene in
            let (_, claim) = try await scene.beginClaimed()
            let first = try #require(claim?.message)
            scene.advance(by: .milliseconds(59_999))
            #expect(try await scene.claim().isEmpty)
            scene.advance(by: .milliseconds(1))
            let second = try await scene.claim()
            #expect(second.map(\.id) == [first.id])
            #expect(second.map(\.attempts) == [2])
            #expect(try await scene.settle(first, .sent(gateway: "a", gatewayMessageID: "SM1")) == false)
            #expect(try await scene.settle(second[0], .sent(gateway: "b", gatewayMessageID: "SM2")))
            #expect(try await scene.store.messages(status: nil, limit: 9).map(\.message.gateway) == ["b"])
        },
    ]
}
