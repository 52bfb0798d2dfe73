import PhoneAdministration
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneAccounts
@testable import PhoneDomain

/// Accounts that go.
extension StoreSuite {
    static let deletionRules = [
        accountRule("an account whose holder wants it deleted is due after a time, and its sessions end at once") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            _ = try await scene.signUp(AccountScene.anna)
            let other = try await scene.signUp(AccountScene.ben)
            let trail = try await scene.trail()
            scene.advance(by: .seconds(60))
            let due = scene.now + .seconds(14 * 86_400)
            let account = try await scene.requestDeletion(device).get()
            #expect(account.deletionDueAt == due)
            #expect(try await scene.store.account(device.account) == account)
            #expect(try await scene.store.sessions(of: device.account, at: scene.now, limit: 9) == [])
            #expect(try await scene.store.signedIn(other.session) == other.signedIn)
            let owner = Owner.session(device.session)
            let entry = try scene.entry(.requestDeletion, owner, nil, AccountScene.anna, after: .seconds(60))
            #expect(try await scene.trail() == trail + [entry])
            #expect(try await scene.requestDeletion(device) == .failure(.notSignedIn))
            #expect(try await scene.store.dueAccounts(at: due - .milliseconds(1), limit: 9) == [])
            #expect(try await scene.store.dueAccounts(at: due, limit: 9) == [device.account])
            #expect(try await scene.delete(device.account) == false)
            #expect(try await scene.store.account(device.account) == account)
        },
        accountRule(
            "an account is not deleted before changes of its number can no longer be undone",
            accountPolicy: AccountPolicy(deletionGrace: .seconds(60), undoTime: .seconds(3600))
        ) { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let account = try await scene.requestDeletion(device).get()
            #expect(account.deletionDueAt == scene.now + .seconds(3600))
        },
        accountRule("a decision is put on the trail") { scene in
            let entry = try scene.entry(.decideSignIn, StoreScene.alice, nil, AccountScene.anna)
            try await scene.store.record(entry)
            #expect(try await scene.trail() == [entry])
        },
        accountRule("accounts are due in the order of their times, and at most the limit is returned") { scene in
            var devices: [AccountScene.Device] = []
            for phone in [AccountScene.anna, AccountScene.ben, AccountScene.cho] {
                devices.append(try await scene.signUp(phone))
            }
            for index in [2, 0, 1] {
                _ = try await scene.requestDeletion(devices[index])
                scene.advance(by: .seconds(index == 2 ? 1 : 0))
            }
            let due = scene.now + .seconds(14 * 86_400)
            let ids = [2, 0, 1].map { devices[$0].account }
            #expect(try await scene.store.dueAccounts(at: due, limit: 9) == ids)
            #expect(try await scene.store.dueAccounts(at: due, limit: 2) == Array(ids.prefix(2)))
            #expect(try await scene.store.dueAccounts(at: due, limit: 0) == [])
        },
        accountRule("an account that was taken back is not deleted, nor is one that is not there") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            _ = try await scene.requestDeletion(device)
            _ = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(14 * 86_400))
            let trail = try await scene.trail()
            #expect(try await scene.delete(device.account) == false)
            #expect(try await scene.delete(Account.ID(bits: 9, 9)) == false)
            #expect(try await scene.store.account(device.account) != nil)
            #expect(try await scene.trail() == trail)
        },
        accountRule(
            "of an account that is deleted nothing is left, and of others all is",
            accountPolicy: .deletingAfter(.seconds(3600))
        ) { scene in
            let other = try await scene.signUp(AccountScene.cho)
            let gone = try await scene.leaveTraces()
            let pending = try await scene.prove(AccountScene.ben)
            try await scene.store.insert(signup(1, phoneText: ""))
            _ = try await scene.store.update(Signup.ID(bits: 0, 1)) { $0.verificationID = gone.verifications[2] }
            try await scene.store.insert(signup(2, phoneText: AccountScene.ben))
            _ = try await scene.store.update(Signup.ID(bits: 0, 2)) { $0.verificationID = pending.id }
            let kept = try await scene.keep(answers: [gone.verifications[0], pending.id])
            _ = try await scene.requestDeletion(gone.device)
            scene.advance(by: .seconds(3600))
            // Under way when the account goes: it may be somebody else's.
            let later = try await scene.prove(AccountScene.ben)
            let trail = try await scene.trail()
            #expect(try await scene.delete(gone.device.account))
            #expect(try await scene.store.account(gone.device.account) == nil)
            for id in gone.verifications + [pending.id] {
                #expect(try await scene.store.verification(id) == nil)
            }
            #expect(try await scene.store.verification(later.id) == later)
            #expect(try await scene.store.numberChange(undoDigest: gone.change.command.undoDigest) == nil)
            let messages = try await scene.store.messages(status: nil, limit: 99)
            #expect(Set(messages.map(\.verification.id)) == [later.id, other.signedUp.verification.id])
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 1)) == nil)
            #expect(try await scene.store.signup(Signup.ID(bits: 0, 2)) == nil)
            for request in kept {
                guard case .begun = try await scene.store.begin(request) else {
                    Issue.record("answered as before")
                    continue
                }
            }
            let subjects = Set(try await scene.store.events(status: nil, limit: 99).map(\.subject))
            #expect(
                subjects == [
                    .verification(later.id), .verification(other.signedUp.verification.id), .account(other.account),
                ]
            )
            #expect(try await scene.store.account(other.account) == other.signedUp.account)
            #expect(try await scene.store.signedIn(other.session) == other.signedIn)
            // What the number has been through stays, as do its limits.
            for record in try await scene.store.records(of: ActiveNumber.self, after: nil, limit: 9) {
                guard let number = try record.record(as: ActiveNumber.self) else { continue }
                #expect(number.activity.recentSends.isEmpty == false, "\(number.e164)")
            }
            #expect(try await scene.store.count(of: ActiveNumber.self) == 3)

            let ids = Set(gone.verifications + [pending.id])
            let owners = Set([pending.owner, gone.device.owner, .session(gone.device.session)])
            let entries = try await scene.trail()
            #expect(
                entries.last
                    == DeleteAccount(gone.device.account, digester: PlainNumberDigester(), now: scene.now).entry
            )
            let left = entries.dropLast().filter { entry in
                guard entry.verificationID != later.id else { return false }
                return entry.maskedNumber?.hasSuffix("2222") ?? false || entry.owner.map(owners.contains) ?? false
            }
            #expect(left.map(\.action) == [])
            let unlinked = entries.filter { $0.verificationID.map(ids.contains) ?? false }
            #expect(unlinked.allSatisfy { $0 == $0.unlinked })
            #expect(entries.count == trail.count + 1)
            #expect(try await scene.delete(gone.device.account) == false)
        },
        accountRule(
            "an account without a number is deleted, and of the one that has its number now all is left",
            accountPolicy: AccountPolicy(recycling: .quarantine)
        ) { scene in
            let old = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(90 * 86_400))
            let new = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(90 * 86_400))
            #expect(try await scene.store.dueAccounts(at: scene.now, limit: 9) == [old.account])
            let trail = try await scene.trail()
            #expect(try await scene.delete(old.account))
            #expect(try await scene.store.account(old.account) == nil)
            #expect(try await scene.store.verification(old.signedUp.verification.id) == nil)
            #expect(try await scene.store.account(new.account) == new.signedUp.account)
            #expect(try await scene.store.verification(new.signedUp.verification.id) != nil)
            #expect(try await scene.store.signedIn(new.session) == new.signedIn)
            let mine = old.signedUp.verification.id
            #expect(
                try await scene.trail().dropLast() == trail.map { $0.verificationID == mine ? $0.unlinked : $0 }[...]
            )
        },
        accountRule("nothing is deleted if the digests of its number cannot be made") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            _ = try await scene.requestDeletion(device)
            scene.advance(by: .seconds(14 * 86_400))
            let command = DeleteAccount(device.account, digester: BrokenDigester(), now: scene.now)
            await #expect(throws: (any Error).self) { try await scene.store.delete(command) }
            #expect(try await scene.store.account(device.account) != nil)
            #expect(try await scene.store.verification(device.signedUp.verification.id) != nil)
        },
    ]
}

extension AccountPolicy {
    /// Accounts go so long after it was asked for; no change can be undone for longer.
    static func deletingAfter(_ time: Duration) -> AccountPolicy {
        AccountPolicy(deletionGrace: time, undoTime: time)
    }
}

/// What a person has left behind.
struct Traces: Sendable {
    let device: AccountScene.Device
    let change: AccountScene.Change
    /// Those that made the account, proved its second number and were never used.
    let verifications: [Verification.ID]
}

extension AccountScene {
    /// An account that was made by Anna's number and has Ben's now.
    func leaveTraces() async throws -> Traces {
        let device = try await signUp(Self.anna)
        advance(by: .seconds(60))
        let change = try await change(device, to: Self.ben)
        advance(by: .seconds(60))
        let unused = try await prove(Self.ben)
        return Traces(
            device: device,
            change: change,
            verifications: [device.signedUp.verification.id, change.command.check.id, unused.id]
        )
    }

    /// Keeps an answer about each of these verifications.
    ///
    /// - Returns: the requests that would be answered so again.
    fileprivate func keep(answers verifications: [Verification.ID]) async throws -> [BeginRequest] {
        var requests: [BeginRequest] = []
        for id in verifications {
            let key = try #require(IdempotencyKey(id.hexadecimal))
            let name = IdempotentRequest.Name(owner: .local, key: key)
            func begin() throws -> BeginRequest {
                try #require(BeginRequest(name: name, fingerprints: [NumberDigest(rawValue: "a:b")], now: now))
            }
            _ = try await store.begin(try begin())
            let answer = StoredResponse(
                status: 201,
                contentType: "application/json",
                location: nil,
                body: "{}",
                verificationID: id
            )
            try await store.end(EndRequest(name: name, attempt: 1, answer: answer))
            requests.append(try begin())
        }
        return requests
    }
}
