public struct DefaultPhoneUseCase: VerificationUseCase {
    private let policy: VerificationPolicy
    private let standingAbusePolicy: AbusePolicy
    private let overrides: OverridesInForce
    private let accountPolicy: AccountPolicy
    private let challenger: Challenger?
    private let sendHook: (any SendHook)?
    private let captcha: (any CaptchaVerifier)?
    private let routes: Routes
    private let inbound: InboundNumbers?
    private let store: any VerificationStore
    private let vault: any CodeVault
    private let digester: any NumberDigester
    private let identifiers: any IdentifierSource
    private let clock: any WallClock
    private let messageLease: @Sendable () -> Duration?
    private let messageQueued: @Sendable (OutboxClaim?) -> Void

    /// `messageLease` is asked before a message is queued, and returns the lease with which this process claims it in
    /// the same transaction (``BeginVerification/lease``). `messageQueued` is called when that is committed, with the
    /// claim if there is one.
    public init(
        policy: VerificationPolicy = .standard,
        abusePolicy: AbusePolicy = .standard,
        overrides: OverridesInForce = OverridesInForce(),
        accountPolicy: AccountPolicy = .standard,
        challenger: Challenger? = nil,
        sendHook: (any SendHook)? = nil,
        captcha: (any CaptchaVerifier)? = nil,
        routes: Routes = .standard,
        inbound: InboundNumbers? = nil,
        store: any VerificationStore,
        vault: any CodeVault,
        digester: any NumberDigester,
        identifiers: any IdentifierSource,
        clock: any WallClock,
        messageLease: @escaping @Sendable () -> Duration? = { nil },
        messageQueued: @escaping @Sendable (OutboxClaim?) -> Void = { _ in }
    ) {
        (self.policy, standingAbusePolicy, self.overrides) = (policy, abusePolicy, overrides)
        (self.accountPolicy, self.routes) = (accountPolicy, routes)
        (self.challenger, self.sendHook, self.captcha) = (challenger, sendHook, captcha)
        (self.store, self.vault, self.digester, self.identifiers) = (store, vault, digester, identifiers)
        self.inbound = inbound
        (self.clock, self.messageLease, self.messageQueued) = (clock, messageLease, messageQueued)
    }

    private var abusePolicy: AbusePolicy {
        var policy = standingAbusePolicy
        policy.trafficGuard = policy.trafficGuard.with(overrides.current.guardMode)
        return policy
    }

    public func format(_ phoneText: String, region: Region) -> String {
        NumberingPlans.builtIn.format(phoneText, region: region)
    }

    public func isCode(_ codeText: String) -> Bool { code(codeText, VerificationOptions()) != nil }

    public func phoneNumber(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        try policy.phoneNumber(in: phoneText, region: region)
    }

    public func begin(
        _ number: PhoneNumber,
        context: RequestContext
    ) async throws(PhoneFailure) -> BeginVerification.Answer {
        let channels = try channels(to: number, context.options.channel)
        let answer = try await available {
            var context = context
            context.options.limits += try abusePolicy.limits.sends(from: context.signals) {
                try digester.digest(of: $0)
            }
            // Others are asked between transactions, since their answers take time.
            while true {
                do {
                    return try await begin(number, context, channels)
                } catch let unverified as UnverifiedCaptcha {
                    let result = await captcha?.verify(unverified.token, from: context.address)
                    context.captchaResult = result ?? .failed
                } catch let unasked as UnaskedHook {
                    context.ruling = await sendHook?.decide(complete(unasked.question)) ?? .allow
                }
            }
        }
        messageQueued(answer.claim)
        return answer
    }

    private func begin(
        _ number: PhoneNumber,
        _ context: RequestContext,
        _ channels: [Channel]
    ) async throws -> BeginVerification.Answer {
        let policy = self.policy.with(context.options)
        let lease = channels.first == .inbound ? nil : messageLease()
        let id: Verification.ID = try identifiers.makeIdentifier()
        let now = clock.now()
        let testCode = abusePolicy.testNumbers.code(for: number, at: now)
        let customCode = testCode == nil ? context.options.code : nil
        let code = try testCode ?? customCode ?? vault.makeCode(length: policy.codeLength)
        return try await store.begin(
            BeginVerification(
                id: id,
                messageID: try identifiers.makeIdentifier(),
                phoneNumber: number,
                context: context,
                channels: channels,
                weights: routes.weights(to: number),
                fallbackTime: routes.fallbackTime,
                code: try vault.seal(code, for: CodeContext(verificationID: id, e164: number.e164)),
                sealCustomCode: customCode.map(sealer),
                isTest: testCode != nil,
                policy: policy,
                abusePolicy: abusePolicy,
                challenger: challenger,
                asksHook: sendHook != nil,
                auditor: auditor(context),
                now: now,
                lease: lease
            )
        )
    }

    /// Adds by which gateways the message would go, and what that costs.
    private func complete(_ question: SendQuestion) -> SendQuestion {
        var question = question
        let (number, channel) = (question.number, question.channel)
        question.gateways = routes.gateways(to: number, for: .codes(by: channel))
        question.price = question.gateways.first
            .flatMap { routes.prices.price(of: $0, to: number, by: channel) }
            .map { SendQuestion.Price(millionths: $0, currency: routes.prices.currency) }
        return question
    }

    public func challenge(
        for number: PhoneNumber,
        context: RequestContext
    ) async throws(PhoneFailure) -> ChallengeOffer? {
        guard let challenger else { return nil }
        return try await available {
            let now = clock.now()
            var found: [TrafficKey: Traffic] = [:]
            let networks = (context.address?.networks ?? []).map(TrafficKey.network)
            let keys: [TrafficKey] = [.prefix(number.prefix), .country(number.region)] + networks
            for key in keys { found[key] = try await store.traffic(of: key) }
            let verdict = abusePolicy.trafficGuard.forecast(
                NumberTraffic(of: number, from: context.address) { found[$0] },
                rules: try await store.guardRules().filter { number.e164.hasPrefix($0.prefix) },
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

    public func channels(to number: PhoneNumber) -> [Channel] {
        routes.channels(to: number) + (canReach(number, by: .inbound) ? [.inbound] : [])
    }

    public func instruction(for verification: Verification) throws(PhoneFailure) -> InboundInstruction? {
        guard verification.channel == .inbound, verification.status(at: clock.now()) == .pending else { return nil }
        do {
            return try inbound?.instruction(for: verification)
        } catch {
            throw .unavailable(cause: "\(error)")
        }
    }

    public func receive(_ message: InboundMessage) async throws(PhoneFailure) -> Verification {
        guard let inbound else { throw .verificationNotFound }
        let now = clock.now()
        return try await available {
            try await store.receive(
                ReceiveMessage(message: message, now: now, numbers: inbound) { verification in
                    let context = RequestContext(
                        owner: verification.owner,
                        region: verification.phoneNumber.region,
                        language: verification.language
                    )
                    return checking(nil, verification.id, context, at: now)
                }
            )
        }
    }

    /// The one that was asked for, or all in order. Throws ``PhoneFailure/channelUnavailable(_:offered:)``.
    private func channels(to number: PhoneNumber, _ asked: Channel?) throws(PhoneFailure) -> [Channel] {
        let channels = asked.map { canReach(number, by: $0) ? [$0] : [] } ?? routes.channels(to: number)
        if channels.isEmpty { throw .channelUnavailable(asked, offered: self.channels(to: number)) }
        return channels
    }

    private func canReach(_ number: PhoneNumber, by channel: Channel) -> Bool {
        guard channel == .inbound else { return !routes.gateways(to: number, for: .codes(by: channel)).isEmpty }
        // The code of a test number is no secret, and no phone sends a message from there.
        return inbound?.recipient(for: number) != nil
            && abusePolicy.testNumbers.code(for: number, at: clock.now()) == nil
    }

    public func check(
        _ codeText: String,
        for which: VerificationReference,
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification {
        try await check(parseCode(codeText, context), for: which, context: context)
    }

    public func check<Value: Sendable>(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext,
        in work: @Sendable (CheckVerification) async throws(PhoneFailure) -> Value
    ) async throws(PhoneFailure) -> Value {
        try await work(checking(parseCode(codeText, context), id, context, at: clock.now()))
    }

    public func approve(_ id: Verification.ID, context: RequestContext) async throws(PhoneFailure) -> Verification {
        try await check(nil, for: .id(id), context: context)
    }

    private func check(
        _ code: VerificationCode?,
        for which: VerificationReference,
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification {
        let now = clock.now()
        return try await available {
            switch which {
            case .id(let id): try await store.check(checking(code, id, context, at: now))
            case .live(let number):
                try await store.check(
                    CheckLiveVerification(number: number, owner: context.owner, now: now) { id in
                        checking(code, id, context, at: now)
                    }
                )
            }
        }
    }

    private func checking(
        _ code: VerificationCode?,
        _ id: Verification.ID,
        _ context: RequestContext,
        at now: Timestamp
    ) -> CheckVerification {
        CheckVerification(
            id: id,
            context: context,
            code: code,
            vault: vault,
            policy: policy,
            abusePolicy: abusePolicy,
            auditor: auditor(context),
            now: now
        )
    }

    public func signUp(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> SignedUp {
        let code = codeText.isEmpty ? nil : try parseCode(codeText, context)
        return try await available {
            try await store.signUp(
                SignUp(
                    check: checking(code, id, context, at: clock.now()),
                    accountID: try identifiers.makeIdentifier(),
                    accountPolicy: accountPolicy
                )
            )
        }
    }

    public func cancel(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification {
        let auditor = Auditor(digester: digester, owner: owner, address: nil)
        return try await available {
            try await store.cancel(CancelVerification(id: id, owner: owner, auditor: auditor, now: clock.now()))
        }
    }

    public func verification(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification {
        guard let found = try await available({ try await store.verification(id) }), found.owner == owner
        else { throw .verificationNotFound }
        return found
    }

    public func signedUp(with verification: Verification) async throws(PhoneFailure) -> SignedUp? {
        guard let id = verification.consumedBy else { return nil }
        let account = try await available { try await store.account(id) }
        return account.map { SignedUp(account: $0, verification: verification) }
    }

    private func auditor(_ context: RequestContext) -> Auditor {
        Auditor(digester: digester, owner: context.owner, address: context.address)
    }

    private func sealer(of code: VerificationCode) -> @Sendable (CodeContext) throws -> SealedCode {
        { [vault] in try vault.seal(code, for: $0) }
    }

    private func parseCode(_ text: String, _ context: RequestContext) throws(PhoneFailure) -> VerificationCode {
        guard let code = code(text, context.options)
        else { throw .malformedCode(length: policy.with(context.options).codeLength) }
        return code
    }

    private func code(_ text: String, _ options: VerificationOptions) -> VerificationCode? {
        guard let code = VerificationCode(typed: text) else { return nil }
        return options.codeLength != nil || code.digits.utf8.count == policy.codeLength ? code : nil
    }
}
