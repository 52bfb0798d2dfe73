import Logging
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import Records

/// What every command that verifies numbers stands on: the store, the keys, the use case, the outbox and the stub, made
/// once and put together. No other place knows of more than one of them.
struct Core {
    let settings: Settings
    let store: any CompleteStore
    let vault: OpenSSLCodeVault
    let signups: SealedSignupStore
    let tokens: OpenSSLTokenVault
    let identifiers: any IdentifierSource
    let clock: SteadyClock
    let useCase: LivePhoneUseCase
    let keys: APIKeys
    let dispatcher: OutboxDispatcher
    /// What texts there are to choose from.
    let catalog: TemplateCatalog
    /// Who tells of what happens, if somebody is to be told.
    let webhooks: WebhookDispatcher?
    /// The SMS stub, if messages go there.
    let stub: SMSStub?

    /// Opens and makes what the settings name.
    ///
    /// - Parameters:
    ///   - settings: what is wanted.
    ///   - sendsOwnMessagesOnly: whether messages that other processes queued are left alone.
    ///   - observation: measures and traces it.
    ///   - logger: where it says what it does.
    /// - Throws: ``SettingsError`` where a setting is the cause, else what the store or the keys throw; each says what
    ///   to do in one line.
    init(
        settings: Settings,
        sendsOwnMessagesOnly: Bool = false,
        observation: Observation = .none,
        logger: Logger
    ) throws {
        self.settings = settings
        let clock = SteadyClock.ofMachine()
        let identifiers = OrderedIdentifiers(random: OpenSSLRandom(), clock: clock)
        (self.clock, self.identifiers) = (clock, identifiers)
        let templates = try Self.templates(settings)
        catalog = TemplateCatalog(templates: templates, context: settings.messageContext)
        // A service that cannot have its keys leaves the database as it is, and one without a database makes no keys.
        let keyPath = try settings.keyPath()
        try settings.requireKeysOfAll()
        let announced = WakeSignal()
        let events = EventSubscription(to: settings.webhooks?.kinds ?? []) { announced.wake() }
        store = try settings.openStore(announcing: events, observation.store)
        webhooks = settings.webhooks?.dispatcher(
            of: store,
            signal: announced,
            clock: clock,
            observation: observation,
            logger: logger
        )
        let vault = try Self.vault(settings, keysAt: keyPath, logger: logger)
        self.vault = vault
        signups = SealedSignupStore(store, vault: vault)
        tokens = OpenSSLTokenVault()
        keys = APIKeys(store: store, tokens: tokens, identifiers: identifiers, clock: clock)
        let stub = settings.gateways.contains(.stub) ? SMSStub(identifiers: identifiers, wallClock: clock) : nil
        self.stub = stub
        let dispatcher = OutboxDispatcher(
            store: store,
            vault: vault,
            undoTokens: UndoTokens(deriver: vault, vault: tokens),
            testNumbers: settings.abusePolicy.testNumbers,
            renderer: TemplateRenderer(templates: templates, context: settings.messageContext),
            gateways: settings.gateways.compactMap {
                // Signatures bear the time that others have, were it set only after the start.
                settings.makeGateway($0, stub: stub, clock: SystemWallClock())
            },
            configuration: try DispatcherConfiguration(
                maxConcurrentSends: settings.maxConcurrentSends,
                sendTimeout: settings.gatewayTimeout,
                lease: settings.gatewayTimeout * 6,
                maxAttempts: settings.maxSendAttempts,
                breakerFailures: settings.breakerFailures,
                breakerOpenTime: settings.breakerOpenTime,
                longestBreakerOpenTime: max(settings.breakerOpenTime, .seconds(120))
            ),
            sendsOwnMessagesOnly: sendsOwnMessagesOnly,
            receiptSchedule: settings.receiptSchedule,
            wallClock: clock,
            metrics: observation.metrics,
            tracer: observation.tracer,
            logger: logger
        )
        self.dispatcher = dispatcher
        useCase = LivePhoneUseCase(
            policy: settings.policy,
            abusePolicy: settings.abusePolicy,
            accountPolicy: settings.accounts.policy,
            store: store,
            vault: vault,
            digester: vault,
            identifiers: identifiers,
            clock: clock,
            placeForMessage: { dispatcher.placeForMessage() },
            messageQueued: { dispatcher.wake() }
        )
    }

    /// The texts of messages, checked.
    static func templates(_ settings: Settings) throws -> MessageTemplates {
        try MessageTemplates(
            directory: settings.messageDirectory,
            context: settings.messageContext,
            defaultLocale: settings.language.description,
            allowsLongMessages: settings.allowsLongMessages
        )
    }

    private static func vault(_ settings: Settings, keysAt path: String?, logger: Logger) throws -> OpenSSLCodeVault {
        guard let path else { return try OpenSSLCodeVault(keys: KeyRing(newKeyFrom: OpenSSLRandom())) }
        let (keys, isNew) = try KeyRing.loadOrCreate(at: path)
        if isNew {
            let others =
                if case .postgresql = settings.database { "give every instance this very file, and " } else { "" }
            logger.notice(
                "made a key under which codes are sealed; \(others)keep the file with your backups",
                metadata: ["file": "\(path)"]
            )
        }
        return try OpenSSLCodeVault(keys: keys, reloading: { () throws -> KeyRing in try KeyRing.load(from: path) })
    }
}
