import CoreEncodings
package import Logging
package import PhoneAdministration
package import PhoneDelivery
package import PhoneDomain
package import PhoneHTTP
package import PhoneNumbers

/// Everything that can be set, read once at start. The key, type, default, range and documentation of each setting
/// stand where it is read, and nowhere else; `config/reference.yaml` is printed from them
/// (``SettingsReader/reference``).
package struct Settings {
    /// In production some settings are refused that are useful in development.
    package enum Profile: String, CaseIterable {
        case development, production
    }

    package let profile: Profile
    package var server: Server
    package var database: Database
    package let keyFile: String?
    package let region: Region
    /// Whether it is set, rather than the default.
    package let setsRegion: Bool
    package let language: LanguageTag
    /// What the settings say; see ``policy``.
    private let verification: VerificationPolicy
    package let setsAllowedRegions: Bool
    /// Whether the limits by address, prefix, country and service are on, and the guard; those of a verification and of
    /// a number always are.
    package let limitsAreEnabled: Bool
    package let abusePolicy: AbusePolicy
    /// Nil for none.
    package let challenge: ChallengePolicy?
    package let allowsTestNumbersInProduction: Bool
    package var accounts: Accounts
    package let messages: Messages
    /// Whose the sign-in pages are.
    package let pages: PageIdentity
    package var sms: SMS
    /// Nil if there is no receiver.
    package let webhooks: Webhooks?
    package let beforeSend: BeforeSend?
    package let docks: [any Dock]
    package let tokens: Tokens
    package let retention: Duration
    package let auditRetention: Duration
    package let logLevel: Logger.Level
    /// What they were read from.
    private let given: SettingsReader.Given
    package let observability: Observability
    package let secretFiles: [(key: String, path: String)]
    /// The files that settings were read from, and those that they name.
    package let files: [String]
    /// The configuration file; nil without one.
    package let file: String?

    /// - Throws: ``SettingsError`` with every setting that is missing, unknown or invalid.
    package init(
        file: String?,
        environment: [String: String],
        docks: [any Dock.Type] = [],
        renamed: [String: String] = SettingsReader.renamed
    ) throws(SettingsError) {
        let reader = try SettingsReader(file: file, environment: environment, renamed: renamed)
        self.init(reader, docks, file: file)
        try reader.finish()
    }

    /// What becomes of these settings where others are in force, and those that a service then runs by: these, but what
    /// needs a restart as it is.
    ///
    /// - Throws: ``SettingsError`` if the two do not fit together.
    package func taken(by running: Settings) throws(SettingsError) -> (Settings, SettingsReload) {
        let reload = given.change(from: running.given)
        if reload.needingRestart.isEmpty { return (self, reload) }
        let reader = SettingsReader(given, keeping: running.given)
        var settings = Settings(reader, docks.map { type(of: $0) }, file: file)
        // Flags may have set these.
        (settings.server, settings.database) = (running.server, running.database)
        try reader.finish()
        return (settings, reload)
    }

    /// What is set under a name of an earlier version.
    var oldNames: [String] { given.oldNames }

    package static func reference(docks: [any Dock.Type]) throws(SettingsError) -> String {
        try read(docks).reference
    }

    /// A reader that has read every setting, where none is set.
    static func read(_ docks: [any Dock.Type]) throws(SettingsError) -> SettingsReader {
        let reader = try SettingsReader(file: nil, environment: [:])
        _ = Settings(reader, docks)
        return reader
    }

    private init(_ reader: SettingsReader, _ docks: [any Dock.Type], file: String? = nil) {
        profile = Setting(key: "profile", reader: reader).choice(.development) {
            "With production, `serve` rejects development-only settings: the SMS stub, test numbers, calls without an"
            "API key and plain http webhooks. In development, as long as no message leaves this machine and neither"
            "another machine nor a proxy reaches the service, every region can get codes and pages of"
            "http://localhost can call."
        }
        server = Server(reader)
        database = Database(reader)
        keyFile = reader.section("keys")("file").text(example: "data/phoneproof.keys") {
            "The file with the keys that encrypt codes (mode 0600). By default it is next to the SQLite database and"
            "created on the first start. With PostgreSQL it must be set, and be the same for every instance"
            "(`phoneproof keys make`)."
        }
        let locale = reader.section("locale")
        setsRegion = reader.isSet("locale.region")
        region = locale("region")
            .value(.korea, "a region with a numbering plan, such as KR", near: Self.region(near:), Self.knownRegion) {
                "The region whose numbering plan is used for numbers without +, if the request has no region. If it is"
                "not set, `phoneproof signup` uses that of the terminal in local development (see profile)."
            }
        language = locale("language").value(.english, "a language tag such as ko or en", LanguageTag.init(_:)) {
            "The language of messages, if the request has none."
        }
        let policy = Self.policy(reader)
        verification = policy
        setsAllowedRegions = reader.isSet("verification.allowed_regions")
        (limitsAreEnabled, abusePolicy, challenge, allowsTestNumbersInProduction) = Self.abuse(reader, policy, region)
        accounts = Accounts(reader)
        messages = Messages(reader)
        (pages, accounts.policy.consent) = messages.pages(reader)
        sms = SMS(reader)
        webhooks = Webhooks(reader)
        beforeSend = BeforeSend(reader)
        tokens = Tokens(reader)
        let days = reader.section("retention")
        retention = days("days").duration(.days(30), of: .days(1), in: 2...3650) {
            "Days until ended verifications, their messages and events, and unused numbers are deleted. Must be"
            "longer than verification.failure_lockout_seconds. Accounts are kept."
        }
        auditRetention = days("audit_days").duration(.days(180), of: .days(1), in: 1...3650) {
            "Days until entries of the audit log are deleted."
        }
        if policy.failureLockout >= retention {
            reader.failTogether(
                "retention.days is \(retention.wholeDays); it must be longer than verification.failure_lockout_seconds, or "
                    + "locked numbers would be unlocked too early"
            )
        }
        let log = reader.section("log")
        logLevel = log("level").choice(.info) {
            "The lowest level that is logged. No level logs a code or a full number."
        }
        observability = Observability(reader, log)
        self.docks = docks.map { $0.init(reader) }
        given = reader.result
        secretFiles = reader.secretFiles
        files = reader.files
        self.file = file
    }

    package static func knownRegion(_ text: String) -> Region? {
        Region(text).flatMap { NumberingPlans.builtIn.plan(for: $0) == nil ? nil : $0 }
    }

    /// The rules of verifications. In local development every region may have codes, unless the regions are set.
    package var policy: VerificationPolicy {
        guard isLocalDevelopment, !setsAllowedRegions else { return verification }
        return verification.allowing(Set(NumberingPlans.builtIn.regions))
    }

    /// Whether this is someone trying the service out: by `profile`, no message leaves this machine, and neither
    /// another machine nor a proxy reaches the service. All of it must hold, since `profile` is development where
    /// nobody set it.
    package var isLocalDevelopment: Bool {
        profile == .development && isLoopback && server.proxies.isEmpty
            && sms.gateways.allSatisfy { [.stub, .console].contains($0.kind) }
    }

    package var isLoopback: Bool { EndpointURL.isLoopback(server.host) }

    /// The sites whose pages may sign people up; in local development those of this machine as well.
    package var crossOrigins: CrossOrigins {
        CrossOrigins(server.crossOrigins, allowsLocalPages: isLocalDevelopment)
    }

    /// Who signs access tokens (`iss`): what is set, or the address that the service listens at.
    package var issuer: String {
        if let issuer = tokens.issuer { return issuer }
        let (host, port) = (server.host, server.port)
        let scheme = server.tls == nil ? "http" : "https"
        let isUsual = port == 0 || port == (server.tls == nil ? 80 : 443)
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)" + (isUsual ? "" : ":\(port)")
    }

    /// Whom access tokens are for (`aud`): what is set, or the issuer.
    package var audience: String { tokens.audience ?? issuer }

    /// Where the link in the notice to an old number leads: what is set, or the service's own page under the issuer.
    package var undoAddress: UndoAddress? {
        accounts.undoAddress ?? UndoAddress(issuer + (issuer.hasSuffix("/") ? "" : "/") + "undo/")
    }

    /// What messages contain besides codes and secrets.
    package var messageContext: MessageContext {
        var context = messages.names
        context.undoAddress = undoAddress
        context.longestCode = docks.compactMap(\.longestCode).reduce(policy.codeLength, max)
        context.isCountedInCP949 = sms.gateways.allSatisfy { [.sens, .solapi].contains($0.kind) }
        return context
    }
}

extension Duration {
    package static func days(_ count: Int) -> Duration { .seconds(86_400 * count) }

    package var wholeDays: Int { Int(self / .days(1)) }
}
