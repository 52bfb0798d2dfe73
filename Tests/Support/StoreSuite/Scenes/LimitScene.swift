import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport

/// A store behind the use case as ``StoreScene`` has it, with rules against abuse and callers at addresses.
struct LimitScene: Sendable {
    static let start = StoreScene.start
    static let address = "203.0.113.7"

    let store: any SQLStore
    let clock: ManualClock
    private let useCase: VerificationUseCase

    private struct NoRegion: Error {}
    private struct NoChallenge: Error {}

    init(
        _ store: any SQLStore,
        limits: LimitPolicy = .none,
        guarding: GuardPolicy = .off,
        challenger: Challenger? = nil,
        clock: ManualClock = ManualClock(start),
        vault: (any CodeVault)? = nil,
        digester: any NumberDigester = PlainNumberDigester(),
        identifiers: CountingIdentifiers = CountingIdentifiers()
    ) throws {
        self.store = store
        self.clock = clock
        guard let america = Region("US") else { throw NoRegion() }
        useCase = try VerificationUseCase.plain(
            over: store,
            code: StoreScene.rightCode,
            policy: VerificationPolicy(resendCooldowns: [.zero], allowedRegions: [.korea, america]),
            abusePolicy: AbusePolicy(limits: limits, trafficGuard: guarding, testNumbers: .none),
            challenger: challenger,
            vault: vault,
            digester: digester,
            identifiers: identifiers,
            clock: clock
        )
    }

    var now: Timestamp { clock.now() }

    func advance(by duration: Duration) {
        clock.advance(by: duration)
    }

    @discardableResult
    func request(
        _ phone: String,
        from address: String? = nil,
        by signals: ClientSignals = ClientSignals()
    ) async throws(PhoneFailure) -> Verification {
        var context = context(address)
        context.signals = signals
        return try await useCase.requestCode(for: phone, context: context)
    }

    /// The challenge without which nothing is sent to this number.
    func challenge(_ phone: String) async throws -> Challenge {
        var context = context(nil)
        context.challenges = .automatic
        do {
            _ = try await useCase.requestCode(for: phone, context: context)
        } catch .challengeRequired(let challenge) {
            return challenge
        }
        throw NoChallenge()
    }

    /// `sent`, or what is wrong with the proof or the request.
    func outcome(of phone: String, proof: ChallengeProof?) async throws -> String {
        var context = context(nil)
        context.challenges = .automatic
        do {
            _ = try await useCase.requestCode(for: phone, VerificationOptions(proof: proof), context: context)
            return "sent"
        } catch .challengeFailed(let fault, _) {
            return fault.rawValue
        }
    }

    @discardableResult
    func check(_ code: String, _ id: Verification.ID, from address: String? = nil) async throws(PhoneFailure)
        -> Verification
    {
        try await useCase.check(code, for: .id(id), context: context(address))
    }

    /// The names of the limits that refused each of N requests made at once; none for those that came through.
    func requestAtOnce(
        _ count: Int,
        _ request: @escaping @Sendable (Int) -> (phone: String, address: String?)
    ) async throws -> [[String]] {
        try await atOnce(count) { index in
            let (phone, address) = request(index)
            return try await refusingLimits { try await self.request(phone, from: address) }
        }
    }

    private func context(_ address: String?) -> RequestContext {
        RequestContext(
            owner: StoreScene.alice,
            region: .korea,
            language: .korean,
            address: address.flatMap { ClientAddress($0) }
        )
    }
}

/// The names of the limits that refused this; none if it came through.
func refusingLimits<Value>(of work: () async throws -> Value) async throws -> [String] {
    do {
        _ = try await work()
        return []
    } catch let failure as PhoneFailure {
        guard case .rateLimited(let policies, _) = failure else { throw failure }
        return policies.map(\.name)
    }
}

extension LimitPolicy {
    /// No limits but those that this sets.
    static func only(_ set: (inout LimitPolicy) throws -> Void) rethrows -> LimitPolicy {
        var policy = LimitPolicy.none
        try set(&policy)
        return policy
    }
}
