import ArgumentParser
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

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            var settings = try await options.load()
            settings.host = host ?? settings.host
            settings.port = port ?? settings.port
            try settings.requireSafeToServe()
            let logger = Logger.standardError(level: settings.logLevel)
            settings.connectionLimits.maxConnections = min(
                settings.connectionLimits.maxConnections,
                OpenFiles.raiseLimit()
            )
            if !settings.limitsAreEnabled {
                logger.warning("limits.enabled is false: only the limits of a verification and of a number hold")
            }
            let core = try Core(settings: settings, logger: logger)
            let api = PhoneAPI(
                useCase: core.useCase,
                signups: core.signups,
                tokens: core.tokens,
                identifiers: core.identifiers,
                clock: core.clock,
                stub: core.stub,
                defaultRegion: settings.region,
                defaultLanguage: settings.language,
                signupTTL: settings.signupTTL,
                limits: settings.abusePolicy.limits,
                servesVerifications: settings.isLoopback,
                servesStubToAnyone: settings.allowsRemoteStub,
                proxies: settings.proxies,
                isReady: { try await core.store.ping() }
            )
            let server = Application(
                serving: api.makeRouter(),
                host: settings.host,
                port: settings.port,
                limits: settings.connectionLimits,
                clock: core.clock,
                logger: logger,
                onServerRunning: { [host = settings.host] port in Ready(host: host, port: port).announce() }
            )
            try await runServices(
                (core.webhooks.map { [WebhookService(dispatcher: $0)] } ?? []) + [
                    DispatcherService(dispatcher: core.dispatcher),
                    MaintenanceService(
                        store: core.store,
                        retention: settings.retention,
                        auditRetention: settings.auditRetention,
                        clock: core.clock,
                        reloadKeys: { [vault = core.vault] in try vault.reloadKeys() },
                        logger: logger
                    ),
                    server,
                ],
                logger: logger,
                at: "\(settings.host):\(settings.port)"
            )
            return .done
        }
    }
}
