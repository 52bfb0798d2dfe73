import PhoneAccounts
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDomain

/// An account with more sessions than it could ever open: what is done with it costs the same as with one.
extension StoreSuite {
    private static let count = 10_000

    static let manySessionsRules = [
        accountRule("signing out everywhere touches no session, however many there are, and ends all of them") {
            scene in
            let (device, other) = (try await scene.signUp(AccountScene.anna), try await scene.signUp(AccountScene.ben))
            let many = try await scene.crowd(device.account, count)
            #expect(try await scene.store.signedIn(many[0]) != nil)
            #expect(try await scene.end(.all(generation: 0), of: device))
            try await scene.expectAllEnded([device.session] + many, of: device)
            #expect(try await scene.store.signedIn(other.session) == other.signedIn)
        },
        accountRule("a request of deletion touches no session, however many there are, and ends all of them") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let many = try await scene.crowd(device.account, count)
            #expect(try await scene.requestDeletion(device).get().deletionDueAt != nil)
            try await scene.expectAllEnded([device.session] + many, of: device)
        },
        accountRule("undoing a change of number touches no session, however many there are, and ends all of them") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let change = try await scene.change(device, to: AccountScene.ben)
            let many = try await scene.crowd(device.account, count)
            #expect(try await scene.undo(change).get().phoneNumber == scene.number(AccountScene.anna))
            try await scene.expectAllEnded([device.session] + many, of: device)
        },
        accountRule("opening a session deletes some of very many, and the one that was opened stays") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            _ = try await scene.crowd(device.account, count)
            for opened in 1...2 {
                let next = try await scene.signUp(AccountScene.anna)
                #expect(try await scene.store.count(of: Session.self) == 1 + count - 19 * opened)
                #expect(try await scene.store.signedIn(next.session) == next.signedIn)
            }
        },
        accountRule("one session of very many is ended, and no other") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let many = try await scene.crowd(device.account, count)
            #expect(try await scene.end(.one(many[0]), of: device))
            #expect(try await scene.store.signedIn(many[0]) == nil)
            #expect(try await scene.store.count(of: Session.self) == count)
            #expect(try await scene.store.signedIn(many[1]) != nil)
        },
    ]
}

extension AccountScene {
    /// Puts that many sessions of an account into the store, past every rule.
    fileprivate func crowd(_ account: Account.ID, _ count: Int) async throws -> [Session.ID] {
        let ids = (1...UInt64(count)).map { Session.ID(bits: 1 << 32, $0) }
        try await store.restore(
            ids.map { id in
                .session(
                    Session(
                        id: id,
                        accountID: account,
                        userAgent: nil,
                        createdAt: now,
                        expiresAt: now + .seconds(3600),
                        tokenDigest: [1],
                        refreshedAt: now,
                        idleUntil: now + .seconds(3600)
                    )
                )
            }
        )
        return ids
    }

    /// None of these is live, and each still has its row, which goes with others like it, some at a time.
    fileprivate func expectAllEnded(_ ids: [Session.ID], of device: Device) async throws {
        #expect(try await store.count(of: Session.self) >= ids.count)
        for id in [ids[0], ids[1], ids[ids.count - 1]] { #expect(try await store.signedIn(id) == nil) }
        #expect(try await refresh(device.token) == .failure(.notSignedIn))
        #expect(try await store.sessions(of: device.account, at: now, limit: 9) == [])
        #expect(try await export(device.account)?.sessions == [])
        #expect(try await store.purgeSessions(before: now, limit: 10) == 10)
        var purged = 10
        while case let count = try await store.purgeSessions(before: now, limit: 5000), count > 0 { purged += count }
        #expect(purged == ids.count)
    }
}
