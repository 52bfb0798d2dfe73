import Glibc
import Logging
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import SQLiteStore

/// What every command that verifies numbers stands on: the store, the keys, the use case, the outbox and the stub, made
/// once and put together. No other place knows of more than one of them.
struct Core {
    let settings: Settings
    let store: SQLiteStore
    let vault: OpenSSLCodeVault
    let signups: SealedSignupStore
    let tokens: OpenSSLTokenVault
    let identifiers = OpenSSLRandom()
    let clock = SteadyClock.ofMachine()
    let useCase: LivePhoneUseCase
    let dispatcher: OutboxDispatcher
    /// The SMS stub, if messages go there.
    let stub: SMSStub?

    /// Opens and makes what the settings name.
    ///
    /// - Throws: ``SettingsError`` where a setting is the cause, else what the store or the keys throw; each says what
    ///   to do in one line.
    init(settings: Settings, logger: Logger) throws {
        self.settings = settings
        let templates = try Self.templates(settings)
        store = try Self.openStore(settings)
        let vault = try Self.vault(settings, logger: logger)
        self.vault = vault
        signups = SealedSignupStore(store, vault: vault)
        tokens = OpenSSLTokenVault()
        let stub = settings.gateways.contains(.stub) ? SMSStub(identifiers: identifiers, wallClock: clock) : nil
        self.stub = stub
        let dispatcher = OutboxDispatcher(
            store: store,
            vault: vault,
            renderer: TemplateRenderer(templates: templates, context: settings.messageContext),
            gateways: settings.gateways.compactMap { Self.gateway($0, settings: settings, stub: stub) },
            configuration: try DispatcherConfiguration(
                sendTimeout: settings.gatewayTimeout,
                lease: settings.gatewayTimeout * 6,
                maxAttempts: settings.maxSendAttempts,
                breakerFailures: settings.breakerFailures,
                breakerOpenTime: settings.breakerOpenTime,
                longestBreakerOpenTime: max(settings.breakerOpenTime, .seconds(120))
            ),
            wallClock: clock,
            logger: logger
        )
        self.dispatcher = dispatcher
        useCase = LivePhoneUseCase(
            policy: settings.policy,
            abusePolicy: settings.abusePolicy,
            store: store,
            vault: vault,
            digester: vault,
            identifiers: identifiers,
            clock: clock,
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

    /// The store alone, for commands that need no keys.
    static func openStore(_ settings: Settings) throws -> SQLiteStore {
        // SQLite makes files by the mask alone, and what they hold is for their owner.
        umask(0o077)
        return switch settings.database {
        case .memory: try .inMemory()
        case .file(let path):
            try SQLiteStore(
                path: path,
                migrating: settings.migratesAtStart,
                durability: settings.isDurable ? .full : .normal,
                busyTimeout: settings.databaseBusyTimeout
            )
        }
    }

    private static func vault(_ settings: Settings, logger: Logger) throws -> OpenSSLCodeVault {
        let ring = try keys(settings, logger: logger)
        guard let path = settings.keyPath else { return try OpenSSLCodeVault(keys: ring) }
        return try OpenSSLCodeVault(keys: ring, reloading: { () throws -> KeyRing in try KeyRing.load(from: path) })
    }

    private static func gateway(
        _ gateway: Settings.Gateway,
        settings: Settings,
        stub: SMSStub?
    ) -> (any MessageGateway)? {
        switch gateway {
        case .stub:
            stub.map {
                StubGateway(
                    inbox: $0,
                    sender: settings.messageContext.service.description,
                    receipts: $0.receipts
                )
            }
        case .console: ConsoleGateway(write: { line in StandardError.write(line) })
        case .twilio:
            settings.twilio.map {
                TwilioGateway(
                    account: $0.account,
                    sender: $0.sender,
                    address: $0.address,
                    connectTimeout: min(settings.gatewayTimeout / 2, .seconds(5))
                )
            }
        }
    }

    private static func keys(_ settings: Settings, logger: Logger) throws -> KeyRing {
        guard let path = settings.keyPath else { return try KeyRing(newKeyFrom: OpenSSLRandom()) }
        let (keys, isNew) = try KeyRing.loadOrCreate(at: path)
        if isNew {
            logger.notice(
                "made a key under which codes are sealed; keep the file with your backups",
                metadata: ["file": "\(path)"]
            )
        }
        return keys
    }
}

extension Settings {
    /// Where the keys are: beside the database unless they are named; nil for a database in memory, which outlives no
    /// key.
    var keyPath: String? {
        if let keyFile { return keyFile }
        guard case .file(let path) = database else { return nil }
        return (path.hasSuffix(".sqlite") ? String(path.dropLast(".sqlite".count)) : path) + ".keys"
    }
}
