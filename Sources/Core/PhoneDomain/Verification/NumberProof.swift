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

/// What a valid token says.
public struct ProvenNumber: Hashable, Sendable {
    public let e164: String
    public let nonce: String?
    /// The same for every text that says the same by one signature, however it is written: the key of its ``UsedProof``.
    public let key: String
    /// From when on nobody accepts it any more, whatever the clock of another instance.
    public let expiresAt: Timestamp

    public init(e164: String, nonce: String?, key: String, expiresAt: Timestamp) {
        (self.e164, self.nonce, self.key, self.expiresAt) = (e164, nonce, key, expiresAt)
    }
}

/// Verifies the tokens of one kind, without asking anybody about the token or the number.
public protocol NumberProofVerifier: Sendable {
    /// ``NumberProof/kind``.
    var kind: String { get }
    /// Whether a token counts only with the nonce of its request (``NumberProof/nonce``).
    var requiresNonce: Bool { get }
    /// Answers within its deadline. That a token was used before the store knows.
    func verify(_ token: String, at now: Timestamp) async -> Result<ProvenNumber, ProofFault>
}

extension VerificationUseCase {
    /// What the token proves, if that is this number for this request. A token for another number is as invalid as a
    /// forged one: whoever has stolen one learns nothing by trying it on others.
    func judge(
        _ proof: NumberProof,
        of number: PhoneNumber,
        _ context: RequestContext,
        at now: Timestamp
    ) async -> Result<ProvenNumber, ProofFault> {
        guard let verifier = numberProofs.first(where: { $0.kind == proof.kind }) else { return .failure(.invalid) }
        let result = await verifier.verify(proof.token, at: now)
        guard case .success(let proven) = result else { return result }
        // What a signup's own client says of its nonce binds it to nothing.
        let nonce = context.owner.signupID?.description ?? proof.nonce
        let isBound = verifier.requiresNonce || proof.nonce != nil
        guard !isBound || nonce != nil && proven.nonce == nonce, (try? PhoneNumber(e164: proven.e164)) == number
        else { return .failure(.invalid) }
        return result
    }
}

extension BeginVerification {
    /// Approves without a message and without a code, for a token that counts once. Nobody is asked about the message
    /// that does not go out, neither the guard nor the operator's hook; limits count the request either way.
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
        case .success: return .failure(.challengeFailed(.used))
        case .failure(let fault): return .failure(.challengeFailed(fault))
        }
        state.limits.take(.grants, at: now)
        state.usedProof = UsedProof(key: proven.key, expiresAt: proven.expiresAt)
        // One whose checks are used up stays locked beside the new one.
        let pending = live.flatMap { $0.recordedStatus == .pending ? $0 : nil }
        var verification = pending ?? newVerification()
        (verification.channel, verification.fallbacks) = (.sim, [])
        if pending == nil {
            verification.recordAcceptance(at: now)
            state.audit = try auditor.entry(.begin, phoneNumber, verification.id, at: now)
        }
        verification.approve(at: now, for: ClientOrigin(context.address))
        if !isTest {
            state.activity.prune(at: now, policy: policy)
            state.activity.recordApproval(by: ClientOrigin(networkOf: context.address))
        }
        verification.lastRequest = context.idempotencyKey
        replaceLive(by: verification, &state)
        state.approval = try auditor.entry(.approve, phoneNumber, verification.id, at: now)
        return .success(Answer(verification: verification, isNew: pending == nil, message: nil))
    }
}
