public import Hummingbird
public import PhoneDomain

/// The HTTP API and its dependencies.
public struct PhoneAPI: Sendable {
    /// The version of the program and of its API (https://semver.org).
    public static let version = "0.1.0"

    private let useCase: any VerificationUseCase
    private let accounts: AccountUseCase
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

    /// - Parameters:
    ///   - plans: those of the use case.
    ///   - stub: the SMS stub to serve; nil with a real gateway.
    ///   - defaultRegion: of requests that name none.
    ///   - defaultLanguage: of requests that name none.
    ///   - signupTTL: the lifetime of a signup.
    ///   - limits: how many signups an address may begin.
    ///   - servesStubToAnyone: whether other machines may read the stub, and every code in it.
    ///   - stubHosts: further names of this machine by which its programs call the stub.
    ///   - proxies: may say where a request came from.
    ///   - metrics: nil for no `/metrics`.
    ///   - discovery: nil for no keys and metadata of tokens.
    ///   - twilioVerify: nil for no `/v2`.
    ///   - twilioReceipts: nil if Twilio sends no delivery reports.
    ///   - isReady: throws if the service cannot work at the moment.
    public init(
        useCase: any VerificationUseCase,
        accounts: AccountUseCase,
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

    public func makeRouter() -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ClientAddressing(proxies: proxies))
        let signups = SignupRoutes(
            useCase: useCase,
            accounts: accounts,
            signups: self.signups,
            tokens: tokens,
            identifiers: identifiers,
            clock: clock,
            plans: plans,
            locale: locale,
            ttl: signupTTL,
            limits: limits,
            callers: callers
        )
        router.addRoutes(signups.routes, atPath: "/v1/signups")
        TokenRoutes(accounts: accounts).addRoutes(to: router)
        let forSignedIn = router.group().add(middleware: SignedInOnly(accounts: accounts))
        forSignedIn.addRoutes(SessionRoutes(accounts: accounts).routes, atPath: "/v1/sessions")
        forSignedIn.addRoutes(AccountRoutes(accounts: accounts, clock: clock).routes, atPath: "/v1/accounts/me")
        let numberChanges = NumberChangeRoutes(useCase: useCase, accounts: accounts, clock: clock, locale: locale)
        forSignedIn.addRoutes(numberChanges.routes, atPath: RouterPath(NumberChangeRoutes.path))
        let forCallers = router.group().add(middleware: CallersOnly(authority: callers, scope: .verifications))
        let verifications = VerificationRoutes(useCase: useCase, requests: requests, clock: clock, locale: locale)
        forCallers.addRoutes(verifications.routes, atPath: "/v1/verifications")
        let phoneNumbers = PhoneNumberRoutes(useCase: useCase, plans: plans, clock: clock, locale: locale)
        forCallers.addRoutes(phoneNumbers.routes, atPath: "/v1/phone-numbers")
        router.addRoutes(NumberChangeUndoRoutes(accounts: accounts).routes, atPath: "/v1/number-changes")
        let undo = UndoRoutes(accounts: accounts, identifiers: identifiers, clock: clock, language: locale.language)
        router.addRoutes(undo.routes, atPath: "/undo")
        router.addRoutes(HealthRoutes(isReady: isReady).routes, atPath: "/health")
        router.addRoutes(OpenAPIRoutes().routes, atPath: "/openapi.json")
        if let twilioReceipts {
            router.addRoutes(ReceiptRoutes(twilio: twilioReceipts).routes, atPath: "/v1/receipts")
        }
        if let discovery { DiscoveryRoutes(discovery: discovery, clock: clock).addRoutes(to: router) }
        if let metrics {
            router.group("/metrics").add(middleware: MetricsAccess(authority: callers)).get(use: metrics.show)
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
}
