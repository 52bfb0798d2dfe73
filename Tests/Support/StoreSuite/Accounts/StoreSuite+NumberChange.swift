import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneAccounts
@testable import PhoneDomain

/// Accounts that get another number.
extension StoreSuite {
    static let numberChangeRules = [
        accountRule("an account takes the number that its session has proven, and the old number is notified") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let other = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(7200))
            let trail = try await scene.trail()
            let proven = try await scene.prove(AccountScene.ben, as: .session(device.session))
            let change = try await scene.change(device, with: proven.id)
            let account = Account(
                id: device.account,
                phoneNumber: try scene.number(AccountScene.ben),
                phoneNumberSince: scene.now,
                createdAt: StoreScene.start,
                createdBy: device.signedUp.account.createdBy,
                lastActiveAt: scene.now
            )
            #expect(change.outcome == .success(account))
            #expect(try await scene.store.account(device.account) == account)
            #expect(try await scene.store.account(of: try scene.number(AccountScene.ben)) == account)
            #expect(try await scene.store.account(of: try scene.number(AccountScene.anna)) == nil)
            #expect(try await scene.store.verification(proven.id)?.consumedBy == device.account)
            #expect(try await scene.store.signedIn(other.session)?.account == account)
            let kept = NumberChange(
                id: change.command.changeID,
                accountID: device.account,
                sessionID: device.session,
                verificationID: proven.id,
                oldNumber: try scene.number(AccountScene.anna),
                newNumber: try scene.number(AccountScene.ben),
                language: .korean,
                changedAt: scene.now,
                undoableUntil: scene.now + .seconds(3 * 86_400),
                undoDigest: change.command.undoDigest
            )
            #expect(try await scene.store.numberChange(undoDigest: change.command.undoDigest) == kept)
            #expect(try await scene.store.numberChange(undoDigest: []) == nil)
            let notice = OutboxMessage(
                id: change.command.messageID,
                verificationID: proven.id,
                numberChangeID: change.command.changeID,
                createdAt: scene.now,
                traceParent: change.command.traceParent
            )
            let queued = try await scene.store.messages(status: .queued, limit: 1)
            let verification = try #require(try await scene.store.verification(proven.id))
            #expect(queued == [OutboxClaim(message: notice, verification: verification, change: kept)])
            let owner = Owner.session(device.session)
            let time: Duration = .seconds(7200)
            let entries = [
                try scene.entry(.approve, owner, proven.id, AccountScene.ben, after: time),
                try scene.entry(.changeNumber, owner, proven.id, AccountScene.ben, after: time),
                try scene.entry(.leaveNumber, owner, proven.id, AccountScene.anna, after: time),
            ]
            #expect(try await scene.trail().dropFirst(trail.count + 1) == entries[...])
            let events = try await scene.store.events(status: nil, limit: 99).filter { $0.kind == .numberChanged }
            #expect(
                events == [Event(.numberChanged, of: .account(device.account), occurredAt: scene.now, at: scene.now)]
            )
            // The old number is free, for somebody else or for a second account.
            #expect(try await scene.signUp(AccountScene.anna).signedUp.isNew)
        },
        accountRule("within seconds the device hears of its change again, and nothing more is kept") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.ben)
            let messages = try await scene.store.messages(status: nil, limit: 99).count
            scene.advance(by: .milliseconds(69_999))
            let again = try await scene.change(device, with: change.command.check.id)
            #expect(again.outcome == change.outcome)
            #expect(try await scene.store.numberChange(undoDigest: again.command.undoDigest) == nil)
            #expect(try await scene.store.messages(status: nil, limit: 99).count == messages)
            #expect(try await scene.trail().last?.action == .repeatApproval)
            scene.advance(by: .milliseconds(1))
            let late = try await scene.change(device, with: change.command.check.id)
            #expect(late.outcome == .failure(.verificationClosed))
        },
        accountRule("the code is checked in the transaction that changes the number, and a wrong one changes nothing") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let begun = try await scene.request(AccountScene.ben, as: .session(device.session))
            let wrong = try await scene.change(device, with: begun.id, code: StoreScene.wrongCode)
            #expect(wrong.outcome.refusal?.checksLeft == 4)
            #expect(try await scene.number(of: device) == "+821011111111")
            #expect(try await scene.store.numberChange(undoDigest: wrong.command.undoDigest) == nil)
            _ = try await scene.change(device, with: begun.id)
            #expect(try await scene.number(of: device) == "+821022222222")
            let used = try #require(try await scene.store.verification(begun.id))
            #expect(used.recordedStatus == .approved)
            #expect(used.consumedBy == device.account)
            #expect(used.checksLeft == 3)
            let actions = try await scene.trail().suffix(5).map(\.action)
            #expect(actions == [.begin, .mismatch, .approve, .changeNumber, .leaveNumber])
        },
        accountRule("of those who race for one change of number the one with the code gets it, and nobody else") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            // From the 70th name on, the tests' plain deriver makes some secrets twice.
            for round in 0..<5 {
                let begun = try await scene.request("010-1234-\(5000 + round)", as: .session(device.session))
                let changes = try await atOnce(5) { index in
                    let code = index == 4 ? StoreScene.rightCode : StoreScene.wrongCode
                    let address = ClientAddress("192.0.2.\(index)")
                    return (index, try await scene.change(device, with: begun.id, code: code, from: address))
                }
                for (index, change) in changes {
                    switch change.outcome {
                    case .success: #expect(index == 4)
                    case .failure(.codeIncorrect), .failure(.verificationClosed): #expect(index != 4)
                    case .failure(let failure): Issue.record("\(failure)")
                    }
                }
                #expect(try await scene.number(of: device) == "+82101234\(5000 + round)")
            }
        },
        accountRule("a change of number is repeated only with the right code, and a wrong one ends that") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let id = try await scene.change(device, to: AccountScene.ben).command.check.id
            let elsewhere = try await scene.change(device, with: id, from: ClientAddress("192.0.2.1"))
            #expect(elsewhere.outcome == .failure(.verificationClosed))
            _ = try await scene.change(device, with: id).outcome.get()
            for code in [StoreScene.wrongCode, StoreScene.rightCode] {
                let change = try await scene.change(device, with: id, code: code)
                #expect(change.outcome == .failure(.verificationClosed))
            }
        },
        accountRule("nobody else's proof changes a number, nor does one of another session") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let second = try await scene.signUp(AccountScene.anna)
            let proofs = [
                try await scene.prove(AccountScene.cho),
                try await scene.prove(AccountScene.cho, as: .session(second.session)),
            ]
            for proof in proofs {
                let change = try await scene.change(device, with: proof.id)
                #expect(change.outcome == .failure(.verificationNotFound))
            }
            let none = try await scene.change(device, with: Verification.ID(bits: 9, 9))
            #expect(none.outcome == .failure(.verificationNotFound))
            #expect(try await scene.end(.one(second.session), of: second))
            #expect(try await scene.change(second, with: proofs[1].id).outcome == .failure(.notSignedIn))
            #expect(try await scene.number(of: device) == "+821011111111")
            #expect(try await scene.store.verification(proofs[1].id)?.consumedBy == nil)
        },
        accountRule("a number that somebody has is not given to another account") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let holder = try await scene.signUp(AccountScene.ben)
            let change = try await scene.change(device, to: AccountScene.ben)
            #expect(change.outcome == .failure(.numberTaken))
            #expect(try await scene.number(of: device) == "+821011111111")
            #expect(try await scene.number(of: holder) == "+821022222222")
            #expect(try await scene.store.verification(change.command.check.id)?.consumedBy == nil)
            #expect(try await scene.store.numberChange(undoDigest: change.command.undoDigest) == nil)
        },
        accountRule("a proof of a number that another account had is used later, with its code alone") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let holder = try await scene.signUp(AccountScene.ben)
            let begun = try await scene.request(AccountScene.ben, as: .session(device.session))
            // Asking again costs its holder no check.
            for _ in 0..<6 {
                #expect(try await scene.change(device, with: begun.id).outcome == .failure(.numberTaken))
            }
            _ = try await scene.change(holder, to: AccountScene.cho)
            let wrong = try await scene.change(device, with: begun.id, code: StoreScene.wrongCode)
            #expect(wrong.outcome.refusal?.checksLeft == 3)
            #expect(try await scene.number(of: device) == "+821011111111")
            _ = try await scene.change(device, with: begun.id)
            #expect(try await scene.number(of: device) == "+821022222222")
        },
        accountRule("a change takes the number of no dormant account unless that is what the operator wants") { scene in
            let silent = try await scene.signUp(AccountScene.ben)
            scene.advance(by: .seconds(90 * 86_400))
            let device = try await scene.signUp(AccountScene.anna)
            for recycling in [AccountPolicy.Recycling.signIn, .ask] {
                let scene = try scene.replacing(AccountPolicy(recycling: recycling))
                let change = try await scene.change(device, to: AccountScene.ben)
                #expect(change.outcome == .failure(.numberTaken), "\(recycling)")
            }
            #expect(try await scene.number(of: silent) == "+821022222222")
        },
        accountRule(
            "a change takes the number of a dormant account under quarantine, which is held",
            accountPolicy: AccountPolicy(recycling: .quarantine)
        ) { scene in
            let silent = try await scene.signUp(AccountScene.ben)
            scene.advance(by: .seconds(90 * 86_400))
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.ben)
            #expect(try await scene.number(of: device) == "+821022222222")
            let held = try #require(try await scene.store.account(silent.account))
            #expect(held.phoneNumber == nil)
            #expect(held.deletionDueAt == scene.now + .seconds(90 * 86_400))
            let actions = try await scene.trail().suffix(3)
            #expect(actions.map(\.action) == [.unlink, .changeNumber, .leaveNumber])
            #expect(actions.allSatisfy { $0.verificationID == change.command.check.id })
            #expect(
                actions.map(\.maskedNumber) == ["+82 10-****-2222", "+82 10-****-2222", "+82 10-****-1111"]
            )
        },
        accountRule(
            "an account that lost its number gets another in a session that it still has, and stays",
            accountPolicy: AccountPolicy(recycling: .quarantine),
            sessionPolicy: .long
        ) { scene in
            let device = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(90 * 86_400))
            let other = try await scene.signUp(AccountScene.anna)
            let taken = try await scene.change(device, to: AccountScene.anna)
            #expect(taken.outcome == .failure(.numberTaken))
            let change = try await scene.change(device, to: AccountScene.ben)
            let account = try #require(try await scene.store.account(device.account))
            #expect(change.outcome == .success(account))
            #expect(account.phoneNumber?.e164 == "+821022222222")
            #expect(account.deletionDueAt == nil)
            // Nobody is notified, and nothing can be undone.
            let kept = try await scene.store.numberChange(undoDigest: change.command.undoDigest)
            #expect(kept?.oldNumber == nil)
            let notices = try await scene.store.messages(status: nil, limit: 99).count { $0.message.isNotice }
            #expect(notices == 0)
            #expect(try await scene.undo(change) == .failure(.numberChangeNotFound))
            #expect(try await scene.number(of: other) == "+821011111111")
        },
        accountRule("changing back to an earlier number undoes the change, and the number between is not notified") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let there = try await scene.change(device, to: AccountScene.ben)
            scene.advance(by: .seconds(60))
            let back = try await scene.change(device, to: AccountScene.anna)
            _ = try there.outcome.get()
            let account = try back.outcome.get()
            #expect(account.phoneNumber?.e164 == "+821011111111")
            #expect(account.phoneNumberSince == scene.now)
            #expect(try await scene.store.account(device.account) == account)
            let notified = try await scene.store.messages(status: .queued, limit: 99).compactMap(
                \.change?.oldNumber?.e164
            )
            #expect(notified == ["+821011111111"])
            for change in [there, back] {
                let kept = try await scene.store.numberChange(undoDigest: change.command.undoDigest)
                #expect(kept?.closedAt == scene.now)
                #expect(try await scene.undo(change) == .failure(.numberChangeNotFound))
            }
            let changed = try await scene.store.events(status: nil, limit: 99).count { $0.kind == .numberChanged }
            #expect(changed == 2)
        },
        accountRule("undoing a change closes later changes, and no earlier one") { scene in
            let device = try await scene.signUp("010-4444-4444")
            let before = try await scene.change(device, to: AccountScene.anna)
            let first = try await scene.change(device, to: AccountScene.ben)
            let second = try await scene.change(device, to: AccountScene.cho)
            _ = try await scene.change(device, to: AccountScene.anna)
            #expect(try await scene.undo(first) == .failure(.numberChangeNotFound))
            #expect(try await scene.undo(second) == .failure(.numberChangeNotFound))
            let account = try await scene.undo(before).get()
            #expect(account.phoneNumber?.e164 == "+821044444444")
        },
        accountRule("to prove the number that it has changes nothing, and notifies nobody") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.anna)
            #expect(change.outcome == .success(device.signedUp.account))
            #expect(try await scene.store.verification(change.command.check.id)?.consumedBy == device.account)
            #expect(try await scene.store.numberChange(undoDigest: change.command.undoDigest) == nil)
            let notices = try await scene.store.messages(status: nil, limit: 99).count { $0.message.isNotice }
            #expect(notices == 0)
        },
        accountRule("of ten accounts that change to one number at once one gets it, and the others keep theirs") {
            scene in
            var racers: [(device: AccountScene.Device, proof: Verification.ID)] = []
            for index in 0..<10 {
                let device = try await scene.signUp("010-1111-200\(index)")
                racers.append((device, try await scene.prove(AccountScene.ben, as: .session(device.session)).id))
            }
            let changes = try await atOnce(racers) { racer in try await scene.change(racer.device, with: racer.proof) }
            let taken = changes.count { $0.outcome == .failure(.numberTaken) }
            #expect(taken == 9)
            var numbers: [String] = []
            for racer in racers {
                let account = try #require(try await scene.store.account(racer.device.account))
                numbers.append(try #require(account.phoneNumber?.e164))
            }
            #expect(Set(numbers).count == 10)
            #expect(numbers.count { $0 == "+821022222222" } == 1)
            let notified = try await scene.store.messages(status: nil, limit: 99).count { $0.message.isNotice }
            #expect(notified == 1)
        },
        accountRule("of ten who sign up or change to one number at once one holds it") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let proof = try await scene.prove(AccountScene.ben, as: .session(device.session)).id
            var others: [Verification] = []
            for _ in 0..<9 { others.append(try await scene.prove(AccountScene.ben)) }
            let accounts = try await withThrowingTaskGroup(of: Account?.self) { [others] group in
                group.addTask {
                    guard case .success(let account) = try await scene.change(device, with: proof).outcome else {
                        return nil
                    }
                    return account
                }
                for other in others { group.addTask { try await scene.signUp(other).signedUp.account } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(accounts.compactMap { $0?.id }).count == 1)
            let holder = try await scene.store.account(of: try scene.number(AccountScene.ben))
            #expect(holder?.id == accounts.compactMap { $0?.id }.first)
        },
        accountRule(
            "a change in a session whose number was proven too long ago is refused, as the operator wants it",
            accountPolicy: AccountPolicy(freshProof: .seconds(600))
        ) { scene in
            let device = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .milliseconds(599_999))
            let begun = try await scene.request(AccountScene.ben, as: .session(device.session))
            scene.advance(by: .milliseconds(1))
            // Nothing is compared, so it costs no check.
            for code in [StoreScene.rightCode, StoreScene.wrongCode] {
                let change = try await scene.change(device, with: begun.id, code: code)
                #expect(change.outcome == .failure(.proofTooOld))
            }
            #expect(try await scene.store.verification(begun.id) == begun)
            let fresh = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(fresh, to: AccountScene.ben)
            #expect(try await scene.number(of: fresh) == "+821022222222")
            // One that was made is heard of again, fresh or not.
            let replaced = try scene.replacing(AccountPolicy(freshProof: .zero))
            #expect(try await replaced.change(fresh, with: change.command.check.id).outcome == change.outcome)
        },
    ]
}
