import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

/// Every rule is for a store that announces all there is.
extension StoreSuite {
    static let eventRules =
        [
            StoreRule("an approval is announced once, however often the right code is given") { scene in
                let begun = try await scene.request(from: ClientAddress("203.0.113.7"))
                scene.advance(by: .seconds(1))
                for _ in 0..<3 {
                    try await scene.check(StoreScene.rightCode, begun.id, from: ClientAddress("203.0.113.7"))
                }
                #expect(try await scene.store.events(status: nil, limit: 9) == [Self.approved(begun.id, after: 1)])
                #expect(try await scene.store.nextEvent() == scene.now)
            },
            StoreRule("of 20 checks at once with the right code one is announced") { scene in
                let begun = try await scene.request()
                try await atOnce(20) { _ in
                    try await result { try await scene.check(StoreScene.rightCode, begun.id) }
                }
                #expect(try await scene.store.events(status: nil, limit: 9) == [Self.approved(begun.id, after: 0)])
            },
            StoreRule("a verification that ends without proof is announced, and one that is canceled is not") { scene in
                let guessed = try await scene.request("010-1111-1111")
                for _ in 0..<5 {
                    _ = try await result { try await scene.check(StoreScene.wrongCode, guessed.id) }
                }
                let unsent = try await scene.request("010-2222-2222")
                scene.advance(by: .seconds(1))
                for message in try await scene.claim() where message.verificationID == unsent.id {
                    #expect(try await scene.settle(message, .failed("no money")))
                }
                let canceled = try await scene.request("010-3333-3333")
                try await scene.cancel(canceled.id)
                let expired = try await scene.request("010-4444-4444")
                scene.advance(by: .seconds(3600))
                #expect(try await scene.store.close(at: scene.now, limit: 10) == 1)
                let failed = try await scene.store.events(status: .queued, limit: 9)
                    .filter { $0.kind == .verificationFailed }
                #expect(
                    failed == [
                        // It ended when its time ran out, and is due since that was found out.
                        Event(
                            .verificationFailed,
                            of: .verification(expired.id),
                            occurredAt: StoreScene.start + .seconds(601),
                            at: scene.now
                        ),
                        Self.event(.verificationFailed, .verification(unsent.id), after: 1),
                        Self.event(.verificationFailed, .verification(guessed.id), after: 0),
                    ]
                )
            },
            StoreRule("an event reports the delivery of a message when its gateway does, or when none accepts it") {
                scene in
                for (index, gateway) in ["a", "a", nil].enumerated() {
                    try await scene.request("010-1111-111\(index)")
                    let claimed = try await scene.claim()
                    let name = "SM\(index)"
                    #expect(
                        try await scene.settle(
                            claimed[0],
                            gateway.map { .sent(gateway: $0, gatewayMessageID: name) } ?? .failed("no money")
                        )
                    )
                }
                scene.advance(by: .seconds(1))
                for _ in 0..<2 {
                    _ = try await scene.store.record(scene.receipt("SM0", .delivered))
                    _ = try await scene.store.record(scene.receipt("SM1", .undelivered(code: 30008)))
                }
                let messages = try await scene.store.events(status: nil, limit: 9).filter { $0.subject.isMessage }
                #expect(
                    messages == [
                        Self.event(.messageUndelivered, .message(OutboxMessage.ID(bits: 0, 4)), after: 1),
                        Self.event(.messageDelivered, .message(OutboxMessage.ID(bits: 0, 2)), after: 1),
                        Self.event(.messageUndelivered, .message(OutboxMessage.ID(bits: 0, 6)), after: 0),
                    ]
                )
            },
            StoreRule("an account is announced when it is made, and not when it is found") { scene in
                let first = try await scene.signUp(try await scene.prove().id).account
                scene.advance(by: .seconds(60))
                try await scene.signUp(try await scene.prove().id)
                let accounts = try await scene.store.events(status: nil, limit: 9).filter { $0.kind == .accountCreated }
                #expect(accounts == [Self.event(.accountCreated, .account(first.id), after: 0)])
            },
            StoreRule("a block is announced when it begins, once, and what it suppresses in silence announces nothing")
            {
                scene in
                let guarded = try LimitScene(
                    scene.store,
                    guarding: try GuardPolicy(answer: .silent, prefixSample: 5, blockTime: .seconds(7200))
                )
                for index in 0..<5 { try await guarded.request("010-1234-\(5000 + index)") }
                guarded.advance(by: .seconds(4200))
                for index in 0..<7 { try await guarded.request("010-1234-\(6000 + index)") }
                let block = Event(.guardBlocked, of: .prefix("+82101234"), occurredAt: guarded.now, at: guarded.now)
                #expect(try await scene.store.events(status: nil, limit: 9) == [block])
                let claims = try await scene.store.claim(limit: 99, at: guarded.now, until: guarded.now + .seconds(60))
                for claim in claims where claim.message.isWithheld {
                    let settled = SettleMessage(id: claim.message.id, attempt: 1, result: .withheld, now: guarded.now)
                    #expect(try await scene.store.settle(settled))
                }
                #expect(try await scene.store.events(status: nil, limit: 9) == [block])
            },
            StoreRule("an event belongs to the trace of what it reports") { scene in
                let place = TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                let begun = try await scene.request()
                _ = try await TraceParent.$current.withValue(place) {
                    try await scene.check(StoreScene.rightCode, begun.id)
                }
                try await scene.signUp(begun.id)
                let events = try await scene.store.events(status: nil, limit: 9)
                #expect(events.map(\.kind) == [.verificationApproved, .accountCreated])
                #expect(events.map(\.traceParent) == [place, nil])
            },
            StoreRule("what a gateway says later belongs to the trace of its message") { scene in
                let place = TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                _ = try await TraceParent.$current.withValue(place) { try await scene.request() }
                let message = try #require(try await scene.claim().first)
                _ = try await scene.settle(message, .sent(gateway: "a", gatewayMessageID: "1"))
                let receipt = RecordReceipt(gateway: "a", gatewayMessageID: "1", outcome: .delivered, now: scene.now)
                #expect(try await scene.store.record(receipt))
                let events = try await scene.store.events(status: nil, limit: 9)
                #expect(events.map(\.kind) == [.messageDelivered])
                #expect(events.map(\.traceParent) == [place])
            },
            StoreRule("an operation that fails announces nothing") { scene in
                let broken = try scene.replacing(vault: BrokenVault())
                let begun = try await scene.request()
                await #expect(throws: (any Error).self) { try await broken.check(StoreScene.rightCode, begun.id) }
                #expect(try await scene.store.events(status: nil, limit: 9) == [])
                #expect(try await scene.store.nextEvent() == nil)
            },
        ] + eventDeliveryRules + feedbackRules
}

extension StoreSuite {
    static func event(_ kind: Event.Kind, _ subject: EventSubject, after seconds: Int) -> Event {
        let moment = StoreScene.start + .seconds(seconds)
        return Event(kind, of: subject, occurredAt: moment, at: moment)
    }

    static func approved(_ id: Verification.ID, after seconds: Int) -> Event {
        event(.verificationApproved, .verification(id), after: seconds)
    }
}

extension StoreScene {
    fileprivate func receipt(_ messageID: String, _ outcome: RecordReceipt.Outcome) -> RecordReceipt {
        RecordReceipt(gateway: "a", gatewayMessageID: messageID, outcome: outcome, now: now)
    }

    /// Takes every event that is due, for a minute.
    func claimEvents(limit: Int = 1000) async throws -> [EventClaim] {
        try await store.claimEvents(limit: limit, at: now, until: now + .seconds(60))
    }

    func settle(_ claim: EventClaim, _ result: EventResult) async throws -> Bool {
        try await store.settle(SettleEvent(id: claim.event.id, attempt: claim.event.attempts, result: result))
    }
}

extension EventSubject {
    fileprivate var isMessage: Bool {
        if case .message = self { true } else { false }
    }
}
