import PhoneAdministration
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneAccounts
@testable import PhoneDomain

/// Clients of OpenID Connect, their codes and their sessions.
extension StoreSuite {
    static let openIDRules = [
        StoreRule("of a client everything is kept, and from when on it was revoked first") { scene in
            let (plain, full) = (SampleRecords.plainClient(2), SampleRecords.fullClient(1))
            let entry = Operator().entry(.createClient, at: StoreScene.start)
            try await scene.store.insert(plain, audit: entry)
            try await scene.store.insert(full, audit: entry)
            #expect(try await scene.store.client(plain.id) == plain)
            #expect(try await scene.store.client(full.id) == full)
            #expect(try await scene.store.client(OAuthClient.ID(bits: 9, 9)) == nil)
            #expect(try await scene.store.clients() == [full, plain])
            let moment = StoreScene.start + .seconds(5)
            let revoked = Operator().entry(.revokeClient, plain.id.description, at: moment)
            func revoke(_ id: OAuthClient.ID, _ moment: Timestamp, _ entry: AuditEntry) async throws -> OAuthClient? {
                try await scene.store.changeClient(id, audit: entry) { $0.revoke(at: moment) }
            }
            #expect(try await revoke(plain.id, moment, revoked)?.revokedAt == moment)
            #expect(try await revoke(plain.id, moment + .seconds(5), entry)?.revokedAt == moment)
            #expect(try await scene.store.client(plain.id)?.revokedAt == moment)
            #expect(try await revoke(OAuthClient.ID(bits: 9, 9), moment, entry) == nil)
            #expect(try await scene.store.entries(AuditQuery(limit: 9)).entries == [revoked, entry, entry])
        },
        accountRule("a code opens one session of its client, and its second use ends that session and no other") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(7200))
            let code = try await scene.authorize(device)
            scene.advance(by: .milliseconds(59_999))
            let exchanged = try await scene.exchange(code).get()
            let (signedIn, token) = (exchanged.signedIn, exchanged.token)
            let session = Session(
                id: Session.ID(bits: 7, 7),
                accountID: device.account,
                userAgent: "an app",
                createdAt: StoreScene.start,
                expiresAt: StoreScene.start + .seconds(90 * 86_400),
                tokenDigest: try scene.tokens.digest(of: token),
                refreshedAt: scene.now,
                idleUntil: scene.now + .seconds(30 * 86_400),
                grant: AccountScene.grant
            )
            #expect(signedIn.session == session)
            #expect(exchanged.nonce == "n")
            #expect(try await scene.store.signedIn(session.id) == signedIn)
            let before = try await scene.trail()
            #expect(try await scene.exchange(code) == .failure(.notSignedIn))
            #expect(try await scene.store.signedIn(session.id) == nil)
            #expect(try await scene.store.signedIn(device.session) != nil)
            #expect(try await scene.exchange(code) == .failure(.notSignedIn))
            let entries = try await scene.trail().dropFirst(before.count)
            #expect(entries.map(\.action) == [.reuse])
            #expect(entries.first?.owner == .session(session.id))
        },
        accountRule("a code is refused late, to another client, and with another verifier or place, and stays as it is")
        {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let code = try await scene.authorize(device)
            #expect(try await scene.exchange(code, client: OAuthClient.ID(bits: 2, 2)) == .failure(.notSignedIn))
            #expect(try await scene.exchange(code, verifier: "another") == .failure(.notSignedIn))
            let other = RedirectURI("https://shop.example/")
            #expect(try await scene.exchange(code, redirectURI: other) == .failure(.notSignedIn))
            #expect(try await scene.exchange(SecretToken(code.text + "x")) == .failure(.notSignedIn))
            #expect(try await scene.store.signedIn(Session.ID(bits: 7, 7)) == nil)
            scene.advance(by: .seconds(60))
            #expect(try await scene.exchange(code) == .failure(.notSignedIn))
            // A code goes with the session that it was made in.
            let second = try await scene.authorize(device, 8)
            #expect(try await scene.end(.one(device.session), of: device))
            #expect(try await scene.exchange(second) == .failure(.notSignedIn))
        },
        accountRule("of twenty who exchange one code at once one gets a session, and the others end it") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let code = try await scene.authorize(device)
            let outcomes = try await atOnce(20) { _ in try await scene.exchange(code) }
            #expect(outcomes.count { $0 == .failure(.notSignedIn) } == 19)
            #expect(try await scene.store.signedIn(Session.ID(bits: 7, 7)) == nil)
            let entries = try await scene.trail().count { $0.action == .reuse }
            #expect(entries == 1)
        },
        accountRule("the tokens of a client's session are of no use to another client, or to none") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let code = try await scene.authorize(device)
            let token = try await scene.exchange(code).get().token
            #expect(try await scene.refresh(token) == .failure(.notSignedIn))
            #expect(try await scene.refresh(token, of: OAuthClient.ID(bits: 2, 2)) == .failure(.notSignedIn))
            #expect(try await scene.refresh(device.token, of: AccountScene.grant.clientID) == .failure(.notSignedIn))
            let refreshed = try await scene.refresh(token, of: AccountScene.grant.clientID).get()
            #expect(refreshed.signedIn.session.grant == AccountScene.grant)
        },
        accountRule("a used code is known for a day, and a session without offline access as long as its access token")
        {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let code = try await scene.authorize(device, scopes: [.openID])
            let signedIn = try await scene.exchange(code).get().signedIn
            #expect(signedIn.session.idleUntil == scene.now + .seconds(900))
            let end = scene.now + .seconds(60 + 86_400)
            #expect(try await scene.store.purgeSessions(before: end, limit: 10) == 1)
            #expect(try await scene.exchange(code) == .failure(.notSignedIn))
            #expect(try await scene.store.purgeSessions(before: end + .milliseconds(1), limit: 10) == 1)
            #expect(try await scene.exchange(code) == .failure(.notSignedIn))
        },
        accountRule("what a person has decided about a device stays so, and is answered again in that session alone") {
            scene in
            for isApproved in [true, false] {
                let device = DeviceAuthorization(
                    key: "\(isApproved)",
                    deviceDigest: [],
                    grant: AccountScene.grant,
                    address: nil,
                    userAgent: nil,
                    createdAt: scene.now,
                    expiresAt: scene.now + DeviceAuthorization.lifetime,
                    openedSessionID: Session.ID(bits: 3, 3)
                )
                let own = Session.ID(bits: 1, 1)
                #expect(try await scene.decide(device.key, isApproved, in: own) == .failure(.notSignedIn))
                try await scene.store.insert(device, within: .none)
                let taps = try await atOnce(8) { _ in try await scene.decide(device.key, isApproved, in: own) }
                #expect(taps == Array(repeating: .success(isApproved), count: 8))
                let decided = try await scene.store.device(device.key)
                #expect(decided?.status == (isApproved ? .approved : .denied))
                #expect(try await scene.decide(device.key, !isApproved, in: own) == .success(isApproved))
                let other = Session.ID(bits: 1, 2)
                #expect(try await scene.decide(device.key, isApproved, in: other) == .failure(.notSignedIn))
                scene.advance(by: DeviceAuthorization.lifetime)
                #expect(try await scene.decide(device.key, isApproved, in: own) == .success(isApproved))
                #expect(try await scene.store.device(device.key) == decided)
                _ = try await scene.store.purgeExpired(at: scene.now + .seconds(1), limit: 10)
                #expect(try await scene.decide(device.key, isApproved, in: own) == .failure(.notSignedIn))
            }
        },
        accountRule(
            "of several people who decide about one device at once the first does, and the others learn nothing"
        ) { scene in
            let device = DeviceAuthorization(
                key: "0c",
                deviceDigest: [],
                grant: AccountScene.grant,
                address: nil,
                userAgent: nil,
                createdAt: scene.now,
                expiresAt: scene.now + DeviceAuthorization.lifetime,
                openedSessionID: Session.ID(bits: 3, 3)
            )
            try await scene.store.insert(device, within: .none)
            let taps = try await atOnce(8) { index in
                try await scene.decide(device.key, true, in: Session.ID(bits: 1, UInt64(index)))
            }
            #expect(taps.count { $0 == .success(true) } == 1)
            #expect(taps.count { $0 == .failure(.notSignedIn) } == 7)
            scene.advance(by: DeviceAuthorization.lifetime)
            _ = try await scene.store.purgeExpired(at: scene.now + .seconds(1), limit: 10)
        },
    ]
}

extension AccountScene {
    static let grant = ClientGrant(clientID: OAuthClient.ID(bits: 1, 1), scopes: [.openID, .phone, .offlineAccess])
    private static let callback: RedirectURI = {
        guard let uri = RedirectURI("https://shop.example/callback") else { preconditionFailure("no URI") }
        return uri
    }()

    /// A code for the client, whose verifier is `verifier`.
    func authorize(
        _ device: Device,
        _ serial: UInt64 = 7,
        client: OAuthClient.ID = Self.grant.clientID,
        scopes: Set<OpenIDScope> = Self.grant.scopes,
        within limits: TakeLimits = .none
    ) async throws -> SecretToken {
        let id = AuthorizationCode.ID(bits: serial, serial)
        let code = SecretToken("ac_\(id.hexadecimal)_secret")
        let vault = PlainTokenVault()
        try await store.insert(
            AuthorizationCode(
                id: id,
                digest: vault.digest(of: code),
                grant: ClientGrant(clientID: client, scopes: scopes),
                redirectURI: Self.callback,
                challenge: vault.digest(of: SecretToken("verifier")),
                nonce: "n",
                sessionID: device.session,
                expiresAt: now + AuthorizationCode.lifetime
            ),
            within: limits
        )
        return code
    }

    func decide(
        _ device: String,
        _ isApproved: Bool,
        in session: Session.ID
    ) async throws -> Result<Bool, PhoneFailure> {
        let command = DecideDevice(key: device, isApproved: isApproved, sessionID: session, now: now, limits: .none)
        return try await result { try await store.decide(command) }
    }

    func exchange(
        _ code: SecretToken,
        client: OAuthClient.ID = Self.grant.clientID,
        verifier: String = "verifier",
        redirectURI: RedirectURI? = nil
    ) async throws -> Result<ExchangeCode.Answer, PhoneFailure> {
        guard let id = AuthorizationCode.id(in: code) else { return .failure(.notSignedIn) }
        let command = ExchangeCode(
            id: id,
            secret: code,
            clientID: client,
            redirectURI: redirectURI ?? Self.callback,
            verifier: SecretToken(verifier),
            userAgent: "an app",
            vault: PlainTokenVault(),
            tokens: tokens,
            policy: sessionPolicy,
            auditor: Auditor(
                digester: PlainNumberDigester(),
                owner: .session(Session.ID(bits: id.high, id.low)),
                address: Self.address
            ),
            now: now
        )
        return try await result { try await store.exchange(command) }
    }
}
