import PhoneAdministration
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport

@testable import PhoneDomain

/// One number, its verification and the commands on it, without any store: what the rules say and nothing else.
struct Scene {
    static let rightCode = "042042"
    static let start = Timestamp(seconds: 1000)

    var policy = VerificationPolicy.standard
    var abusePolicy = AbusePolicy.none
    var accountPolicy = AccountPolicy.standard
    var address: ClientAddress?
    var isPublic = false
    var isVouched = false
    var challenger: Challenger?
    /// That with which messages are claimed as they are queued.
    var lease: Duration?
    var challenges = ChallengeSupport.none
    var proof: ChallengeProof?
    var channels: [Channel] = [.sms]
    var weights: [Channel: Int] = [:]
    /// Until when each is remembered.
    var usedProofs: [String: Timestamp] = [:]
    var limits = LimitLedger.none
    var traffic: NumberTraffic
    var guardRules: [GuardRule] = []
    var audit: [AuditEntry] = []
    var verification: Verification?
    var activity = NumberActivity.none
    var queued: [OutboxMessage] = []
    var account: Account?
    var signup: Signup?
    private let identifiers = CountingIdentifiers()
    private let vault: FixedCodeVault
    private let number: PhoneNumber

    init(policy: VerificationPolicy = .standard) throws {
        self.policy = policy
        guard let code = VerificationCode(Self.rightCode) else { throw NotACode() }
        vault = FixedCodeVault(code: code)
        number = try PhoneNumber(parsing: "010-1234-5678", region: .korea)
        traffic = NumberTraffic(of: number, from: nil) { _ in nil }
    }

    struct NotACode: Error {}

    /// Asks for a code N seconds after the start.
    mutating func begin(at seconds: Int64, owner: Owner = .local) throws -> Result<
        BeginVerification.Answer, PhoneFailure
    > {
        let id: Verification.ID = try identifiers.makeIdentifier()
        let now = Self.start + .seconds(seconds)
        var command = BeginVerification(
            id: id,
            messageID: try identifiers.makeIdentifier(),
            phoneNumber: number,
            context: context(owner),
            code: vault.seal(vault.makeCode(length: 6), for: CodeContext(verificationID: id, e164: number.e164)),
            policy: policy,
            abusePolicy: abusePolicy,
            auditor: auditor(owner),
            now: now
        )
        (command.options, command.channels, command.weights) = (VerificationOptions(proof: proof), channels, weights)
        (command.challenger, command.lease) = (challenger, lease)
        var state = BeginVerification.State(
            live: verification?.owner == owner ? verification : nil,
            activity: activity,
            limits: LimitLedger(command.limitRules) { limits.meters[$0] },
            traffic: traffic,
            guardRules: guardRules,
            isProofUsed: proof?.key.map { usedProofs[$0] != nil } ?? false
        )
        let result = try command.apply(to: &state)
        activity = state.activity
        verification = state.live ?? verification
        limits = state.limits
        traffic = state.traffic
        if let message = state.message { queued.append(message) }
        if let proof = state.usedProof { usedProofs[proof.key] = proof.expiresAt }
        if let entry = state.audit { audit.append(entry) }
        return result
    }

    /// Submits a code N seconds after the start.
    mutating func check(
        _ code: String,
        at seconds: Int64,
        owner: Owner = .local
    ) throws -> Result<Verification, PhoneFailure> {
        let command = try checking(code, seconds, owner)
        var state = CheckVerification.State(verification: verification, activity: activity, limits: .none)
        let outcome = try command.apply(to: &state)
        keep(state, command)
        return outcome
    }

    private func checking(_ code: String, _ seconds: Int64, _ owner: Owner) throws -> CheckVerification {
        guard let code = VerificationCode(code), let id = verification?.id else { throw NotACode() }
        return CheckVerification(
            id: id,
            context: context(owner),
            code: code,
            vault: vault,
            policy: policy,
            abusePolicy: abusePolicy,
            auditor: auditor(owner),
            now: Self.start + .seconds(seconds)
        )
    }

    private mutating func keep(_ state: CheckVerification.State, _ command: CheckVerification) {
        verification = state.verification
        activity = state.activity
        if state.isApprovalToBeCounted { command.recordApproval(in: &traffic) }
        if let entry = state.audit { audit.append(entry) }
    }

    mutating func cancel(at seconds: Int64, owner: Owner = .local) throws -> Result<Verification, PhoneFailure> {
        guard let id = verification?.id else { throw NotACode() }
        let command = CancelVerification(
            id: id,
            owner: owner,
            auditor: auditor(owner),
            now: Self.start + .seconds(seconds)
        )
        var state = CancelVerification.State(verification: verification)
        let outcome = try command.apply(to: &state)
        verification = state.verification
        if let entry = state.audit { audit.append(entry) }
        return outcome
    }

    /// Settles the message that was queued last.
    mutating func settle(_ result: DeliveryResult, atMilliseconds: Int64) throws {
        guard var message = queued.last, var verification else { throw NotACode() }
        let now = Self.start + .milliseconds(atMilliseconds)
        guard lease != nil || message.claim(at: now, until: now + .seconds(60)) else { throw NotACode() }
        let command = SettleMessage(id: message.id, attempt: message.attempts, result: result, now: now)
        guard command.apply(to: &message, &verification) else { throw NotACode() }
        queued[queued.count - 1] = message
        self.verification = verification
    }

    mutating func settle(_ result: DeliveryResult, at seconds: Int64) throws {
        try settle(result, atMilliseconds: seconds * 1000)
    }

    mutating func signUp(
        _ code: String = rightCode,
        at seconds: Int64,
        owner: Owner = .local
    ) throws -> Result<SignedUp, PhoneFailure> {
        let command = SignUp(
            check: try checking(code, seconds, owner),
            accountID: try identifiers.makeIdentifier(),
            accountPolicy: accountPolicy
        )
        let check = CheckVerification.State(verification: verification, activity: activity, limits: .none)
        var state = SignUp.State(check: check, account: account, signup: signup)
        let outcome = try command.apply(to: &state)
        keep(state.check, command.check)
        account = state.account
        audit += state.audit
        return outcome
    }

    private func context(_ owner: Owner) -> RequestContext {
        var context = RequestContext(
            owner: owner,
            region: .korea,
            language: .korean,
            address: address,
            isVouched: isVouched
        )
        (context.challenges, context.isPublic) = (challenges, isPublic)
        return context
    }

    private func auditor(_ owner: Owner) -> Auditor {
        Auditor(digester: PlainNumberDigester(), owner: owner, address: address)
    }
}

extension Result<BeginVerification.Answer, PhoneFailure> {
    /// `begun`, `resent` or the refusal's code.
    var word: String {
        switch self {
        case .success(let answer): answer.isNew ? "begun" : "resent"
        case .failure(let failure): failure.code
        }
    }
}

extension Result<Verification, PhoneFailure> {
    /// `approved`, or the refusal's code.
    var word: String { refusal?.code ?? "approved" }
}

extension Result<SignedUp, PhoneFailure> {
    /// `new`, `known` or the refusal's code.
    var word: String {
        switch self {
        case .success(let signedUp): signedUp.isNew ? "new" : "known"
        case .failure(let failure): failure.code
        }
    }
}

// For tests that go on with the message and its verification.

extension SettleMessage {
    func apply(to message: inout OutboxMessage, _ verification: inout Verification) -> Bool {
        var state = State(message: message, verification: verification)
        let counts = apply(to: &state).get()
        (message, verification) = (state.message ?? message, state.verification ?? verification)
        return counts
    }
}

extension RetryMessage {
    func apply(
        to message: inout OutboxMessage?,
        _ verification: inout Verification?,
        _ change: NumberChange? = nil
    ) -> Result<OutboxMessage, Refusal> {
        var state = State(message: message, verification: verification, change: change)
        defer { (message, verification) = (state.message, state.verification) }
        return apply(to: &state)
    }
}

extension RecordReceipt {
    func apply(to message: inout OutboxMessage) -> Bool {
        var state: OutboxMessage? = message
        defer { message = state ?? message }
        return apply(to: &state).get()
    }
}
