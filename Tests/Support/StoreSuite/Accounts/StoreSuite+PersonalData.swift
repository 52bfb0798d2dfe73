import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Synchronization
import Testing

@testable import PhoneAccounts
@testable import PhoneDomain

/// What is held on a person.
extension StoreSuite {
    static let personalDataRules = [
        accountRule("an export contains all data about the holder of an account, and nothing of anyone else") { scene in
            // Somebody who had the number before.
            _ = try await scene.prove(AccountScene.ben)
            _ = try await scene.signUp(AccountScene.cho)
            scene.advance(by: .seconds(60))
            let traces = try await scene.leaveTraces()
            let second = try await scene.signUp(AccountScene.ben, userAgent: nil)
            #expect(second.account == traces.device.account)
            try await scene.store.insert(signup(1, phoneText: AccountScene.ben))
            let signup = try await scene.store.update(Signup.ID(bits: 0, 1)) {
                $0.verificationID = traces.verifications[2]
            }
            try await scene.store.insert(Self.signup(2, phoneText: AccountScene.ben))

            let data = try #require(try await scene.export(traces.device.account))
            #expect(data.account == second.signedUp.account)
            #expect(data.account.phoneNumber?.e164 == "+821022222222")
            #expect(data.sessions == [second.signedUp.session, traces.device.signedUp.session].compactMap(\.self))
            let change = try await scene.store.numberChange(undoDigest: traces.change.command.undoDigest)
            #expect(data.changes == [change].compactMap(\.self))
            let ids = traces.verifications + [try #require(Verification.ID(hexadecimal: second.session.hexadecimal))]
            var verifications: [Verification] = []
            for id in ids { verifications.append(try #require(try await scene.store.verification(id))) }
            #expect(data.verifications == verifications)
            let messages = try await scene.store.messages(status: nil, limit: 99).map(\.message).reversed()
                .filter { ids.contains($0.verificationID) }
            #expect(messages.count == 5)
            #expect(data.messages == messages)
            #expect(data.signups == [signup].compactMap(\.self))
            let moments = [0, 120, 180, 180].map { StoreScene.start + .seconds($0) }
            #expect(data.activity.recentSends == moments)
            let events = try await scene.store.events(status: nil, limit: 99)
                .filter { $0.subject == .account(data.account.id) }
            #expect(data.events == events.reversed())
            #expect(data.events.map(\.kind) == [.accountCreated, .numberChanged])
            #expect(
                data.audit.map(\.action) == [
                    .begin, .approve, .signUp, .begin, .approve, .changeNumber, .leaveNumber, .begin, .approve, .begin,
                    .approve, .signUp,
                ]
            )
            let trail = try await scene.trail()
            #expect(data.audit == trail.filter { $0.verificationID.map(ids.contains) ?? false })
        },
        accountRule("an export has the audit entries of a number since the account has it") { scene in
            let before = try await scene.prove(AccountScene.anna)
            scene.advance(by: .seconds(60))
            let device = try await scene.signUp(AccountScene.anna)
            _ = try await scene.requestDeletion(device)
            let data = try #require(try await scene.export(device.account))
            #expect(data.audit.map(\.action) == [.begin, .approve, .signUp, .requestDeletion])
            #expect(!data.verifications.contains { $0.id == before.id })
            #expect(data.sessions == [])
        },
        accountRule(
            "an export after the number went to somebody else has what was theirs, and nothing of the number",
            accountPolicy: AccountPolicy(recycling: .quarantine)
        ) { scene in
            let old = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(90 * 86_400))
            _ = try await scene.signUp(AccountScene.anna)
            let data = try #require(
                try await scene.store.personalData(of: old.account) { _ in [NumberDigest(rawValue: "a:b")] }
            )
            #expect(data.account.phoneNumber == nil)
            #expect(data.verifications.map(\.id) == [old.signedUp.account.createdBy])
            #expect(data.activity == .none)
            #expect(data.audit.map(\.action) == [.begin, .approve, .signUp])
            #expect(data.sessions == [old.signedUp.session].compactMap(\.self))
        },
        accountRule("an export begins anew if there is more of the person than it has searched the audit log for") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let digest = PlainNumberDigester().digest(of: try scene.number(AccountScene.anna).e164)
            let moment = scene.now + .seconds(1)
            let refusal = AuditEntry(
                at: moment,
                action: .suppress,
                owner: .local,
                verificationID: nil,
                numberDigest: digest
            )
            try await scene.store.restore([.auditEntry(AuditRecord.serial(at: moment, 0), refusal)])
            scene.advance(by: .seconds(60))
            // The log was searched before there was a key for this digest.
            let calls = Mutex(0)
            let data = try await scene.store.personalData(of: device.account) { _ in
                calls.withLock { calls in
                    calls += 1
                    return calls == 1 ? [] : [digest]
                }
            }
            #expect(data?.audit.map(\.action) == [.begin, .approve, .signUp, .suppress])
            #expect(calls.withLock(\.self) == 4)
        },
        StoreRule("on nobody nothing is held") { scene in
            let data = try await scene.store.personalData(of: Account.ID(bits: 9, 9)) { _ in [] }
            #expect(data == nil)
        },
    ]
}
