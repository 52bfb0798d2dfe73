import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneAccounts
@testable import PhoneDomain

/// What a caller can have stored, and how much of it.
extension StoreSuite {
    private static let three = [RateLimit(quota: 3, window: .seconds(3600))].compactMap(\.self)

    static let boundRules = [
        accountRule("of its own an account has fifty live sessions, and the one that was opened first ends") { scene in
            var devices: [AccountScene.Device] = []
            for _ in 1...50 { devices.append(try await scene.signUp(AccountScene.anna)) }
            // Those of others do not count, nor do those of clients.
            let other = try await scene.signUp(AccountScene.ben)
            let client = try await scene.open(1, in: devices[0])
            #expect(try await scene.store.count(of: Session.self) == 52)
            devices.append(try await scene.signUp(AccountScene.anna))
            #expect(try await scene.store.count(of: Session.self) == 52)
            #expect(try await scene.store.signedIn(devices[0].session) == nil)
            for device in devices.dropFirst() { #expect(try await scene.store.signedIn(device.session) != nil) }
            #expect(try await scene.store.signedIn(other.session) == other.signedIn)
            #expect(try await scene.store.signedIn(client) != nil)
        },
        accountRule("of a client an account has fifty live sessions, of all a hundred, and the one opened first ends") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            var opened: [Session.ID] = []
            for serial in 1...50 as ClosedRange<UInt64> { opened.append(try await scene.open(serial, in: device)) }
            #expect(try await scene.store.signedIn(opened[0]) != nil)
            opened.append(try await scene.open(51, in: device))
            #expect(try await scene.store.count(of: Session.self) == 51)
            #expect(try await scene.store.signedIn(opened[0]) == nil)
            for id in opened.dropFirst() { #expect(try await scene.store.signedIn(id) != nil) }
            for serial in 52...101 as ClosedRange<UInt64> {
                opened.append(try await scene.open(serial, of: serial, in: device))
            }
            #expect(try await scene.store.count(of: Session.self) == 101)
            #expect(try await scene.store.signedIn(opened[1]) != nil)
            opened.append(try await scene.open(102, of: 102, in: device))
            #expect(try await scene.store.count(of: Session.self) == 101)
            #expect(try await scene.store.signedIn(opened[1]) == nil)
            for id in opened.dropFirst(2) { #expect(try await scene.store.signedIn(id) != nil) }
            #expect(try await scene.store.signedIn(device.session) != nil)
        },
        accountRule("of sixty sessions that a client opens at once fifty are left") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            var codes: [SecretToken] = []
            for serial in 1...60 as ClosedRange<UInt64> { codes.append(try await scene.authorize(device, serial)) }
            try await atOnce(codes) { code in _ = try await scene.exchange(code) }
            #expect(try await scene.store.count(of: Session.self) == 51)
        },
        accountRule("what has ended counts for nothing, and goes when another session is opened") { scene in
            let idle = try await scene.signUp(AccountScene.anna)
            let used = try await scene.signUp(AccountScene.anna)
            scene.advance(by: .seconds(29 * 86_400))
            _ = try await scene.refresh(used.token)
            scene.advance(by: .seconds(86_400))
            _ = try await scene.signUp(AccountScene.anna)
            #expect(try await scene.store.count(of: Session.self) == 2)
            #expect(try await scene.store.signedIn(idle.session) == nil)
            #expect(try await scene.end(.all(generation: 0), of: used))
            let next = try await scene.signUp(AccountScene.anna)
            #expect(try await scene.store.count(of: Session.self) == 1)
            #expect(try await scene.store.signedIn(next.session) == next.signedIn)
            #expect(next.signedUp.session?.generation == 1)
        },
        accountRule("a code that nobody used goes when it has expired, and its nonce when it is used") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let used = try await scene.authorize(device, 7)
            _ = try await scene.authorize(device, 8)
            _ = try await scene.exchange(used)
            let end = scene.now + AuthorizationCode.lifetime
            #expect(try await scene.store.purgeSessions(before: end, limit: 9) == 0)
            #expect(try await scene.store.purgeSessions(before: end + .milliseconds(1), limit: 9) == 1)
            let rest = try await scene.store.records(of: AuthorizationCode.self, after: nil, limit: 9)
                .map { try AuthorizationCode($0.row) }
            #expect(rest.map(\.id) == [AuthorizationCode.ID(bits: 7, 7)])
            #expect(rest.map(\.nonce) == [nil])
        },
        accountRule("beyond its limit a session has no more codes, edits or entries stored, and can still be ended") {
            scene in
            let (device, other) = (try await scene.signUp(AccountScene.anna), try await scene.signUp(AccountScene.ben))
            let policy = LimitPolicy.only { $0.changesBySession = three }
            func limits(_ device: AccountScene.Device) -> TakeLimits {
                policy.changes(by: .session(device.session), from: AccountScene.address, at: scene.now)
            }
            func edit(_ device: AccountScene.Device, _ json: String) async throws -> Result<Account, PhoneFailure> {
                let limits = limits(device)
                return try await result {
                    try await scene.store.update(
                        UpdateAccount(
                            sessionID: device.session,
                            now: scene.now,
                            change: { _ in AccountMetadata(json: json) },
                            limits: limits
                        )
                    )
                }
            }
            let entry = try scene.entry(.decideSignIn, device.owner, nil, nil)
            _ = try await scene.authorize(device, 1, within: limits(device))
            #expect(try await edit(device, #"{"a":1}"#).get().metadata.json == #"{"a":1}"#)
            // What changes nothing counts for nothing.
            #expect(try await edit(device, #"{"a":1}"#).get().metadata.json == #"{"a":1}"#)
            try await scene.store.record(entry, within: limits(device))
            let trail = try await scene.trail()
            let refused = PhoneFailure.rateLimited(
                policies: [QuotaPolicy(name: "session-changes-1h", quota: 3, window: .seconds(3600))],
                retryAt: scene.now + .seconds(1200)
            )
            await #expect(throws: refused) { _ = try await scene.authorize(device, 2, within: limits(device)) }
            #expect(try await edit(device, #"{"a":2}"#) == .failure(refused))
            await #expect(throws: refused) { try await scene.store.record(entry, within: limits(device)) }
            #expect(try await scene.store.count(of: AuthorizationCode.self) == 1)
            #expect(try await scene.store.account(device.account)?.metadata.json == #"{"a":1}"#)
            #expect(try await scene.trail() == trail)
            #expect(try await edit(other, #"{"b":1}"#).get().metadata.json == #"{"b":1}"#)
            #expect(try await scene.end(.one(device.session), of: device))
        },
        accountRule("of an address all sessions share one limit of changes") { scene in
            let devices = [try await scene.signUp(AccountScene.anna), try await scene.signUp(AccountScene.ben)]
            let policy = LimitPolicy.only { $0.changesByAddress = three }
            func limits(_ device: AccountScene.Device, _ address: String) -> TakeLimits {
                policy.changes(by: .session(device.session), from: ClientAddress(address), at: scene.now)
            }
            for serial in 1...3 as ClosedRange<UInt64> {
                _ = try await scene.authorize(devices[Int(serial % 2)], serial, within: limits(devices[0], "192.0.2.1"))
            }
            let refused = PhoneFailure.rateLimited(
                policies: [QuotaPolicy(name: "address-changes-1h", quota: 3, window: .seconds(3600))],
                retryAt: scene.now + .seconds(1200)
            )
            for device in devices {
                await #expect(throws: refused) {
                    _ = try await scene.authorize(device, 4, within: limits(device, "192.0.2.1"))
                }
            }
            _ = try await scene.authorize(devices[0], 5, within: limits(devices[0], "192.0.2.2"))
            #expect(try await scene.store.count(of: AuthorizationCode.self) == 4)
        },
        accountRule("a session is refreshed as often as its limit says, and a reused token ends it all the same") {
            scene in
            let device = try await scene.signUp(AccountScene.anna)
            let policy = LimitPolicy.only { $0.changesBySession = three }
            var tokens = [device.token]
            for _ in 1...3 {
                tokens.append(try await scene.refresh(tokens[tokens.count - 1], limits: policy).get().token)
                scene.advance(by: .seconds(60))
            }
            let refused = PhoneFailure.rateLimited(
                policies: [QuotaPolicy(name: "session-changes-1h", quota: 3, window: .seconds(3600))],
                retryAt: StoreScene.start + .seconds(1200)
            )
            #expect(try await scene.refresh(tokens[3], limits: policy) == .failure(refused))
            scene.advance(by: .seconds(1020))
            _ = try await scene.refresh(tokens[3], limits: policy).get()
            scene.advance(by: .seconds(60))
            #expect(try await scene.refresh(tokens[3], limits: policy) == .failure(.notSignedIn))
            #expect(try await scene.store.signedIn(device.session) == nil)
        },
        StoreRule("a guided signup is edited as often as its limit says, and an edit that changes nothing is free") {
            scene in
            let policy = LimitPolicy.only { $0.changesBySession = three }
            let id = Signup.ID(bits: 0, 1)
            try await scene.store.insert(signup(1))
            func edit(_ text: String) async throws -> Result<Signup?, PhoneFailure> {
                let limits = policy.changes(by: .signup(id), from: nil, at: scene.now)
                return try await result { try await scene.store.update(id, within: limits) { $0.phoneText = text } }
            }
            for text in ["1", "1", "2", "2", "3"] { #expect(try await edit(text).get()?.phoneText == text) }
            #expect(try await edit("4").refusal?.code == "rate_limited")
            #expect(try await edit("3").get()?.phoneText == "3")
            #expect(try await scene.store.signup(id)?.phoneText == "3")
        },
        StoreRule("a session has as many verifications begun as its limit says, of a test number too") { scene in
            let policy = LimitPolicy.only { $0.changesBySession = three }
            let scene = try AccountScene(scene.store, limits: policy, testNumber: AccountScene.cho)
            let device = try await scene.signUp(AccountScene.anna)
            let owner = Owner.session(device.session)
            for _ in 1...2 { _ = try await scene.request(AccountScene.cho, as: owner) }
            for phone in [AccountScene.ben, AccountScene.dora] { _ = try await scene.request(phone, as: owner) }
            let count = try await scene.store.count(of: Verification.self)
            for phone in [AccountScene.anna, AccountScene.ben] {
                let refused = try await refusingLimits { try await scene.request(phone, as: owner) }
                #expect(refused == ["session-changes-1h"])
            }
            #expect(try await scene.store.count(of: Verification.self) == count)
        },
        accountRule("an account changes its number twenty times within the time to undo it") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            for index in 1...20 {
                let phone = index.isMultiple(of: 2) ? AccountScene.anna : AccountScene.ben
                #expect(try await scene.change(device, to: phone).outcome.get().phoneNumber == scene.number(phone))
                scene.advance(by: .seconds(60))
            }
            let verification = try await scene.prove(AccountScene.ben, as: .session(device.session))
            let refused = PhoneFailure.rateLimited(
                policies: [QuotaPolicy(name: "account-number-changes", quota: 20, window: .seconds(3 * 86_400))],
                retryAt: StoreScene.start + .seconds(3 * 86_400)
            )
            #expect(try await scene.change(device, with: verification.id).outcome == .failure(refused))
            #expect(try await scene.store.count(of: NumberChange.self) == 20)
        },
    ]
}

extension AccountScene {
    /// Opens a session of a client, in the browser that is this device.
    fileprivate func open(_ serial: UInt64, of client: UInt64 = 1, in device: Device) async throws -> Session.ID {
        let client = OAuthClient.ID(bits: client, client)
        let code = try await authorize(device, serial, client: client)
        return try await exchange(code, client: client).get().signedIn.session.id
    }
}
