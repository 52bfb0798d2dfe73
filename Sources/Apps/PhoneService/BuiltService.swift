import CoreMetrics
import Glibc
package import Logging
import NIOCore
import OpenSSLCrypto
import PhoneAccounts
import PhoneAdministration
import PhoneDelivery
import PhoneDomain
package import PhoneHTTP
import PhoneViewModel
import SMSStub
import ServiceLifecycle
package import Telemetry

/// A service with all that it needs to run.
package struct BuiltService: Sendable {
    package let core: ServiceCore
    package let server: HTTPService
    /// What responds on all listeners.
    package let responders: [APIResponder]
    /// The server is the last.
    private let services: [any Service]
    private let logger: Logger

    fileprivate init(
        core: ServiceCore,
        server: HTTPService,
        listeners: [ListenerService],
        beside others: [any Service],
        logger: Logger
    ) {
        (self.core, self.server, self.logger) = (core, server, logger)
        responders = [server.responder] + listeners.map(\.server.responder)
        services = others + [MainService(server: server, listeners: listeners)]
    }

    /// Runs until it fails or a signal stops the process.
    package func run() async throws {
        let address = core.settings.server
        try await runServices(services, logger: logger, at: "\(address.host):\(address.port)")
    }
}

/// Builds the service that settings describe. The caller closes its store.
///
/// - Parameters:
///   - socket: where to listen, in place of the address that is set.
///   - keyCommand: what an operator types to create an API key, shown while there is none.
///   - load: reads and checks the settings again; nil if they stay as they are.
///   - threshold: that of the logger.
/// - Throws: ``Failure``, ``SettingsError``, or what the store or the keys throw; each says what to do in one line.
package func buildService(
    _ settings: Settings,
    socket: InheritedSocket? = nil,
    keyCommand: String? = nil,
    reloading load: (@Sendable () throws -> Settings)? = nil,
    threshold: LogThreshold? = nil,
    logger: Logger
) async throws -> BuiltService {
    let reloader = load.map { SettingsReloader($0, threshold, logger: logger) }
    let hangups = await HangupService { try? await _ = reloader?.reload() }
    var certificates: CertificateService?
    if let tls = settings.server.tls {
        certificates = try await CertificateService(tls.files, clock: SteadyClock.ofMachine(), logger: logger)
    }
    let observation = Observation(settings, clock: SystemWallClock(), logger: logger)
    var core = try ServiceCore(settings: settings, observation: observation, logger: logger)
    do {
        if let reloader { core.reload = { try await reloader.reload(by: $0) } }
        let inForce = CoreInForce(core)
        try await core.connectStore()
        // The database is there, with what it has beside it.
        for doubt in settings.doubts(at: core.clock.now()) { logger.warning("\(doubt.text)") }
        let accessTokens = core.makeAccessTokens()
        try await accessTokens.prepare()
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
            logger.notice("there is no API key yet; create one with `\(keyCommand ?? "keys create")`")
        }
        let page = observation.page(over: core.store, clock: core.clock) {
            try await inForce.current.administration.findings()
        }
        let listener = settings.observability.listener
        let metricsPage = listener == nil ? page : nil
        let (router, dockListeners) = core.makeRouter(
            accessTokens,
            logger: logger,
            metrics: metricsPage
        )
        let needsNoKey = hasKeys || settings.server.servesWithoutKeys
        var listeners = dockListeners
        if let listener {
            listeners.append(
                DockListener(
                    name: "metrics",
                    host: listener.host,
                    port: listener.port,
                    path: "/metrics",
                    makeRouter: page.makeRouter
                )
            )
        }
        let hints = startHints(
            hasStub: core.stub != nil,
            keyCommand: needsNoKey ? nil : keyCommand,
            beside: listeners
        )
        let server = HTTPService(
            serving: router,
            settings.serverOptions(socket: socket, identity: certificates?.identity),
            clock: core.clock,
            instruments: observation.instruments,
            logger: logger,
            onServerRunning: announceReady(host: settings.server.host, isSecure: certificates != nil, hints: hints)
        )
        var services: [any Service] = []
        // The first of all, so that it is listed until the others have stopped.
        if let instance = core.instance {
            services.append(
                InstanceService(
                    instance: instance,
                    findings: { inForce.current.administration.ownFindings() },
                    store: core.store,
                    logger: logger
                )
            )
        }
        services += inForce.backgroundServices(accessTokens, observation, logger: logger)
        let listening = listeners.map { ListenerService($0, clock: core.clock, logger: logger) }
        services += listening
        if let certificates { services.append(certificates) }
        services.append(hangups)
        await reloader?.begin(with: inForce, observation) { core in
            let (router, docks) = core.makeRouter(accessTokens, logger: logger, metrics: metricsPage)
            server.responder.serve(router, language: core.settings.language)
            for dock in docks { listening.first { $0.name == dock.name }?.serve(dock) }
            core.useRules()
        }
        return BuiltService(core: core, server: server, listeners: listening, beside: services, logger: logger)
    } catch {
        core.store.close()
        throw error
    }
}

/// What to open and type next, given the URL.
private func startHints(
    hasStub: Bool,
    keyCommand: String?,
    beside listeners: [DockListener]
) -> @Sendable (_ url: String) -> [String] {
    { url in
        var hints = [("Start page", "\(url)/")]
        if hasStub { hints.append(("Messages sent", "\(url)/inbox")) }
        hints.append(("API description", "\(url)/docs"))
        hints += listeners.map { ($0.name.prefix(1).uppercased() + $0.name.dropFirst(), $0.url) }
        if let keyCommand { hints.append(("Create API key", keyCommand)) }
        return hints.map { name, value in
            "\(name):" + String(repeating: " ", count: max(1, 17 - name.count)) + value
        }
    }
}

extension ServiceCore {
    fileprivate func makeRouter(
        _ accessTokens: JWTAccessTokens,
        logger: Logger,
        metrics: MetricsPage?
    ) -> (APIRouter, [DockListener]) {
        let accounts = accounts(with: accessTokens)
        // A person who looks for the phone takes minutes. Whatever is begun and left behind is stored for as long.
        let signupTTL: Duration = .seconds(1800)
        let signups = HostedSignup(
            useCase: useCase,
            accounts: accounts,
            store: store,
            tokens: tokens,
            identifiers: identifiers,
            clock: clock,
            ttl: signupTTL,
            limits: settings.abusePolicy.limits
        )
        var api = PhoneAPI(
            signups: signups,
            requests: store,
            digester: vault,
            callers: CallerAuthority(keys: keys, servesLocalCallers: settings.server.servesWithoutKeys),
            identifiers: identifiers,
            isReady: { [store] in try await store.ping() }
        )
        (api.region, api.regions, api.language) = (settings.region, settings.policy.allowedRegions, settings.language)
        (api.pageIdentity, api.captcha) = (settings.pages, settings.challenge?.captcha?.widget)
        (api.proxies, api.metrics) = (settings.server.proxies, metrics)
        api.hasInbox = stub != nil
        let discovery = Discovery(issuer: settings.issuer, keys: accessTokens, clock: clock)
        api.discovery = discovery
        api.administration = administration
        api.receipts = settings.makeReceiptIntakes(recordedBy: dispatcher)
        api.inbound = settings.makeInboundIntakes(InboundReceiver(useCase, region: settings.region, logger: logger))
        var service = dockService(accounts, discovery, accessTokens)
        api.proofTokens = settings.docks.compactMap { $0.proofTokens(over: service) }
        api.docsLines = settings.docks.compactMap(\.docsLine)
        let keySignIn = settings.docks.lazy.compactMap { [service] in $0.keySignIn(over: service) }.first
        (api.keySignIn, service.administration.signInKeyDesk) = (keySignIn, keySignIn)
        let router = api.makeRouter()
        if let stub {
            StubAPI(
                stub: stub,
                identifiers: identifiers,
                servesAnyone: settings.sms.allowsRemoteStub,
                hosts: settings.sms.stubHosts,
                receive: { try await useCase.receive($0) }
            )
            .addRoutes(to: router)
        }
        for dock in settings.docks { dock.addRoutes(to: router, over: service) }
        return (router, settings.docks.compactMap { $0.listener(over: service) })
    }
}

extension CoreInForce {
    /// What runs beside the server, which stops before them.
    fileprivate func backgroundServices(
        _ accessTokens: JWTAccessTokens,
        _ observation: Observation,
        logger: Logger
    ) -> [any Service] {
        let core = current
        let (store, clock, vault, settings) = (core.store, core.clock, core.vault, core.settings)
        var services: [any Service] = []
        services += observation.exporting
        if let webhooks = core.webhooks { services.append(BackgroundService { await webhooks.run() }) }
        if let feedback = core.feedback { services.append(BackgroundService { await feedback.run() }) }
        services += [
            BackgroundService { [dispatcher = core.dispatcher] in await dispatcher.run() },
            RefreshService(
                interval: RefreshService.keyInterval,
                failure: "the signing keys could not be read; still using the previous ones",
                work: { try await accessTokens.refreshKeys() },
                logger: logger
            ),
            RefreshService(
                interval: OverridesInForce.interval,
                failure: "the overrides of settings could not be read; still using the previous ones",
                work: { [overrides = core.overrides] in try await overrides.read(from: store) },
                logger: logger
            ),
            RefreshService(
                interval: OddsInForce.interval,
                isFirstAtOnce: true,
                failure: "the figures that routes learn by could not be read; still using the previous ones",
                work: { [odds = core.odds] in
                    guard self.current.settings.sms.routes.learns else { return }
                    try await odds.read(from: store, at: clock.now())
                },
                logger: logger
            ),
            MemoryService(),
            MaintenanceService(
                store: store,
                digester: vault,
                settings: { self.current.settings },
                clock: clock,
                reloadKeys: { try vault.reloadKeys() },
                didClose: { [expired = observation.expired] in expired.increment(by: $0) },
                logger: logger
            ),
        ]
        let fallback = ChannelFallback(
            store: store,
            useCase: {
                // Its refusals are not those that clients get.
                var useCase = self.current.useCase
                useCase.observer = Unobserved()
                return useCase
            },
            clock: clock,
            logger: logger
        )
        services.append(BackgroundService { await fallback.run() })
        if let stub = core.stub {
            services.append(StubService(stub: stub, logger: logger))
            if settings.isLocalDevelopment, isatty(STDOUT_FILENO) == 1 { services.append(StubDisplay(stub: stub)) }
        }
        return services
    }
}

/// The service's own listener. It begins after those beside it, so that all of them are there when it says that it is ready.
private struct MainService: Service {
    let server: HTTPService
    let listeners: [ListenerService]

    func run() async throws {
        for listener in listeners { for await _ in listener.begins {} }
        // One of them failed, which ends the service.
        if Task.isCancelled { return }
        try await server.run()
    }
}

/// A listener beside the service's own: a dock's, or that of the metrics.
private struct ListenerService: Service {
    let server: HTTPService
    let name: String
    /// Ends once connections are accepted.
    let begins: AsyncStream<Never>
    private let address: String

    init(_ listener: DockListener, clock: any WallClock, logger: Logger) {
        (name, address) = (listener.name, "\(listener.host):\(listener.port)")
        let (begins, continuation) = AsyncStream.makeStream(of: Never.self)
        self.begins = begins
        server = HTTPService(
            serving: listener.makeRouter(),
            ServerOptions(host: listener.host, port: listener.port),
            clock: clock,
            logger: logger,
            onServerRunning: { _ in
                logger.notice("the \(listener.name) is served at \(listener.url)")
                continuation.finish()
            }
        )
    }

    func serve(_ listener: DockListener) {
        server.responder.serve(listener.makeRouter(), language: ServerOptions(host: "", port: 0).language)
    }

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            throw Failure.cannotListen(on: address, error, choose: "\(name).host and \(name).port")
        }
    }
}

/// Runs the fake SMS gateway alone.
package func runStub(_ settings: Settings, tls files: TLSFiles?, logger: Logger) async throws {
    let (clock, address) = (SteadyClock.ofMachine(), settings.server)
    var certificates: CertificateService?
    if let files {
        // No Strict-Transport-Security: the name may be somebody else's.
        certificates = try await CertificateService(files, clock: clock, logger: logger)
    }
    let hangups: any Service = if let certificates { certificates } else { await HangupService() }
    let stub = SMSStub(identifiers: OpenSSLRandom(), wallClock: clock)
    let api = StubAPI(
        stub: stub,
        identifiers: OpenSSLRandom(),
        servesAnyone: settings.sms.allowsRemoteStub,
        hosts: settings.sms.stubHosts
    )
    var options = ServerOptions(host: address.host, port: address.port)
    (options.limits, options.language) = (address.limits.toOpenFiles(), settings.language)
    options.identity = certificates?.identity
    let server = HTTPService(
        serving: api.makeRouter(),
        options,
        clock: clock,
        logger: logger,
        onServerRunning: announceReady(host: address.host, isSecure: certificates != nil)
    )
    let services: [any Service] = [StubService(stub: stub, logger: logger), hangups, server]
    try await runServices(services, logger: logger, at: "\(address.host):\(address.port)")
}

extension ConnectionLimits {
    /// No more connections than this process may have files open, which it may from here on as far as the system
    /// allows.
    fileprivate func toOpenFiles() -> ConnectionLimits {
        var limits = self
        limits.maxConnections = min(maxConnections, OpenFiles.raiseLimit())
        return limits
    }
}

extension Settings {
    fileprivate func serverOptions(socket: InheritedSocket?, identity: TLSIdentityInUse?) -> ServerOptions {
        var options = ServerOptions(host: server.host, port: server.port)
        (options.socket, options.limits, options.proxies) = (
            socket?.descriptor, server.limits.toOpenFiles(), server.proxies
        )
        (options.identity, options.transportSecurity) = (identity, server.tls?.transportSecurity)
        (options.origins, options.language) = (crossOrigins, language)
        return options
    }
}

extension ServiceCore {
    func dockService(
        _ accounts: AccountUseCase,
        _ discovery: Discovery,
        _ accessTokens: JWTAccessTokens
    ) -> DockService {
        DockService(
            verifications: useCase,
            accounts: accounts,
            store: store,
            keys: keys,
            catalog: renderer,
            digester: vault,
            deriver: vault,
            identifiers: identifiers,
            clock: clock,
            discovery: discovery,
            claims: accessTokens,
            tokens: tokens,
            administration: administration,
            proxies: settings.server.proxies,
            language: settings.language
        )
    }
}

extension JWTAccessTokens: ClaimsSigner {}
