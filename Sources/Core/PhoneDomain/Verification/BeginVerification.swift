public import PhoneNumbers
public import PhoneSignup

/// A request for a code: begins a verification, or sends the code of a live one again.
///
/// A store loads the ``State``, applies the command, and saves what it left, all in one transaction in which nothing
/// else sees or changes that state. So the rules are written once, here, and hold for every store. Where a command's
/// `apply` throws, a port that it uses has failed, or somebody is to be asked first, and nothing may be saved.
public struct BeginVerification: Command {
    /// What the command reads and writes. Here and in other commands, what is no parameter of the initialiser is set by
    /// the command.
    public struct State: Sendable {
        /// The owner's live verification of the number (``Verification/isLive(at:)``).
        public var live: Verification?
        /// The verification that was live, if the new one has replaced it (``DialectOptions/replacesLive``).
        public var replaced: Verification?
        public var activity: NumberActivity
        public var limits: LimitLedger
        public var traffic: NumberTraffic
        /// The operator's rules that may match the number (``GuardRule/prefixes(of:)``).
        public let guardRules: [GuardRule]
        public var signup: Signup?
        /// Whether the client's API key was revoked since it was last looked up.
        let isKeyInvalid: Bool
        /// Whether a message went out for the request's proof before.
        let isProofUsed: Bool
        /// What a request like this one has approved by a token.
        let approved: Verification?
        /// The request's proof, if the message goes out for it.
        public var usedProof: UsedProof?
        /// The message to queue, set by the command; claimed if the command has a ``BeginVerification/lease``.
        public var message: OutboxMessage?
        public var audit: AuditEntry?
        /// That the verification is approved, if it was at once.
        public var approval: AuditEntry?

        public init(
            live: Verification?,
            activity: NumberActivity,
            limits: LimitLedger,
            traffic: NumberTraffic,
            guardRules: [GuardRule],
            signup: Signup? = nil,
            isKeyInvalid: Bool = false,
            isProofUsed: Bool = false,
            approved: Verification? = nil
        ) {
            (self.live, self.activity, self.limits, self.traffic) = (live, activity, limits, traffic)
            (self.guardRules, self.signup, self.isKeyInvalid) = (guardRules, signup, isKeyInvalid)
            (self.isProofUsed, self.approved) = (isProofUsed, approved)
        }
    }

    public struct Answer: Hashable, Sendable {
        public let verification: Verification
        /// Whether it was begun now; else it was live, and its code is sent again.
        public let isNew: Bool
        /// The message that was queued; nil for a test number.
        public let message: OutboxMessage?

        /// The message, if it is claimed for the process that asked.
        public var claim: OutboxClaim? {
            message.flatMap { $0.attempts == 0 ? nil : OutboxClaim(message: $0, verification: verification) }
        }
    }

    /// The ID of the verification, if a new one is begun.
    public let id: Verification.ID
    public let messageID: OutboxMessage.ID
    public let phoneNumber: PhoneNumber
    public let context: RequestContext
    public var options = VerificationOptions()
    /// What the operator's hook has decided; nil before it was asked.
    var ruling: SendDecision?
    /// What the captcha's provider says of the proof; nil before it was asked.
    var captchaResult: CaptchaResult?
    /// What the request's token proves, or why it does not; nil where a message is to prove the number.
    var numberProof: Result<ProvenNumber, ProofFault>?
    /// Whether the network has confirmed that.
    var isNumberConfirmed = false
    /// The key of what may be used once.
    public var proofKey: String? {
        guard let numberProof else { return options.proof?.key }
        return (try? numberProof.get())?.key
    }
    /// The channels, at least one: the message's own, and after it those that follow where the request named none.
    public var channels: [Channel] = [.sms]
    /// How many messages one by a channel counts as (``Routes/weights(to:)``); one where it has none here.
    public var weights: [Channel: Int] = [:]
    /// The routes of the service; nil where every channel counts as served.
    public var routes: Routes?
    /// How long a delivery report is waited for before the next channel is taken (``Routes/fallbackTime``).
    public var fallbackTime: Duration?
    /// The code, if a new verification is begun.
    public let code: SealedCode
    /// Seals the code that a client brings (``DialectOptions/code``), which then replaces the code of a live
    /// verification too; nil where the code of a live one stays.
    public var sealCustomCode: (@Sendable (CodeContext) throws -> SealedCode)?
    /// Whether this is a test number, and ``code`` its fixed code.
    public var isTest = false
    public let policy: VerificationPolicy
    public let abusePolicy: AbusePolicy
    /// Nil where nobody is asked for a proof.
    public var challenger: Challenger?
    /// Whether nothing may be sent before the operator's hook was asked (``UnansweredQuestion``).
    public var asksHook = false
    public let auditor: Auditor
    public let now: Timestamp
    /// The lease with which the message is claimed for the process that queues it, and sends it at once; nil where any
    /// process may claim it. If that process dies, any other claims the message when the lease expires.
    public var lease: Duration?
    let traceParent = TraceParent.current

    public init(
        id: Verification.ID,
        messageID: OutboxMessage.ID,
        phoneNumber: PhoneNumber,
        context: RequestContext,
        code: SealedCode,
        policy: VerificationPolicy,
        abusePolicy: AbusePolicy,
        auditor: Auditor,
        now: Timestamp
    ) {
        (self.id, self.messageID, self.phoneNumber, self.context) = (id, messageID, phoneNumber, context)
        (self.code, self.policy, self.abusePolicy) = (code, policy, abusePolicy)
        (self.auditor, self.now) = (auditor, now)
    }

    public var limitRules: [LimitRule] {
        let limits = abusePolicy.limits
        // No message is sent or counted; but the verification is stored.
        if isTest, numberProof == nil { return limits.changes(by: context.owner, from: context.address) }
        // They were taken before the network was asked.
        if isNumberConfirmed { return [] }
        if case .success(let proven) = numberProof, proven.isCounted { return LimitPolicy.proofChecks(of: proven.key) }
        if isInbound || numberProof != nil {
            return limits.inboundRequests(for: phoneNumber, by: context.owner, from: context.address)
        }
        // A session can ask for as many numbers as it likes; a guided signup had to be begun, and its code to be sent.
        let ofSession = context.owner.sessionID.map { limits.changes(by: .session($0), from: nil) } ?? []
        let waits =
            if case .ticket = options.proof { limits.waits(to: phoneNumber, from: context.address) } else {
                [LimitRule]()
            }
        let rules = limits.sends(to: phoneNumber, from: context.address) + options.limits + ofSession + waits
        return isAnswered ? rules.filter { $0.kind != .requests } : rules
    }

    /// Whether somebody was asked (``UnansweredQuestion``), which takes ``share`` beforehand.
    var isAnswered: Bool { ruling != nil || captchaResult != nil || isNumberConfirmed }

    /// What the request takes of its client's own limits: else one client could have others asked without end. Where the
    /// question may cost money, it takes what everybody shares as well.
    var share: TakeLimits {
        TakeLimits(rules: limitRules.filter { $0.kind == .requests || numberProof != nil }, now: now)
    }

    /// Whether the person sends the message, and nothing is sent to the number.
    private var isInbound: Bool { channels.first == .inbound }

    /// The client whose networks the guard judges, if a new verification is begun; nil where it judges nothing. Of a
    /// server that asks for somebody else without saying for whom the address is unknown.
    public var requester: ClientAddress? {
        isTest || isInbound || numberProof != nil || abusePolicy.trafficGuard.mode == .off ? nil : context.address
    }

    /// Sends, or says why not; a refusal queues no message, and changes no signup.
    public func apply(to state: inout State) throws -> Result<Answer, PhoneFailure> {
        if state.isKeyInvalid { return .failure(.keyInvalid) }
        // Another verification would replace the one that proves it.
        if state.signup?.isComplete == true { return .failure(.verificationClosed) }
        let result = try send(&state)
        if case .success(let answer) = result {
            if let phoneText = options.phoneText { state.signup?.phoneText = phoneText }
            state.signup?.verificationID = answer.verification.id
        }
        return result
    }

    private func send(_ state: inout State) throws -> Result<Answer, PhoneFailure> {
        do throws(PhoneFailure) {
            try policy.accept(phoneNumber, isSafeListed: options.dialect.isSafeListed)
        } catch {
            return .failure(error)
        }
        // A verification that began as one of a test number, and is of none now, goes on no more; nor the reverse.
        let replacesLive = options.dialect.replacesLive
        let live = state.live.flatMap { $0.isLive(at: now) && $0.isTest == isTest && !replacesLive ? $0 : nil }
        if let live, isRepetition(on: live) {
            return .success(Answer(verification: live, isNew: live.sentAt == live.createdAt, message: nil))
        }
        if let failed = options.failedMessage, live?.canMoveOn(from: failed, at: now) != true {
            return .failure(.verificationNotFound)
        }
        if let numberProof { return try approve(by: numberProof, live, &state) }
        if isTest || isInbound { return try sendNothing(live, &state) }
        var verification = if let live { withNextChannel(live) } else { newVerification() }
        let weight = weights[verification.channel] ?? 1
        state.activity.prune(at: now, policy: policy)
        state.limits.prune(at: now)
        state.traffic.prune(at: now, blockTime: abusePolicy.trafficGuard.blockTime)
        if let refusal = refusal(state, live, weight) { return .failure(refusal) }
        // As it is before the verdict begins or ends a block, and before this message counts.
        let measure = abusePolicy.trafficGuard.measure(state.traffic, at: now)
        let proof = try judgeProof(isUsed: state.isProofUsed)
        let verdict = verdict(&state, proof)
        if captchaResult == nil, let proof, case .success = proof {
            switch options.proof {
            case .captcha(let token) where verdict.reasons.first == .proven: throw UnansweredQuestion.captcha(token)
            // Even if nobody wants one now: a new key is known from then on.
            case .app(let proof) where verdict.action != .block: throw UnansweredQuestion.app(proof)
            default: break
            }
        }
        if asksHook, ruling == nil, verdict.action != .block {
            throw UnansweredQuestion.hook(
                question(state, verification, isRepeated: live != nil, verdict)
            )
        }
        if let refusal = try refusal(verdict, proof) {
            // It takes nothing of what the prefix, the country and the service have for others: a client that gets no
            // message could shut out those that are vouched for.
            state.limits.take(.requests, at: now)
            state.traffic.recordSuppressed(by: verdict, at: now)
            state.audit = try auditor.entry(
                .suppress,
                phoneNumber,
                live?.id,
                verdict: verdict,
                measure: measure,
                labels: verification.labels,
                at: now
            )
            return .failure(refusal)
        }
        if verdict.reasons.contains(.proven), let key = options.proof?.key, let proof = try? proof?.get() {
            state.usedProof = UsedProof(key: key, expiresAt: proof.expiresAt)
        }
        let isWithheld = verdict.action == .block
        state.activity.recordSend(at: now, by: sender)
        if live != nil, let sealCustomCode {
            verification.setCustomCode(try sealCustomCode(verification.codeContext))
        }
        let nextSendAt = state.activity.nextSendAt(policy: policy) ?? now
        verification.recordSend(at: now, nextSendAt: nextSendAt, isWithheld: isWithheld)
        if live == nil, let lease { verification.assumeAcceptance(within: lease) }
        verification.lastRequest = context.idempotencyKey
        replaceLive(by: verification, &state)
        var message = OutboxMessage(
            id: messageID,
            verificationID: verification.id,
            channel: verification.channel,
            weight: weight,
            createdAt: now,
            isWithheld: isWithheld,
            traceParent: traceParent,
            wording: options.dialect.wording,
            group: verification.owner.group,
            fallbackAt: verification.fallbacks.isEmpty ? nil : fallbackTime.map { now + $0 }
        )
        // Withheld or not, as much is written: the response time must not distinguish the two.
        message.count(in: &state.limits, &state.traffic, at: now)
        for kind in [LimitRule.Kind.requests, .grants] { state.limits.take(kind, at: now) }
        if let lease { _ = message.claim(at: now, until: now + lease) }
        state.message = message
        let action: AuditEntry.Action = isWithheld ? .suppress : live == nil ? .begin : .resend
        state.audit = try auditor.entry(action, verification, verdict: verdict, measure: measure, at: now)
        return .success(Answer(verification: verification, isNew: live == nil, message: message))
    }

    /// Whether this request has sent its message, and its answer was lost.
    private func isRepetition(on live: Verification) -> Bool {
        context.idempotencyKey != nil && live.lastRequest == context.idempotencyKey && live.recordedStatus == .pending
    }

    /// Whose share of the number's messages it counts towards (``VerificationPolicy/senderQuota``).
    private var sender: ClientOrigin? {
        context.owner.isPerson || context.isPublic ? context.address.map { ClientOrigin(networkOf: $0) } : nil
    }

    /// The live verification, with the channel that its next message goes by.
    private func withNextChannel(_ live: Verification) -> Verification {
        var verification = withLabels(live)
        if let channel = options.channel {
            (verification.channel, verification.fallbacks) = (channel, [])
        } else if options.failedMessage != nil {
            verification.moveOn()
        } else if live.channel == .inbound || isGone(live.channel), let channel = channels.first {
            (verification.channel, verification.fallbacks) = (channel, Array(channels.dropFirst()))
        }
        return verification
    }

    /// Whether no gateway serves a channel any more that did when the code was first sent.
    private func isGone(_ channel: Channel) -> Bool {
        channel.carriesCode && routes?.gateways(to: phoneNumber, for: .codes(by: channel)).isEmpty == true
    }

    func withLabels(_ live: Verification) -> Verification {
        var verification = live
        if !options.labels.isEmpty { verification.labels = options.labels }
        return verification
    }

    /// Why a message may not be sent now, whoever asks and whatever it is worth, if it may not.
    private func refusal(_ state: State, _ live: Verification?, _ weight: Int) -> PhoneFailure? {
        let waits = options.failedMessage == nil
        return live?.resendRefusal()
            ?? state.activity.refusal(at: now, policy: policy, sender: sender, waits: waits)
            ?? state.limits.refusal(at: now, weight: weight)
            ?? budgetRefusal(state.traffic.service, weight)
    }

    private func budgetRefusal(_ service: Traffic, _ weight: Int) -> PhoneFailure? {
        guard let budget = abusePolicy.limits.dailyBudget, service.lastDay(at: now).sent > budget - weight
        else { return nil }
        return .rateLimited(
            policies: [QuotaPolicy(name: "service-budget-1d", quota: budget, window: .seconds(86_400))],
            retryAt: service.firstMoment(withFewerThan: budget - weight + 1, after: now)
        )
    }

    /// Nothing is sent to a test number, or to a person who sends the message, so a repeated request changes and counts
    /// nothing, and leaves no entry. A new verification counts among what its owner and its address have stored.
    private func sendNothing(_ live: Verification?, _ state: inout State) throws -> Result<Answer, PhoneFailure> {
        if var live, live.recordedStatus == .pending {
            if isInbound, live.channel != .inbound {
                live = withLabels(live)
                (live.channel, live.fallbacks) = (.inbound, [])
                replaceLive(by: live, &state)
            }
            return .success(Answer(verification: live, isNew: false, message: nil))
        }
        if let refusal = live?.resendRefusal() ?? state.limits.tryTake(at: now) { return .failure(refusal) }
        var verification = newVerification()
        if isTest { verification.recordSend(at: now, nextSendAt: now) }
        verification.recordAcceptance(at: now)
        replaceLive(by: verification, &state)
        state.audit = try auditor.entry(.begin, verification, at: now)
        return .success(Answer(verification: verification, isNew: true, message: nil))
    }

    func replaceLive(by verification: Verification, _ state: inout State) {
        if options.dialect.replacesLive { state.replaced = state.live }
        state.replaced?.cancel(at: now)
        state.live = verification
    }

    func newVerification() -> Verification {
        Verification(
            id: id,
            phoneNumber: phoneNumber,
            owner: context.owner,
            channel: channels.first ?? .sms,
            language: context.language,
            code: code,
            createdAt: now,
            codeTTL: policy.codeTTL,
            isTest: isTest,
            hasCustomCode: sealCustomCode != nil,
            begunFrom: requester,
            expiresAt: now + policy.codeTTL,
            nextSendAt: now,
            sendsLeft: policy.maxSends,
            checksLeft: policy.maxChecks,
            recordedStatus: .pending,
            updatedAt: now,
            consumedBy: nil,
            fallbacks: Array(channels.dropFirst()),
            labels: options.labels
        )
    }
}
