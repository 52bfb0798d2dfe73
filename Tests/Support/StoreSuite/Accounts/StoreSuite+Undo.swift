import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneAccounts
@testable import PhoneDomain

/// Changes of number that are undone.
extension StoreSuite {
    static let undoRules = [
        accountRule("undoing a change gives the account its old number back, and ends its sessions") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            _ = try await scene.signUp(AccountScene.anna)
            let other = try await scene.signUp(AccountScene.cho)
            let change = try await scene.change(device, to: AccountScene.ben)
            let trail = try await scene.trail()
            scene.advance(by: .milliseconds(3 * 86_400_000 - 1))
            let account = Account(
                id: device.account,
                phoneNumber: try scene.number(AccountScene.anna),
                phoneNumberSince: scene.now,
                createdAt: StoreScene.start,
                createdBy: device.signedUp.account.createdBy,
                lastActiveAt: scene.now,
                sessionGeneration: 1
            )
            #expect(try await scene.undo(change) == .success(account))
            #expect(try await scene.store.account(device.account) == account)
            #expect(try await scene.store.account(of: try scene.number(AccountScene.ben)) == nil)
            #expect(try await scene.store.signedIn(device.session) == nil)
            #expect(try await scene.store.sessions(of: device.account, at: scene.now, limit: 9) == [])
            #expect(try await scene.store.signedIn(other.session) == other.signedIn)
            let kept = try await scene.store.numberChange(undoDigest: change.command.undoDigest)
            #expect(kept?.closedAt == scene.now)
            let id = change.command.check.id
            let time: Duration = .milliseconds(3 * 86_400_000 - 1)
            let owner = Owner.session(device.session)
            let entries = [
                try scene.entry(.undoChange, owner, id, AccountScene.anna, after: time),
                try scene.entry(.leaveNumber, owner, id, AccountScene.ben, after: time),
            ]
            #expect(try await scene.trail() == trail + entries)
            let events = try await scene.store.events(status: nil, limit: 99).filter { $0.kind == .numberChanged }
            #expect(events.map(\.occurredAt) == [scene.now, StoreScene.start])
            // Once.
            #expect(try await scene.undo(change) == .failure(.numberChangeNotFound))
            #expect(try await scene.trail() == trail + entries)
        },
        accountRule("a change is undone until its time is over, and by nothing but its secret") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.ben)
            let other = AccountScene.Change(
                command: change.command,
                outcome: change.outcome,
                undo: SecretToken(String(repeating: "A", count: 22))
            )
            #expect(try await scene.undo(other) == .failure(.numberChangeNotFound))
            scene.advance(by: .seconds(3 * 86_400))
            #expect(try await scene.undo(change) == .failure(.numberChangeNotFound))
            #expect(try await scene.number(of: device) == "+821022222222")
            #expect(try await scene.store.signedIn(device.session) != nil)
        },
        accountRule("a thief who goes on to a third number cannot hold on to it") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            // All within one millisecond.
            let first = try await scene.change(device, to: AccountScene.ben)
            let second = try await scene.change(device, to: AccountScene.cho)
            _ = try await scene.requestDeletion(device)
            let account = try await scene.undo(first).get()
            #expect(account.phoneNumber?.e164 == "+821011111111")
            #expect(account.deletionDueAt == nil)
            #expect(try await scene.store.account(device.account) == account)
            #expect(try await scene.undo(second) == .failure(.numberChangeNotFound))
            #expect(try await scene.number(of: device) == "+821011111111")
        },
        accountRule("a thief who undoes their own second change does not keep the first from being undone") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let first = try await scene.change(device, to: AccountScene.ben)
            let second = try await scene.change(device, to: AccountScene.cho)
            _ = try await scene.undo(second).get()
            #expect(try await scene.number(of: device) == "+821022222222")
            _ = try await scene.undo(first).get()
            #expect(try await scene.number(of: device) == "+821011111111")
        },
        accountRule("a change that was made while a clock was behind is later all the same") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(60))
            let first = try await scene.change(device, to: AccountScene.ben)
            scene.advance(by: .seconds(-30))
            let second = try await scene.change(device, to: AccountScene.cho)
            _ = try await scene.undo(first).get()
            #expect(try await scene.undo(second) == .failure(.numberChangeNotFound))
        },
        accountRule("to go back to the old number takes the change back, and leaves a thief nothing to undo") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let there = try await scene.change(device, to: AccountScene.ben)
            let further = try await scene.change(device, to: AccountScene.cho)
            let back = try await scene.change(device, to: AccountScene.anna)
            #expect(try await scene.number(of: device) == "+821011111111")
            for change in [there, further, back] {
                #expect(try await scene.undo(change) == .failure(.numberChangeNotFound))
            }
            let notified = try await scene.store.messages(status: .queued, limit: 99).compactMap(
                \.change?.oldNumber?.e164
            )
            #expect(notified.sorted() == ["+821011111111", "+821022222222"])
            #expect(try await scene.store.signedIn(device.session) != nil)
        },
        accountRule("to go back to the number before the last takes back no change that was made before it") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let there = try await scene.change(device, to: AccountScene.ben)
            let further = try await scene.change(device, to: AccountScene.cho)
            let back = try await scene.change(device, to: AccountScene.ben)
            #expect(try await scene.undo(further) == .failure(.numberChangeNotFound))
            #expect(try await scene.undo(back) == .failure(.numberChangeNotFound))
            let account = try await scene.undo(there).get()
            #expect(account.phoneNumber?.e164 == "+821011111111")
        },
        accountRule("once a change cannot be undone any more, the way back is a change like any other") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            _ = try await scene.change(device, to: AccountScene.ben)
            scene.advance(by: .seconds(3 * 86_400))
            let back = try await scene.change(device, to: AccountScene.anna)
            let account = try await scene.undo(back).get()
            #expect(account.phoneNumber?.e164 == "+821022222222")
        },
        accountRule(
            "an old number that another account has taken since stays theirs",
            accountPolicy: .deletingAfter(.seconds(60))
        ) { scene in
            let other = try await scene.signUp(AccountScene.cho)
            let device = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(1))
            let change = try await scene.change(device, to: AccountScene.ben)
            _ = try await scene.change(other, to: AccountScene.anna)
            #expect(try await scene.undo(change) == .failure(.numberTaken))
            #expect(try await scene.number(of: device) == "+821022222222")
            #expect(try await scene.number(of: other) == "+821011111111")
            #expect(try await scene.store.signedIn(device.session) != nil)
            #expect(try await scene.store.signedIn(other.session) != nil)
        },
        accountRule("an owner who lost the account and signed up anew can still undo the change") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.ben)
            scene.advance(by: .seconds(60))
            let anew = try await scene.signUp(AccountScene.anna)
            #expect(anew.signedUp.isNew)
            let account = try await scene.undo(change).get()
            #expect(account.phoneNumber?.e164 == "+821011111111")
            #expect(try await scene.store.account(device.account) == account)
            let held = try #require(try await scene.store.account(anew.account))
            #expect(held.phoneNumber == nil)
            #expect(held.deletionDueAt == scene.now + .seconds(90 * 86_400))
            #expect(try await scene.trail().suffix(3).map(\.action) == [.unlink, .undoChange, .leaveNumber])
            #expect(try await scene.store.signedIn(anew.session)?.account == held)
        },
        accountRule("of twenty who undo one change at once one does") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.ben)
            let outcomes = try await atOnce(20) { _ in try await scene.undo(change) }
            let refused = outcomes.count { $0 == .failure(.numberChangeNotFound) }
            #expect(refused == 19)
        },
        accountRule("a purge takes changes that could be undone until before, and no others") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let first = try await scene.change(device, to: AccountScene.ben)
            scene.advance(by: .seconds(60))
            let second = try await scene.change(device, to: AccountScene.cho)
            let moment = StoreScene.start + .seconds(3 * 86_400)
            #expect(try await scene.store.purgeSessions(before: moment, limit: 9) == 0)
            #expect(try await scene.store.purgeSessions(before: moment + .milliseconds(1), limit: 9) == 1)
            #expect(try await scene.store.numberChange(undoDigest: first.command.undoDigest) == nil)
            #expect(try await scene.store.numberChange(undoDigest: second.command.undoDigest) != nil)
            #expect(try await scene.number(of: device) == "+821033333333")
            #expect(try await scene.store.signedIn(device.session) != nil)
        },
    ]
}
