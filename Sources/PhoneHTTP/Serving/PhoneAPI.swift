public import PhoneDomain
import PhoneViewModel
public import SMSStub

public enum PhoneAPI {
    /// The version of the program and of its API (https://semver.org).
    public static let version = "0.1.0"

    /// - Parameters:
    ///   - stub: the SMS stub to serve; nil with a real gateway.
    ///   - regions: of the numbers that codes are sent to, which the pages offer.
    ///   - limits: how many signups an address may begin.
    ///   - servesStubToAnyone: whether other machines may read the stub, and every code in it.
    ///   - stubHosts: further names of this machine by which its programs call the stub.
    ///   - isReady: throws if the service cannot work at the moment.
    public static func makeRouter(
        useCase: any VerificationUseCase,
        accounts: AccountUseCase,
        signups: any SignupStore,
        tokens: any TokenVault,
        identifiers: any IdentifierSource,
        clock: any WallClock,
        stub: SMSStub? = nil,
        defaultRegion: Region = .korea,
        regions: Set<Region> = [.korea],
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
        twilioReceipts: (any ReceiptIntake)? = nil,
        isReady: @escaping @Sendable () async throws -> Void
    ) -> APIRouter {
        let locale = RequestLocale(region: defaultRegion, language: defaultLanguage)
        let router = APIRouter()
        router.add(ClientAddressing(proxies: proxies))
        let hosted = HostedSignup(
            useCase: useCase,
            accounts: accounts,
            store: signups,
            tokens: tokens,
            identifiers: identifiers,
            clock: clock,
            ttl: signupTTL,
            limits: limits
        )
        SignupRoutes(signups: hosted, locale: locale, callers: callers).addRoutes(to: router.group("/v1/signups"))
        TokenRoutes(accounts: accounts).addRoutes(to: router)
        TokenEndpoint(accounts: accounts).addRoutes(to: router)
        let forSignedIn = router.group().add(SignedInOnly(accounts: accounts))
        SessionRoutes(accounts: accounts).addRoutes(to: forSignedIn.group("/v1/sessions"))
        AccountRoutes(accounts: accounts, clock: clock).addRoutes(to: forSignedIn.group("/v1/accounts/me"))
        let numberChanges = NumberChangeRoutes(useCase: useCase, accounts: accounts, clock: clock, locale: locale)
        numberChanges.addRoutes(to: forSignedIn.group(NumberChangeRoutes.path))
        let forCallers = router.group().add(CallersOnly(authority: callers, scope: .verifications))
        let verifications = VerificationRoutes(
            useCase: useCase,
            requests: IdempotentRequests(store: requests, digester: digester, clock: clock, language: defaultLanguage),
            clock: clock,
            locale: locale
        )
        verifications.addRoutes(to: forCallers.group("/v1/verifications"))
        verifications.addCommands(
            to: router.group("/v1/verifications")
                .add(CallersOnly(authority: callers, scope: .verifications, confirmsLater: true))
        )
        let phoneNumbers = PhoneNumberRoutes(useCase: useCase, clock: clock, locale: locale)
        forCallers.get("/v1/phone-numbers/{text}", use: phoneNumbers.judge)
        router.post("/v1/number-changes/undo", use: NumberChangeUndoRoutes(accounts: accounts).undo)
        let pages = SignupPages(
            signups: hosted,
            locale: locale,
            identifiers: identifiers,
            regions: regions,
            issuer: discovery?.issuer
        )
        pages.addRoutes(to: router)
        if let discovery {
            SignInRoutes(pages: pages, issuer: discovery.issuer).addRoutes(to: router)
            EmbedScript(issuer: discovery.issuer).addRoutes(to: router)
        }
        let undo = UndoRoutes(accounts: accounts, identifiers: identifiers, clock: clock, language: locale.language)
        undo.addRoutes(to: router.group("/undo"))
        HealthRoutes(isReady: isReady).addRoutes(to: router.group("/health"))
        let openAPI = OpenAPIRoutes(identifiers: identifiers)
        router.get("/openapi.json", use: openAPI.show)
        router.get("/docs", use: openAPI.showPage)
        if let twilioReceipts {
            router.post("/v1/receipts/twilio", use: ReceiptRoutes(twilio: twilioReceipts).receiveFromTwilio)
        }
        discovery?.addRoutes(to: router)
        if let metrics {
            router.group("/metrics").add(MetricsAccess(authority: callers)).get(use: metrics.show)
        }
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
