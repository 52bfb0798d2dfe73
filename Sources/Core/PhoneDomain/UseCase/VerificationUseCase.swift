public import PhoneNumbers
public import PhoneSignup

/// What a server can do with verifications; the guided signup has a part of it, by ``ServerPhoneUseCase``.
public struct VerificationUseCase: Sendable {
    /// Raw values are those of metrics and spans.
    public enum Operation: String, Sendable, CaseIterable {
        case requestCode = "request_code"
        case challenge, check, approve, cancel, receive
        case signUp = "sign_up"
        case lookUp = "look_up"
    }

    public var policy = VerificationPolicy.standard
    /// What the settings say; what operators have set since is in ``overrides``.
    public var abusePolicy = AbusePolicy.standard
    public var overrides = OverridesInForce()
    public var accountPolicy = AccountPolicy.standard
    public var challenger: Challenger?
    public var sendHook: (any SendHook)?
    public var captcha: (any CaptchaVerifier)?
    /// What judges the proofs of the operator's own apps.
    public var appVerifier: (any AppVerifier)?
    /// The verifiers whose tokens prove a number in place of a message.
    public var numberProofs: [any NumberProofVerifier] = []
    public var routes = Routes.standard
    public var inbound: InboundNumbers?
    public var observer: any UseCaseObserver = Unobserved()
    /// Asked before a message is queued, for the lease with which this process claims it in the same transaction
    /// (``BeginVerification/lease``).
    public var messageLease: @Sendable () -> Duration? = { nil }
    /// Called when a message that was queued is committed, with the claim if there is one.
    public var messageQueued: @Sendable (OutboxClaim?) -> Void = { _ in }
    let store: any VerificationStore & GuardStore & LimitStore
    private let vault: any CodeVault
    private let digester: any NumberDigester
    private let identifiers: any IdentifierSource
    private let clock: any WallClock

    public init(
        store: any VerificationStore & GuardStore & LimitStore,
        vault: any CodeVault,
        digester: any NumberDigester,
        identifiers: any IdentifierSource,
        clock: any WallClock
    ) {
        (self.store, self.vault, self.digester, self.identifiers) = (store, vault, digester, identifiers)
        self.clock = clock
    }

    private var abusePolicyInForce: AbusePolicy {
        var policy = abusePolicy
        policy.trafficGuard = policy.trafficGuard.with(overrides.current.guardMode)
        return policy
    }

    /// What a field shows for this text: the number with its hyphens, as far as it is typed.
    public func format(_ phoneText: String, region: Region) -> String {
        NumberingPlans.builtIn.format(phoneText, region: region)
    }

    /// Where a number that was typed is at home, if the region may be a guess: there, unless it begins with 0, no code can
    /// be sent to it as a number of that region, and one can as a number of the other.
    public func region(of phoneText: String, in region: Region, or other: Region?) -> Region {
        guard let other, other != region, format(phoneText, region: region).utf8.first == UInt8(ascii: "0"),
            (try? phoneNumber(in: phoneText, region: region)) == nil,
            (try? phoneNumber(in: phoneText, region: other)) != nil
        else { return region }
        return other
    }

    /// Whether this text has the form of a code, right or wrong.
    public func isCode(_ codeText: String) -> Bool { code(codeText, CheckOptions()) != nil }

    /// The number, if a code could be sent to it: a number of its plan, of an allowed region and an accepted kind.
    /// Throws ``PhoneFailure/invalidPhoneNumber(_:)``, ``PhoneFailure/kindNotAccepted(_:)`` or
    /// ``PhoneFailure/regionNotAllowed(_:allowed:)``.
    public func phoneNumber(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        try policy.phoneNumber(in: phoneText, region: region)
    }

    /// What ``phoneNumber(in:region:)`` does, for a request for a code: a refusal is counted, in metrics, as a request.
    public func recipient(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        do throws(PhoneFailure) {
            return try phoneNumber(in: phoneText, region: region)
        } catch {
            observer.record(error, of: .requestCode)
            throw error
        }
    }

    /// Sends a code to the number, or the same code once more if one is in flight.
    public func begin(
        _ number: PhoneNumber,
        _ options: VerificationOptions = VerificationOptions(),
        context: RequestContext
    ) async throws(PhoneFailure) -> BeginVerification.Answer {
        let answer = try await observer.observe(.requestCode) {
            var (ruling, captchaResult, isConfirmed) = (SendDecision?.none, CaptchaResult?.none, false)
            var proven: Result<ProvenNumber, ProofFault>?
            if let proof = options.numberProof { proven = await judge(proof, of: number, context, at: clock.now()) }
            // Others are asked between transactions, since their answers take time.
            while true {
                var command = try makeBegin(number, options, context)
                (command.ruling, command.captchaResult, command.numberProof) = (ruling, captchaResult, proven)
                command.isNumberConfirmed = isConfirmed
                do {
                    return try await store.begin(command)
                } catch let question as UnansweredQuestion {
                    if !command.isAnswered { try await store.take(command.share) }
                    switch question {
                    case .captcha(let token):
                        captchaResult = await captcha?.verify(token, from: context.address) ?? .failed
                    case .app(let proof): captchaResult = await appVerifier?.verify(proof, at: clock.now()) ?? .failed
                    case .number(let proof):
                        if let fault = await confirm(proof, of: number, context, at: clock.now()) {
                            throw PhoneFailure.challengeFailed(fault, isOfNumber: true)
                        }
                        isConfirmed = true
                    case .hook(let question): ruling = await sendHook?.decide(complete(question)) ?? .allow
                    }
                }
            }
        }
        if answer.message != nil { messageQueued(answer.claim) }
        return answer
    }

    /// What ``begin(_:_:context:)`` does, without a task, unless others have to be asked. A failure is a
    /// ``PhoneFailure``.
    public func begin(
        _ number: PhoneNumber,
        _ options: VerificationOptions,
        context: RequestContext,
        then answer: @escaping Callback<BeginVerification.Answer>
    ) {
        guard sendHook == nil, captcha == nil, appVerifier == nil, options.numberProof == nil else {
            Task {
                do throws(PhoneFailure) {
                    answer(.success(try await begin(number, options, context: context)))
                } catch {
                    answer(.failure(error))
                }
            }
            return
        }
        observer.observe(.requestCode, then: answer) { answer in
            store.begin(try makeBegin(number, options, context)) { [messageQueued] result in
                if case .success(let done) = result, done.message != nil { messageQueued(done.claim) }
                answer(result)
            }
        }
    }

    private func makeBegin(
        _ number: PhoneNumber,
        _ options: VerificationOptions,
        _ context: RequestContext
    ) throws -> BeginVerification {
        let channels = options.numberProof == nil ? try channels(to: number, options.channel) : [.sim]
        let (policy, abusePolicy) = (policy.with(options.dialect), abusePolicyInForce)
        var options = options
        options.limits += try abusePolicy.limits.sends(from: context.signals) { try digester.digest(of: $0) }
        let id: Verification.ID = try identifiers.makeIdentifier()
        let now = clock.now()
        let testCode = abusePolicy.testNumbers.code(for: number, at: now)
        let customCode = testCode == nil ? options.dialect.code : nil
        let code = try testCode ?? customCode ?? vault.makeCode(length: policy.codeLength)
        var command = BeginVerification(
            id: id,
            messageID: try identifiers.makeIdentifier(),
            phoneNumber: number,
            context: context,
            code: try vault.seal(code, for: CodeContext(verificationID: id, e164: number.e164)),
            policy: policy,
            abusePolicy: abusePolicy,
            auditor: try auditor(context).prepared(for: number),
            now: now
        )
        (command.options, command.channels, command.weights) = (options, channels, routes.weights(to: number))
        (command.routes, command.fallbackTime, command.isTest) = (routes, routes.fallbackTime, testCode != nil)
        (command.challenger, command.asksHook) = (challenger, sendHook != nil)
        command.sealCustomCode = customCode.map(sealer)
        command.lease = channels.first?.carriesCode == false || testCode != nil ? nil : messageLease()
        return command
    }

    /// Adds by which gateways the message would go, and what that costs.
    private func complete(_ question: SendQuestion) -> SendQuestion {
        var question = question
        let (number, channel) = (question.number, question.channel)
        question.gateways = routes.gateways(to: number, for: .codes(by: channel))
        question.price = routes.price(to: number, by: channel)
            .map { SendQuestion.Price(millionths: $0, currency: routes.prices.currency) }
        return question
    }

    /// A challenge for a message to this number, ahead of the request; nil where there are none.
    public func challenge(
        for number: PhoneNumber,
        context: RequestContext
    ) async throws(PhoneFailure) -> ChallengeOffer? {
        guard let challenger else { return nil }
        return try await observer.observe(.challenge) {
            let now = clock.now()
            var found: [TrafficKey: Traffic] = [:]
            let networks = (context.address?.networks ?? []).map(TrafficKey.network)
            let keys: [TrafficKey] = [.prefix(number.prefix), .country(number.region)] + networks
            for key in keys { found[key] = try await store.traffic(of: key) }
            let abusePolicy = abusePolicyInForce
            let verdict = abusePolicy.trafficGuard.forecast(
                NumberTraffic(of: number, from: context.address) { found[$0] },
                rules: try await store.guardRules(of: Set(GuardRule.prefixes(of: number.e164))),
                support: context.challenges,
                at: now
            )
            let work = abusePolicy.testNumbers.contains(number, at: now) ? nil : verdict.work
            return ChallengeOffer(
                challenge: try challenger.challenge(
                    for: number,
                    work: work ?? challenger.policy.easiest,
                    context,
                    at: now
                ),
                isRequired: work != nil
            )
        }
    }

    /// The channels that a request can name, whomever it is for.
    public var channels: [Channel] { routes.channels + (inbound == nil ? [] : [.inbound]) }

    /// The channels by which a number can be verified, in the order in which they are tried where a request names none.
    public func channels(to number: PhoneNumber) -> [Channel] {
        routes.channels(to: number) + (canReach(number, by: .inbound) ? [.inbound] : [])
    }

    /// What the person is to send; nil unless the verification waits for a message from them (``Channel/inbound``).
    public func instruction(for verification: Verification) throws(PhoneFailure) -> InboundInstruction? {
        guard verification.channel == .inbound, verification.status(at: clock.now()) == .pending else { return nil }
        return try available { try inbound?.instruction(for: verification) }
    }

    /// Approves the verification that a message from a person means. Throws ``PhoneFailure/verificationNotFound`` if
    /// none waits for it.
    public func receive(_ message: InboundMessage) async throws(PhoneFailure) -> Verification {
        try await observer.observe(.receive) {
            guard let inbound else { throw PhoneFailure.verificationNotFound }
            let now = clock.now()
            return try await store.receive(
                ReceiveMessage(message: message, now: now, numbers: inbound) { verification in
                    checking(nil, verification.id, CheckOptions(), RequestContext(of: verification), at: now)
                }
            )
        }
    }

    /// The channel that was asked for, or all in order. Throws ``PhoneFailure/channelUnavailable(_:offered:)``.
    private func channels(to number: PhoneNumber, _ asked: Channel?) throws(PhoneFailure) -> [Channel] {
        let channels = asked.map { canReach(number, by: $0) ? [$0] : [] } ?? routes.channels(to: number)
        if channels.isEmpty { throw .channelUnavailable(asked, offered: self.channels(to: number)) }
        return channels
    }

    private func canReach(_ number: PhoneNumber, by channel: Channel) -> Bool {
        guard channel == .inbound else { return !routes.gateways(to: number, for: .codes(by: channel)).isEmpty }
        // The code of a test number is no secret, and no phone sends a message from there.
        return inbound?.recipient(for: number) != nil
            && abusePolicyInForce.testNumbers.code(for: number, at: clock.now()) == nil
    }

    /// Checks a code, and leaves the approval to its owner: the account of a signup is created by
    /// ``signUp(_:for:_:context:)``. Returns the approved verification.
    public func check(
        _ codeText: String,
        for which: VerificationReference,
        _ options: CheckOptions = CheckOptions(),
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification {
        try await observer.observe(.check) {
            let (code, now) = (try parseCode(codeText, options), clock.now())
            switch which {
            case .id(let id): return try await store.check(checking(code, id, options, context, at: now))
            case .live(let number):
                return try await store.check(
                    CheckLiveVerification(number: number, owner: context.owner, now: now) { id in
                        checking(code, id, options, context, at: now)
                    }
                )
            }
        }
    }

    /// What ``check(_:for:_:context:)`` does, without a task. A failure is a ``PhoneFailure``.
    public func check(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext,
        then answer: @escaping Callback<Verification>
    ) {
        observer.observe(.check, then: answer) { answer in
            let (code, now) = (try parseCode(codeText, CheckOptions()), clock.now())
            store.check(checking(code, id, CheckOptions(), context, at: now), then: answer)
        }
    }

    /// Checks a code by a command that uses the approval in the same transaction, as `ChangeNumber` does. `work` puts
    /// the check into the command, and passes that to the store. Throws ``PhoneFailure/malformedCode(length:)``, and
    /// what `work` throws.
    public func check<Value: Sendable>(
        _ codeText: String,
        for id: Verification.ID,
        _ options: CheckOptions = CheckOptions(),
        context: RequestContext,
        in work: @Sendable (CheckVerification) async throws(PhoneFailure) -> Value
    ) async throws(PhoneFailure) -> Value {
        try await observer.observe(.check) {
            let (code, now) = (try parseCode(codeText, options), clock.now())
            return try await work(checking(code, id, options, context, at: now))
        }
    }

    /// Approves a verification whose owner brought the code (``DialectOptions/code``), and has compared it itself.
    public func approve(_ id: Verification.ID, context: RequestContext) async throws(PhoneFailure) -> Verification {
        try await observer.observe(.approve) {
            try await store.check(checking(nil, id, CheckOptions(), context, at: clock.now()))
        }
    }

    private func checking(
        _ code: VerificationCode?,
        _ id: Verification.ID,
        _ options: CheckOptions,
        _ context: RequestContext,
        at now: Timestamp
    ) -> CheckVerification {
        CheckVerification(
            id: id,
            context: context,
            options: options,
            code: code,
            vault: vault,
            policy: policy,
            abusePolicy: abusePolicyInForce,
            auditor: auditor(context),
            now: now
        )
    }

    /// Checks a code and uses the approval to create or find the account of the proven number, in one transaction. The
    /// text is empty where a message from the person or their SIM is the proof.
    public func signUp(
        _ codeText: String,
        for id: Verification.ID,
        _ options: CheckOptions = CheckOptions(),
        context: RequestContext
    ) async throws(PhoneFailure) -> SignedUp {
        try await observer.observe(.signUp) {
            let code = codeText.isEmpty ? nil : try parseCode(codeText, options)
            return try await store.signUp(
                SignUp(
                    check: checking(code, id, options, context, at: clock.now()),
                    accountID: try identifiers.makeIdentifier(),
                    accountPolicy: accountPolicy
                )
            )
        }
    }

    public func cancel(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification {
        try await observer.observe(.cancel) {
            let auditor = Auditor(digester: digester, owner: owner, address: nil)
            return try await store.cancel(CancelVerification(id: id, owner: owner, auditor: auditor, now: clock.now()))
        }
    }

    /// Throws ``PhoneFailure/verificationNotFound`` if there is none, or it is another owner's.
    public func verification(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification {
        try await observer.observe(.lookUp) {
            guard let found = try await store.verification(id), found.owner == owner
            else { throw PhoneFailure.verificationNotFound }
            return found
        }
    }

    /// The result of a signup with this verification; nil if it was not used yet.
    public func signedUp(with verification: Verification) async throws(PhoneFailure) -> SignedUp? {
        guard let id = verification.consumedBy else { return nil }
        let account = try await observer.observe(.lookUp) { try await store.account(id) }
        return account.map { SignedUp(account: $0, verification: verification) }
    }

    private func auditor(_ context: RequestContext) -> Auditor {
        Auditor(digester: digester, owner: context.owner, address: context.address)
    }

    private func sealer(of code: VerificationCode) -> @Sendable (CodeContext) throws -> SealedCode {
        { [vault] in try vault.seal(code, for: $0) }
    }

    private func parseCode(_ text: String, _ options: CheckOptions) throws(PhoneFailure) -> VerificationCode {
        guard let code = code(text, options)
        else { throw .malformedCode(length: options.codeLength ?? policy.codeLength) }
        return code
    }

    private func code(_ text: String, _ options: CheckOptions) -> VerificationCode? {
        guard let code = VerificationCode(typed: text) else { return nil }
        return options.codeLength != nil || code.digits.utf8.count == policy.codeLength ? code : nil
    }
}

public enum VerificationReference: Hashable, Sendable {
    case id(Verification.ID)
    /// The owner's live verification of this number (``Verification/isLive(at:)``).
    case live(PhoneNumber)
}

/// Measures and traces what a ``VerificationUseCase`` does.
public protocol UseCaseObserver: Sendable {
    /// Does the work of an operation, once. What its ports throw becomes a failure (``PhoneFailure/init(of:)``).
    func observe<Value>(
        _ operation: VerificationUseCase.Operation,
        _ work: () async throws -> Value
    ) async throws(PhoneFailure) -> Value
    /// The same without a task: `work` passes the result on, unless it throws.
    func observe<Value>(
        _ operation: VerificationUseCase.Operation,
        then answer: @escaping Callback<Value>,
        _ work: (@escaping Callback<Value>) throws -> Void
    )
    /// Records that an operation was refused before it began.
    func record(_ failure: PhoneFailure, of operation: VerificationUseCase.Operation)
}

/// Measures nothing.
public struct Unobserved: UseCaseObserver {
    public init() {}

    public func observe<Value>(
        _ operation: VerificationUseCase.Operation,
        _ work: () async throws -> Value
    ) async throws(PhoneFailure) -> Value {
        try await available(work)
    }

    public func observe<Value>(
        _ operation: VerificationUseCase.Operation,
        then answer: @escaping Callback<Value>,
        _ work: (@escaping Callback<Value>) throws -> Void
    ) {
        do {
            try work { answer($0.mapError { PhoneFailure(of: $0) }) }
        } catch {
            answer(.failure(PhoneFailure(of: error)))
        }
    }

    public func record(_ failure: PhoneFailure, of operation: VerificationUseCase.Operation) {}
}
