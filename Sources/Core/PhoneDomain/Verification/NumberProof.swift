public import PhoneNumbers
public import PhoneSignup

/// A token by which somebody else than this service says which number a phone has: its SIM has shown it to the carrier.
/// Never log it.
public struct NumberProof: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// Who says so, as requests name it: `firebase_pnv`.
    public let kind: String
    public let token: String
    /// What a server has bound the token to, if it has; of a signup that is its ID.
    public let nonce: String?
    /// The longest token and the longest nonce, in bytes.
    public static let longestToken = 4096, longestNonce = 256

    public init(kind: String, token: String, nonce: String? = nil) {
        (self.kind, self.token, self.nonce) = (kind, token, nonce)
    }

    public var description: String { "NumberProof(kind: \(kind))" }
    public var debugDescription: String { description }
}

/// What a token is to prove.
public struct NumberClaim: Hashable, Sendable {
    public let number: PhoneNumber
    /// Who asks. A token that was made for one owner counts for no other.
    public let owner: Owner
    /// What binds a token to one request of the owner; of a signup that is its ID, whatever its client says.
    public let nonce: String?

    init(_ number: PhoneNumber, nonce: String?, by owner: Owner) {
        (self.number, self.owner, self.nonce) = (number, owner, owner.signupID?.description ?? nonce)
    }
}

/// What a phone does to get a token for a claim.
public struct ProofStart: Hashable, Sendable {
    /// The phone opens it over its mobile data. It may contain the number.
    public let url: String
    /// When the token that comes of it expires.
    public let expiresAt: Timestamp
    /// What is sent as the token once the phone has opened the URL; nil where that leads to it.
    public let token: String?

    public init(url: String, expiresAt: Timestamp, token: String? = nil) {
        (self.url, self.expiresAt, self.token) = (url, expiresAt, token)
    }
}

/// What a valid token says.
public struct ProvenNumber: Hashable, Sendable {
    public let e164: String
    public let nonce: String?
    /// Whether this is so only once the network was asked (``NumberProofVerifier/confirm(_:of:at:)``).
    public let needsConfirmation: Bool
    /// The same for every text that says the same by one signature, however it is written: the key of its ``UsedProof``.
    public let key: String
    /// When no instance accepts it any more, whatever its clock.
    public let expiresAt: Timestamp
    /// Whether limits counted it when it began (``NumberProofVerifier/asksToBegin``).
    public let isCounted: Bool

    public init(
        e164: String,
        nonce: String?,
        key: String,
        expiresAt: Timestamp,
        needsConfirmation: Bool = false,
        isCounted: Bool = false
    ) {
        (self.e164, self.nonce, self.key, self.expiresAt) = (e164, nonce, key, expiresAt)
        (self.needsConfirmation, self.isCounted) = (needsConfirmation, isCounted)
    }
}

/// Verifies the tokens of one kind: by themselves, and where that is not enough by asking the network.
public protocol NumberProofVerifier: Sendable {
    /// ``NumberProof/kind``.
    var kind: String { get }
    /// Whether a token counts only with the nonce of its request (``NumberProof/nonce``).
    var requiresNonce: Bool { get }
    /// Whether ``begin(_:at:)`` asks the network, which may cost money: limits count that in full beforehand, and not
    /// again when the token comes.
    var asksToBegin: Bool { get }
    /// Nil where apps get their tokens by themselves. Answers within its deadline. Throws
    /// ``PhoneFailure/challengeFailed(_:)`` if the network does not answer, and if randomness or cryptography fails.
    func begin(_ claim: NumberClaim, at now: Timestamp) async throws -> ProofStart?
    /// What the token says by itself: nobody is asked about it or the number. Answers within its deadline. That a token
    /// was used before the store knows.
    func verify(_ token: String, of claim: NumberClaim, at now: Timestamp) async -> Result<ProvenNumber, ProofFault>
    /// Asks the network about a token that ``verify(_:of:at:)`` has found to be valid, which may cost money; only once
    /// the limits allow it. Answers within its deadline. Nil if the number is the phone's.
    func confirm(_ token: String, of claim: NumberClaim, at now: Timestamp) async -> ProofFault?
}

extension NumberProofVerifier {
    public var asksToBegin: Bool { false }
    public func begin(_ claim: NumberClaim, at now: Timestamp) -> ProofStart? { nil }
    public func confirm(_ token: String, of claim: NumberClaim, at now: Timestamp) async -> ProofFault? { .invalid }
}

extension VerificationUseCase {
    /// Where a phone gets a token for this number; nil where proofs of this kind do not begin here. Nothing is stored.
    public func beginProof(
        _ kind: String,
        of number: PhoneNumber,
        nonce: String?,
        context: RequestContext,
        at now: Timestamp
    ) async throws(PhoneFailure) -> ProofStart? {
        try await available {
            guard let verifier = verifier(of: kind) else { return nil }
            if verifier.asksToBegin {
                guard mayAsk(about: number, at: now) else {
                    throw PhoneFailure.challengeFailed(.invalid, isOfNumber: true)
                }
                let (limits, owner) = (abusePolicy.limits, context.owner)
                let rules = limits.inboundRequests(for: number, by: owner, from: context.address)
                try await store.take(TakeLimits(rules: rules, now: now))
            }
            return try await verifier.begin(NumberClaim(number, nonce: nonce, by: context.owner), at: now)
        }
    }

    private func verifier(of kind: String) -> (any NumberProofVerifier)? { numberProofs.first { $0.kind == kind } }

    /// A test number is no phone's: the network would only cost money.
    private func mayAsk(about number: PhoneNumber, at now: Timestamp) -> Bool {
        !abusePolicy.testNumbers.contains(number, at: now)
    }

    /// What the network says of a token that is valid by itself.
    func confirm(
        _ proof: NumberProof,
        of number: PhoneNumber,
        _ context: RequestContext,
        at now: Timestamp
    ) async -> ProofFault? {
        guard let verifier = verifier(of: proof.kind), mayAsk(about: number, at: now) else { return .invalid }
        let claim = NumberClaim(number, nonce: proof.nonce, by: context.owner)
        return await verifier.confirm(proof.token, of: claim, at: now)
    }

    /// What the token proves, if that is this number for this request. A token for another number is as invalid as a
    /// forged one: a thief of one learns nothing by trying it on others.
    func judge(
        _ proof: NumberProof,
        of number: PhoneNumber,
        _ context: RequestContext,
        at now: Timestamp
    ) async -> Result<ProvenNumber, ProofFault> {
        guard let verifier = verifier(of: proof.kind) else { return .failure(.invalid) }
        let claim = NumberClaim(number, nonce: proof.nonce, by: context.owner)
        let result = await verifier.verify(proof.token, of: claim, at: now)
        guard case .success(let proven) = result else { return result }
        let isBound = verifier.requiresNonce || proof.nonce != nil
        guard !isBound || claim.nonce != nil && proven.nonce == claim.nonce,
            (try? PhoneNumber(e164: proven.e164)) == number
        else { return .failure(.invalid) }
        return result
    }
}

extension BeginVerification {
    /// What a token has approved for the same request, whose answer was lost: for a guided signup, which is one person's,
    /// or for the same `Idempotency-Key`.
    public func approved(among recent: [Verification]) -> Verification? {
        recent.filter { earlier in
            earlier.owner == context.owner && earlier.channel == .sim && earlier.recordedStatus == .approved
                && (context.owner.signupID != nil
                    || context.idempotencyKey != nil && earlier.lastRequest == context.idempotencyKey)
        }
        .max { $0.updatedAt < $1.updatedAt }
    }

    /// Approves without a message and without a code, for a token that counts once. Nobody is asked about the message
    /// that does not go out, neither the guard nor the operator's hook; limits count the request either way. What the
    /// network is asked counts in full before it is asked, like a message.
    func approve(
        by proof: Result<ProvenNumber, ProofFault>,
        _ live: Verification?,
        _ state: inout State
    ) throws -> Result<Answer, PhoneFailure> {
        state.limits.prune(at: now)
        if let refusal = state.limits.refusal(at: now) { return .failure(refusal) }
        state.limits.take(.requests, at: now)
        let proven: ProvenNumber
        switch proof {
        case .success(let valid) where !state.isProofUsed: proven = valid
        case .success:
            guard let approved = state.approved else {
                return .failure(.challengeFailed(.used, isOfNumber: true))
            }
            let isNew = approved.createdAt == approved.updatedAt
            return .success(Answer(verification: approved, isNew: isNew, message: nil))
        case .failure(let fault): return .failure(.challengeFailed(fault, isOfNumber: true))
        }
        if proven.needsConfirmation, !isNumberConfirmed, let proof = options.numberProof {
            throw UnansweredQuestion.number(proof)
        }
        state.limits.take(.grants, at: now)
        state.usedProof = UsedProof(key: proven.key, expiresAt: proven.expiresAt)
        // One whose checks are used up stays locked beside the new one.
        let pending = live.flatMap { $0.recordedStatus == .pending ? $0 : nil }
        var verification = pending.map(withLabels) ?? newVerification()
        (verification.channel, verification.fallbacks) = (.sim, [])
        if pending == nil {
            verification.recordAcceptance(at: now)
            state.audit = try auditor.entry(.begin, verification, at: now)
        }
        verification.approve(at: now, for: ClientOrigin(context.address))
        if !isTest {
            state.activity.prune(at: now, policy: policy)
            state.activity.recordApproval(by: ClientOrigin(networkOf: context.address))
        }
        verification.lastRequest = context.idempotencyKey
        replaceLive(by: verification, &state)
        state.approval = try auditor.entry(.approve, verification, at: now)
        return .success(Answer(verification: verification, isNew: pending == nil, message: nil))
    }
}
