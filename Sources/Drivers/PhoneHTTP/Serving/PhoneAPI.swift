public import PhoneAccounts
public import PhoneAdministration
public import PhoneDomain
public import PhoneNumbers

/// The service's HTTP interface: what its routes work with and, as variables, what can be set of them.
public struct PhoneAPI {
    /// The version of the program and of its API (https://semver.org).
    public static let version = "0.1.0"

    private let signups: HostedSignup
    private let requests: any IdempotencyStore
    private let digester: any NumberDigester
    private let callers: CallerAuthority
    private let identifiers: any IdentifierSource

    public var region: Region = .korea
    /// Those of the numbers that codes are sent to, which the pages offer.
    public var regions: Set<Region> = [.korea]
    public var language: LanguageTag = .korean
    public var pageIdentity = PageIdentity()
    public var proxies: TrustedProxies = .none
    /// Whether what is sent is shown at `/inbox`, to which the pages link then.
    public var hasInbox = false
    public var metrics: MetricsPage?
    public var discovery: Discovery?
    /// Tokens of other systems in the responses of approvals and signups.
    public var proofTokens: [any ProofTokens] = []
    public var receipts: [String: any ReportIntake] = [:]
    /// What takes the messages of people that gateways pass on, by the gateways' names.
    public var inbound: [String: any ReportIntake] = [:]
    /// What `/v1/admin` works with; nil for no such paths.
    public var administration: Administration?
    /// What shows a captcha on the pages.
    public var captcha: CaptchaWidget?
    /// How people sign in on the pages by a key on their device; nil for by a code alone.
    package var keySignIn: (any KeySignIn)?
    /// What `/docs` says beside the service's own API.
    public var docsLines: [DocsLine] = []
    /// Throws if the service cannot work at the moment.
    private let isReady: @Sendable () async throws -> Void

    public init(
        signups: HostedSignup,
        requests: any IdempotencyStore,
        digester: any NumberDigester,
        callers: CallerAuthority,
        identifiers: any IdentifierSource,
        isReady: @escaping @Sendable () async throws -> Void
    ) {
        (self.signups, self.requests, self.digester) = (signups, requests, digester)
        (self.callers, self.identifiers, self.isReady) = (callers, identifiers, isReady)
    }

    public func makeRouter() -> APIRouter {
        let (useCase, accounts, clock) = (signups.useCase, signups.accounts, signups.clock)
        let locale = RequestLocale(region: region, language: language)
        let router = APIRouter()
        router.add(ClientAddressing(proxies: proxies))
        SignupRoutes(signups: signups, locale: locale, callers: callers, proofTokens: proofTokens)
            .addRoutes(to: router.group("/v1/signups"))
        TokenRoutes(accounts: accounts).addRoutes(to: router)
        TokenEndpoint(accounts: accounts, discovery: discovery).addRoutes(to: router)
        let forSignedIn = router.group().add(SignedInOnly(accounts: accounts))
        SessionRoutes(accounts: accounts).addRoutes(to: forSignedIn.group("/v1/sessions"))
        AccountRoutes(accounts: accounts, clock: clock).addRoutes(to: forSignedIn.group("/v1/accounts/me"))
        let once = IdempotentRequests(store: requests, digester: digester, clock: clock, language: language)
        let numberChanges = NumberChangeRoutes(
            useCase: useCase,
            accounts: accounts,
            requests: once,
            clock: clock,
            locale: locale
        )
        numberChanges.addRoutes(to: forSignedIn.group(NumberChangeRoutes.path))
        let forCallers = router.group().add(CallersOnly(authority: callers, scope: .verifications))
        let verifications = VerificationRoutes(
            useCase: useCase,
            requests: once,
            clock: clock,
            locale: locale,
            proofTokens: proofTokens
        )
        verifications.addRoutes(to: forCallers.group("/v1/verifications"))
        verifications.addCommands(
            to: router.group("/v1/verifications")
                .add(CallersOnly(authority: callers, scope: .verifications, confirmsLater: true))
        )
        let phoneNumbers = PhoneNumberRoutes(useCase: useCase, clock: clock, locale: locale)
        forCallers.get("/v1/phone-numbers/{text}", use: phoneNumbers.judge)
        let challenges = ChallengeRoutes(useCase: useCase, clock: clock, locale: locale)
        router.get("/v1/challenges", use: challenges.make)
        router.post("/v1/number-changes/undo", use: NumberChangeUndoRoutes(accounts: accounts).undo)
        let guide = DocsGuide(
            address: discovery?.issuer ?? "",
            region: region,
            hasInbox: hasInbox,
            others: docsLines
        )
        let pages = SignupPages(
            signups: signups,
            locale: locale,
            identifiers: identifiers,
            regions: regions,
            issuer: discovery?.issuer,
            identity: pageIdentity,
            guide: hasInbox ? guide : nil,
            captcha: captcha,
            key: keySignIn
        )
        pages.addRoutes(to: router)
        if let discovery {
            SignInRoutes(pages: pages, issuer: discovery.issuer).addRoutes(to: router)
            DeviceRoutes(pages: pages).addRoutes(to: router)
            EmbedScript(issuer: discovery.issuer).addRoutes(to: router)
        }
        let undo = UndoRoutes(
            accounts: accounts,
            identifiers: identifiers,
            clock: clock,
            language: locale.language,
            identity: pageIdentity
        )
        undo.addRoutes(to: router.group("/undo"))
        HealthRoutes(isReady: isReady).addRoutes(to: router.group("/health"))
        let openAPI = OpenAPIRoutes(identifiers: identifiers, guide: guide)
        router.get("/openapi.json", use: openAPI.show)
        router.get("/openapi-admin.json", use: openAPI.showAdmin)
        router.get("/docs", use: openAPI.showPage)
        if let administration {
            AdminRoutes(administration: administration)
                .addRoutes(to: router.group("/v1/admin").add(CallersOnly(authority: callers, scope: .admin)))
        }
        ReportRoutes(intakes: receipts).addRoutes(to: router.group("/v1/receipts"))
        ReportRoutes(intakes: inbound).addRoutes(to: router.group("/v1/inbound"))
        discovery?.addRoutes(to: router)
        if let metrics {
            router.group("/metrics").add(MetricsAccess(authority: callers)).get(isPolled: true, use: metrics.show)
        }
        return router
    }
}
