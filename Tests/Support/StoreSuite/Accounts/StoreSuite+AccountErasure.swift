import PhoneTestSupport
import Testing

@testable import PhoneAccounts
@testable import PhoneAdministration
@testable import PhoneDomain

/// Numbers that are erased, with the accounts that hold them.
extension StoreSuite {
    static let accountErasureRules = [
        accountRule("with a number go its account's sessions, changes and what was used for it by another number") {
            scene in
            let traces = try await scene.leaveTraces()
            _ = try await scene.signUp(AccountScene.ben)
            let other = try await scene.signUp(AccountScene.cho)
            let erasure = try await scene.erase(AccountScene.ben)
            var expected = Erasure()
            (expected.accounts, expected.sessions, expected.numberChanges) = (1, 2, 1)
            (expected.verifications, expected.messages, expected.auditEntries) = (4, 5, 12)
            expected.rows = ["number_activity": 1]
            #expect(erasure == expected)
            #expect(try await scene.store.account(traces.device.account) == nil)
            #expect(try await scene.store.signedIn(traces.device.session) == nil)
            #expect(try await scene.store.numberChange(undoDigest: traces.change.command.undoDigest) == nil)
            for id in traces.verifications { #expect(try await scene.store.verification(id) == nil) }
            let left = try await scene.store.messages(status: nil, limit: 99).map(\.verification.id)
            #expect(left == [other.signedUp.account.createdBy])
            #expect(try await scene.store.signedIn(other.session) == other.signedIn)
            let linked = try await scene.trail().filter { $0 != $0.unlinked }
            #expect(linked.map(\.verificationID) == Array(repeating: other.signedUp.account.createdBy, count: 3))
        },
        accountRule(
            "with a number go other accounts' changes from it or to it, and their notices, but not the accounts"
        ) { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let first = try await scene.change(device, to: AccountScene.ben)
            scene.advance(by: .seconds(60))
            let second = try await scene.change(device, to: AccountScene.cho)
            scene.advance(by: .seconds(60))
            let third = try await scene.change(device, to: "010-4444-4444")
            let erasure = try await scene.erase(AccountScene.ben)
            #expect((erasure.accounts, erasure.sessions, erasure.numberChanges) == (0, 0, 2))
            // The code and the notice of the first, and the notice of the second, of which the code stays.
            #expect((erasure.verifications, erasure.messages) == (1, 3))
            #expect(try await scene.store.numberChange(undoDigest: first.command.undoDigest) == nil)
            #expect(try await scene.store.numberChange(undoDigest: second.command.undoDigest) == nil)
            #expect(try await scene.store.numberChange(undoDigest: third.command.undoDigest) != nil)
            #expect(try await scene.number(of: device) == "+821044444444")
            #expect(try await scene.store.signedIn(device.session) != nil)
            let notices = try await scene.store.messages(status: nil, limit: 99).filter(\.message.isNotice)
            #expect(notices.map(\.message.id) == [third.command.messageID])
        },
        accountRule("an erased number goes from others' metadata, and what stands around it stays") { scene in
            var accounts: [Account.ID] = []
            for (phone, json) in [
                (AccountScene.anna, #"{"friend":"\#(AccountScene.ben)","seats":4}"#),
                (AccountScene.cho, #"{"friend":"\#(AccountScene.anna)"}"#), ("010-4444-4444", "{}"),
            ] {
                let device = try await scene.signUp(phone)
                accounts.append(device.account)
                _ = try await scene.update(device.session, to: json).get()
            }
            var expected = Erasure()
            expected.metadata = 1
            #expect(try await scene.erase(AccountScene.ben) == expected)
            var kept: [String?] = []
            for id in accounts { kept.append(try await scene.store.account(id)?.metadata.json) }
            #expect(
                kept == [#"{"friend":"[erased 1]","seats":4}"#, #"{"friend":"\#(AccountScene.anna)"}"#, "{}"]
            )
            #expect(try await scene.erase(AccountScene.ben).isEmpty)
        },
    ]
}

extension AccountScene {
    func erase(_ phone: String) async throws -> Erasure {
        try await store.erase(
            EraseNumber(try number(phone), digester: PlainNumberDigester(), now: now)
        )
    }
}
