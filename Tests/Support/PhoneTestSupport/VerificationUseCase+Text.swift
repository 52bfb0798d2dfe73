public import PhoneDomain

extension VerificationUseCase {
    /// A use case over fakes: one code, IDs that count, a clock that stands, and digests that show what is in them.
    public static func plain(
        over store: any VerificationStore & GuardStore & LimitStore,
        code: String = "123456",
        policy: VerificationPolicy = .standard,
        abusePolicy: AbusePolicy = .standard,
        accountPolicy: AccountPolicy = .standard,
        challenger: Challenger? = nil,
        sendHook: (any SendHook)? = nil,
        routes: Routes = .standard,
        inbound: InboundNumbers? = nil,
        vault: (any CodeVault)? = nil,
        digester: any NumberDigester = PlainNumberDigester(),
        identifiers: any IdentifierSource = CountingIdentifiers(),
        clock: any WallClock = ManualClock(),
        observer: any UseCaseObserver = Unobserved(),
        messageLease: @escaping @Sendable () -> Duration? = { nil },
        messageQueued: @escaping @Sendable (OutboxClaim?) -> Void = { _ in }
    ) throws -> VerificationUseCase {
        var useCase = VerificationUseCase(
            store: store,
            vault: try vault ?? FixedCodeVault(digits: code),
            digester: digester,
            identifiers: identifiers,
            clock: clock
        )
        (useCase.policy, useCase.abusePolicy, useCase.accountPolicy) = (policy, abusePolicy, accountPolicy)
        (useCase.challenger, useCase.sendHook, useCase.routes) = (challenger, sendHook, routes)
        (useCase.inbound, useCase.observer) = (inbound, observer)
        (useCase.messageLease, useCase.messageQueued) = (messageLease, messageQueued)
        return useCase
    }

    /// Requests a code for a number as it is typed.
    public func requestCode(
        for text: String,
        _ options: VerificationOptions = VerificationOptions(),
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification {
        try await begin(text, options, context: context).verification
    }

    public func begin(
        _ text: String,
        _ options: VerificationOptions = VerificationOptions(),
        context: RequestContext
    ) async throws(PhoneFailure) -> BeginVerification.Answer {
        try await begin(recipient(in: text, region: context.region), options, context: context)
    }
}
