import AccessTokens
import ArgumentParser
import CoreMetrics
import Hummingbird
import Logging
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain
import PhoneHTTP
import ServiceLifecycle

/// The HTTP service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the HTTP interface.",
        discussion: "Prints one line with its address when it is ready. SIGTERM lets requests finish and exits with 0."
    )

    @Option(help: "The address to listen on.")
    var host: String?

    @Option(help: "The port to listen on; 0 takes any free one.")
    var port: Int?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Let programs on this machine call without an API key.",
            discussion: "For trying it out, at an address of this machine alone."
        )
    )
    var insecureNoKeys = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            var settings = try await options.load()
            if insecureNoKeys { settings.servesWithoutKeys = true }
            settings.host = host ?? settings.host
            settings.port = port ?? settings.port
            try settings.requireSafeToServe()
            let logger = Logger.standardError(level: settings.logLevel, format: settings.observability.logFormat)
            settings.connectionLimits.maxConnections = min(
                settings.connectionLimits.maxConnections,
                OpenFiles.raiseLimit()
            )
            if !settings.limitsAreEnabled {
                logger.warning("limits.enabled is false: only the limits of a verification and of a number hold")
            }
            if let doubt = settings.doubtAboutTestNumbers(at: SystemWallClock().now()) { logger.warning("\(doubt)") }
            let tls = try await settings.tls?.makeIdentity(clock: SteadyClock.ofMachine(), logger: logger)
            let observation = Observation(settings.observability, clock: SystemWallClock(), logger: logger)
            let core = try Core(settings: settings, observation: observation, logger: logger)
            for exposure in settings.exposures(file: options.file) { logger.warning("\(exposure)") }
            if let doubt = settings.doubtAboutIssuer { logger.warning("\(doubt)") }
            if let doubt = settings.doubtAboutUndoAddress { logger.warning("\(doubt)") }
            let accessTokens = core.makeAccessTokens()
            try await accessTokens.prepare()
            let page = observation.page(over: core.store, clock: core.clock)
            let listener = settings.observability.listener
            if settings.servesWithoutKeys {
                // Whatever log.level is.
                logger.critical(
                    """
                    INSECURE: every program on this machine may send messages, check codes and decide about accounts without an API key \
                    (server.insecure_no_keys)
                    """
                )
            } else if try await core.store.apiKeys().allSatisfy({ $0.revokedAt != nil }) {
                logger.notice(
                    "there is no API key yet, so nobody can verify numbers; `phoneproof keys create` makes one"
                )
            }
            let useCase = observation.observing(core.useCase)
            let api = PhoneAPI(
                useCase: useCase,
                accounts: core.accounts(with: accessTokens),
                signups: core.signups,
                tokens: core.tokens,
                identifiers: core.identifiers,
                clock: core.clock,
                stub: core.stub,
                defaultRegion: settings.region,
                defaultLanguage: settings.language,
                signupTTL: settings.signupTTL,
                limits: settings.abusePolicy.limits,
                callers: CallerAuthority(keys: core.keys, servesLocalCallers: settings.servesWithoutKeys),
                requests: core.store,
                digester: core.vault,
                servesStubToAnyone: settings.allowsRemoteStub,
                stubHosts: settings.stubHosts,
                proxies: settings.proxies,
                metrics: listener == nil ? page : nil,
                discovery: Discovery(issuer: settings.issuer, keys: accessTokens),
                twilioVerify: core.twilioVerify(over: useCase),
                twilioReceipts: settings.makeTwilioReceipts(recordedBy: core.dispatcher),
                isReady: { try await core.store.ping() }
            )
            let server = Application(
                serving: api.makeRouter(),
                host: settings.host,
                port: settings.port,
                limits: settings.connectionLimits,
                proxies: settings.proxies,
                identity: tls?.identity,
                transportSecurity: settings.tls?.transportSecurity,
                origins: settings.crossOrigins,
                clock: core.clock,
                instruments: observation.instruments,
                logger: logger,
                onServerRunning: { [host = settings.host, isSecure = tls != nil] port in
                    Ready(host: host, port: port, isSecure: isSecure).announce()
                }
            )
            var services: [any Service] = []
            if let exporting = observation.exporting { services.append(exporting) }
            if let webhooks = core.webhooks { services.append(WebhookService(dispatcher: webhooks)) }
            services += [
                DispatcherService(dispatcher: core.dispatcher),
                SigningKeyService(tokens: accessTokens, logger: logger),
                MemoryService(),
                MaintenanceService(
                    store: core.store,
                    digester: core.vault,
                    retention: settings.retention,
                    auditRetention: settings.auditRetention,
                    clock: core.clock,
                    reloadKeys: { [vault = core.vault] in try vault.reloadKeys() },
                    didClose: { [expired = observation.expired] in expired.increment(by: $0) },
                    logger: logger
                ),
            ]
            if let stub = core.stub { services.append(StubService(stub: stub, logger: logger)) }
            if let page, let listener {
                services.append(MetricsServer(page: page, listener: listener, clock: core.clock, logger: logger))
            }
            if let tls { services.append(tls.service) }
            services.append(server)
            try await runServices(services, logger: logger, at: "\(settings.host):\(settings.port)")
            return .done
        }
    }
}
