import PhoneAdministration
import PhoneSignup
import Testing

@testable import PhoneDomain

/// What becomes of a message in each status, by each event: the whole table.
@Suite struct MessageTransitionTests {
    typealias Status = OutboxMessage.Status

    private func message(_ status: Status) throws -> (OutboxMessage, Verification) {
        var scene = try Scene()
        _ = try scene.begin(at: 0)
        let verification = try #require(scene.verification)
        let message = OutboxMessage(
            id: OutboxMessage.ID(bits: 0, 7),
            verificationID: verification.id,
            createdAt: Scene.start,
            status: status,
            attempts: 3,
            nextAttemptAt: Scene.start,
            gateway: "a",
            gatewayMessageID: "SM1",
            acceptedAt: Scene.start
        )
        return (message, verification)
    }

    static let results: [DeliveryResult] = [
        .sent(gateway: "a", gatewayMessageID: "SM1"), .unknown(gateway: "a", failure: "no answer"), .withheld,
        .failed("no money"), .retry(at: Scene.start + .seconds(20), failure: "busy"),
        .postponed(until: Scene.start + .seconds(20)), .waiting(until: Scene.start + .seconds(20)), .dropped,
    ]

    /// What becomes of a verification, seen by those who can tell: by its owner, by whoever has the code, by whoever
    /// guesses, and by who counts messages.
    private struct Seen: Equatable {
        var statuses: [VerificationStatus] = []
        var ends: [Timestamp] = []
        var outcomes: [String] = []
        var isGuessedUnsent = false
    }

    private func seen(
        lease: Duration?,
        life: Duration,
        _ result: DeliveryResult,
        after milliseconds: Int64,
        then second: DeliveryResult?,
        guessing: Bool
    ) throws -> Seen {
        var scene = try Scene(policy: VerificationPolicy(codeTTL: life, resendCooldowns: [.zero]))
        scene.lease = lease
        _ = try scene.begin(at: 0)
        var seen = Seen()
        if guessing { seen.outcomes.append(try scene.check("111111", at: 0).word) }
        let message = try #require(scene.queued.last)
        seen.isGuessedUnsent = try #require(scene.verification).isGuessedUnsent(in: message)
        // Upkeep may come before the result.
        _ = scene.verification?.close(at: Scene.start + .milliseconds(milliseconds))
        try scene.settle(result, atMilliseconds: milliseconds)
        if let second {
            seen.outcomes.append(try scene.begin(at: 40).word)
            try scene.settle(second, at: 41)
        }
        let verification = try #require(scene.verification)
        seen.statuses = [41, 140, 601].map { verification.status(at: Scene.start + .seconds($0)) }
        seen.ends = [verification.end]
        seen.outcomes.append(try scene.check(Scene.rightCode, at: 42).word)
        return seen
    }

    @Test(arguments: results, [nil] + results)
    func `that a message's acceptance is taken for granted shows in nothing once its result is known`(
        result: DeliveryResult,
        second: DeliveryResult?
    ) throws {
        for life in [Duration.seconds(5), .seconds(60), .seconds(600)] {
            for milliseconds in [Int64(0), 1, 5000, 5001, 12_000] {
                for guessing in [false, true] {
                    let all = try [nil, .seconds(60)].map {
                        try seen(lease: $0, life: life, result, after: milliseconds, then: second, guessing: guessing)
                    }
                    #expect(all[0] == all[1], "\(life), after \(milliseconds) ms, guessing: \(guessing)")
                }
            }
        }
    }

    static let receipts: [(from: Status, outcome: RecordReceipt.Outcome, to: Status, failure: String?)] = [
        (.queued, .delivered, .queued, nil),
        (.queued, .undelivered(code: 30008), .queued, nil),
        (.sent, .delivered, .delivered, nil),
        (.sent, .undelivered(code: 30008), .undelivered, "lost in transit (30008)"),
        (.sent, .undelivered(code: nil), .undelivered, "lost in transit"),
        (.delivered, .delivered, .delivered, nil),
        (.delivered, .undelivered(code: 30008), .delivered, nil),
        (.undelivered, .delivered, .undelivered, nil),
        (.undelivered, .undelivered(code: 30008), .undelivered, nil),
        (.failed, .delivered, .failed, nil),
        (.failed, .undelivered(code: 30008), .failed, nil),
        (.dropped, .delivered, .dropped, nil),
        (.dropped, .undelivered(code: 30008), .dropped, nil),
        (.unknown, .delivered, .unknown, nil),
    ]

    @Test(arguments: receipts)
    func `a receipt moves a message on only from sent`(
        from: Status,
        outcome: RecordReceipt.Outcome,
        to: Status,
        failure: String?
    ) throws {
        var (message, _) = try message(from)
        let before = message
        let receipt = RecordReceipt(gateway: "a", gatewayMessageID: "SM1", outcome: outcome, now: Scene.start)
        #expect(receipt.apply(to: &message) == (from != to))
        #expect(message.status == to)
        #expect(message.failure == failure)
        #expect((message == before) == (from == to))
    }

    @Test(arguments: [("b", "SM1"), ("a", "SM2"), ("", "")])
    func `a receipt for another message changes nothing`(gateway: String, messageID: String) throws {
        var (message, _) = try message(.sent)
        let receipt = RecordReceipt(
            gateway: gateway,
            gatewayMessageID: messageID,
            outcome: .delivered,
            now: Scene.start
        )
        #expect(receipt.apply(to: &message) == false)
        #expect(message.status == .sent)
    }

    @Test(arguments: Status.allCases)
    func `a settlement moves a message on only while it is owed`(from: Status) throws {
        var (message, verification) = try message(from)
        let command = SettleMessage(id: message.id, attempt: 3, result: .failed("x"), now: Scene.start)
        #expect(command.apply(to: &message, &verification) == (from == .queued))
        #expect(message.status == (from == .queued ? .failed : from))
    }

    static let retries: [(from: Status, verification: VerificationStatus, seconds: Int64, refusal: String?)] = [
        (.failed, .pending, 599, nil),
        (.failed, .failed, 599, nil),
        (.failed, .pending, 600, "expired"),
        (.failed, .failed, 600, "expired"),
        (.failed, .failed, -301, "expired"),
        (.failed, .approved, 1, "verification_closed"),
        (.failed, .canceled, 1, "verification_closed"),
        (.failed, .maxAttemptsReached, 1, "verification_closed"),
        (.dropped, .pending, 1, nil),
        (.dropped, .failed, 1, "verification_closed"),
        (.dropped, .pending, 600, "expired"),
        (.dropped, .approved, 1, "verification_closed"),
        (.unknown, .pending, 1, nil),
        (.unknown, .pending, 600, "expired"),
        (.unknown, .approved, 1, "verification_closed"),
        (.queued, .pending, 1, "not_failed"),
        (.sent, .pending, 1, "not_failed"),
        (.sent, .failed, 1, "not_failed"),
        (.delivered, .pending, 1, "not_failed"),
        (.undelivered, .pending, 1, "not_failed"),
    ]

    @Test(arguments: retries)
    func `only what was set aside and is still awaited is retried`(
        from: Status,
        status: VerificationStatus,
        seconds: Int64,
        refusal: String?
    ) throws {
        let (loaded, begun) = try message(from)
        var recorded = begun
        recorded.recordedStatus = status
        var message: OutboxMessage? = loaded
        var verification: Verification? = recorded
        let now = Scene.start + .seconds(seconds)
        let outcome = RetryMessage(id: loaded.id, now: now).apply(to: &message, &verification)
        guard let refusal else {
            let queued = try #require(message)
            #expect(outcome == .success(queued))
            #expect(queued.status == .queued)
            #expect(queued.nextAttemptAt == now)
            #expect(queued.attempts == 3)
            #expect(queued.countedAttempts == 0)
            #expect(queued.gateway == nil)
            #expect(queued.acceptedAt == nil)
            #expect(verification?.recordedStatus == .pending)
            #expect(verification?.updatedAt == (status == .failed ? now : begun.updatedAt))
            return
        }
        #expect(outcome == .failure(try #require(RetryMessage.Refusal(rawValue: refusal))))
        #expect(message == loaded)
        #expect(verification == recorded)
    }
}
