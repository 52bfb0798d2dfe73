import ArgumentParser
import CoreMetrics
import Logging
import OpenSSLCrypto
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneHTTP
import SMSStub
import ServiceLifecycle

struct ServeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the HTTP service.",
        discussion: """
            Prints its URL on one line when it is ready. On SIGTERM it finishes pending requests and exits with 0. If a service \
            manager passes a listening socket (systemd.socket), it listens on that one instead of host and port.
            """
    )

    @Option(help: "The address to listen on.") var host: String?
    @Option(help: "The port to listen on; 0 for any free port.") var port: Int?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Accept requests without an API key.",
            discussion: "For trying it out; only with a loopback address."
        )
    )
    var insecureNoKeys = false

    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let socket = try InheritedSocket.take()
        var settings = try await options.load()
        if insecureNoKeys { settings.server.servesWithoutKeys = true }
        settings.server.host = host ?? settings.server.host
        settings.server.port = port ?? settings.server.port
        if let address = socket?.address { (settings.server.host, settings.server.port) = address }
        try settings.requireSafeToServe()
        let logger = Logger.standardError(level: settings.logLevel, format: settings.observability.logFormat)
        settings.server.limits.maxConnections = min(settings.server.limits.maxConnections, OpenFiles.raiseLimit())
        if !settings.limitsAreEnabled {
            logger.warning("limits.enabled is false: only the limits per verification and per number are on")
        }
        if let doubt = settings.doubtAboutTestNumbers(at: SystemWallClock().now()) { logger.warning("\(doubt)") }
        var certificates: CertificateService?
        if let tls = settings.server.tls {
            certificates = try await CertificateService(tls, clock: SteadyClock.ofMachine(), logger: logger)
        }
        let observation = Observation(settings.observability, clock: SystemWallClock(), logger: logger)
        let core = try Core(settings: settings, observation: observation, logger: logger)
        defer { core.store.close() }
        try await core.connectStore()
        for exposure in settings.exposures(file: options.configuration.file) { logger.warning("\(exposure)") }
        if let doubt = settings.doubtAboutIssuer { logger.warning("\(doubt)") }
        if let doubt = settings.doubtAboutUndoAddress { logger.warning("\(doubt)") }
        let accessTokens = core.makeAccessTokens()
        try await accessTokens.prepare()
        let page = observation.page(over: core.store, clock: core.clock)
        let listener = settings.observability.listener
        let hasKeys = try await core.store.apiKeys().contains { $0.revokedAt == nil }
        if settings.server.servesWithoutKeys {
            // Whatever log.level is.
            logger.critical(
                """
                INSECURE: any program on this machine can send messages, check codes and decide about accounts without an API key \
                (server.insecure_no_keys)
                """
            )
        } else if !hasKeys {
            logger.notice("there is no API key yet; create one with `phoneproof keys create --name NAME`")
        }
        let needsNoKey = hasKeys || settings.server.servesWithoutKeys
        let keyCommand = needsNoKey ? nil : options.command("keys", "create", "--name", "my-app")
        let useCase = observation.observing(core.useCase)
        let router = PhoneAPI.makeRouter(
            useCase: useCase,
            accounts: core.accounts(with: accessTokens),
            signups: core.store,
            tokens: core.tokens,
            identifiers: core.identifiers,
            clock: core.clock,
            stub: core.stub,
            defaultRegion: settings.region,
            regions: settings.policy.allowedRegions,
            defaultLanguage: settings.language,
            signupTTL: settings.signupTTL,
            limits: settings.abusePolicy.limits,
            callers: CallerAuthority(keys: core.keys, servesLocalCallers: settings.server.servesWithoutKeys),
            requests: core.store,
            digester: core.vault,
            servesStubToAnyone: settings.sms.allowsRemoteStub,
            stubHosts: settings.sms.stubHosts,
            proxies: settings.server.proxies,
            metrics: listener == nil ? page : nil,
            discovery: Discovery(issuer: settings.issuer, keys: accessTokens, clock: core.clock),
            twilioReceipts: settings.makeTwilioReceipts(recordedBy: core.dispatcher),
            isReady: { try await core.store.ping() }
        )
        core.addDocks(to: router, over: useCase)
        let server = HTTPService(
            serving: router,
            host: settings.server.host,
            port: settings.server.port,
            socket: socket?.descriptor,
            limits: settings.server.limits,
            proxies: settings.server.proxies,
            identity: certificates?.identity,
            transportSecurity: settings.server.tls?.transportSecurity,
            origins: settings.crossOrigins,
            language: settings.language,
            clock: core.clock,
            instruments: observation.instruments,
            logger: logger,
            onServerRunning: announceReady(host: settings.server.host, isSecure: certificates != nil) {
                [stub = core.stub] url in
                var hints = ["API description:  \(url)/docs"]
                if stub != nil { hints.insert("Messages sent:    \(url)/inbox", at: 0) }
                if let keyCommand { hints.append("Create API key:   \(keyCommand)") }
                return hints
            }
        )
        var services: [any Service] = []
        if let exporting = observation.exporting { services.append(exporting) }
        if let webhooks = core.webhooks { services.append(BackgroundService { await webhooks.run() }) }
        services += [
            BackgroundService { [dispatcher = core.dispatcher] in await dispatcher.run() },
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
        if let certificates { services.append(certificates) }
        services.append(server)
        try await runServices(services, logger: logger, at: "\(settings.server.host):\(settings.server.port)")
    }
}

struct StubCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "sms-stub",
        abstract: "Run a fake SMS gateway that captures messages.",
        discussion: """
            Implements Twilio's Messages API, so that programs that send with Twilio can use it, and shows the messages at \
            /inbox and /stub/messages. Posts delivery statuses to a message's StatusCallback, signed with the auth token of \
            its sender. For programs with a fixed https://api.twilio.com, add that name to sms.stub.hosts, let it resolve to \
            this machine, and provide a certificate for it.
            """
    )

    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port to listen on; 0 for any free port.") var port = 8081

    @Option(
        help: ArgumentHelp("Serve HTTPS with the certificate in this file (PEM).", valueName: "file"),
        completion: .file()
    )
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's key (PEM).", valueName: "file"), completion: .file())
    var tlsKey: String?

    @OptionGroup var options: ConfigurationOptions

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key must be set together")
        }
    }

    func execute() async throws {
        var settings = try await options.load()
        (settings.server.host, settings.server.port) = (host, port)
        try settings.requireSafeToServe(stub: true)
        let clock = SteadyClock.ofMachine()
        let logger = Logger.standardError(level: settings.logLevel, format: settings.observability.logFormat)
        settings.server.limits.maxConnections = min(settings.server.limits.maxConnections, OpenFiles.raiseLimit())
        var certificates: CertificateService?
        if let tlsCertificate, let tlsKey {
            let names = (certificate: "--tls-certificate", key: "--tls-key")
            let files = TLSFiles(certificate: tlsCertificate, key: tlsKey, names: names)
            // No Strict-Transport-Security: the name may be somebody else's.
            let tls = Settings.TLS(files: files, transportSecurity: .zero)
            certificates = try await CertificateService(tls, clock: clock, logger: logger)
        }
        let stub = SMSStub(identifiers: OpenSSLRandom(), wallClock: clock)
        let server = HTTPService(
            serving: StubAPI(
                stub: stub,
                identifiers: OpenSSLRandom(),
                clock: clock,
                servesAnyone: settings.sms.allowsRemoteStub,
                hosts: settings.sms.stubHosts
            ).makeRouter(),
            host: host,
            port: port,
            limits: settings.server.limits,
            identity: certificates?.identity,
            language: settings.language,
            clock: clock,
            logger: logger,
            onServerRunning: announceReady(host: host, isSecure: certificates != nil)
        )
        var services: [any Service] = [StubService(stub: stub, logger: logger), server]
        if let certificates { services.insert(certificates, at: 1) }
        try await runServices(services, logger: logger, at: "\(host):\(port)")
    }
}
