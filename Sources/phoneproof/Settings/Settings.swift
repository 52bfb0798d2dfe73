import Logging
import PhoneDelivery
import PhoneDock
import PhoneDomain
import PhoneHTTP

/// Everything that can be set, read once at start. The key, type, default and range of each setting stand where it is
/// read, and its documentation in ``SettingsHelp``; `config/reference.yaml` is printed from both
/// (``SettingsReader/reference``).
struct Settings {
    /// In production some settings are refused that are useful in development.
    enum Profile: String, CaseIterable {
        case development, production
    }

    let profile: Profile
    var server: Server
    var database: Database
    let keyFile: String?
    let region: Region
    /// Whether it is set, rather than the default.
    let setsRegion: Bool
    let language: LanguageTag
    /// As it is set; see ``policy``.
    private let verification: VerificationPolicy
    let setsAllowedRegions: Bool
    /// Whether the limits by address, prefix, country and service are on, and the guard; those of a verification and of
    /// a number always are.
    let limitsAreEnabled: Bool
    let abusePolicy: AbusePolicy
    let allowsTestNumbersInProduction: Bool
    let signupTTL: Duration
    let accounts: Accounts
    let messages: Messages
    var sms: SMS
    /// Nil if there is no receiver.
    let webhooks: Webhooks?
    let docks: [any Dock]
    let tokens: Tokens
    let retention: Duration
    let auditRetention: Duration
    let logLevel: Logger.Level
    let observability: Observability
    let secretFiles: [(key: String, path: String)]
    /// The files that settings were read from, and those that they name.
    let files: [String]

    /// - Throws: ``SettingsError`` with every setting that is missing, unknown or invalid.
    init(file: String?, environment: [String: String]) async throws(SettingsError) {
        let reader = try SettingsReader(file: file, environment: environment)
        self.init(reader)
        try reader.finish()
    }

    static func reference() async throws(SettingsError) -> String {
        let reader = try SettingsReader(file: nil, environment: [:])
        _ = Settings(reader)
        return reader.reference
    }

    private init(_ reader: SettingsReader) {
        profile = Setting(key: "profile", reader: reader).choice(.development)
        server = Server(reader)
        database = Database(reader)
        keyFile = reader.section("keys")("file").text(example: "data/phoneproof.keys")
        let locale = reader.section("locale")
        setsRegion = reader.isSet("locale.region")
        region = locale("region").value(.korea, "a region with a numbering plan, such as KR", Self.knownRegion)
        language = locale("language").value(.english, "a language tag such as ko or en", LanguageTag.init(_:))
        let policy = Self.policy(reader)
        verification = policy
        setsAllowedRegions = reader.isSet("verification.allowed_regions")
        (limitsAreEnabled, abusePolicy, allowsTestNumbersInProduction) = Self.abuse(reader, policy, region)
        signupTTL = reader.section("signup")("ttl_seconds").duration(.seconds(1800), in: 60...86_400)
        accounts = Accounts(reader)
        messages = Messages(reader)
        sms = SMS(reader)
        webhooks = Webhooks(reader)
        tokens = Tokens(reader)
        let days = reader.section("retention")
        retention = days("days").duration(.days(30), of: .days(1), in: 2...3650)
        auditRetention = days("audit_days").duration(.days(180), of: .days(1), in: 1...3650)
        if policy.failureLockout >= retention {
            reader.failTogether(
                "retention.days is \(retention.wholeDays); it must be longer than verification.failure_lockout_seconds, or "
                    + "locked numbers would be unlocked too early"
            )
        }
        let log = reader.section("log")
        logLevel = log("level").choice(.info)
        observability = Observability(reader, log)
        docks = phoneproof.docks.map { $0.init(reader) }
        secretFiles = reader.secretFiles
        files = reader.files
    }

    static func knownRegion(_ text: String) -> Region? {
        Region(text).flatMap { NumberingPlans.builtIn.plan(for: $0) == nil ? nil : $0 }
    }

    /// The rules of verifications. In local development every region may have codes, unless the regions are set.
    var policy: VerificationPolicy {
        guard isLocalDevelopment, !setsAllowedRegions else { return verification }
        return verification.allowing(Set(NumberingPlans.builtIn.regions))
    }

    /// The sites whose pages may sign people up; in local development those of this machine as well.
    var crossOrigins: CrossOrigins {
        CrossOrigins(server.crossOrigins, allowsLocalPages: isLocalDevelopment)
    }

    /// Who signs access tokens (`iss`): what is set, or the address that the service listens at.
    var issuer: String {
        if let issuer = tokens.issuer { return issuer }
        let (host, port) = (server.host, server.port)
        let scheme = server.tls == nil ? "http" : "https"
        let isUsual = port == 0 || port == (server.tls == nil ? 80 : 443)
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)" + (isUsual ? "" : ":\(port)")
    }

    /// Whom access tokens are for (`aud`): what is set, or the issuer.
    var audience: String { tokens.audience ?? issuer }

    /// Where the link in the notice to an old number leads: what is set, or the service's own page under the issuer.
    var undoAddress: UndoAddress? {
        accounts.undoAddress ?? UndoAddress(issuer + (issuer.hasSuffix("/") ? "" : "/") + "undo/")
    }

    /// What messages contain besides codes and secrets.
    var messageContext: MessageContext {
        var context = messages.names
        context.undoAddress = undoAddress
        context.longestCode = max(policy.codeLength, docks.compactMap(\.longestCode).max() ?? 0)
        context.isCountedInCP949 = sms.gateways.allSatisfy { [.sens, .solapi].contains($0) }
        return context
    }
}

extension Duration {
    static func days(_ count: Int) -> Duration { .seconds(86_400 * count) }

    var wholeDays: Int { Int(self / .days(1)) }
}
