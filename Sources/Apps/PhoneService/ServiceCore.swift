import CoreEncodings
import CoreMetrics
import Glibc
package import Logging
package import OpenSSLCrypto
package import PhoneAccounts
package import PhoneAdministration
package import PhoneDelivery
package import PhoneDomain
import PhoneHTTP
package import PhoneSignup
package import PhoneStore
package import SMSStub
package import Texts

/// What every command that verifies numbers needs: the store, the keys, the use case, the outbox and the stub.
package struct ServiceCore {
    package private(set) var settings: Settings
    package let store: any SQLStore
    package let vault: OpenSSLCodeVault
    package let tokens: OpenSSLTokenVault
    package let identifiers: any IdentifierSource
    package let clock: SteadyClock
    package private(set) var useCase: VerificationUseCase
    package let keys: APIKeys
    package let overrides: OverridesInForce
    let odds: OddsInForce
    package let dispatcher: OutboxDispatcher
    package private(set) var renderer: TemplateRenderer
    package let webhooks: WebhookDispatcher?
    /// Nil where no gateway wants to know that a code was entered.
    let feedback: FeedbackReporter?
    package let stub: SMSStub?
    /// This process on the list of those that run; nil if it is not on it.
    package let instance: Instance?
    /// Reads the settings again; nil in a process that is no service.
    package var reload: (@Sendable (Operator) async throws -> SettingsReload)?
    private let environment: DeliveryEnvironment

    /// - Parameters:
    ///   - sendsOwnMessagesOnly: whether messages that other processes queued are left alone: it is no service.
    ///   - reportNewDatabase: what is done with the path of a database that was not there; it is logged by default.
    /// - Throws: ``SettingsError`` if a setting is the cause, else what the store or the keys throw; each says what to
    ///   do in one line.
    package init(
        settings: Settings,
        sendsOwnMessagesOnly: Bool = false,
        observation: Observation? = nil,
        reportNewDatabase: ((String) -> Void)? = nil,
        logger: Logger
    ) throws {
        self.settings = settings
        let texts = try Self.pageTexts(settings)
        let renderer = TemplateRenderer(templates: try Self.templates(settings), context: settings.messageContext)
        self.renderer = renderer
        Languages.take(texts, naming: settings.sms.channelNames)
        // A service without keys leaves the database unchanged, and one without a database creates no keys.
        let keyPath = try settings.keyPath()
        try settings.requireKeysOfAll()
        let overrides = OverridesInForce()
        self.overrides = overrides
        let odds = OddsInForce()
        self.odds = odds
        let announced = WakeSignal()
        let takesFeedback = settings.sms.gateways.contains { settings.sms.vendors[$0]?.takesFeedback ?? false }
        let kinds = (settings.webhooks?.kinds ?? []).union(takesFeedback ? [.messageFeedback] : [])
        let events = EventSubscription(to: kinds) { announced.wake() }
        let store = try settings.openStore(announcing: events, observation?.store) { path in
            if let reportNewDatabase { return reportNewDatabase(path) }
            logger.notice("created a database", metadata: ["file": "\(path)"])
        }
        self.store = store
        let clock = SteadyClock.ofMachine(store.clock)
        let identifiers = OrderedIdentifiers(random: PooledRandom(), clock: clock)
        (self.clock, self.identifiers) = (clock, identifiers)
        instance =
            sendsOwnMessagesOnly ? nil : try Instance(identifiers, version: PhoneAPI.version, at: clock.now())
        let environment = DeliveryEnvironment(
            wallClock: clock,
            metrics: observation?.metrics ?? NOOPMetricsHandler.instance,
            tracer: observation?.tracer,
            logger: logger
        )
        self.environment = environment
        webhooks = settings.webhooks.map { webhooks in
            WebhookDispatcher(
                store: store,
                poster: webhooks.poster(environment),
                configuration: webhooks.configuration,
                signal: announced
            )
        }
        let vault = try Self.vault(settings, keysAt: keyPath, logger: logger)
        self.vault = vault
        tokens = OpenSSLTokenVault()
        // Not from the pool: one of its secrets is made of such bits.
        let keyIdentifiers = OrderedIdentifiers(random: OpenSSLRandom(), clock: clock)
        keys = APIKeys(store: store, tokens: tokens, identifiers: keyIdentifiers, clock: clock)
        let stub = settings.sms.gateways.contains(.stub) ? SMSStub(identifiers: identifiers, wallClock: clock) : nil
        self.stub = stub
        var dispatching = settings.sms.dispatching
        dispatching.sendsOwnMessagesOnly = sendsOwnMessagesOnly
        dispatching.limits = settings.abusePolicy.limits
        dispatching.testNumbers = settings.abusePolicy.testNumbers
        let gateways = settings.sms.gateways.compactMap { settings.makeGateway($0, stub: stub) }
        feedback =
            takesFeedback
            ? FeedbackReporter(
                store: store,
                gateways: gateways,
                vault: vault,
                signal: announced,
                environment: environment
            ) : nil
        let dispatcher = OutboxDispatcher(
            store: store,
            composer: Self.composer(renderer, vault, tokens),
            gateways: gateways,
            routes: settings.sms.routes,
            odds: odds,
            overrides: overrides,
            configuration: dispatching,
            authenticator: OpenSSLRequestAuthenticator(),
            environment: environment
        )
        self.dispatcher = dispatcher
        var useCase = VerificationUseCase(
            store: store,
            vault: vault,
            digester: vault,
            identifiers: identifiers,
            clock: clock
        )
        if let observation { useCase.observer = observation.useCase }
        useCase.overrides = overrides
        useCase.messageLease = { dispatcher.leaseOfNewMessage() }
        useCase.messageQueued = { dispatcher.messageQueued($0) }
        self.useCase = useCase
        setRules()
    }

    private static func composer(
        _ renderer: TemplateRenderer,
        _ vault: OpenSSLCodeVault,
        _ tokens: OpenSSLTokenVault
    ) -> MessageComposer {
        MessageComposer(vault: vault, undoTokens: UndoTokens(deriver: vault, vault: tokens), renderer: renderer)
    }

    /// Has the use case follow the settings.
    private mutating func setRules() {
        (useCase.policy, useCase.abusePolicy) = (settings.policy, settings.abusePolicy)
        (useCase.accountPolicy, useCase.routes) = (settings.accounts.policy, settings.sms.routes)
        let apps = settings.docks.compactMap { [store, environment] in $0.appVerifier(over: store, in: environment) }
            .first
        useCase.appVerifier = settings.challenge == nil ? nil : apps
        useCase.challenger = settings.challenge.map { [vault, identifiers] challenge in
            Challenger(
                policy: challenge.work,
                wait: challenge.wait,
                captcha: challenge.captcha?.captcha,
                apps: apps,
                deriver: vault,
                authenticator: OpenSSLRequestAuthenticator(),
                identifiers: identifiers
            )
        }
        useCase.captcha = settings.challenge?.captcha?.client(environment)
        useCase.numberProofs = settings.docks.compactMap { $0.numberProof(in: environment, vault, identifiers) }
        useCase.sendHook = settings.beforeSend?.client(environment, identifiers)
        let (inbound, service) = (settings.sms.inbound, settings.messages.names.service.description)
        useCase.inbound = inbound.isEmpty ? nil : InboundNumbers(inbound, service: service, deriver: vault)
    }

    /// The same with other settings, of which those that need a restart must be as they are. The dispatcher follows them
    /// once it is told (``useRules()``).
    ///
    /// - Throws: what is wrong with the templates.
    func reloaded(with settings: Settings) throws -> ServiceCore {
        var core = self
        core.settings = settings
        let texts = try Self.pageTexts(settings)
        core.renderer = TemplateRenderer(templates: try Self.templates(settings), context: settings.messageContext)
        Languages.take(texts, naming: settings.sms.channelNames)
        core.setRules()
        return core
    }

    /// Has the dispatcher follow the settings, from the next message on.
    func useRules() {
        let (routes, abuse) = (settings.sms.routes, settings.abusePolicy)
        dispatcher.use(Self.composer(renderer, vault, tokens), routes, abuse.limits, abuse.testNumbers)
    }

    /// Takes what a service needs of the database for as long as it runs.
    package func connectStore() async throws {
        try await (store as? PostgreSQLStore)?.connect()
        try await overrides.read(from: store)
    }

    /// What operators have written for pages, in the folder of messages.
    package static func pageTexts(_ settings: Settings) throws -> [TextsFile] {
        try settings.messages.directory.map(TextsFile.load) ?? []
    }

    package static func templates(_ settings: Settings) throws -> MessageTemplates {
        try MessageTemplates(
            directory: settings.messages.directory,
            context: settings.messageContext,
            defaultLocale: settings.language.description,
            allowsLongMessages: settings.messages.allowsLong
        )
    }

    private static func vault(_ settings: Settings, keysAt path: String?, logger: Logger) throws -> OpenSSLCodeVault {
        guard let path else { return try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom())) }
        let (keys, isNew) = try KeyRing.loadOrCreate(at: path)
        if isNew {
            let others =
                if case .postgresql = settings.database.place { "copy the file to every instance, and " } else { "" }
            logger.notice(
                "created an encryption key; \(others)back up the file",
                metadata: ["file": "\(path)"]
            )
        }
        return try OpenSSLCodeVault(
            keys: keys,
            reloading: { () throws -> KeyRing in try KeyRing.load(from: path) },
            nonces: PooledRandom()
        )
    }

    /// Signs access tokens and verifies them. Only a service needs it: the command line issues none.
    package func makeAccessTokens() -> JWTAccessTokens {
        JWTAccessTokens(
            issuer: settings.issuer,
            audience: settings.audience,
            algorithm: settings.tokens.algorithm,
            store: store,
            sealer: vault,
            clock: clock
        )
    }

    /// What operators do, over the store of the service.
    package var administration: Administration {
        var administration = settings.administration(
            over: store,
            keys: keys,
            clock: clock,
            digester: { [vault] in vault },
            gateways: dispatcher,
            instance: instance?.id,
            others: { [webhooks, clock, store, address = settings.webhooks?.endpoint.origin ?? ""] in
                [webhooks?.finding(of: address), clock.finding, store.clockFinding].compactMap(\.self)
            },
            messageQueued: { [dispatcher] in dispatcher.messageQueued() }
        )
        administration.reload = reload
        return administration
    }

    package func accounts(with authority: some AccessTokenAuthority) -> AccountUseCase {
        AccountUseCase(
            accountPolicy: settings.accounts.policy,
            sessionPolicy: settings.tokens.sessions,
            limits: settings.abusePolicy.limits,
            store: store,
            authority: authority,
            deriver: vault,
            vault: tokens,
            digester: vault,
            identifiers: identifiers,
            clock: clock,
            noticeLanguage: settings.language,
            messageQueued: { [dispatcher] in dispatcher.messageQueued() }
        )
    }
}

package struct SystemWallClock: WallClock {
    package init() {}

    package func now() -> Timestamp { .now }
}

extension SQLStore {
    /// The clock that all see who share its database.
    var clock: any WallClock { (self as? PostgreSQLStore)?.clock ?? SystemWallClock() }

    /// That the machine's clock differs from the database's by more than two machines' clocks should.
    fileprivate var clockFinding: Finding? {
        guard let ahead = (self as? PostgreSQLStore)?.clock.difference, abs(ahead.components.seconds) >= 5 else {
            return nil
        }
        return Finding(
            "clock",
            .doubtful,
            "the machine's clock is \(abs(ahead.components.seconds)) s \(ahead > .zero ? "behind" : "ahead of") the "
                + "database's, which the service goes by",
            kind: .clock,
            advice: "chrony or systemd-timesyncd keep both right"
        )
    }
}

extension SteadyClock {
    package static func ofMachine(_ wall: any WallClock = SystemWallClock()) -> SteadyClock {
        // BOOTTIME and not MONOTONIC, which stands still while the machine sleeps (clock_gettime(2)).
        SteadyClock(wall) {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }

    /// That the machine's clock was set a while ago, and is not believed yet.
    fileprivate var finding: Finding? {
        guard let step = pendingStep else { return nil }
        let (seconds, isAhead) = (abs(step.components.seconds), step > .zero)
        let wait = isAhead ? Self.forwardDelay : Self.backwardDelay
        return Finding(
            "clock",
            .doubtful,
            "the machine's clock was set \(isAhead ? "forward" : "back") by \(seconds) s; the service follows it after "
                + "\(wait.components.seconds) s",
            kind: .clock,
            advice: "see who set it: chrony or systemd-timesyncd keep it right"
        )
    }
}

extension Settings {
    /// - Returns: nil if what the gateway needs is not set.
    package func makeGateway(_ gateway: Gateway, stub: SMSStub?) -> (any MessageGateway)? {
        switch gateway.kind {
        case .stub:
            stub.map { StubGateway(stub: $0, sender: messages.names.service.description, channels: sms.stubChannels) }
        case .console: ConsoleGateway(write: { line in StandardError.write(line) })
        default: sms.vendors[gateway]?.make(gateway.description, self)
        }
    }

    /// What takes the messages of people that gateways pass on, by the gateways' names.
    package func makeInboundIntakes(_ receiver: InboundReceiver) -> [String: any ReportIntake] {
        guard !sms.inbound.isEmpty else { return [:] }
        return sms.gateways.reduce(into: [:]) { $0[$1.description] = sms.vendors[$1]?.inbound?(receiver) }
    }

    /// What takes the delivery reports of gateways that send them, by the gateways' names.
    package func makeReceiptIntakes(recordedBy dispatcher: OutboxDispatcher) -> [String: any ReportIntake] {
        sms.gateways.reduce(into: [:]) { intakes, gateway in
            intakes[gateway.description] = sms.vendors[gateway]?.receipts?(gateway.description, dispatcher)
        }
    }
}

extension Settings.ChallengePolicy.CaptchaAccess {
    fileprivate func client(_ environment: DeliveryEnvironment) -> any CaptchaVerifier {
        CaptchaClient(
            captcha,
            secret: secret,
            at: verification,
            hostnames: hostnames,
            leastScore: leastScore,
            environment: environment
        )
    }

    var widget: CaptchaWidget {
        let provider = CaptchaProvider(captcha.kind)
        let script = script?.description ?? provider.script
        return CaptchaWidget(
            script: script,
            origin: EndpointURL(script)?.origin ?? "",
            elementClass: provider.widget,
            scripts: provider.scripts,
            frames: provider.frames,
            connections: provider.connections,
            styles: provider.styles
        )
    }
}

extension Settings.BeforeSend {
    fileprivate func client(
        _ environment: DeliveryEnvironment,
        _ identifiers: any IdentifierSource
    ) -> any SendHook {
        SendHookClient(
            endpoint: endpoint,
            signer: OpenSSLEventSigner(secrets: secrets),
            identifiers: identifiers,
            timeout: timeout,
            onFailure: onFailure,
            showsNumber: showsNumber,
            environment: environment
        )
    }
}

extension Settings.Webhooks {
    package func poster(_ environment: DeliveryEnvironment) -> WebhookPoster {
        let timeout = configuration.timeout
        return WebhookPoster(
            transport: HTTPWebhookTransport(endpoint: endpoint, connectTimeout: min(timeout / 2, .seconds(5))),
            signer: OpenSSLEventSigner(secrets: secrets),
            timeout: timeout,
            environment: environment
        )
    }
}
