import PhoneAdministration
import PhoneDomain
import PhoneTestSupport

/// A history made up from a seed: the same requests, checks, claims and purges, and the same clock, for any store.
struct RandomHistory {
    private var generator: SplitMix64
    private var begun: [Verification.ID] = []
    private var accounts: [Account.ID] = []
    private var claimed: [OutboxMessage] = []
    private var signups: [Signup.ID] = []
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
        switch Int.random(in: 0..<22, using: &generator) {
        case 0..<4: try await request(scene)
        case 4..<8: try await check(scene)
        case 8: try await cancel(scene)
        case 9, 10: try await signUp(scene)
        case 11: try await read(scene)
        case 12: try await claim(scene)
        case 13, 14: try await settle(scene)
        case 15: try await changeSignup(scene)
        case 16: try await purge(scene)
        case 17: try await retry(scene)
        case 18: try await receipt(scene)
        default: moveClock(scene)
        }
    }

    private mutating func request(_ scene: StoreScene) async throws -> [AnyHashable] {
        let phone = pick(["010-1111-1111", "010-2222-2222", "010-3333-3333"]) ?? ""
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
            ledger.signedUp(signedUp.account.id, with: id)
        }
        return ["sign up", outcome]
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
        let isOld = Int.random(in: 0..<8, using: &generator) == 0
        return pick(isOld ? begun : begun.suffix(3)) ?? Verification.ID(bits: 9, 9)
    }

    private mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element? {
        choices.randomElement(using: &generator)
    }
}

/// The results of a history so far, from which follows what no later result may be.
private struct Ledger {
    private(set) var violations: [String] = []
    private var accounts: [Verification.ID: Account.ID] = [:]
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

    mutating func signedUp(_ account: Account.ID, with id: Verification.ID) {
        if let known = accounts.updateValue(account, forKey: id), known != account {
            violations.append("\(id) has signed up \(known) and \(account)")
        }
    }

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
        case .retry(let next, _, _), .postponed(let next, _): leases[message.id] = .some(next)
        }
    }

    mutating func queuedAgain(_ message: OutboxMessage) { leases[message.id] = nil }
}
