import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport

/// A history made up from a seed: the same requests, checks, claims and purges, sessions and changes of number, and the
/// same clock, for any store.
struct RandomHistory {
    private var generator: SplitMix64
    private var begun: [Verification.ID] = []
    private var accounts: [Account.ID] = []
    private var claimed: [OutboxMessage] = []
    private var signups: [Signup.ID] = []
    private var devices: [AccountScene.Device] = []
    /// The tokens of each device, the oldest first.
    private var tokens: [[RefreshToken]] = []
    /// What devices have asked a code for, to change to its number, and the changes that were made.
    private var proving: [(device: AccountScene.Device, id: Verification.ID)] = []
    private var changes: [AccountScene.Change] = []
    private var ledger = Ledger()

    /// What must never happen, and has.
    var violations: [String] { ledger.violations }

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// Does the next thing.
    ///
    /// - Returns: what it was and everything that the store answered.
    mutating func step(_ scene: StoreScene) async throws -> [AnyHashable] {
        switch Int.random(in: 0..<36, using: &generator) {
        case 0..<4: try await request(scene)
        case 4..<8, 32..<36: try await check(scene)
        case 8: try await cancel(scene)
        case 9, 10: try await signUp(scene)
        case 11: try await read(scene)
        case 12: try await claim(scene)
        case 13, 14: try await settle(scene)
        case 15: try await changeSignup(scene)
        case 16: try await purge(scene)
        case 17: try await retry(scene)
        case 18: try await receipt(scene)
        case 19, 20: try await signIn(scene)
        case 21, 22: try await refresh(scene)
        case 23: try await endSession(scene)
        case 24, 25: try await prove(scene)
        case 26, 27: try await changeNumber(scene)
        case 28: try await undo(scene)
        default: moveClock(scene)
        }
    }

    private static let phones = ["010-1111-1111", "010-2222-2222", "010-3333-3333"]

    private mutating func request(_ scene: StoreScene) async throws -> [AnyHashable] {
        let phone = pick(Self.phones) ?? ""
        let owner = owner()
        let result = try await scene.begin(phone, as: owner)
        if case .success(let answer) = result, answer.isNew { begun.append(answer.verification.id) }
        return ["begin", result]
    }

    private mutating func check(_ scene: StoreScene) async throws -> [AnyHashable] {
        let id = verification()
        let owner = owner()
        let isRight = Int.random(in: 0..<3, using: &generator) == 0
        let code = isRight ? StoreScene.rightCode : StoreScene.wrongCode
        let answer = try await result { try await scene.check(code, id, as: owner) }
        ledger.checked(id, isRight: isRight, answer, policy: scene.policy)
        return ["check", answer]
    }

    private mutating func cancel(_ scene: StoreScene) async throws -> [AnyHashable] {
        let id = verification()
        let owner = owner()
        return ["cancel", try await result { try await scene.cancel(id, as: owner) }]
    }

    private mutating func signUp(_ scene: StoreScene) async throws -> [AnyHashable] {
        let id = verification()
        let owner = owner()
        let outcome = try await result { try await scene.signUp(id, as: owner) }
        if case .success(let signedUp) = outcome {
            accounts.append(signedUp.account.id)
            ledger.signedUp(signedUp.account, with: id)
        }
        return ["sign up", outcome]
    }

    private mutating func signIn(_ scene: StoreScene) async throws -> [AnyHashable] {
        guard let verification = try await scene.store.verification(verification()) else { return [] }
        let outcome = try await result { try await scene.people().signUp(verification) }
        if case .success(let device) = outcome {
            devices.append(device)
            tokens.append([device.token])
            ledger.signedUp(device.signedUp.account, with: verification.id)
        }
        return ["sign in", outcome.map(\.signedUp)]
    }

    /// Mostly with the newest token, sometimes with one that was replaced.
    private mutating func refresh(_ scene: StoreScene) async throws -> [AnyHashable] {
        guard let index = pick(devices.indices) else { return [] }
        let isOld = Int.random(in: 0..<3, using: &generator) == 0
        guard let token = pick(isOld ? tokens[index][...] : tokens[index].suffix(1)) else { return [] }
        let outcome = try await scene.people().refresh(token)
        if case .success(let answer) = outcome {
            if !tokens[index].contains(answer.token) { tokens[index].append(answer.token) }
            ledger.refreshed(token, answer.token, at: scene.now)
        }
        return ["refresh", outcome]
    }

    private mutating func endSession(_ scene: StoreScene) async throws -> [AnyHashable] {
        guard let device = pick(devices) else { return [] }
        let isEnded = try await scene.people().end(.one(device.session), of: device)
        if isEnded { ledger.ended(device.session) }
        return ["end session", isEnded]
    }

    /// Asks for a code to another number in a session.
    private mutating func prove(_ scene: StoreScene) async throws -> [AnyHashable] {
        guard let device = pick(devices) else { return [] }
        let phone = pick(Self.phones) ?? ""
        let outcome = try await scene.begin(phone, as: .session(device.session))
        if case .success(let answer) = outcome { proving.append((device, answer.verification.id)) }
        return ["prove", outcome]
    }

    private mutating func changeNumber(_ scene: StoreScene) async throws -> [AnyHashable] {
        guard let (device, id) = pick(proving.suffix(3)) else { return [] }
        let code = Int.random(in: 0..<4, using: &generator) == 0 ? StoreScene.wrongCode : StoreScene.rightCode
        let change = try await scene.people().change(device, with: id, code: code)
        if case .success(let account) = change.outcome {
            changes.append(change)
            ledger.changed(account)
        }
        return ["change number", change.outcome]
    }

    private mutating func undo(_ scene: StoreScene) async throws -> [AnyHashable] {
        guard let change = pick(changes) else { return [] }
        let outcome = try await scene.people().undo(change)
        if case .success(let account) = outcome { ledger.changed(account) }
        return ["undo", outcome]
    }

    private mutating func read(_ scene: StoreScene) async throws -> [AnyHashable] {
        let verification = try await scene.store.verification(verification())
        let account = try await scene.store.account(pick(accounts) ?? Account.ID(bits: 9, 9))
        return ["read", verification, account, try await scene.store.nextAttempt()]
    }

    private mutating func claim(_ scene: StoreScene) async throws -> [AnyHashable] {
        let now = scene.now
        let limit = Int.random(in: 1...3, using: &generator)
        let claims = try await scene.store.claim(limit: limit, at: now, until: now + .seconds(60))
        claimed += claims.map(\.message)
        for claim in claims { ledger.claimed(claim.message, at: now, until: now + .seconds(60)) }
        return ["claim", claims]
    }

    private mutating func settle(_ scene: StoreScene) async throws -> [AnyHashable] {
        guard let message = pick(claimed) else { return [] }
        let results: [DeliveryResult] = [
            .sent(gateway: "stub", gatewayMessageID: message.id.hexadecimal), .dropped, .failed("no money"),
            .retry(at: scene.now + .seconds(10), failure: "busy"), .unknown(gateway: "a", failure: "no answer"),
            .postponed(until: scene.now + .seconds(5)),
        ]
        let result = pick(results) ?? .dropped
        let isSettled = try await scene.settle(message, result)
        if isSettled { ledger.settled(message, result) }
        return ["settle", result, isSettled]
    }

    private mutating func retry(_ scene: StoreScene) async throws -> [AnyHashable] {
        let status = pick(OutboxMessage.Status.allCases) ?? .failed
        let listed = try await scene.store.messages(status: Bool.random(using: &generator) ? status : nil, limit: 3)
        guard let message = pick(claimed) else { return ["list", listed] }
        let isQueued = try await scene.store.retry(RetryMessage(id: message.id, now: scene.now))
        ledger.queuedAgain(message)
        return ["retry", listed, isQueued]
    }

    private mutating func receipt(_ scene: StoreScene) async throws -> [AnyHashable] {
        guard let message = pick(claimed) else { return [] }
        let outcome = pick([RecordReceipt.Outcome.delivered, .undelivered(code: 30008)]) ?? .delivered
        let command = RecordReceipt(
            gateway: "stub",
            gatewayMessageID: message.id.hexadecimal,
            outcome: outcome,
            now: scene.now
        )
        return ["receipt", outcome, try await scene.store.record(command)]
    }

    private mutating func changeSignup(_ scene: StoreScene) async throws -> [AnyHashable] {
        guard let id = pick(signups), Bool.random(using: &generator) else {
            let signup = StoreSuite.signup(UInt64(signups.count + 1), createdAt: scene.now)
            signups.append(signup.id)
            try await scene.store.insert(signup)
            return ["new signup"]
        }
        let verification = verification()
        let changed = try await scene.store.update(id) { signup in
            signup.phoneText += "1"
            signup.verificationID = verification
        }
        return ["change signup", changed, try await scene.store.signup(id)]
    }

    private mutating func purge(_ scene: StoreScene) async throws -> [AnyHashable] {
        let moment = scene.now - .seconds(Int.random(in: 0...2000, using: &generator))
        let limit = Int.random(in: 1...5, using: &generator)
        return ["purge", try await scene.store.purge(before: moment, limit: limit)]
    }

    /// Mostly a little forward, sometimes far, sometimes back.
    private mutating func moveClock(_ scene: StoreScene) -> [AnyHashable] {
        let longest = pick([2, 40, 40, 400, 4000, 90_000]) ?? 0
        let seconds = Int.random(in: (-longest / 4)...longest, using: &generator)
        scene.advance(by: .seconds(seconds))
        return ["clock", scene.now]
    }

    private mutating func owner() -> Owner {
        pick([StoreScene.alice, StoreScene.alice, StoreScene.bob]) ?? StoreScene.alice
    }

    /// Mostly one of the last, so that something comes of it.
    private mutating func verification() -> Verification.ID {
        let age = pick([begun.count, 3, 3, 1, 1, 1]) ?? 1
        return pick(begun.suffix(age)) ?? Verification.ID(bits: 9, 9)
    }

    private mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element? {
        choices.randomElement(using: &generator)
    }
}

/// The results of a history so far, from which follows what no later result may be.
private struct Ledger {
    private(set) var violations: [String] = []
    private var accounts: [Verification.ID: Account.ID] = [:]
    private var holders: [PhoneNumber: Account.ID] = [:]
    /// When a token was first replaced.
    private var replaced: [RefreshToken: Timestamp] = [:]
    private var endedSessions: Set<Session.ID> = []
    private var mismatches: [Verification.ID: Int] = [:]
    /// The end of the lease of each message that is under way; nil of one that is not to go again.
    private var leases: [OutboxMessage.ID: Timestamp?] = [:]

    mutating func checked(
        _ id: Verification.ID,
        isRight: Bool,
        _ answer: Result<Verification, PhoneFailure>,
        policy: VerificationPolicy
    ) {
        switch answer {
        case .success where !isRight: violations.append("\(id) is approved by a wrong code")
        case .failure(.codeIncorrect):
            mismatches[id, default: 0] += 1
            if mismatches[id, default: 0] > policy.maxChecks { violations.append("\(id) has compared too many codes") }
        default: break
        }
    }

    mutating func signedUp(_ account: Account, with id: Verification.ID) {
        if let known = accounts.updateValue(account.id, forKey: id), known != account.id {
            violations.append("\(id) has signed up \(known) and \(account.id)")
        }
        guard let number = account.phoneNumber else { return }
        if let known = holders.updateValue(account.id, forKey: number), known != account.id {
            violations.append("\(known) has the number of \(account.id)")
        }
    }

    /// An account has taken a number, whoever had it, and left its own.
    mutating func changed(_ account: Account) {
        holders = holders.filter { $0.value != account.id }
        if let number = account.phoneNumber { holders[number] = account.id }
    }

    mutating func refreshed(_ token: RefreshToken, _ next: RefreshToken, at now: Timestamp) {
        if endedSessions.contains(token.sessionID) { violations.append("\(token.sessionID) was ended, and goes on") }
        if let moment = replaced[token], now >= moment + .seconds(30) {
            violations.append("\(token.sessionID) goes on with a token that was replaced")
        }
        if next != token { replaced[token] = replaced[token] ?? now }
    }

    mutating func ended(_ session: Session.ID) { endedSessions.insert(session) }

    mutating func claimed(_ message: OutboxMessage, at now: Timestamp, until end: Timestamp) {
        switch leases[message.id] {
        case .some(nil): violations.append("\(message.id) was sent, and goes again")
        case .some(let lease?) where now < lease: violations.append("\(message.id) goes twice at once")
        default: break
        }
        leases[message.id] = .some(end)
    }

    mutating func settled(_ message: OutboxMessage, _ result: DeliveryResult) {
        switch result {
        case .sent, .dropped, .failed, .unknown, .withheld: leases[message.id] = .some(nil)
        case .retry(let next, _, _), .postponed(let next, _), .waiting(let next): leases[message.id] = .some(next)
        }
    }

    mutating func queuedAgain(_ message: OutboxMessage) { leases[message.id] = nil }
}
