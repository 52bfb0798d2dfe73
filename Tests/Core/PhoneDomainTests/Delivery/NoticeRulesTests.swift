import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import Testing

/// What holds for a notice and not for a message that bears a code.
@Suite struct NoticeRulesTests {
    /// The verification that proved the new number, whose message no gateway has taken yet.
    private let verification: Verification
    private let change: NumberChange
    private let notice: OutboxMessage

    init() throws {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        verification = try #require(scene.verification)
        change = try Self.change(by: verification)
        notice = OutboxMessage(
            id: try #require(Identifier("msg_0000000000000000000000000000000d")),
            verificationID: verification.id,
            numberChangeID: change.id,
            createdAt: Scene.start
        )
    }

    private static func change(
        by verification: Verification,
        from old: String? = "+821055556666",
        closedAt: Timestamp? = nil
    ) throws -> NumberChange {
        NumberChange(
            id: try #require(Identifier("chg_0000000000000000000000000000000c")),
            accountID: try #require(Identifier("acc_0000000000000000000000000000000a")),
            sessionID: try #require(Identifier("ses_0000000000000000000000000000000b")),
            verificationID: verification.id,
            oldNumber: try old.map { try PhoneNumber(e164: $0) },
            newNumber: verification.phoneNumber,
            language: .english,
            changedAt: Scene.start,
            undoableUntil: Scene.start + .seconds(86_400),
            undoDigest: [1],
            closedAt: closedAt
        )
    }

    private static let results: [(DeliveryResult, OutboxMessage.Status)] = [
        (.sent(gateway: "a", gatewayMessageID: "1"), .sent), (.sent(gateway: "a", gatewayMessageID: nil), .sent),
        (.retry(at: Scene.start, failure: "busy"), .queued), (.postponed(until: Scene.start), .queued),
        (.failed("bad number"), .failed), (.dropped, .dropped),
        (.unknown(gateway: "a", failure: "no answer"), .unknown),
    ]

    @Test(arguments: results)
    func whatComesOfItSaysNothingOfTheVerification(_ result: DeliveryResult, _ status: OutboxMessage.Status) {
        var (message, owner) = (notice, verification)
        _ = message.claim(at: Scene.start, until: Scene.start + .seconds(60))
        let command = SettleMessage(id: message.id, attempt: 1, result: result, now: Scene.start + .seconds(1))
        let isKept = command.apply(to: &message, &owner)
        #expect(isKept)
        #expect(message.status == status)
        #expect(owner == verification)
        let again = command.apply(to: &message, &owner)
        #expect(again == (status == .queued))
    }

    @Test func itIsForTheOldNumberAndDeliverableWhileTheChangeCanBeUndone() throws {
        let claim = OutboxClaim(message: notice, verification: verification, change: change)
        #expect(claim.recipient?.e164 == "+821055556666")
        #expect(claim.end == Scene.start + .seconds(86_400))
        #expect(claim.isDeliverable(at: Scene.start + .milliseconds(86_399_999)))
        #expect(!claim.isDeliverable(at: Scene.start + .seconds(86_400)))

        let changes = [
            nil, try Self.change(by: verification, from: nil), try Self.change(by: verification, closedAt: Scene.start),
        ]
        for change in changes {
            let claim = OutboxClaim(message: notice, verification: verification, change: change)
            #expect(!claim.isDeliverable(at: Scene.start))
        }
        #expect(OutboxClaim(message: notice, verification: verification).recipient == nil)
        #expect(OutboxClaim(message: notice, verification: verification).end == Scene.start)
    }

    @Test func itIsNoTrafficAndNoEvent() {
        var message = notice
        #expect(!message.countsAsSent)
        _ = message.claim(at: Scene.start, until: Scene.start + .seconds(60))
        var owner = verification
        _ = SettleMessage(id: message.id, attempt: 1, result: .failed("x"), now: Scene.start).apply(
            to: &message,
            &owner
        )
        #expect(message.status == .failed)
        #expect(!message.countsAsSent)
        let event = Event(message, was: notice, at: Scene.start)
        #expect(event == nil)
    }

    @Test func aReceiptIsRecordedAsForOthers() {
        var (message, owner) = (notice, verification)
        _ = message.claim(at: Scene.start, until: Scene.start + .seconds(60))
        let sent = DeliveryResult.sent(gateway: "a", gatewayMessageID: "1")
        _ = SettleMessage(id: message.id, attempt: 1, result: sent, now: Scene.start).apply(to: &message, &owner)
        let receipt = RecordReceipt(
            gateway: "a",
            gatewayMessageID: "1",
            outcome: .undelivered(code: 30003),
            now: Scene.start
        )
        let isNew = receipt.apply(to: &message)
        #expect(isNew)
        #expect(message.status == .undelivered)
        #expect(message.failure == "lost in transit (30003)")
        let event = Event(message, was: notice, at: Scene.start)
        #expect(event == nil)
    }

    @Test(
        arguments: [
            (DeliveryResult.failed("x"), 0, false, nil), (.dropped, 0, false, nil),
            (.failed("x"), 86_400, false, .changeClosed), (.failed("x"), 0, true, .changeClosed),
            (.sent(gateway: "a", gatewayMessageID: "1"), 0, false, .notFailed),
            (.postponed(until: Scene.start), 0, false, .notFailed),
        ] as [(DeliveryResult, Int, Bool, RetryMessage.Refusal?)]
    )
    func anotherTryIsForAChangeThatCanBeUndone(
        _ result: DeliveryResult,
        seconds: Int,
        isRemoved: Bool,
        refusal: RetryMessage.Refusal?
    ) throws {
        var (settled, owner) = (notice, verification)
        _ = settled.claim(at: Scene.start, until: Scene.start + .seconds(60))
        _ = SettleMessage(id: settled.id, attempt: 1, result: result, now: Scene.start).apply(to: &settled, &owner)
        var message: OutboxMessage? = settled
        var kept: Verification? = verification
        let now = Scene.start + .seconds(seconds)
        let outcome = RetryMessage(id: notice.id, now: now).apply(to: &message, &kept, isRemoved ? nil : change)
        if let refusal {
            #expect(outcome == .failure(refusal))
            #expect(message == settled)
        } else {
            let requeued = try #require(message)
            #expect(outcome == .success(requeued))
            #expect(requeued.status == .queued)
            #expect(requeued.countedAttempts == 0)
            #expect(requeued.nextAttemptAt == now)
        }
        #expect(kept == verification)
    }
}
