public import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport

/// Runs a scenario through the commands of a real service over a store, in order of time.
public struct PumpingSimulation {
    private enum Event {
        case ask, type
    }

    private let store = MemoryStore()
    private let identifiers = CountingIdentifiers()
    private let vault: FixedCodeVault
    private let code: VerificationCode
    private let policy: VerificationPolicy
    private let defence: PumpingDefence
    /// The messages to each prefix that the attack wants; and those of them that it has asked for.
    private var attacked: [String: Int] = [:]
    private var bought: [String: Int] = [:]
    private var result = PumpingResult()
    private let challenger: Challenger?

    struct NoCode: Error {}

    private init(_ defence: PumpingDefence) throws {
        guard let code = VerificationCode("123456") else { throw NoCode() }
        self.code = code
        self.defence = defence
        vault = FixedCodeVault(code: code)
        challenger = defence.policy.trafficGuard.work.map { [identifiers] work in
            Challenger(
                policy: work,
                deriver: PlainSecretDeriver(),
                authenticator: SolvedByAnyNumber(),
                identifiers: identifiers
            )
        }
        policy = try VerificationPolicy(allowedRegions: Set(["KR", "US", "ID"].compactMap { Region($0) }))
    }

    /// What comes of the scenario with this defence.
    public static func run(_ scenario: PumpingScenario, _ defence: PumpingDefence) async throws -> PumpingResult {
        var simulation = try PumpingSimulation(defence)
        return try await simulation.run(scenario)
    }

    private mutating func run(_ scenario: PumpingScenario) async throws -> PumpingResult {
        let people = scenario.people
        var events: [(at: Timestamp, person: Int, event: Event)] = []
        for (index, person) in people.enumerated() {
            if !person.isHonest { attacked[person.number.prefix] = 0 }
            events.append((person.asksAt, index, .ask))
            if let moment = person.asksAgainAt { events.append((moment, index, .ask)) }
            if let moment = person.typesAt { events.append((moment, index, .type)) }
        }
        events.sort { ($0.at, $0.person) < ($1.at, $1.person) }
        var begun: [Int: Verification.ID] = [:]
        var isCounted = false
        for (now, index, event) in events {
            if !isCounted, now >= scenario.countsFrom {
                (isCounted, result, bought) = (true, PumpingResult(), [:])
                attacked = attacked.mapValues { _ in 0 }
            }
            let person = people[index]
            switch event {
            case .ask: if let id = try await ask(person, at: now) { begun[index] = id }
            case .type: if let id = begun[index] { try await type(person, id, at: now) }
            }
        }
        result.mostToOnePrefix = bought.values.max() ?? 0
        return result
    }

    private mutating func ask(
        _ person: SimulatedPerson,
        proof: ChallengeProof? = nil,
        at now: Timestamp
    ) async throws -> Verification.ID? {
        let context = context(person)
        let id: Verification.ID = try identifiers.makeIdentifier()
        var command = BeginVerification(
            id: id,
            messageID: try identifiers.makeIdentifier(),
            phoneNumber: person.number,
            context: context,
            code: vault.seal(code, for: CodeContext(verificationID: id, e164: person.number.e164)),
            policy: policy,
            abusePolicy: defence.policy,
            auditor: auditor(context),
            now: now
        )
        (command.options, command.challenger) = (VerificationOptions(proof: proof), challenger)
        let side: WritableKeyPath<PumpingResult, PumpingResult.Side> = person.isHonest ? \.honest : \.attack
        let prefix = person.number.prefix
        let hasSample = attacked[prefix, default: 0] >= defence.policy.trafficGuard.prefixSample
        if proof == nil {
            if !person.isHonest && hasSample { result.afterSample.requests += 1 }
            result[keyPath: side].requests += 1
        }
        do {
            let verification = try await store.begin(command).verification
            result[keyPath: side].messages += 1
            if !person.isHonest && hasSample { result.afterSample.messages += 1 }
            attacked[prefix]? += 1
            if !person.isHonest { bought[prefix, default: 0] += 1 }
            return verification.id
        } catch PhoneFailure.challengeRequired(let challenge) {
            guard proof == nil, person.isHonest || defence.attackSolves else {
                result[keyPath: side].suppressed += 1
                return nil
            }
            let work = challenge.work
            result[keyPath: side].solved += 1
            result[keyPath: side].tries += work.maxNumber / 2
            if work.maxNumber == defence.policy.trafficGuard.work?.hardest { result[keyPath: side].hardest += 1 }
            let solution = WorkSolution(
                algorithm: ProofOfWork.algorithm,
                hash: work.hash,
                number: 0,
                salt: work.salt,
                signature: work.signature
            )
            return try await ask(person, proof: solution.map(ChallengeProof.work), at: now)
        } catch PhoneFailure.rateLimited(let policies, _) {
            let name = policies.first?.name ?? ""
            if name.hasPrefix("guard-") {
                result[keyPath: side].suppressed += 1
                if name == "guard-block", attacked[prefix] == nil { result.honestBlocked.insert(prefix) }
            } else if name.hasPrefix("number-") {
                result[keyPath: side].paced += 1
            } else {
                result[keyPath: side].limited += 1
            }
        } catch is PhoneFailure {
            result[keyPath: side].paced += 1
        }
        return nil
    }

    private mutating func type(_ person: SimulatedPerson, _ id: Verification.ID, at now: Timestamp) async throws {
        let context = context(person)
        let command = CheckVerification(
            id: id,
            context: context,
            code: code,
            vault: vault,
            policy: policy,
            abusePolicy: defence.policy,
            auditor: auditor(context),
            now: now
        )
        do {
            _ = try await store.check(command)
        } catch is PhoneFailure {
            return
        }
        if person.isHonest { result.honest.approvals += 1 } else { result.attack.approvals += 1 }
    }

    private func context(_ person: SimulatedPerson) -> RequestContext {
        var context = RequestContext(owner: .local, region: .korea, language: .korean, address: person.address)
        context.challenges = defence.challenges
        return context
    }

    private func auditor(_ context: RequestContext) -> Auditor {
        Auditor(digester: PlainNumberDigester(), owner: context.owner, address: context.address)
    }
}

/// What a service of the simulation has against an attack.
public struct PumpingDefence: Sendable {
    /// In a few words.
    public let name: String
    let policy: AbusePolicy
    /// Where people ask: on pages, which solve challenges, or by programs that know none.
    let challenges: ChallengeSupport
    /// Whether the attack solves challenges too.
    let attackSolves: Bool

    /// A guard of this mode, with the standard limits or none.
    public init(_ mode: GuardPolicy.Mode, hasLimits: Bool) throws {
        let guarding = mode == .off ? "no guard" : mode == .shadow ? "guard watches" : "guard"
        name = guarding + (hasLimits ? ", limits" : "")
        policy = AbusePolicy(
            limits: hasLimits ? .standard : .none,
            trafficGuard: try GuardPolicy(mode: mode),
            testNumbers: .none
        )
        (challenges, attackSolves) = (.none, false)
    }

    /// A guard of this level and the standard limits, with challenges where there are pages.
    public init(_ level: GuardPolicy.Level, onPages: Bool, attackSolves: Bool = false) {
        name = level.rawValue + (onPages ? ", pages" : "") + (attackSolves ? ", solved" : "")
        var trafficGuard = GuardPolicy(level: level)
        trafficGuard.work = onPages ? .standard : nil
        policy = AbusePolicy(limits: .standard, trafficGuard: trafficGuard, testNumbers: .none)
        (challenges, self.attackSolves) = (onPages ? .page : .none, attackSolves)
    }
}

/// What came of a scenario.
public struct PumpingResult: Hashable, Sendable {
    /// How one side fared.
    public struct Side: Hashable, Sendable {
        /// Requests for a message, repeated ones too.
        public internal(set) var requests = 0
        /// Messages that went out.
        public internal(set) var messages = 0
        /// Requests that the guard suppressed.
        public internal(set) var suppressed = 0
        /// Requests that a limit refused.
        public internal(set) var limited = 0
        /// Requests that a rule of the number refused: its wait, its messages a day.
        public internal(set) var paced = 0
        /// Challenges that were solved.
        public internal(set) var solved = 0
        /// The tries that it took, on average.
        public internal(set) var tries = 0
        /// The messages for challenges that were the hardest.
        public internal(set) var hardest = 0
        /// Codes that were approved.
        public internal(set) var approvals = 0
    }

    /// The people.
    public internal(set) var honest = Side()
    /// The attack.
    public internal(set) var attack = Side()
    /// The messages of the attack to the prefix that got most.
    public internal(set) var mostToOnePrefix = 0
    /// The attack's requests to prefixes of which the guard had its sample already, and the messages that went out of
    /// them.
    public internal(set) var afterSample = Side()
    /// Prefixes without an attack in which a request was suppressed by a block.
    public internal(set) var honestBlocked: Set<String> = []
}

/// Digests for which each number solves a challenge: what is behind the last `&` is left out.
private struct SolvedByAnyNumber: RequestAuthenticator {
    private let plain = PlainRequestAuthenticator()

    func sha256(of message: [UInt8]) -> [UInt8] {
        plain.sha256(of: Array(message[...(message.lastIndex(of: UInt8(ascii: "&")) ?? 0)]))
    }
    func hmacSHA256(of message: [UInt8], key: [UInt8]) -> [UInt8] { plain.hmacSHA256(of: message, key: key) }
    func hmacSHA1(of message: [UInt8], key: [UInt8]) -> [UInt8] { plain.hmacSHA1(of: message, key: key) }
    func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { one == other }
}
