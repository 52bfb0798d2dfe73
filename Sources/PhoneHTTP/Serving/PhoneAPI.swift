public import Hummingbird
public import PhoneDomain

/// The HTTP interface, and everything that it needs.
public struct PhoneAPI: Sendable {
    private let useCase: any VerificationUseCase
    private let accounts: any AccountUseCase
    private let signups: any SignupStore
    private let tokens: any TokenVault
    private let identifiers: any IdentifierSource
    private let clock: any WallClock
    private let plans: NumberingPlans
    private let stub: (any StubInbox)?
    private let locale: RequestLocale
    private let signupTTL: Duration
    private let limits: LimitPolicy
    private let callers: CallerAuthority
    private let requests: IdempotentRequests
    private let servesStubToAnyone: Bool
    private let stubHosts: Set<String>
    private let proxies: TrustedProxies
    private let metrics: MetricsPage?
    private let discovery: Discovery?
    private let twilioVerify: TwilioVerifyAPI?
    private let twilioReceipts: (any ReceiptIntake)?
    private let isReady: @Sendable () async throws -> Void

    /// An interface over these.
    ///
    /// - Parameters:
    ///   - useCase: the rules of verifications.
    ///   - accounts: the rules of accounts and their sessions.
    ///   - signups: where guided signups are kept.
    ///   - tokens: makes and compares the tokens of signups.
    ///   - identifiers: names signups.
    ///   - clock: says what time it is.
    ///   - plans: how numbers are read and written; those of the use case.
    ///   - stub: the SMS stub to show, or nil where messages go out for real; there is then nothing at its paths.
    ///   - defaultRegion: the region of a request that names none.
    ///   - defaultLanguage: the language of a request that names none.
    ///   - signupTTL: how long a signup lives from its beginning. Standard: an hour.
    ///   - limits: how many signups an address may begin.
    ///   - callers: tells which programs may call from server to server.
    ///   - requests: where requests are kept that may come again.
    ///   - digester: tells such a request from another.
    ///   - servesStubToAnyone: whether others than programs on the machine itself may read the stub, and every code in it.
    ///   - stubHosts: by which names programs on the machine itself call the stub, beside the machine's own.
    ///   - proxies: whose word on where a request came from is taken.
    ///   - metrics: what to show at `/metrics` to programs on the machine itself and to those whose key has the scope
    ///     `admin`, or nil for nothing.
    ///   - discovery: what to tell of access tokens, or nil for nothing.
    ///   - twilioVerify: Twilio Verify's own interface, or nil for nothing at its paths.
    ///   - twilioReceipts: takes in what Twilio reports of messages; nil where it was not told to.
    ///   - isReady: throws if the service cannot do its work at the moment.
    public init(
        useCase: any VerificationUseCase,
        accounts: any AccountUseCase,
        signups: any SignupStore,
        tokens: any TokenVault,
        identifiers: any IdentifierSource,
        clock: any WallClock,
        plans: NumberingPlans = .builtIn,
        stub: (any StubInbox)? = nil,
        defaultRegion: Region = .korea,
        defaultLanguage: LanguageTag = .korean,
        signupTTL: Duration = .seconds(3600),
        limits: LimitPolicy = .standard,
        callers: CallerAuthority,
        requests: any IdempotencyStore,
        digester: any NumberDigester,
        servesStubToAnyone: Bool = false,
        stubHosts: Set<String> = [],
        proxies: TrustedProxies = .none,
        metrics: MetricsPage? = nil,
        discovery: Discovery? = nil,
        twilioVerify: TwilioVerifyAPI? = nil,
        twilioReceipts: (any ReceiptIntake)? = nil,
        isReady: @escaping @Sendable () async throws -> Void
    ) {
        self.useCase = useCase
        self.accounts = accounts
        self.signups = signups
        self.tokens = tokens
        self.identifiers = identifiers
        self.clock = clock
        self.plans = plans
        self.stub = stub
        self.locale = RequestLocale(plans: plans, region: defaultRegion, language: defaultLanguage)
        self.signupTTL = signupTTL
        self.limits = limits
        self.callers = callers
        self.requests = IdempotentRequests(store: requests, digester: digester, clock: clock)
        self.servesStubToAnyone = servesStubToAnyone
        self.stubHosts = stubHosts
        self.proxies = proxies
        self.metrics = metrics
        self.discovery = discovery
        self.twilioVerify = twilioVerify
        self.twilioReceipts = twilioReceipts
        self.isReady = isReady
    }

    /// A router with all routes.
    public func makeRouter() -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ClientAddressing(proxies: proxies))
        router.addRoutes(signupRoutes, atPath: "/v1/signups")
        TokenRoutes(accounts: accounts).addRoutes(to: router)
        let forSignedIn = router.group().add(middleware: SignedInOnly(accounts: accounts))
        forSignedIn.addRoutes(SessionRoutes(accounts: accounts).routes, atPath: "/v1/sessions")
        forSignedIn.addRoutes(AccountRoutes(accounts: accounts, clock: clock).routes, atPath: "/v1/accounts/me")
        forSignedIn.addRoutes(numberChangeRoutes, atPath: RouterPath(NumberChangeRoutes.path))
        let forCallers = router.group().add(middleware: CallersOnly(authority: callers, scope: .verifications))
        forCallers.addRoutes(verificationRoutes, atPath: "/v1/verifications")
        forCallers.addRoutes(phoneNumberRoutes, atPath: "/v1/phone-numbers")
        router.addRoutes(NumberChangeUndoRoutes(accounts: accounts).routes, atPath: "/v1/number-changes")
        router.addRoutes(undoRoutes, atPath: "/undo")
        router.addRoutes(HealthRoutes(isReady: isReady).routes, atPath: "/health")
        router.addRoutes(OpenAPIRoutes().routes, atPath: "/openapi.json")
        if let twilioReceipts {
            router.addRoutes(ReceiptRoutes(twilio: twilioReceipts).routes, atPath: "/v1/receipts")
        }
        if let discovery { DiscoveryRoutes(discovery: discovery, clock: clock).addRoutes(to: router) }
        if let metrics {
            router.group("/metrics").add(middleware: MetricsReaders(authority: callers)).get(use: metrics.show)
        }
        twilioVerify?.addRoutes(to: router)
        if let stub {
            StubAPI(
                stub: stub,
                identifiers: identifiers,
                clock: clock,
                servesAnyone: servesStubToAnyone,
                hosts: stubHosts
            )
            .addRoutes(to: router)
        }
        return router
    }

    private var signupRoutes: RouteCollection<APIContext> {
        SignupRoutes(
            useCase: useCase,
            accounts: accounts,
            signups: signups,
            tokens: tokens,
            identifiers: identifiers,
            clock: clock,
            plans: plans,
            locale: locale,
            ttl: signupTTL,
            limits: limits,
            callers: callers
        ).routes
    }

    private var numberChangeRoutes: RouteCollection<APIContext> {
        NumberChangeRoutes(useCase: useCase, accounts: accounts, clock: clock, locale: locale).routes
    }

    private var verificationRoutes: RouteCollection<APIContext> {
        VerificationRoutes(useCase: useCase, requests: requests, clock: clock, locale: locale).routes
    }

    private var phoneNumberRoutes: RouteCollection<APIContext> {
        PhoneNumberRoutes(useCase: useCase, plans: plans, clock: clock, locale: locale).routes
    }

    private var undoRoutes: RouteCollection<APIContext> {
        UndoRoutes(accounts: accounts, identifiers: identifiers, clock: clock, language: locale.language).routes
    }
}
