import PhoneAccounts
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneAdministration
@testable import PhoneDomain

extension StoreSuite {
    private static let support = Operator(owner: .operator("sue"), reason: AuditReason("ticket 7"))

    private static func act(
        _ act: ActOnAccount.Act,
        on id: Account.ID,
        _ scene: AccountScene
    ) async throws -> Account {
        try await scene.store.act(
            ActOnAccount(act, on: id, by: support, digester: PlainNumberDigester(), now: scene.now)
        )
    }

    /// What the operator has left on the audit log, oldest first.
    private static func trail(_ scene: AccountScene) async throws -> [String] {
        var query = AuditQuery(limit: 50)
        query.owner = support.owner
        return try await scene.store.entries(query).entries.reversed().map {
            [$0.action.rawValue, $0.maskedNumber, $0.subject, $0.reason?.description].compactMap(\.self)
                .joined(separator: " ")
        }
    }

    static let administrationRules = [
        accountRule("a suspended account is signed out and stays out until it is restored") { scene in
            let device = try await scene.signUp(AccountScene.anna)
            let suspended = try await act(.suspend, on: device.account, scene)
            #expect(suspended.suspendedAt == scene.now)
            #expect(try await scene.store.account(device.account) == suspended)
            #expect(try await scene.store.signedIn(device.session) == nil)
            await #expect(throws: AdministrationFailure.conflict("account \(device.account) is suspended already")) {
                _ = try await act(.suspend, on: device.account, scene)
            }
            scene.advance(by: .seconds(60))
            await #expect(throws: PhoneFailure.accountSuspended) { _ = try await scene.signUp(AccountScene.anna) }
            let restored = try await act(.restore, on: device.account, scene)
            #expect(restored.suspendedAt == nil)
            scene.advance(by: .seconds(60))
            #expect(try await scene.signUp(AccountScene.anna).account == device.account)
            await #expect(throws: AdministrationFailure.conflict("account \(device.account) is not suspended")) {
                _ = try await act(.restore, on: device.account, scene)
            }
            let entry = "+82 10-****-1111 \(device.account) ticket 7"
            #expect(try await trail(scene) == ["suspend_account \(entry)", "restore_account \(entry)"])
        },
        accountRule("an operator signs out, edits, moves and deletes an account") { scene in
            let (anna, ben) = (
                try await scene.signUp(AccountScene.anna), try await scene.signUp(AccountScene.ben)
            )
            _ = try await act(.signOut, on: anna.account, scene)
            #expect(try await scene.store.signedIn(anna.session) == nil)
            #expect(try await scene.store.signedIn(ben.session) != nil)
            let edited = try await act(
                .edit { _ throws(PhoneFailure) in AccountMetadata(json: #"{"vip":true}"#) },
                on: anna.account,
                scene
            )
            #expect(edited.metadata.json == #"{"vip":true}"#)
            await #expect(throws: PhoneFailure.invalidMetadata(.tooLong)) {
                let refused: @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata =
                    { _ throws(PhoneFailure) in throw .invalidMetadata(.tooLong) }
                _ = try await act(.edit(refused), on: anna.account, scene)
            }
            let (new, taken) = (try scene.number(AccountScene.cho), try scene.number(AccountScene.ben))
            await #expect(throws: PhoneFailure.numberTaken) {
                _ = try await act(.changeNumber(taken), on: anna.account, scene)
            }
            let moved = try await act(.changeNumber(new), on: anna.account, scene)
            #expect(moved.phoneNumber == new)
            #expect(try await scene.store.account(of: new)?.id == anna.account)
            #expect(try await scene.store.account(of: try scene.number(AccountScene.anna)) == nil)
            let due = try await act(.delete, on: ben.account, scene)
            #expect(due.deletionDueAt == scene.now)
            #expect(try await scene.store.dueAccounts(at: scene.now, limit: 9) == [ben.account])
            // Its number is free from then on.
            _ = try await act(.changeNumber(taken), on: anna.account, scene)
            #expect(try await scene.store.account(ben.account)?.phoneNumber == nil)
            let unknown = Account.ID(bits: 9, 9)
            await #expect(throws: AdministrationFailure.notFound("there is no account \(unknown)")) {
                _ = try await act(.signOut, on: unknown, scene)
            }
            let (a, b) = (anna.account, ben.account)
            #expect(
                try await trail(scene) == [
                    "sign_out +82 10-****-1111 \(a) ticket 7", "update_account +82 10-****-1111 \(a) ticket 7",
                    "leave_number +82 10-****-1111 \(a) ticket 7", "change_number +82 10-****-3333 \(a) ticket 7",
                    "request_deletion +82 10-****-2222 \(b) ticket 7", "unlink +82 10-****-2222 ticket 7",
                    "leave_number +82 10-****-3333 \(a) ticket 7", "change_number +82 10-****-2222 \(a) ticket 7",
                ]
            )
        },
        accountRule("accounts are listed newest first, a page at a time") { scene in
            let numbers = [AccountScene.anna, AccountScene.ben, AccountScene.cho]
            var accounts: [Account.ID] = []
            for number in numbers { accounts.append(try await scene.signUp(number).account) }
            let first = try await scene.store.accounts(before: nil, limit: 2)
            #expect(first.items.map(\.id) == [accounts[2], accounts[1]])
            #expect(first.next == accounts[1].description)
            let second = try await scene.store.accounts(before: accounts[1], limit: 2)
            #expect(second.items.map(\.id) == [accounts[0]])
            #expect(second.next == nil)
        },
        StoreRule("verifications are found by number, account, owner and status, newest first") { scene in
            let people = try AccountScene(scene.store)
            let anna = try await people.signUp(AccountScene.anna)
            let scene = try StoreScene(
                store: scene.store,
                clock: people.clock,
                identifiers: CountingIdentifiers(after: 500)
            )
            let first = try await scene.request("010-1234-0001")
            let second = try await scene.request("010-1234-0002", as: StoreScene.bob)
            func found(_ change: (inout VerificationQuery) -> Void) async throws -> [Verification.ID] {
                var query = VerificationQuery(limit: 10)
                change(&query)
                let page = try await scene.store.verifications(query)
                #expect(page.next == nil)
                return page.items.map(\.id)
            }
            let used = anna.signedUp.verification.id
            #expect(try await found { _ in } == [second.id, first.id, used])
            #expect(try await found { $0.number = first.phoneNumber } == [first.id])
            #expect(try await found { $0.account = anna.account } == [used])
            #expect(try await found { $0.owner = StoreScene.bob } == [second.id])
            #expect(try await found { $0.status = .approved } == [used])
            #expect(try await found { ($0.number, $0.status) = (first.phoneNumber, .approved) } == [])
            #expect(try await found { $0.before = second.id } == [first.id, used])
            #expect(try await found { ($0.number, $0.since) = (first.phoneNumber, scene.now + .seconds(1)) } == [])
            #expect(try await found { ($0.number, $0.until) = (first.phoneNumber, scene.now) } == [])
            var page = try await scene.store.verifications(VerificationQuery(limit: 2))
            #expect(page.items.map(\.id) == [second.id, first.id])
            #expect(page.next == first.id.description)
            var query = VerificationQuery(limit: 2)
            query.before = first.id
            page = try await scene.store.verifications(query)
            #expect(page.items.map(\.id) == [used])
            #expect(page.next == nil)
        },
        StoreRule("messages are found by number, account, status, gateway and failure, and failures in groups") {
            scene in
            let first = try await scene.request("010-1234-0001")
            let second = try await scene.request("010-1234-0002")
            let third = try await scene.request("010-1234-0003")
            let claims = try await scene.store.claim(limit: 9, at: scene.now, until: scene.now + .seconds(60))
            func settle(_ verification: Verification, _ result: DeliveryResult) async throws {
                guard let claim = claims.first(where: { $0.verification.id == verification.id }) else {
                    Issue.record("no claim")
                    return
                }
                _ = try await scene.store.settle([
                    SettleMessage(id: claim.message.id, attempt: claim.message.attempts, result: result, now: scene.now)
                ])
            }
            try await settle(first, .sent(gateway: "twilio", gatewayMessageID: nil, awaitsReceipt: false))
            try await settle(second, .failed("no credit"))
            try await settle(third, .failed("no credit"))
            func found(_ change: (inout MessageSearch) -> Void) async throws -> [Verification.ID] {
                var search = MessageSearch(limit: 10)
                change(&search)
                let page = try await scene.store.messages(search)
                #expect(page.next == nil)
                return page.items.map(\.verification.id)
            }
            #expect(try await found { _ in } == [third.id, second.id, first.id])
            #expect(try await found { $0.number = second.phoneNumber } == [second.id])
            #expect(try await found { $0.verification = first.id } == [first.id])
            #expect(try await found { $0.account = Account.ID(bits: 9, 9) } == [])
            #expect(try await found { $0.status = .failed } == [third.id, second.id])
            #expect(try await found { $0.status = .sent } == [first.id])
            #expect(try await found { $0.status = .queued } == [])
            #expect(try await found { $0.gateway = "twilio" } == [first.id])
            #expect(try await found { $0.failure = "no credit" } == [third.id, second.id])
            #expect(try await found { ($0.status, $0.failure) = (.failed, "other") } == [])
            var search = MessageSearch(limit: 1)
            search.status = .failed
            let page = try await scene.store.messages(search)
            search.before = page.next.flatMap { OutboxMessage.ID($0) }
            #expect(search.before != nil)
            #expect(try await scene.store.messages(search).items.map(\.verification.id) == [second.id])
            #expect(
                try await scene.store.failureGroups(since: scene.now, limit: 100) == [
                    FailureGroup(status: .failed, gateway: nil, failure: "no credit", count: 2, lastAt: scene.now)
                ]
            )
            #expect(try await scene.store.failureGroups(since: scene.now + .seconds(1), limit: 100) == [])
        },
        StoreRule("an override is stored until it is removed, and each change is on the audit log once") { scene in
            let pause = Override(Override.gateway + "a", "paused", since: scene.now)
            let mode = Override(Override.guardMode, "shadow", since: scene.now)
            func entry(_ subject: String) -> AuditEntry { support.entry(.pauseGateway, subject, at: scene.now) }
            #expect(try await scene.store.insert(pause, audit: entry("1")))
            #expect(try await !scene.store.insert(pause, audit: entry("2")))
            #expect(try await scene.store.insert(mode, audit: entry("3")))
            let enforce = Override(Override.guardMode, "enforce", since: scene.now + .seconds(1))
            #expect(try await scene.store.insert(enforce, audit: entry("4")))
            #expect(try await scene.store.overrides() == [pause, enforce])
            let inForce = OverridesInForce()
            #expect(inForce.current == .none)
            try await inForce.read(from: scene.store)
            #expect(inForce.current.pausedGateways == ["a": scene.now])
            #expect(inForce.current.guardMode == .enforce)
            #expect(try await scene.store.removeOverride(pause.name, audit: entry("5")))
            #expect(try await !scene.store.removeOverride(pause.name, audit: entry("6")))
            #expect(try await scene.store.overrides() == [enforce])
            var query = AuditQuery(limit: 50)
            query.owner = support.owner
            #expect(try await scene.store.entries(query).entries.reversed().map(\.subject) == ["1", "3", "4", "5"])
        },
        StoreRule("the newest messages say how long gateways took, and prefixes are counted by their traffic") {
            scene in
            for number in ["010-1234-0001", "010-1234-0002", "010-5678-0001"] { _ = try await scene.request(number) }
            let claims = try await scene.store.claim(limit: 9, at: scene.now, until: scene.now + .seconds(60))
                .sorted { $0.verification.phoneNumber.e164 < $1.verification.phoneNumber.e164 }
            scene.advance(by: .milliseconds(250))
            let results: [DeliveryResult] = [
                .sent(gateway: "a", gatewayMessageID: "1"), .sent(gateway: "b", gatewayMessageID: "2"), .failed("no"),
            ]
            for (claim, result) in zip(claims, results) {
                _ = try await scene.store.settle([
                    SettleMessage(id: claim.message.id, attempt: claim.message.attempts, result: result, now: scene.now)
                ])
            }
            scene.advance(by: .seconds(2))
            let receipt = RecordReceipt(gateway: "a", gatewayMessageID: "1", outcome: .delivered, now: scene.now)
            #expect(try await scene.store.record(receipt))
            let start = scene.now - .seconds(60)
            func sample(_ gateway: String?, _ status: OutboxMessage.Status, _ accepted: Int64?, _ delivered: Int64?)
                -> SentSample
            {
                SentSample(
                    gateway: gateway,
                    status: status,
                    acceptedAfter: accepted.map { .milliseconds($0) },
                    deliveredAfter: delivered.map { .milliseconds($0) }
                )
            }
            // IDs of this test have no time in front.
            let samples = try await scene.store.sentSamples(since: Timestamp(seconds: 0), limit: 9)
            #expect(
                samples == [
                    sample(nil, .failed, nil, nil), sample("b", .sent, 250, nil), sample("a", .delivered, 250, 2250),
                ]
            )
            #expect(try await scene.store.sentSamples(since: Timestamp(seconds: 0), limit: 1).count == 1)
            #expect(try await scene.store.sentSamples(since: start, limit: 9) == [])
            // The failed one is no more counted.
            let counts = try await scene.store.trafficCounts(since: start)
            #expect(counts[.prefix] == [Traffic.Sample(sent: 2): 1, Traffic.Sample(): 1])
            #expect(counts[.country] == [Traffic.Sample(sent: 2): 1])
            #expect(try await scene.store.trafficCounts(since: scene.now + .seconds(7200)) == [:])
            #expect(try await scene.store.facts().schemaVersion == 1)
            #expect(try await scene.store.facts().bytes > 0)
        },
        StoreRule("traffic is counted by what it is of, and read by keys from the last one down") { scene in
            let hour = scene.now.milliseconds / 3_600_000
            let traffic = Traffic(hours: [Traffic.Hour(number: hour, sent: 3, approved: 1, suppressed: 4)])
            let keys = [
                "service", "fd00:0:0:100::/56", "KR", "203.0.113.9", "203.0.113.7", "2001:db8::/48",
                "2001:db8:1:2::/64", "001", "+82101234", "+1201555",
            ]
            let all = keys.compactMap { TrafficKey($0) }.map { KeyedTraffic(key: $0, traffic: traffic) }
            try await scene.store.restore(all.map { StoredRecord($0) })
            let sample = Traffic.Sample(sent: 7, approved: 1)
            #expect(
                try await scene.store.trafficCounts(since: scene.now) == [
                    .prefix: [sample: 2], .country: [sample: 2], .address: [sample: 2], .network64: [sample: 1],
                    .network56: [sample: 1], .network48: [sample: 1],
                ]
            )
            var (found, last): ([KeyedTraffic], TrafficKey?) = ([], nil)
            repeat {
                let page = try await scene.store.traffic(before: last, at: scene.now, limit: 3)
                found += page
                last = page.last?.key
            } while last != nil
            #expect(found.map(\.key.description) == all.map(\.key.description).sorted(by: >))
            #expect(try await scene.store.traffic(before: nil, at: scene.now + .seconds(90_000), limit: 3) == [])
        },
        StoreRule("an instance is listed while it says that it runs, whatever the clocks of others say") { scene in
            func instance(_ number: UInt64, startedAt: Timestamp, seenAt: Timestamp) -> Instance {
                Instance(
                    id: Instance.ID(bits: 0, number),
                    host: "web-\(number)",
                    process: 7,
                    version: "1.0",
                    startedAt: startedAt,
                    seenAt: seenAt
                )
            }
            // What was said longer ago than a minute and a half does not count, and a busy machine may take as long.
            func justSaid<Value>(_ said: [Instance], _ work: () async throws -> Value) async throws -> Value {
                while true {
                    let start = ContinuousClock.now
                    for instance in said { try await scene.store.record(instance) }
                    let value = try await work()
                    if .now - start < .seconds(60) { return value }
                }
            }
            func listed(_ said: [Instance]) async throws -> [String] {
                try await justSaid(said) { try await scene.store.instances().map(\.host) }
            }
            let (past, future) = (Timestamp(seconds: 0), Timestamp(seconds: 9_000_000_000))
            // One that was killed, and one from before the database's clock was set back.
            let dead = [instance(1, startedAt: past, seenAt: past), instance(2, startedAt: past, seenAt: future)]
            try await scene.store.restore(dead.map { StoredRecord($0) })
            #expect(try await scene.store.instances() == [])
            let running = [
                instance(4, startedAt: future, seenAt: past), instance(3, startedAt: past, seenAt: future),
            ]
            #expect(try await listed(running) == ["web-3", "web-4"])
            // It says so again, also after upkeep has taken it for dead.
            let all = running + [dead[0], dead[0]]
            #expect(try await listed(all) == ["web-1", "web-3", "web-4"])
            #expect(try await scene.store.count(of: Instance.self) == 4)
            _ = try await justSaid(all) { try await scene.store.purgeExpired(at: scene.now, limit: 9) }
            #expect(try await scene.store.count(of: Instance.self) == 3)
            for instance in running { try await scene.store.remove(instance.id) }
            #expect(try await listed([dead[0]]) == ["web-1"])
        },
        StoreRule("each verification is counted once in the daily figures, when it has settled") { scene in
            let people = try AccountScene(scene.store)
            _ = try await people.signUp(AccountScene.anna)
            let scene = try StoreScene(
                store: scene.store,
                clock: people.clock,
                identifiers: CountingIdentifiers(after: 500)
            )
            let caller = Owner.caller(try #require(CallerName("shop")))
            _ = try await scene.request("010-1234-0001", as: caller)
            let day = StoreScene.start.milliseconds / 86_400_000
            func rollUp() async throws -> Int {
                try await scene.store.rollUp(RollUp(now: scene.now, limit: 1, maxChecks: 5))
            }
            // IDs of this test have no time in front, so that all have settled.
            #expect(try await rollUp() == 1)
            #expect(try await rollUp() == 1)
            #expect(try await rollUp() == 0)
            var signup = DailyFigure(
                DailyFigure.Key(day: day, region: .korea, channel: .sms, gateway: nil, caller: "signup")
            )
            (signup.requested, signup.checked, signup.approved, signup.signedUp) = (1, 1, 1, 1)
            signup.secondsToApproval[0] = 1
            var shop = DailyFigure(
                DailyFigure.Key(day: day, region: .korea, channel: .sms, gateway: nil, caller: "caller:shop")
            )
            shop.requested = 1
            #expect(Set(try await scene.store.dailyFigures(from: day, through: day)) == [signup, shop])
            #expect(try await scene.store.dailyFigures(from: day + 1, through: day + 9) == [])
            _ = try await scene.store.purgeExpired(at: scene.now + DailyFigure.retention - .seconds(60), limit: 9)
            #expect(try await scene.store.dailyFigures(from: day, through: day).count == 2)
            _ = try await scene.store.purgeExpired(at: scene.now + DailyFigure.retention, limit: 9)
            #expect(try await scene.store.dailyFigures(from: day, through: day) == [])
        },
    ]
}
