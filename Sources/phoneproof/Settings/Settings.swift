import Logging
import PhoneDelivery
import PhoneDomain
import PhoneHTTP

/// Everything that can be set, read once at start. Each key is documented, with its default, in
/// `config/phoneproof.yaml`.
struct Settings {
    enum Gateway: String, CaseIterable {
        case stub, console, twilio, sens, solapi, sns, vonage, http
    }

    /// What the service is run for: in production some settings are refused that are of use while developing.
    enum Profile: String, CaseIterable {
        case development, production
    }

    var host: String
    var port: Int
    var proxies: TrustedProxies
    /// Whether programs on the machine itself are served without an API key.
    var servesWithoutKeys: Bool
    var connectionLimits: ConnectionLimits
    /// Nil where nothing is encrypted here.
    var tls: TLS?
    var crossOrigins: CrossOrigins
    var database: Database
    /// Whether the file of settings names it, and nothing overrides that.
    var databaseURLIsInFile: Bool
    var isDurable: Bool
    var databaseBusyTimeout: Duration
    var migratesAtStart: Bool
    var keyFile: String?
    var region: Region
    var language: LanguageTag
    var policy: VerificationPolicy
    var signupTTL: Duration
    var accounts: Accounts
    var messageDirectory: String?
    /// Who messages are from, and where codes are filled in; ``messageContext`` has all.
    var messageNames: MessageContext
    var allowsLongMessages: Bool
    /// Never empty, and none of them twice.
    var gateways: [Gateway]
    /// What the gateway of that name needs, here and below; nil unless it is among them.
    var twilio: Twilio?
    var sens: SENS?
    var solapi: Solapi?
    /// When gateways that say nothing by themselves are asked how messages fared; nil for never.
    var receiptSchedule: ReceiptSchedule?
    var amazonSNS: AmazonSNS?
    var vonage: Vonage?
    var httpGateway: HTTPGatewayConfiguration?
    var allowsRemoteStub: Bool
    /// By which names programs on the machine itself call the stub, beside the machine's own.
    var stubHosts: Set<String>
    var gatewayTimeout: Duration
    var breakerFailures: Int
    var breakerOpenTime: Duration
    var maxSendAttempts: Int
    var maxConcurrentSends: Int
    /// Nil if nobody is told of what happens.
    var webhooks: Webhooks?
    var tokens: Tokens
    var twilioVerify: TwilioVerify
    var retention: Duration
    var auditRetention: Duration
    /// Whether the limits by address, prefix, country and service hold, and the guard; those of a verification and of a
    /// number hold in any case.
    var limitsAreEnabled: Bool
    var abusePolicy: AbusePolicy
    var profile: Profile
    var allowsTestNumbersInProduction: Bool
    var logLevel: Logger.Level
    var observability: Observability
    /// The files that secrets were read from, and the keys that name them.
    var secretFiles: [(key: String, path: String)]

    /// Reads them.
    ///
    /// - Throws: ``SettingsError``, which names the key and says what it must be.
    init(file: String?, environment: [String: String]) async throws(SettingsError) {
        var reader = try await SettingsReader(file: file, environment: environment)
        host = try reader.text("server.host") ?? "127.0.0.1"
        port = try reader.integer("server.port", default: 8080, in: 0...65_535)
        proxies = try Self.proxies(&reader)
        servesWithoutKeys = try reader.flag("server.insecure_no_keys", default: false)
        connectionLimits = try Self.connectionLimits(&reader)
        tls = try TLS(&reader)
        crossOrigins = try Self.crossOrigins(&reader)
        database = try Self.database(&reader)
        databaseURLIsInFile = reader.isInFileAlone("database.url")
        isDurable = try reader.value("database.synchronous", default: true, wanted: "full or normal") {
            $0 == "full" ? true : $0 == "normal" ? false : nil
        }
        databaseBusyTimeout = try reader.seconds("database.busy_timeout_seconds", default: .seconds(5), in: 0...60)
        migratesAtStart = try reader.flag("database.migrate", default: true)
        keyFile = try reader.text("keys.file")
        region = try reader.value(
            "locale.region",
            default: .korea,
            wanted: "a region that numbers are known of, such as KR"
        ) { Region($0).flatMap { NumberingPlans.builtIn.plan(for: $0) == nil ? nil : $0 } }
        language = try reader.value(
            "locale.language",
            default: .english,
            wanted: "a language tag such as ko or en",
            LanguageTag.init
        )
        policy = try Self.policy(&reader)
        signupTTL = try reader.seconds("signup.ttl_seconds", default: .seconds(1800), in: 60...86_400)
        accounts = try Accounts(&reader)
        messageDirectory = try reader.text("messages.directory")
        messageNames = try Self.messageNames(&reader)
        allowsLongMessages = try reader.flag("messages.allow_long", default: false)
        gateways = try Self.gateways(&reader)
        twilio = try Twilio(&reader, isNeeded: gateways.contains(.twilio))
        sens = try SENS(&reader, isNeeded: gateways.contains(.sens))
        solapi = try Solapi(&reader, isNeeded: gateways.contains(.solapi))
        receiptSchedule = try Self.receiptSchedule(&reader)
        amazonSNS = try AmazonSNS(&reader, isNeeded: gateways.contains(.sns))
        vonage = try Vonage(&reader, isNeeded: gateways.contains(.vonage))
        httpGateway = try Self.httpGateway(&reader, isNeeded: gateways.contains(.http))
        allowsRemoteStub = try reader.flag("sms.stub.allow_remote", default: false)
        stubHosts = Set(
            try reader.list(
                "sms.stub.hosts",
                default: [],
                wanted: "names of hosts in lower case without a port, such as api.twilio.com"
            ) { WebHost($0)?.description }
        )
        gatewayTimeout = try reader.seconds("sms.timeout_seconds", default: .seconds(10), in: 1...30)
        breakerFailures = try reader.integer("sms.breaker.failures", default: 5, in: 1...1000)
        breakerOpenTime = try reader.seconds("sms.breaker.open_seconds", default: .seconds(30), in: 1...600)
        maxConcurrentSends = try reader.integer("sms.concurrent_sends", default: 64, in: 1...1000)
        maxSendAttempts = try reader.integer("sms.max_attempts", default: 10, in: 1...1000)
        webhooks = try Webhooks(&reader)
        tokens = try Tokens(&reader)
        twilioVerify = try TwilioVerify(&reader)
        retention = .seconds(86_400 * (try reader.integer("retention.days", default: 30, in: 2...3650)))
        auditRetention = .seconds(86_400 * (try reader.integer("retention.audit_days", default: 180, in: 1...3650)))
        guard policy.failureLockout < retention else {
            throw SettingsError(
                "retention.days is \(retention.components.seconds / 86_400); it must be longer than "
                    + "verification.failure_lockout_seconds, or a number would be open again too early"
            )
        }
        limitsAreEnabled = try reader.flag("limits.enabled", default: true)
        abusePolicy = AbusePolicy(
            limits: try Self.limits(&reader),
            trafficGuard: try Self.trafficGuard(&reader),
            testNumbers: try Self.testNumbers(&reader, policy: policy, region: region)
        )
        if !limitsAreEnabled { (abusePolicy.limits, abusePolicy.trafficGuard) = (.none, .off) }
        allowsTestNumbersInProduction = try reader.flag("test_numbers.allow_in_production", default: false)
        profile = try reader.value(
            "profile",
            default: .development,
            wanted: "development or production",
            Profile.init
        )
        logLevel = try reader.value(
            "log.level",
            default: .info,
            wanted: "trace, debug, info, notice, warning, error or critical"
        ) { Logger.Level(rawValue: $0) }
        observability = try Observability(&reader)
        secretFiles = reader.secretFiles
        try reader.finish()
    }

    private static func gateways(_ reader: inout SettingsReader) throws(SettingsError) -> [Gateway] {
        let key = "sms.gateway"
        let names = Gateway.allCases.map(\.rawValue).joined(separator: ", ")
        let wanted = "one or more of \(names), each once, in the order in which they are asked"
        let gateways = try reader.list(key, default: [.stub], wanted: wanted, Gateway.init)
        guard !gateways.isEmpty, Set(gateways).count == gateways.count else {
            let value = gateways.map(\.rawValue).joined(separator: ", ")
            throw SettingsError(key: key, value: value, wanted: wanted)
        }
        return gateways
    }

    private static func policy(_ reader: inout SettingsReader) throws(SettingsError) -> VerificationPolicy {
        let standard = VerificationPolicy.standard
        let codeLength = try reader.integer("verification.code_length", default: standard.codeLength, in: 4...10)
        let codeTTL = try reader.seconds("verification.code_ttl_seconds", default: standard.codeTTL, in: 1...600)
        let approvalTTL = try reader.seconds(
            "verification.approval_ttl_seconds",
            default: standard.approvalTTL,
            in: 1...3600
        )
        let maxChecks = try reader.integer("verification.max_checks", default: standard.maxChecks, in: 1...10)
        let maxSends = try reader.integer("verification.max_sends", default: standard.maxSends, in: 1...20)
        let cooldowns = try reader.list(
            "verification.resend_cooldowns_seconds",
            default: standard.resendCooldowns,
            wanted: "whole numbers from 0 to 3600"
        ) { Int($0).flatMap { (0...3600).contains($0) ? Duration.seconds($0) : nil } }
        guard !cooldowns.isEmpty else {
            throw SettingsError(key: "verification.resend_cooldowns_seconds", value: "", wanted: "one number or more")
        }
        let maxPerDay = try reader.integer(
            "verification.max_sends_per_number_per_day",
            default: standard.maxSendsPerNumberPerDay,
            in: 1...100
        )
        let maxFailures = try reader.integer(
            "verification.max_consecutive_failures",
            default: standard.maxConsecutiveFailures,
            in: 1...100
        )
        let lockout = try reader.seconds(
            "verification.failure_lockout_seconds",
            default: standard.failureLockout,
            in: 0...2_592_000
        )
        let regions = try reader.list(
            "verification.allowed_regions",
            default: Array(standard.allowedRegions),
            wanted: "ISO 3166-1 codes of regions that numbers are known of, such as KR"
        ) { Region($0).flatMap { NumberingPlans.builtIn.plan(for: $0) == nil ? nil : $0 } }
        guard !regions.isEmpty else {
            throw SettingsError(key: "verification.allowed_regions", value: "", wanted: "one region or more")
        }
        let kinds = try reader.list(
            "verification.accepted_kinds",
            default: Array(standard.acceptedKinds),
            wanted: "kinds of number: \(NumberKind.allCases.map(\.rawValue).joined(separator: ", "))",
            NumberKind.init
        )
        do {
            return try VerificationPolicy(
                codeLength: codeLength,
                codeTTL: codeTTL,
                approvalTTL: approvalTTL,
                maxChecks: maxChecks,
                maxSends: maxSends,
                resendCooldowns: cooldowns,
                maxSendsPerNumberPerDay: maxPerDay,
                maxConsecutiveFailures: maxFailures,
                failureLockout: lockout,
                allowedRegions: Set(regions),
                acceptedKinds: Set(kinds)
            )
        } catch {
            throw SettingsError("verification: \(error)")
        }
    }

    private static func messageNames(_ reader: inout SettingsReader) throws(SettingsError) -> MessageContext {
        let name = try reader.text("messages.service_name") ?? "PhoneProof"
        guard let service = ServiceName(name) else {
            throw SettingsError(
                key: "messages.service_name",
                value: name,
                wanted: "1 to 30 characters in one line, none of them a control character"
            )
        }
        let localNames = try reader.list(
            "messages.local_service_names",
            default: [(String, ServiceName)](),
            wanted: "a language, an equals sign and a name, such as ko=에이스"
        ) { text -> (String, ServiceName)? in
            guard let equals = text.firstIndex(of: "="), let tag = LanguageTag(String(text[..<equals])),
                let name = ServiceName(String(text[text.index(after: equals)...]))
            else { return nil }
            return (tag.language, name)
        }
        let webHost = try reader.value(
            "messages.web_host",
            default: nil,
            wanted: "a host name such as example.com, without scheme and port"
        ) { WebHost($0).map(Optional.some) }
        let appHash = try reader.value(
            "messages.android_app_hash",
            default: nil,
            wanted: "the 11 characters of the app's hash"
        ) { AndroidAppHash($0).map(Optional.some) }
        return MessageContext(
            service: service,
            localNames: Dictionary(localNames) { $1 },
            webHost: webHost,
            androidAppHash: appHash
        )
    }
}
