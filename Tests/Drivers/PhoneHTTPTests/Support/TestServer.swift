import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneSignup
import PhoneTestSupport
import PhoneViewModel
import SMSStub
import Synchronization
import Testing

/// A server over in-memory ports, whose every code is ``code``, at 2026-01-01T00:00:00Z.
struct TestServer: Sendable {
    static let code = "314159"

    let server: RunningServer
    /// Method and path of each route, such as `GET /health/live`.
    let routes: [String]
    let clock: ManualClock
    let store: MemoryStore
    let inbox: SMSStub
    let log: LogRecorder
    let useCase: VerificationUseCase
    let keys: APIKeys
    let accessTokens: PlainAccessTokens
    /// Receives Twilio's delivery reports.
    let receipts: PlainReportIntake
    let administration: Administration

    /// Runs a server for the duration of the closure.
    static func run(
        policy: VerificationPolicy = .standard,
        abusePolicy: AbusePolicy = .standard,
        accountPolicy: AccountPolicy = .standard,
        challenger: Challenger? = nil,
        pageIdentity: PageIdentity = PageIdentity(),
        noticeLanguage: LanguageTag = .english,
        hasStub: Bool = true,
        hasReceipts: Bool = true,
        servesLocalCallers: Bool = true,
        stubHosts: Set<String> = [],
        proxies: TrustedProxies = .none,
        metrics: MetricsPage? = .plain,
        issuer: String = "https://phone.example",
        publisher: any SigningKeyPublisher = PlainPublisher(),
        proofTokens: [any ProofTokens] = [],
        numberProofs: [any NumberProofVerifier] = [],
        instruments: Instruments = .none,
        limits: ConnectionLimits = .patient,
        origins: CrossOrigins = .none,
        isReady: @escaping @Sendable () async throws -> Void = {},
        signups: (MemoryStore) -> any SignupStore = { $0 },
        identifiers makeIdentifiers: (ManualClock) -> any IdentifierSource = { _ in CountingIdentifiers() },
        _ work: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        let (clock, store, log) = (ManualClock(), MemoryStore(), LogRecorder())
        let inbox = SMSStub(identifiers: CountingIdentifiers(), wallClock: clock)
        let identifiers = makeIdentifiers(clock)
        var useCase = VerificationUseCase(
            store: store,
            vault: FixedCodeVault(code: try #require(VerificationCode(code))),
            digester: PlainNumberDigester(),
            identifiers: identifiers,
            clock: clock
        )
        (useCase.policy, useCase.abusePolicy, useCase.accountPolicy) = (policy, abusePolicy, accountPolicy)
        (useCase.challenger, useCase.numberProofs) = (challenger, numberProofs)
        let (accessTokens, receipts) = (PlainAccessTokens(), PlainReportIntake())
        let accounts = AccountUseCase(
            accountPolicy: accountPolicy,
            limits: abusePolicy.limits,
            store: store,
            authority: accessTokens,
            deriver: PlainSecretDeriver(),
            vault: PlainTokenVault(),
            digester: PlainNumberDigester(),
            identifiers: CountingIdentifiers(after: 1000),
            clock: clock,
            noticeLanguage: noticeLanguage
        )
        let keys = APIKeys(store: store, tokens: PlainTokenVault(), identifiers: identifiers, clock: clock)
        let hosted = HostedSignup(
            useCase: useCase,
            accounts: accounts,
            store: signups(store),
            tokens: PlainTokenVault(),
            identifiers: identifiers,
            clock: clock,
            ttl: .seconds(3600),
            limits: abusePolicy.limits
        )
        var api = PhoneAPI(
            signups: hosted,
            requests: store,
            digester: PlainNumberDigester(),
            callers: CallerAuthority(keys: keys, servesLocalCallers: servesLocalCallers),
            identifiers: identifiers,
            isReady: isReady
        )
        (api.pageIdentity, api.proofTokens) = (pageIdentity, proofTokens)
        (api.hasInbox, api.proxies) = (hasStub, proxies)
        (api.metrics, api.receipts) = (metrics, hasReceipts ? ["twilio": receipts] : [:])
        api.discovery = Discovery(issuer: issuer, keys: publisher, clock: clock)
        let administration = Administration(
            policies: Administration.Policies(limits: abusePolicy.limits, trafficGuard: abusePolicy.trafficGuard),
            store: store,
            keys: keys,
            clients: OAuthClients(store: store, tokens: PlainTokenVault(), identifiers: identifiers, clock: clock),
            clock: clock,
            digester: { PlainNumberDigester() },
            gateways: PlainGatewayDesk(),
            configuration: { [Finding("retention", "30 days"), .warning("a test")] },
            keyFile: { KeyFileFacts(keys: 2, changedAt: Timestamp(seconds: 1_764_547_200)) },
            instance: Instance.ID(bits: 0, 9)
        )
        api.administration = administration
        let router = api.makeRouter()
        if hasStub {
            StubAPI(
                stub: inbox,
                identifiers: identifiers,
                hosts: stubHosts,
                receive: { [useCase] in try await useCase.receive($0) }
            )
            .addRoutes(to: router)
        }
        let routes = router.routes.map { "\($0.method.rawValue) \($0.path)" }
        var contract = Contract.native
        contract.demandsKeys = !servesLocalCallers
        try await RunningServer.run(
            router,
            limits: limits,
            origins: origins,
            clock: clock,
            instruments: instruments,
            logger: log.logger,
            // Of docks it has nothing.
            contract: proofTokens.isEmpty ? contract : nil
        ) { [useCase] server in
            try await work(
                TestServer(
                    server: server,
                    routes: routes,
                    clock: clock,
                    store: store,
                    inbox: inbox,
                    log: log,
                    useCase: useCase,
                    keys: keys,
                    accessTokens: accessTokens,
                    receipts: receipts,
                    administration: administration
                )
            )
        }
    }

    /// Sends a request and reads the whole response.
    func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        type: String? = "application/json",
        token: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        try await server.send(method, path, body, type: type, token: token, headers: headers)
    }
}

extension MetricsPage {
    /// An empty page, in either format.
    static let plain = MetricsPage { accept in
        accept == nil
            ? (type: "text/plain; version=0.0.4; charset=utf-8", text: "up 1\n")
            : (type: "application/openmetrics-text; version=1.0.0; charset=utf-8", text: "up 1\n# EOF\n")
    }
}

/// Publishes these keys, or fails.
struct PlainPublisher: SigningKeyPublisher {
    /// The point of RFC 7515 appendix A.3.
    static let key = PublishedKey(
        id: SigningKey.ID(bits: 0x0123_4567_89AB_CDEF, 1),
        algorithm: .es256,
        numbers: [
            "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ]
    )

    var keys: [PublishedKey]? = [key]

    func publishedKeys(at now: Timestamp) throws -> [PublishedKey] {
        guard let keys else { throw Outage() }
        return keys
    }
}

/// Accepts what is signed with ``rightSignature``, and keeps all reports.
final class PlainReportIntake: ReportIntake {
    static let rightSignature = "cmlnaHQ="

    let signatureHeader: String? = "X-Twilio-Signature"

    private let state = Mutex((reports: [GatewayReport](), fault: (any Error)?.none))

    /// The fields of every report, accepted or not.
    var reports: [[GatewayReport.Field]] { state.withLock { $0.reports.map(\.fields) } }

    func fail(with fault: any Error = Outage()) {
        state.withLock { $0.fault = fault }
    }

    func take(_ report: GatewayReport) async throws -> Bool {
        let fault = state.withLock { state in
            state.reports.append(report)
            return state.fault
        }
        guard report.signature == Self.rightSignature else { return false }
        if let fault { throw fault }
        return true
    }
}

/// The cause of a test's failures.
struct Outage: Error {}
