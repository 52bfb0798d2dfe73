import PhoneDomain
import Testing

@Suite struct OutboxRulesTests {
    @Test func aClaimKeepsOthersAwayUntilItRunsOut() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        var message = try #require(scene.queued.first)
        #expect(message.claim(at: Scene.start - .milliseconds(1), until: Scene.start) == false)
        #expect(message.claim(at: Scene.start, until: Scene.start + .seconds(60)) == true)
        #expect(message.claim(at: Scene.start + .seconds(59), until: Scene.start + .seconds(119)) == false)
        #expect(message.claim(at: Scene.start + .seconds(60), until: Scene.start + .seconds(120)) == true)
        #expect(message.attempts == 2)
    }

    @Test func onlyTheLatestClaimSettles() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        var message = try #require(scene.queued.first)
        var verification = try #require(scene.verification)
        _ = message.claim(at: Scene.start, until: Scene.start + .seconds(60))
        _ = message.claim(at: Scene.start + .seconds(60), until: Scene.start + .seconds(120))
        func settle(_ attempt: Int, _ result: DeliveryResult) -> Bool {
            SettleMessage(id: message.id, attempt: attempt, result: result, now: Scene.start).apply(
                to: &message,
                &verification
            )
        }
        #expect(settle(1, .failed("no money")) == false)
        #expect(message.status == .queued)
        #expect(settle(2, .sent(gateway: "stub", gatewayMessageID: "SM1")))
        #expect(message.status == .sent)
        #expect(message.gateway == "stub")
        #expect(message.gatewayMessageID == "SM1")
        #expect(settle(2, .failed("no money")) == false)
        #expect(verification.recordedStatus == .pending)
    }

    @Test func whatAGatewayKnowsAtOnceIsItsLastWord() throws {
        for (outcome, status, failure) in [
            (.delivered, .delivered, nil), (.undelivered(code: 30008), .undelivered, "lost in transit (30008)"),
            (.undelivered(code: nil), .undelivered, "lost in transit"),
        ] as [(RecordReceipt.Outcome, OutboxMessage.Status, String?)] {
            var scene = try Scene()
            _ = try scene.begin(at: 0)
            var message = try #require(scene.queued.first)
            var verification = try #require(scene.verification)
            _ = message.claim(at: Scene.start, until: Scene.start + .seconds(60))
            let settled = SettleMessage(
                id: message.id,
                attempt: 1,
                result: .sent(gateway: "stub", gatewayMessageID: "SM1", outcome: outcome),
                now: Scene.start
            ).apply(to: &message, &verification)
            #expect(settled)
            #expect(message.status == status)
            #expect(message.failure == failure)
            #expect(message.countsAsSent)
            // The code is accepted either way: a gateway that lost it had taken it.
            #expect(verification.acceptedAt == Scene.start)
            #expect(verification.recordedStatus == .pending)
            let later = RecordReceipt(
                gateway: "stub",
                gatewayMessageID: "SM1",
                outcome: .undelivered(code: 1),
                now: Scene.start
            ).apply(to: &message)
            #expect(!later)
        }
    }

    @Test func aMessageThatNoGatewayTakesFailsItsVerification() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        var message = try #require(scene.queued.first)
        _ = message.claim(at: Scene.start, until: Scene.start + .seconds(60))
        let command = SettleMessage(id: message.id, attempt: 1, result: .failed("no money"), now: Scene.start)
        var verification = try #require(scene.verification)
        #expect(command.apply(to: &message, &verification) == true)
        #expect(verification.recordedStatus == .failed)
        scene.verification = verification
        #expect(try scene.check(Scene.rightCode, at: 1).word == "verification_closed")
    }

    @Test func aFailedMessageLeavesAnApprovalAlone() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        var message = try #require(scene.queued.first)
        _ = message.claim(at: Scene.start, until: Scene.start + .seconds(60))
        _ = try scene.check(Scene.rightCode, at: 1)
        let command = SettleMessage(id: message.id, attempt: 1, result: .failed("no money"), now: Scene.start)
        var verification = try #require(scene.verification)
        #expect(command.apply(to: &message, &verification) == true)
        #expect(verification.recordedStatus == .approved)
    }
}
