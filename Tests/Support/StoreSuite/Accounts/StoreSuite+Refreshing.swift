import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneAccounts
@testable import PhoneDomain

/// Refresh tokens.
extension StoreSuite {
    static let refreshRules = [
        accountRule("a refresh token gives the next, and puts off the end of idleness but not of the session") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(7200))
            let second = try #require(try scene.tokens.next(after: device.token).first)
            let session = Session(
                id: device.session,
                accountID: device.account,
                userAgent: "a phone",
                createdAt: StoreScene.start,
                expiresAt: StoreScene.start + .seconds(90 * 86_400),
                tokenDigest: try scene.tokens.digest(of: second),
                previousDigest: try scene.tokens.digest(of: device.token),
                refreshedAt: scene.now,
                idleUntil: scene.now + .seconds(30 * 86_400)
            )
            let account = Account(
                id: device.account,
                phoneNumber: try scene.number(AccountScene.anna),
                createdAt: StoreScene.start,
                createdBy: device.signedUp.account.createdBy,
                lastActiveAt: scene.now
            )
            let signedIn = SignedIn(session: session, account: account)
            #expect(try await scene.refresh(device.token) == .success(.init(signedIn: signedIn, token: second)))
            #expect(try await scene.store.signedIn(device.session) == signedIn)
            // Within the hour the account is not written again.
            scene.advance(by: .seconds(3599))
            let third = try await scene.next(after: second)
            #expect(try await scene.store.signedIn(device.session)?.account == account)
            #expect(try await scene.store.signedIn(device.session)?.session.refreshedAt == scene.now)
            #expect(third != second)
            let actions = try await scene.trail().map(\.action)
            #expect(actions == [.begin, .approve, .signUp])
        },
        accountRule("a token that was used gives the same next one for thirty seconds, and then ends its session") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let other = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(60))
            let first = try await scene.refresh(device.token)
            scene.advance(by: .milliseconds(29_999))
            #expect(try await scene.refresh(device.token) == first)
            let before = try await scene.trail()
            scene.advance(by: .milliseconds(1))
            #expect(try await scene.refresh(device.token) == .failure(.notSignedIn))
            #expect(try await scene.refresh(first.get().token) == .failure(.notSignedIn))
            #expect(try await scene.refresh(device.token) == .failure(.notSignedIn))
            #expect(try await scene.store.signedIn(device.session) == nil)
            #expect(try await scene.store.signedIn(other.session) == other.signedIn)
            let entry = try scene.entry(.reuse, .session(device.session), nil, AccountScene.anna, after: .seconds(90))
            #expect(try await scene.trail() == before + [entry])
        },
        accountRule("whichever tab refreshes with whichever token, for thirty seconds all get the newest one") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let second = try await scene.next(after: device.token)
            let signedIn = try #require(try await scene.store.signedIn(device.session))
            // Three tabs, of which one has lost the answer.
            for token in [device.token, second, device.token, second, second, device.token] {
                scene.advance(by: .milliseconds(4999))
                #expect(try await scene.refresh(token) == .success(.init(signedIn: signedIn, token: second)))
            }
            #expect(try await scene.store.signedIn(device.session) == signedIn)
            scene.advance(by: .milliseconds(6))
            let third = try await scene.next(after: second)
            #expect(third != second)
            #expect(try await scene.next(after: second) == third)
            #expect(try await scene.next(after: third) == third)
            // The token before the one before was replaced thirty seconds ago.
            #expect(try await scene.refresh(device.token) == .failure(.notSignedIn))
            #expect(try await scene.refresh(third) == .failure(.notSignedIn))
        },
        accountRule("a hundred concurrent refreshes with the token and the one before it get the same token") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let second = try await scene.next(after: device.token)
            let signedIn = try #require(try await scene.store.signedIn(device.session))
            let outcomes = try await atOnce(100) { index in
                try await scene.refresh(index.isMultiple(of: 2) ? device.token : second)
            }
            #expect(outcomes.count == 100)
            #expect(Set(outcomes) == [.success(.init(signedIn: signedIn, token: second))])
        },
        accountRule(
            "without grace every use makes the next token, and a second use ends the session",
            sessionPolicy: SessionPolicy(refreshGrace: .zero)
        ) { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let second = try await scene.next(after: device.token)
            let third = try await scene.next(after: second)
            #expect(Set([device.token, second, third]).count == 3)
            #expect(try await scene.refresh(second) == .failure(.notSignedIn))
            #expect(try await scene.refresh(third) == .failure(.notSignedIn))
        },
        accountRule("a token that somebody made up, or of another session, ends nothing") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let madeUp = SecretToken(
                "rt_\(device.session.hexadecimal)_" + String(repeating: "A", count: 65)
            )
            #expect(try await scene.refresh(try #require(RefreshToken(madeUp))) == .failure(.notSignedIn))
            let gone = SecretToken("rt_\(Session.ID(bits: 9, 9).hexadecimal)_" + String(repeating: "A", count: 65))
            #expect(try await scene.refresh(try #require(RefreshToken(gone))) == .failure(.notSignedIn))
            #expect(try await scene.store.signedIn(device.session) == device.signedIn)
            _ = try await scene.next(after: device.token)
        },
        accountRule("a session ends by idleness, and by its life however much it is used") { scene in
            let idle = try await scene.signUp(AccountScene.anna)
            let busy = try await scene.signUp(AccountScene.ben)
            var token = busy.token
            for _ in 1...2 {
                scene.advance(by: .milliseconds(30 * 86_400_000 - 1))
                token = try await scene.next(after: token)
            }
            #expect(try await scene.refresh(idle.token) == .failure(.notSignedIn))
            scene.advance(by: .milliseconds(30 * 86_400_000 - 1))
            token = try await scene.next(after: token)
            scene.advance(by: .milliseconds(3))
            #expect(try await scene.refresh(token) == .failure(.notSignedIn))
            // What is over is no longer ended by what was used.
            #expect(try await scene.refresh(busy.token) == .failure(.notSignedIn))
            #expect(try await scene.store.signedIn(busy.session) != nil)
        },
        accountRule("a hundred concurrent refreshes with one token are one, and all return the same next token") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(60))
            let outcomes = try await atOnce(100) { _ in try await scene.refresh(device.token) }
            let second = try #require(try scene.tokens.next(after: device.token).first)
            let session = try #require(try await scene.store.signedIn(device.session))
            #expect(outcomes.count == 100)
            #expect(Set(outcomes) == [.success(.init(signedIn: session, token: second))])
            scene.advance(by: .seconds(30))
            let third = try await scene.next(after: second)
            #expect(try await scene.refresh(device.token) == .failure(.notSignedIn))
            #expect(try await scene.refresh(third) == .failure(.notSignedIn))
        },
        accountRule("of uses at once of a token that was used, one ends the session") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            _ = try await scene.next(after: device.token)
            scene.advance(by: .seconds(31))
            let outcomes = try await atOnce(20) { _ in try await scene.refresh(device.token) }
            #expect(outcomes == Array(repeating: .failure(.notSignedIn), count: 20))
            #expect(try await scene.store.signedIn(device.session) == nil)
            let entries = try await scene.trail().count { $0.action == .reuse }
            #expect(entries == 1)
        },
        accountRule(
            "an account that is to be deleted by now refreshes nothing, and is not signed in",
            accountPolicy: AccountPolicy(recycling: .quarantine, holdTime: .seconds(60)),
            sessionPolicy: .long
        ) { scene in
            let device = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(90 * 86_400))
            // Somebody else has the number now, and the account is held for a minute.
            _ = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(59))
            let second = try await scene.next(after: device.token)
            scene.advance(by: .seconds(1))
            #expect(try await scene.refresh(second) == .failure(.notSignedIn))
            #expect(try await scene.update(device.session, to: "{}") == .failure(.notSignedIn))
            let proven = try await scene.prove(AccountScene.ben, as: .session(device.session))
            #expect(try await scene.change(device, with: proven.id).outcome == .failure(.notSignedIn))
        },
    ]
}

extension SessionPolicy {
    /// Sessions that live for a year, so that they outlive what makes an account dormant.
    static let long = SessionPolicy(lifetime: .seconds(365 * 86_400), idleTime: .seconds(365 * 86_400))
}
