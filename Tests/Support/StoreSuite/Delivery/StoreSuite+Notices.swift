import PhoneAdministration
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneAccounts
@testable import PhoneDomain

/// Notices of a change of number.
extension StoreSuite {
    static let noticeRules = [
        accountRule("a claim on a notice contains the current state of its change, or none once that is deleted") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.ben)
            let kept = try #require(try await scene.store.numberChange(undoDigest: change.command.undoDigest))
            let first = try await scene.claimNotices()
            #expect(first.map(\.change) == [kept])
            #expect(first.map(\.verification.id) == [change.command.check.id])
            scene.advance(by: .seconds(60))
            _ = try await scene.undo(change)
            #expect(try await scene.claimNotices().map(\.change?.closedAt) == [scene.now])
            // The session goes as well, which the undoing has ended.
            #expect(try await scene.store.purgeSessions(before: kept.undoableUntil + .seconds(1), limit: 9) == 2)
            scene.advance(by: .seconds(60))
            let last = try await scene.claimNotices()
            #expect(last.map(\.change) == [nil])
            #expect(last.map(\.message.numberChangeID) == [kept.id])
        },
        accountRule("what becomes of a notice changes no verification, counts nowhere and is announced to nobody") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.ben)
            let notice = try #require(try await scene.claimNotices().first)
            let before = try await scene.store.verification(change.command.check.id)
            let events = try await scene.store.events(status: nil, limit: 99)
            let traffic = try await scene.store.traffic(of: .prefix("+82102222"))
            let settle = SettleMessage(id: notice.message.id, attempt: 1, result: .failed("no money"), now: scene.now)
            #expect(try await scene.store.settle(settle))
            #expect(try await scene.store.verification(change.command.check.id) == before)
            #expect(try await scene.store.events(status: nil, limit: 99) == events)
            #expect(try await scene.store.traffic(of: .prefix("+82102222")) == traffic)
            #expect(try await scene.store.messages(status: .failed, limit: 9).map(\.change?.id) == [notice.change?.id])
        },
        accountRule("a notice that failed is sent again for an operator as long as its change can be undone") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.ben)
            let notice = try await scene.claimNotices()[0].message
            func fail() async throws {
                let claims = try await scene.claimNotices()
                let attempt = claims[0].message.attempts
                let result = DeliveryResult.failed("no money")
                _ = try await scene.store.settle(
                    SettleMessage(id: notice.id, attempt: attempt, result: result, now: scene.now)
                )
            }
            scene.advance(by: .seconds(60))
            try await fail()
            let queued = try await scene.store.retry(RetryMessage(id: notice.id, now: scene.now)).get()
            #expect(queued.numberChangeID == change.command.changeID)
            #expect(try await scene.store.messages(status: .queued, limit: 1).first?.message == queued)
            #expect(try await scene.trail().last?.action == .retry)
            #expect(
                try await scene.store.retry(RetryMessage(id: notice.id, now: scene.now)) == .failure(.notFailed)
            )
            try await fail()
            _ = try await scene.undo(change)
            let closed = try await scene.store.retry(RetryMessage(id: notice.id, now: scene.now))
            #expect(closed == .failure(.changeClosed))
            #expect(try await scene.store.purgeSessions(before: scene.now + .seconds(3 * 86_400), limit: 9) == 2)
            let gone = try await scene.store.retry(RetryMessage(id: notice.id, now: scene.now))
            #expect(gone == .failure(.changeClosed))
        },
        accountRule("a notice goes with the verification that proved the new number") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.ben)
            #expect(try await scene.store.purge(before: scene.now + .seconds(601), limit: 100) > 0)
            #expect(try await scene.store.verification(change.command.check.id) == nil)
            #expect(try await scene.store.messages(status: nil, limit: 9) == [])
            _ = try await scene.undo(change).get()
            #expect(try await scene.number(of: device) == "+821011111111")
        },
    ]
}

extension AccountScene {
    /// Takes every notice that is due, for a minute, and leaves codes where they are.
    fileprivate func claimNotices() async throws -> [OutboxClaim] {
        try await store.claim(limit: 99, at: now, until: now + .seconds(60)).filter(\.message.isNotice)
    }
}
