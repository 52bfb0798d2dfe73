/// A request for a code: begins a verification, or sends the code of a live one again.
///
/// A store loads the ``State``, applies the command, and keeps what it left, all in one transaction in which nobody
/// else sees or changes that state. So the rules are written once, here, and hold over every store alike.
public struct BeginVerification: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The owner's live verification of the number (``Verification/isLive(at:)``), or nil.
        public var live: Verification?
        /// What the number has been through.
        public var activity: NumberActivity
        /// The limits of ``BeginVerification/limitRules``.
        public var limits: LimitLedger
        /// The traffic around the number.
        public var traffic: NumberTraffic
        /// The operator's rules that may fit the number (``GuardRule/prefixes(of:)``).
        public let guardRules: [GuardRule]
        /// The message to queue, set by the command; claimed if it has a ``BeginVerification/lease``.
        public var message: OutboxMessage?
        /// The line for the audit trail, set by the command.
        public var audit: AuditEntry?

        /// The state before the command.
        public init(
            live: Verification?,
            activity: NumberActivity,
            limits: LimitLedger,
            traffic: NumberTraffic,
            guardRules: [GuardRule]
        ) {
            self.live = live
            self.activity = activity
            self.limits = limits
            self.traffic = traffic
            self.guardRules = guardRules
        }
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// A new verification was begun.
        case begun(Verification)
        /// The code of a live one is sent again.
        case resent(Verification)
        /// Nothing is sent.
        case refused(PhoneFailure)
    }

    /// What came of it, and who sends the message.
    public struct Answer: Sendable {
        /// What came of it.
        public let outcome: Outcome
        /// The message that was queued, if one was.
        public let message: OutboxMessage?
        /// The message, if it is claimed: whoever asked has it in hand.
        public let claim: OutboxClaim?

        /// The answer to a command that left this state, which is kept.
        public init(_ outcome: Outcome, _ state: State) {
            self.outcome = outcome
            message = state.message
            claim = state.message.flatMap { message in
                message.attempts == 0 ? nil : state.live.map { OutboxClaim(message: message, verification: $0) }
            }
        }
    }

    /// The name of the verification, if a new one is begun.
    public let id: Verification.ID
    /// The name of the message.
    public let messageID: OutboxMessage.ID
    /// The number to be proven, which the policy accepts.
    public let phoneNumber: PhoneNumber
    /// Who asks, from where, and for a message in which language.
    public let context: RequestContext
    /// How to send the code.
    public let channel: Channel
    /// The code, if a new verification is begun.
    public let code: SealedCode
    /// Seals the code that a tenant brings (``VerificationTerms/code``) for a live verification too, whose message is then to bear
    /// this one; nil where the code of a live one stays.
    public let sealCustomCode: (@Sendable (CodeContext) throws -> SealedCode)?
    /// Whether that is the code of a test number.
    public let isTest: Bool
    /// The rules of a verification and a number.
    public let policy: VerificationPolicy
    /// The rules against abuse.
    public let abusePolicy: AbusePolicy
    /// Writes the audit trail.
    public let auditor: Auditor
    /// The moment of the request.
    public let now: Timestamp
    /// How long nobody else takes the message, which whoever asks sends at once (``MessagePlace``); nil where it is left to who
    /// takes it first.
    public let lease: Duration?
    /// The trace that the request belongs to, and its message with it.
    public let traceParent: TraceParent?

    /// A request of these parts.
    public init(
        id: Verification.ID,
        messageID: OutboxMessage.ID,
        phoneNumber: PhoneNumber,
        context: RequestContext,
        channel: Channel,
        code: SealedCode,
        sealCustomCode: (@Sendable (CodeContext) throws -> SealedCode)? = nil,
        isTest: Bool = false,
        policy: VerificationPolicy,
        abusePolicy: AbusePolicy,
        auditor: Auditor,
        now: Timestamp,
        lease: Duration? = nil,
        traceParent: TraceParent? = .current
    ) {
        self.id = id
        self.messageID = messageID
        self.phoneNumber = phoneNumber
        self.context = context
        self.channel = channel
        self.code = code
        self.sealCustomCode = sealCustomCode
        self.isTest = isTest
        self.policy = policy
        self.abusePolicy = abusePolicy
        self.auditor = auditor
        self.now = now
        self.lease = lease
        self.traceParent = traceParent
    }

    /// The limits that the message is subject to.
    public var limitRules: [LimitRule] {
        abusePolicy.limits.sends(to: phoneNumber, from: context.address) + (context.terms?.limits ?? [])
    }

    /// Does what was asked, or says why not; a refusal leaves no message. What it leaves in the state must be kept in
    /// either case.
    ///
    /// - Throws: what ``NumberDigester/digest(of:)`` and ``sealCustomCode`` throw; nothing must be kept then.
    public func apply(to state: inout State) throws -> Outcome {
        // One that was begun while its number was a test number, or before it was, ends with that.
        let live = state.live.flatMap { $0.isLive(at: now) && $0.isTest == isTest ? $0 : nil }
        if isTest { return try applyToTestNumber(live, &state) }
        state.activity.prune(at: now, policy: policy)
        state.limits.prune(at: now)
        state.traffic.prune(at: now, blockTime: abusePolicy.trafficGuard.blockTime)
        if let refusal = live?.resendRefusal() ?? state.activity.refusal(at: now, policy: policy, sender: sender)
            ?? state.limits.refusal(at: now) ?? budgetRefusal(state.traffic.service)
        {
            return .refused(refusal)
        }
        let verdict = abusePolicy.trafficGuard.judge(
            &state.traffic,
            rules: state.guardRules,
            isVouched: context.isVouched,
            isSafe: context.terms?.isSafe ?? false,
            at: now
        )
        if let refusal = refusal(verdict) {
            state.limits.takeOfCaller(at: now)
            state.traffic.prefix.recordHeldBack(at: now)
            state.audit = try auditor.entry(.holdBack, phoneNumber, live?.id, verdict: verdict, at: now)
            return .refused(refusal)
        }
        let isWithheld = verdict.action == .block
        state.activity.recordSend(at: now, by: sender)
        state.limits.take(at: now)
        // Either way as much is written: the time of the answer must not tell one from the other.
        if isWithheld { state.traffic.recordHeldBack(at: now) } else { state.traffic.recordSend(at: now) }
        var verification = live ?? begun()
        if live != nil, let sealCustomCode {
            verification.code = try sealCustomCode(verification.codeContext)
            verification.hasCustomCode = true
        }
        verification.recordSend(at: now, nextSendAt: state.activity.nextSendAt(policy: policy) ?? now)
        state.live = verification
        var message = OutboxMessage(
            id: messageID,
            verificationID: verification.id,
            createdAt: now,
            isWithheld: isWithheld,
            traceParent: traceParent,
            wording: context.terms?.wording,
            account: verification.owner.tenantAccount
        )
        if let lease { _ = message.claim(at: now, until: now + lease) }
        state.message = message
        let action: AuditEntry.Action = isWithheld ? .holdBack : live == nil ? .begin : .resend
        state.audit = try auditor.entry(action, phoneNumber, verification.id, verdict: verdict, at: now)
        return live == nil ? .begun(verification) : .resent(verification)
    }

    /// Whose share of the number's messages it counts towards (``VerificationPolicy/senderQuota``).
    private var sender: CallerMark? {
        context.owner.isPerson ? context.address.map { CallerMark($0) } : nil
    }

    /// What the verdict has the caller told instead of a message, or nil if nothing.
    private func refusal(_ verdict: GuardVerdict) -> PhoneFailure? {
        let trafficGuard = abusePolicy.trafficGuard
        switch verdict.action {
        case .allow, .shadow: return nil
        case .block where trafficGuard.answer == .silent: return nil
        case .block, .challenge:
            let name = verdict.action == .block ? "guard-block" : "guard-challenge"
            return .rateLimited(
                policies: [QuotaPolicy(name: name, quota: 0, window: trafficGuard.blockTime)],
                retryAt: verdict.retryAt ?? now + trafficGuard.blockTime
            )
        }
    }

    private func budgetRefusal(_ service: Traffic) -> PhoneFailure? {
        guard let budget = abusePolicy.limits.dailyBudget, service.lastDay(at: now).sent >= budget else { return nil }
        return .rateLimited(
            policies: [QuotaPolicy(name: "service-budget-1d", quota: budget, window: .seconds(86_400))],
            retryAt: service.firstMoment(withFewerThan: budget, after: now)
        )
    }

    /// To a test number nothing is sent, so asking for its code again changes nothing, counts nothing and leaves no entry.
    private func applyToTestNumber(_ live: Verification?, _ state: inout State) throws -> Outcome {
        if let live, live.recordedStatus == .pending { return .resent(live) }
        if let refusal = live?.resendRefusal() { return .refused(refusal) }
        var verification = begun()
        verification.recordSend(at: now, nextSendAt: now)
        verification.recordAcceptance(at: now)
        state.live = verification
        state.audit = try auditor.entry(.begin, phoneNumber, verification.id, at: now)
        return .begun(verification)
    }

    private func begun() -> Verification {
        Verification(
            id: id,
            phoneNumber: phoneNumber,
            owner: context.owner,
            channel: channel,
            language: context.language,
            code: code,
            createdAt: now,
            codeTTL: policy.codeTTL,
            isTest: isTest,
            hasCustomCode: sealCustomCode != nil,
            expiresAt: now + policy.codeTTL,
            nextSendAt: now,
            sendsLeft: policy.maxSends,
            checksLeft: policy.maxChecks,
            recordedStatus: .pending,
            updatedAt: now,
            consumedBy: nil
        )
    }
}
