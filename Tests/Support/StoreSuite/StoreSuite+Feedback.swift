import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

/// That the code of a message was entered, for the gateway that took it.
extension StoreSuite {
    static let feedbackRules = [
        StoreRule("an approval is announced to gateways with the last message that one of them took") { scene in
            let begun = try await scene.request()
            #expect(try await scene.accept("SM1"))
            scene.advance(by: .seconds(30))
            try await scene.request()
            #expect(try await scene.accept("SM2"))
            scene.advance(by: .seconds(60))
            try await scene.request()
            // This one is lost.
            #expect(try await scene.accept("SM3"))
            let lost = RecordReceipt(
                gateway: "a",
                gatewayMessageID: "SM3",
                outcome: .undelivered(code: nil),
                now: scene.now
            )
            #expect(try await scene.store.record(lost))
            try await scene.check(StoreScene.rightCode, begun.id)
            let claims = try await scene.claimFeedback()
            #expect(claims.map(\.messageID) == ["SM2"])
            #expect(claims.map(\.event.kind) == [.messageFeedback])
            #expect(claims.map(\.event.occurredAt) == [scene.now])
            #expect(try await scene.store.nextEvent(for: .gateways) == scene.now + .seconds(60))
            #expect(try await scene.claimFeedback().isEmpty)
            scene.advance(by: .seconds(60))
            let again = try await scene.claimFeedback()
            #expect(again.map(\.event.attempts) == [2])
            #expect(try await scene.settle(claims[0], .delivered) == false)
            #expect(try await scene.settle(again[0], .delivered))
            #expect(try await scene.store.nextEvent(for: .gateways) == nil)
        },
        StoreRule("a message has what its gateway answered to feedback, with the attempt that it answered") { scene in
            let begun = try await scene.request()
            #expect(try await scene.accept("SM1"))
            try await scene.check(StoreScene.rightCode, begun.id)
            for (answer, result) in [
                ("no answer", EventResult.retry(at: scene.now, failure: "no answer")), ("accepted", .delivered),
            ] {
                let claim = try #require(try await scene.claimFeedback().first)
                guard case .message(let message, _) = claim.content else { continue }
                let command = SettleEvent(id: claim.event.id, attempt: claim.event.attempts, result: result)
                #expect(try await scene.store.settle(command, RecordFeedback(answer, of: message.id)))
                let stored = try await scene.store.messages(MessageSearch(limit: 9)).items
                #expect(stored.map(\.message.feedback) == [answer])
            }
            #expect(try await scene.store.nextEvent(for: .gateways) == nil)
        },
        StoreRule("what is for gateways is no webhook's, and the reverse") { scene in
            let begun = try await scene.request()
            #expect(try await scene.accept("SM1"))
            try await scene.check(StoreScene.rightCode, begun.id)
            #expect(try await scene.store.events(status: nil, limit: 9).map(\.kind) == [.verificationApproved])
            #expect(try await scene.claimEvents().map(\.event.kind) == [.verificationApproved])
            #expect(try await scene.claimFeedback().map(\.event.kind) == [.messageFeedback])
        },
        StoreRule("a message on its way is not overlooked when its code is entered already") { scene in
            let begun = try await scene.request()
            let message = try await scene.claim()[0]
            try await scene.check(StoreScene.rightCode, begun.id)
            #expect(try await scene.claimFeedback().map(\.status) == [.queued])
            #expect(try await scene.settle(message, .sent(gateway: "a", gatewayMessageID: "SM1")))
            scene.advance(by: .seconds(60))
            #expect(try await scene.claimFeedback().map(\.messageID) == ["SM1"])
        },
        StoreRule("there is no feedback on what no gateway took, nor on what was erased") { scene in
            let unsent = try await scene.request("010-1111-1111")
            #expect(try await scene.settle(try await scene.claim()[0], .unknown(gateway: "a", failure: "no answer")))
            try await scene.check(StoreScene.rightCode, unsent.id)
            let erased = try await scene.request("010-2222-2222")
            #expect(try await scene.accept("SM1"))
            try await scene.check(StoreScene.rightCode, erased.id)
            _ = try await scene.people().erase("010-2222-2222")
            #expect(try await scene.claimFeedback().isEmpty)
            #expect(try await scene.store.nextEvent(for: .gateways) == nil)
        },
    ]
}

extension StoreScene {
    /// Has a gateway accept the message that is due.
    fileprivate func accept(_ messageID: String) async throws -> Bool {
        try await settle(try await claim()[0], .sent(gateway: "a", gatewayMessageID: messageID))
    }

    func claimFeedback(limit: Int = 1000) async throws -> [EventClaim] {
        try await store.claimEvents(for: .gateways, limit: limit, at: now, until: now + .seconds(60))
    }
}

extension EventClaim {
    private var message: OutboxMessage? {
        if case .message(let message, _) = content { message } else { nil }
    }

    fileprivate var messageID: String? { message?.gatewayMessageID }
    fileprivate var status: OutboxMessage.Status? { message?.status }
}
