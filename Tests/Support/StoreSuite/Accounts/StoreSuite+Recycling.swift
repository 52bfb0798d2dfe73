import PhoneAccounts
import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDomain

/// Numbers that may have gone to somebody else.
extension StoreSuite {
    private static let dormancy: Duration = .seconds(90 * 86_400)

    static let recyclingRules = [
        accountRule("a dormant account is signed in where the operator says that it is the same person") { scene in
            let before = try await scene.signUp(AccountScene.anna)
            scene.advance(by: dormancy)
            let after = try await scene.signUp(AccountScene.anna)
            #expect(after.account == before.account)
            #expect(!after.signedUp.isNew)
        },
        accountRule(
            "a dormant account loses its number to the person who proves it, and is held",
            accountPolicy: AccountPolicy(recycling: .quarantine)
        ) { scene in
            let before = try await scene.signUp(AccountScene.anna)
            scene.advance(by: dormancy - .milliseconds(1))
            let same = try await scene.signUp(AccountScene.anna)
            #expect(same.account == before.account)
            let trail = try await scene.trail()
            scene.advance(by: dormancy)
            let proven = try await scene.prove(AccountScene.anna)
            let after = try await scene.signUp(proven)
            #expect(after.signedUp.isNew)
            #expect(after.account != before.account)
            #expect(after.signedUp.account.phoneNumber?.e164 == "+821011111111")
            let held = Account(
                id: before.account,
                phoneNumber: nil,
                phoneNumberSince: scene.now,
                createdAt: StoreScene.start,
                createdBy: before.signedUp.account.createdBy,
                lastActiveAt: StoreScene.start + dormancy - .milliseconds(1),
                deletionDueAt: scene.now + .seconds(90 * 86_400)
            )
            #expect(try await scene.store.account(before.account) == held)
            #expect(try await scene.store.account(after.account) == after.signedUp.account)
            let time = dormancy * 2 - .milliseconds(1)
            let entries = try [AuditEntry.Action.approve, .unlink, .signUp].map { action in
                try scene.entry(action, proven.owner, proven.id, AccountScene.anna, after: time)
            }
            #expect(try await scene.trail().dropFirst(trail.count + 1) == entries[...])
            // Who has a session of the old one has it still.
            #expect(try await scene.store.signedIn(same.session)?.account == held)
            let kinds = try await scene.store.events(status: nil, limit: 99).map(\.kind)
            let made = kinds.count { $0 == .accountCreated }
            let changed = kinds.count { $0 == .numberChanged }
            #expect((made, changed) == (2, 0))
            // Within seconds one hears it again.
            #expect(try await scene.signUp(proven).signedUp == after.signedUp)
        },
        accountRule(
            "a dormant account's decision is asked for, and the approval is used once it is decided",
            accountPolicy: AccountPolicy(recycling: .ask)
        ) { scene in
            let before = try await scene.signUp(AccountScene.anna)
            scene.advance(by: dormancy)
            let proven = try await scene.prove(AccountScene.anna)
            let refusal = await #expect(throws: PhoneFailure.self) { try await scene.signUp(proven) }
            #expect(refusal == .accountDormant(proven))
            #expect(try await scene.store.verification(proven.id)?.consumedBy == nil)
            let same = try await scene.signUp(proven, decision: .signIn)
            #expect(same.account == before.account)
            scene.advance(by: dormancy)
            let other = try await scene.signUp(try await scene.prove(AccountScene.anna), decision: .newAccount)
            #expect(other.account != before.account)
            #expect(try await scene.number(of: before) == .some(nil))
            // What was decided about nothing counts for nothing.
            let again = try await scene.signUp(try await scene.prove(AccountScene.anna), decision: .newAccount)
            #expect(again.account == other.account)
        },
        accountRule("an account whose holder wants it deleted is theirs again if they sign in before") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            _ = try await scene.requestDeletion(device)
            scene.advance(by: .seconds(14 * 86_400) - .milliseconds(1))
            let back = try await scene.signUp(AccountScene.anna)
            #expect(back.account == device.account)
            #expect(back.signedUp.account.deletionDueAt == nil)
            #expect(try await scene.store.account(device.account) == back.signedUp.account)
            #expect(try await scene.store.dueAccounts(at: scene.now + .seconds(86_400), limit: 9) == [])
        },
        accountRule("an account whose time is over is as good as gone, though it is still there") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            _ = try await scene.requestDeletion(device)
            scene.advance(by: .seconds(14 * 86_400))
            let new = try await scene.signUp(AccountScene.anna)
            #expect(new.signedUp.isNew)
            #expect(new.account != device.account)
            #expect(try await scene.store.dueAccounts(at: scene.now, limit: 9) == [device.account])
            #expect(try await scene.delete(device.account))
            #expect(try await scene.store.account(new.account) == new.signedUp.account)
            #expect(try await scene.store.signedIn(new.session) == new.signedIn)
        },
        accountRule(
            "of ten who prove a dormant number at once one makes a new account, and the others find it",
            accountPolicy: AccountPolicy(recycling: .quarantine)
        ) { scene in
            let before = try await scene.signUp(AccountScene.anna)
            scene.advance(by: dormancy)
            var proofs: [Verification] = []
            for _ in 0..<10 { proofs.append(try await scene.prove(AccountScene.anna)) }
            let devices = try await atOnce(proofs) { proof in try await scene.signUp(proof) }
            let made = devices.count { $0.signedUp.isNew }
            #expect(made == 1)
            #expect(Set(devices.map(\.account)).count == 1)
            #expect(try await scene.number(of: before) == .some(nil))
            let unlinked = try await scene.trail().count { $0.action == .unlink }
            #expect(unlinked == 1)
            #expect(try await scene.store.sessions(of: devices[0].account, at: scene.now, limit: 99).count == 10)
        },
    ]
}
