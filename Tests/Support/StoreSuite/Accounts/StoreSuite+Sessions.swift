import PhoneAccounts
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDomain

/// Devices that are signed in.
extension StoreSuite {
    static let sessionRules = [
        accountRule("signing up opens a session, which is heard of again within seconds and opened once") { scene in
            let proven = try await scene.prove(AccountScene.anna)
            let device = try await scene.signUp(proven)
            let session = Session(
                id: Session.id(openedBy: proven.id),
                accountID: device.account,
                userAgent: "a phone",
                createdAt: StoreScene.start,
                expiresAt: StoreScene.start + .seconds(90 * 86_400),
                tokenDigest: try scene.tokens.digest(of: device.token),
                refreshedAt: StoreScene.start,
                idleUntil: StoreScene.start + .seconds(30 * 86_400)
            )
            #expect(device.signedUp.session == session)
            #expect(device.signedUp.isNew)
            let signedIn = SignedIn(session: session, account: device.signedUp.account)
            #expect(try await scene.store.signedIn(device.session) == signedIn)
            scene.advance(by: .seconds(9))
            #expect(try await scene.signUp(proven).signedUp == device.signedUp)
            #expect(try await scene.store.sessions(of: device.account, at: scene.now, limit: 9) == [session])
            #expect(try await scene.store.signedIn(Session.ID(bits: 9, 9)) == nil)
            #expect(try await scene.store.account(of: try scene.number(AccountScene.anna))?.id == device.account)
            #expect(try await scene.store.account(of: try scene.number(AccountScene.ben)) == nil)
        },
        StoreRule("one who does not ask for a session has none") { scene in
            let signedUp = try await scene.signUp(try await scene.prove().id)
            #expect(signedUp.session == nil)
            #expect(try await scene.store.sessions(of: signedUp.account.id, at: scene.now, limit: 9) == [])
        },
        accountRule("an account that is known is signed in on one more device, and heard of") { scene in
            let first = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(60))
            let second = try await scene.signUp(AccountScene.anna, userAgent: nil)
            #expect(!second.signedUp.isNew)
            #expect(second.account == first.account)
            #expect(second.signedUp.account.lastActiveAt == StoreScene.start + .seconds(60))
            #expect(try await scene.store.account(first.account) == second.signedUp.account)
            let sessions = try await scene.store.sessions(of: first.account, at: scene.now, limit: 9)
            #expect(sessions == [second.signedUp.session, first.signedUp.session].compactMap(\.self))
            #expect(try await scene.store.sessions(of: first.account, at: scene.now, limit: 1) == [sessions[0]])
            #expect(try await scene.store.sessions(of: first.account, at: scene.now, limit: 0) == [])
            #expect(try await scene.store.sessions(of: Account.ID(bits: 9, 9), at: scene.now, limit: 9) == [])
        },
        accountRule("sessions of one moment are listed by name, and those that are over are not") { scene in
            let devices = [try await scene.signUp(AccountScene.anna), try await scene.signUp(AccountScene.anna)]
            let account = devices[0].account
            let ids = try await scene.store.sessions(of: account, at: scene.now, limit: 9).map(\.id)
            #expect(ids == devices.map(\.session))
            let end = StoreScene.start + .seconds(30 * 86_400)
            #expect(try await scene.store.sessions(of: account, at: end - .milliseconds(1), limit: 9).count == 2)
            #expect(try await scene.store.sessions(of: account, at: end, limit: 9) == [])
        },
        accountRule("a device ends one session or all, and no other account's") { scene in
            let devices = [
                try await scene.signUp(AccountScene.anna), try await scene.signUp(AccountScene.anna),
                try await scene.signUp(AccountScene.anna),
            ]
            let other = try await scene.signUp(AccountScene.ben)
            let before = try await scene.trail().count
            #expect(try await !scene.end(.one(other.session), of: devices[0]))
            #expect(try await scene.end(.one(devices[1].session), of: devices[0]))
            #expect(try await !scene.end(.one(devices[1].session), of: devices[0]))
            #expect(try await scene.store.signedIn(devices[1].session) == nil)
            #expect(try await scene.store.signedIn(devices[2].session) != nil)
            #expect(try await scene.end(.all(generation: 0), of: devices[0]))
            #expect(try await scene.store.signedIn(devices[0].session) == nil)
            #expect(try await scene.store.signedIn(devices[2].session) == nil)
            #expect(try await scene.store.signedIn(other.session) == other.signedIn)
            let owner = Owner.session(devices[0].session)
            let entry = try scene.entry(.signOut, owner, nil, AccountScene.anna)
            #expect(try await scene.trail().dropFirst(before) == [entry, entry])
        },
        accountRule("of twenty requests at once to sign out everywhere one does, and leaves one entry") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let before = try await scene.trail().count
            let ended = try await atOnce(20) { _ in try await scene.end(.all(generation: 0), of: device) }.filter(
                \.self
            )
            #expect(ended == [true])
            #expect(try await scene.trail().count == before + 1)
            // One that comes late ends nothing that was opened since.
            let next = try await scene.signUp(AccountScene.anna)
            #expect(try await !scene.end(.all(generation: 0), of: device))
            #expect(try await scene.store.signedIn(next.session) == next.signedIn)
        },
        accountRule("a session that is over is deleted when it is ended, and nothing is written of it") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let before = try await scene.trail()
            scene.advance(by: .seconds(30 * 86_400))
            #expect(try await !scene.end(.one(device.session), of: device))
            #expect(try await scene.store.signedIn(device.session) == nil)
            #expect(try await scene.store.count(of: Session.self) == 0)
            #expect(try await scene.trail() == before)
        },
        accountRule("what programs keep with an account is changed from a session that holds") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let json = #"{"name":"안나 🙂 \u0000","n":[1,null]}"#
            let account = try await scene.update(device.session, to: json).get()
            #expect(account.metadata == AccountMetadata(json: json))
            #expect(try await scene.store.account(device.account) == account)
            let refused = try await result {
                try await scene.store.update(device.session, at: scene.now) { metadata throws(PhoneFailure) in
                    throw metadata.json == json ? .numberTaken : .notSignedIn
                }
            }
            #expect(refused == .failure(.numberTaken))
            #expect(try await scene.update(Session.ID(bits: 9, 9), to: "{}") == .failure(.notSignedIn))
            scene.advance(by: .seconds(30 * 86_400))
            #expect(try await scene.update(device.session, to: "{}") == .failure(.notSignedIn))
            #expect(try await scene.store.account(device.account) == account)
        },
        accountRule("of twenty changes at once of what is kept with an account none is lost") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let now = scene.now
            try await atOnce(20) { _ in
                _ = try await scene.store.update(device.session, at: now) {
                    AccountMetadata(json: $0.json + "x")
                }
            }
            let kept = try await scene.store.account(device.account)?.metadata.json
            #expect(kept == "{}" + String(repeating: "x", count: 20))
        },
        accountRule("a purge takes sessions that were over before, the first of them first, and no others") { scene in
            var devices: [AccountScene.Device] = []
            for phone in [AccountScene.anna, AccountScene.ben, AccountScene.cho] {
                devices.append(try await scene.signUp(phone))
                scene.advance(by: .seconds(1))
            }
            // The first lives on, however short.
            _ = try await scene.refresh(devices[0].token)
            let idle = StoreScene.start + .seconds(30 * 86_400)
            #expect(try await scene.store.purgeSessions(before: idle + .seconds(1), limit: 9) == 0)
            #expect(try await scene.store.purgeSessions(before: idle + .milliseconds(2_001), limit: 1) == 1)
            #expect(try await scene.store.signedIn(devices[1].session) == nil)
            #expect(try await scene.store.signedIn(devices[2].session) == devices[2].signedIn)
            #expect(try await scene.store.purgeSessions(before: idle + .milliseconds(2_001), limit: 9) == 1)
            #expect(try await scene.store.purgeSessions(before: idle + .milliseconds(2_001), limit: 9) == 0)
            #expect(try await scene.store.signedIn(devices[0].session) != nil)
            #expect(try await scene.store.account(devices[1].account) == devices[1].signedUp.account)
        },
    ]
}
