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
        // SQLite makes files by the mask alone, and what they hold is for their owner.
        umask(0o077)
        let templates = try Self.templates(settings)
        store = try Self.openStore(settings)
        let vault = try OpenSSLCodeVault(keys: Self.keys(settings, logger: logger))
        signups = SealedSignupStore(store, vault: vault)
        tokens = OpenSSLTokenVault()
        stub = settings.gateway == .stub ? SMSStub(identifiers: identifiers, wallClock: clock) : nil
        let gateway: any MessageGateway =
            stub.map { StubGateway(inbox: $0, sender: settings.messageContext.service.description) }
            ?? ConsoleGateway(write: { line in StandardError.write(line) })
        let dispatcher = OutboxDispatcher(
            store: store,
            vault: vault,
            renderer: TemplateRenderer(templates: templates, context: settings.messageContext),
            gateways: [gateway],
            configuration: try DispatcherConfiguration(
                sendTimeout: settings.gatewayTimeout,
                lease: settings.gatewayTimeout * 6
            ),
            wallClock: clock,
            logger: logger
        )
        self.dispatcher = dispatcher
        useCase = LivePhoneUseCase(
            policy: settings.policy,
            store: store,
            vault: vault,
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

    private static func openStore(_ settings: Settings) throws -> SQLiteStore {
        switch settings.database {
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
