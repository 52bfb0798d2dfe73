import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

/// What becomes of events that were announced.
extension StoreSuite {
    static let eventDeliveryRules = [
        StoreRule("a claim on an event contains the current state of its subject, and moves the next attempt") {
            scene in
            let proven = try await scene.prove()
            let signedUp = try await scene.signUp(proven.id)
            let message = try await scene.claim()[0]
            #expect(try await scene.settle(message, .failed("no money")))
            let verification = try #require(try await scene.store.verification(proven.id))
            let failed = try #require(try await scene.store.messages(status: .failed, limit: 1).first?.message)
            try await scene.store.restore([.event(Self.event(.guardBlocked, .prefix("+82101234"), after: 0))])
            let traffic = try await scene.store.traffic(of: .prefix("+82101234"))
            #expect(traffic != .none)
            let claims = try await scene.claimEvents()
            #expect(
                claims.map(\.content) == [
                    .account(signedUp.account), .traffic(prefix: "+82101234", traffic), .message(failed, verification),
                    .verification(verification),
                ]
            )
            #expect(
                claims.map(\.event.id.description) == [
                    "evt_account_created_00000000000000000000000000000003", "evt_guard_blocked_82101234_1767225600000",
                    "evt_message_undelivered_00000000000000000000000000000002_1767225600000",
                    "evt_verification_approved_00000000000000000000000000000001",
                ]
            )
            #expect(claims.map(\.event.attempts) == [1, 1, 1, 1])
            #expect(try await scene.store.nextEvent() == scene.now + .seconds(60))
            #expect(try await scene.store.events(status: .queued, limit: 9) == claims.map(\.event).reversed())
        },
        StoreRule("eight dispatchers claim each event once") { scene in
            for index in 0..<40 { _ = try await scene.prove("010-1234-\(5000 + index)") }
            let claimed = try await atOnce(8) { _ in
                var mine: [Event] = []
                // Not without end: a store that forgets its claims gives the same ones again and again.
                while case let claimed = try await scene.claimEvents(limit: 3), !claimed.isEmpty, mine.count < 40 {
                    mine += claimed.map(\.event)
                }
                return mine
            }
            #expect(claimed.joined().count == 40)
            #expect(Set(claimed.joined().map(\.id)).count == 40)
            #expect(claimed.joined().allSatisfy { $0.attempts == 1 })
        },
        StoreRule("events are claimed in the order in which they fell due") { scene in
            var ids: [Verification.ID] = []
            for phone in ["010-1111-1111", "010-2222-2222", "010-3333-3333"] {
                ids.append(try await scene.prove(phone).id)
                scene.advance(by: .seconds(1))
            }
            let first = try await scene.claimEvents(limit: 1)
            #expect(first.map(\.event.subject) == [.verification(ids[0])])
            let later = StoreScene.start + .milliseconds(1500)
            #expect(try await scene.settle(first[0], .retry(at: later, failure: "no response in time")))
            let subjects = try await scene.claimEvents().map(\.event.subject)
            #expect(subjects == [ids[1], ids[0], ids[2]].map(EventSubject.verification))
            #expect(try await scene.claimEvents(limit: 0).isEmpty)
        },
        StoreRule("an expired claim on an event is claimed anew, and its first claimant settles nothing any more") {
            scene in
            _ = try await scene.prove()
            let first = try await scene.claimEvents()
            scene.advance(by: .milliseconds(59_999))
            #expect(try await scene.claimEvents().isEmpty)
            scene.advance(by: .milliseconds(1))
            let second = try await scene.claimEvents()
            #expect(second.map(\.event.attempts) == [2])
            #expect(try await scene.settle(first[0], .failed("gone")) == false)
            #expect(try await scene.settle(second[0], .delivered))
            #expect(try await scene.settle(second[0], .failed("gone")) == false)
            #expect(try await scene.store.events(status: nil, limit: 9) == [])
            #expect(try await scene.store.nextEvent() == nil)
        },
        StoreRule("of concurrent settlements of one attempt to send an event one counts") { scene in
            _ = try await scene.prove()
            let claimed = try await scene.claimEvents()
            let counted = try await atOnce(20) { index in
                try await scene.settle(claimed[0], index.isMultiple(of: 2) ? .delivered : .failed("gone"))
            }
            #expect(counted.count { $0 } == 1)
        },
        StoreRule("a failed event is not claimed until an operator redelivers it") { scene in
            let proven = try await scene.prove()
            let claimed = try await scene.claimEvents()
            #expect(try await scene.settle(claimed[0], .failed("the receiver unsubscribed (410)")))
            scene.advance(by: .seconds(3600))
            #expect(try await scene.claimEvents().isEmpty)
            #expect(try await scene.store.nextEvent() == nil)
            #expect(try await scene.store.events(status: .queued, limit: 9) == [])
            let id = Self.approved(proven.id, after: 0).id
            let failed = try await scene.store.events(status: .failed, limit: 9)
            #expect(failed.map(\.id) == [id])
            #expect(failed.map(\.failure) == ["the receiver unsubscribed (410)"])
            let retry = RetryEvent(id: id, now: scene.now)
            let queued = Event(
                kind: .verificationApproved,
                subject: .verification(proven.id),
                occurredAt: StoreScene.start,
                status: .queued,
                attempts: 1,
                forgivenAttempts: 1,
                nextAttemptAt: scene.now,
                failure: "the receiver unsubscribed (410)"
            )
            #expect(try await scene.store.retry(retry) == .success(queued))
            #expect(try await scene.store.retry(retry) == .failure(.notFailed))
            let again = try await scene.claimEvents()
            #expect(again.map(\.event.attempts) == [2])
            #expect(again.map(\.event.countedAttempts) == [1])
            #expect(try await scene.settle(again[0], .delivered))
            #expect(try await scene.store.retry(retry) == .failure(.notFound))
        },
        StoreRule("what happens again is announced again, though the first event failed") { scene in
            let begun = try await scene.request()
            for attempt in 1...2 {
                let message = try await scene.claim()[0]
                #expect(message.attempts == attempt)
                #expect(try await scene.settle(message, .failed("no money")))
                let claims = try await scene.claimEvents()
                #expect(claims.map(\.event.subject) == [.message(message.id), .verification(begun.id)])
                for claim in claims { #expect(try await scene.settle(claim, .failed("gone"))) }
                _ = try await scene.store.retry(RetryMessage(id: message.id, now: scene.now))
                scene.advance(by: .seconds(1))
            }
            let events = try await scene.store.events(status: nil, limit: 9)
            #expect(
                events.map(\.id.description) == [
                    "evt_verification_failed_00000000000000000000000000000001_1767225601000",
                    "evt_message_undelivered_00000000000000000000000000000002_1767225601000",
                    "evt_verification_failed_00000000000000000000000000000001_1767225600000",
                    "evt_message_undelivered_00000000000000000000000000000002_1767225600000",
                ]
            )
            #expect(events.allSatisfy { $0.status == .failed && $0.attempts == 1 })
        },
        StoreRule("an event that its subject no longer confirms is dropped") { scene in
            let begun = try await scene.request()
            let message = try await scene.claim()[0]
            #expect(try await scene.settle(message, .failed("no money")))
            #expect(try await scene.store.events(status: .queued, limit: 9).count == 2)
            _ = try await scene.store.retry(RetryMessage(id: message.id, now: scene.now))
            #expect(try await scene.claimEvents() == [])
            #expect(try await scene.store.events(status: nil, limit: 9) == [])
            try await scene.check(StoreScene.rightCode, begun.id)
            #expect(try await scene.claimEvents().map(\.event.kind) == [.verificationApproved])
        },
        StoreRule("no more events are listed than were asked for, the newest first") { scene in
            var ids: [EventID] = []
            for index in 0..<3 {
                ids.append(Self.approved(try await scene.prove("010-1234-\(5000 + index)").id, after: index).id)
                scene.advance(by: .seconds(1))
            }
            #expect(try await scene.settle(try await scene.claimEvents(limit: 1)[0], .failed("gone")))
            #expect(try await scene.store.events(status: nil, limit: 2).map(\.id) == [ids[2], ids[1]])
            #expect(try await scene.store.events(status: nil, limit: 9).map(\.id) == ids.reversed())
            #expect(try await scene.store.events(status: .failed, limit: 9).map(\.id) == [ids[0]])
            #expect(try await scene.store.events(status: nil, limit: -1) == [])
        },
        auditRule("of a number that is erased no event is left, and of others all are") { scene in
            for phone in [StoreScene.phone, "010-1234-5679"] {
                let begun = try await scene.request(phone)
                try await scene.check(StoreScene.rightCode, begun.id)
                _ = try await scene.useCase.signUp(StoreScene.rightCode, for: begun.id, context: scene.context)
            }
            let end = scene.clock.now() + .seconds(60)
            for claim in try await scene.store.claim(limit: 9, at: scene.clock.now(), until: end) {
                let failed = DeliveryResult.failed("no money")
                let command = SettleMessage(id: claim.message.id, attempt: 1, result: failed, now: scene.clock.now())
                #expect(try await scene.store.settle(command))
            }
            let before = try await scene.store.events(status: nil, limit: 9)
            #expect(before.count == 6)
            // In hand or not.
            let claims = try await scene.store.claimEvents(limit: 9, at: scene.clock.now(), until: end)
            _ = try await scene.store.erase(try scene.erasing())
            let left = try await scene.store.events(status: nil, limit: 9)
            #expect(left.count == 3)
            #expect(
                left.map(\.subject.description) == [
                    "ver_00000000000000000000000000000004", "msg_00000000000000000000000000000005",
                    "acc_00000000000000000000000000000006",
                ]
            )
            for claim in claims where !left.map(\.id).contains(claim.event.id) {
                let settled = SettleEvent(id: claim.event.id, attempt: 1, result: .failed("gone"))
                #expect(try await scene.store.settle(settled) == false)
            }
            #expect(try await scene.store.events(status: nil, limit: 9).count == 3)
        },
        StoreRule("an event about what is no more is dropped") { scene in
            let gone = [
                EventSubject.verification(Verification.ID(bits: 9, 9)), .message(OutboxMessage.ID(bits: 9, 9)),
                .account(Account.ID(bits: 9, 9)),
            ]
            try await scene.store.restore(
                zip([Event.Kind.verificationApproved, .messageDelivered, .accountCreated], gone)
                    .map { .event(Self.event($0, $1, after: 0)) }
            )
            let proven = try await scene.prove()
            #expect(try await scene.claimEvents().map(\.event.subject) == [.verification(proven.id)])
            #expect(try await scene.store.events(status: nil, limit: 9).count == 1)
        },
        StoreRule("a purge deletes earlier events, delivered or not, and a limit holds") { scene in
            for index in 0..<3 { _ = try await scene.prove("010-1234-\(5000 + index)") }
            scene.advance(by: .seconds(1))
            let kept = try await scene.prove("010-8765-4321")
            for feedback in try await scene.claimFeedback() {
                #expect(try await scene.settle(feedback, .delivered))
            }
            #expect(try await scene.settle(try await scene.claimEvents(limit: 1)[0], .failed("gone")))
            let moment = StoreScene.start + .seconds(1)
            // Of those set aside, and of the others.
            #expect(try await scene.store.purgeEvents(before: moment, limit: 1) == 2)
            #expect(try await scene.store.events(status: nil, limit: 9).count == 2)
            #expect(try await scene.store.purgeEvents(before: moment, limit: 9) == 1)
            #expect(try await scene.store.purgeEvents(before: moment, limit: 9) == 0)
            #expect(try await scene.store.events(status: nil, limit: 9).map(\.subject) == [.verification(kept.id)])
        },
    ]
}
