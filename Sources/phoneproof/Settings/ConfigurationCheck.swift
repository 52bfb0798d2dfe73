import FoundationEssentials
import Glibc
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import PhoneHTTP
import SQLiteStore
import SystemPackage

/// Checks settings before they are used: what is set, what is unsafe, what would not start.
struct ConfigurationCheck {
    private(set) var lines: [String] = []
    private(set) var wouldStart = true
    let settings: Settings

    init(_ settings: Settings, file: String?, at now: Timestamp) {
        self.settings = settings
        add("settings", file ?? "no file; defaults and the environment")
        checkServer()
        checkDatabase(file: file)
        checkKeys()
        checkMessages()
        checkPolicy()
        checkAbuse(at: now)
        checkAccounts()
        checkGateways()
        checkWebhooks()
        checkTokens()
        checkObservability()
        do {
            try settings.requireSafeToServe()
        } catch {
            refuse((error as? Failure)?.line ?? "\(error)")
        }
        if settings.server.servesWithoutKeys {
            warn("every program on this machine may send messages without an API key (server.insecure_no_keys)")
        }
    }

    mutating func add(_ what: String, _ value: String) {
        lines.append(what + String(repeating: " ", count: max(0, 10 - what.count)) + value)
    }

    mutating func warn(_ text: String) { add("warning", text) }

    mutating func refuse(_ text: String) {
        add("error", text)
        wouldStart = false
    }

    private mutating func checkServer() {
        let server = settings.server
        add(
            "address",
            "\(server.host):\(server.port)\(settings.isLoopback ? " (this machine only)" : " (other machines too)")"
        )
        let proxies = server.proxies.blocks.map(\.description).joined(separator: ", ")
        add("proxies", proxies.isEmpty ? "none" : "\(proxies) by \(server.proxies.header.rawValue)")
        if let tls = server.tls {
            checkCertificate(tls.files)
        } else {
            add("tls", "none")
            if !settings.isLoopback, proxies.isEmpty {
                warn("tokens and numbers can be read on their way here (server.tls.certificate_file)")
            }
        }
        let origins = server.crossOrigins.origins
        if !origins.isEmpty { add("cors", origins.map(\.description).joined(separator: ", ")) }
        for origin in origins where origin.isPlain {
            warn("whoever is on the way to \(origin) can put what he likes into its pages (server.cors.origins)")
        }
    }

    private mutating func checkCertificate(_ files: TLSFiles) {
        do {
            let identity = try files.load().identity
            add("tls", "\(files.certificate) until \(identity.validUntil)")
            if let doubt = identity.doubt(at: SteadyClock.ofMachine().now()) {
                warn("\(doubt) (server.tls.certificate_file)")
            }
        } catch {
            refuse("\(error)")
        }
        if isExposed(files.key) {
            warn("others on this machine can read or change \(files.key); chmod 600 it (server.tls.key_file)")
        }
    }

    private mutating func checkDatabase(file: String?) {
        switch settings.database.place {
        case .memory:
            add("database", "in memory")
            warn("everything is forgotten when the service stops (database.url)")
        case .file(let path):
            add("database", path + (Self.exists(path) ? "" : " (will be made)"))
            checkFolder(of: SQLiteStore.file(at: path))
        case .postgresql(let url):
            add("database", settings.database.place.description)
            checkPostgreSQL(url)
        }
        settings.exposures(file: file).forEach { warn($0) }
        if !settings.database.isDurable {
            warn("a power cut may take what was acknowledged last (database.synchronous)")
        }
    }

    private mutating func checkPostgreSQL(_ text: String) {
        guard let url = try? PostgreSQLURL(text) else { return }
        let environment = ProcessInfo.processInfo.environment
        let remote = url.remoteHosts(environment: environment)
        let mode = url.sslMode(environment: environment)
        if !remote.isEmpty, mode != "verify-full" {
            warn(
                "sslmode is \(mode), by which somebody between here and \(remote.joined(separator: ", ")) can read and change "
                    + "everything; add sslmode=verify-full and sslrootcert=FILE (database.url)"
            )
        }
        checkPasswordFile(url.parameters["passfile"] ?? environment["PGPASSFILE"])
        if settings.sms.gateways.contains(.stub) {
            warn("each instance has an SMS stub of its own; a code may be shown by another one (sms.gateway)")
        }
    }

    /// libpq ignores such a file silently, so that the server is the first to complain
    /// (https://www.postgresql.org/docs/current/libpq-pgpass.html).
    private mutating func checkPasswordFile(_ file: String?) {
        guard let file, !file.isEmpty else { return }
        if !Self.exists(file) {
            warn("there is no file of passwords at \(file) (PGPASSFILE)")
        } else if isExposed(file, by: 0o077) {
            warn("\(file) is not read, since others have access to it; chmod 600 it (PGPASSFILE)")
        }
    }

    /// The folder, or the nearest one above it that exists, must be writable.
    private mutating func checkFolder(of path: String) {
        var folder = FilePath(path).removingLastComponent()
        while !folder.isEmpty, !Self.exists(folder.string) { folder.removeLastComponent() }
        if folder.isEmpty { folder = "." }
        if access("\(folder)/.", W_OK | X_OK) != 0 {
            refuse("the folder \(folder) cannot be written; choose another by database.url")
        }
    }

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private mutating func checkKeys() {
        do {
            guard let path = try settings.keyPath() else { return add("keys", "in memory") }
            if Self.exists(path) {
                let count = try KeyRing.load(from: path).ids.count
                return add("keys", "\(path), \(count == 1 ? "1 key" : "\(count) keys")")
            }
            try settings.requireKeysOfAll()
            add("keys", "\(path) (will be made)")
            if case .postgresql = settings.database.place {
                warn(
                    "every instance must have this very file; one with keys of its own cannot check the others' codes (keys.file)"
                )
            }
        } catch {
            refuse((error as? Failure)?.line ?? "\(error)")
        }
    }

    private mutating func checkMessages() {
        do {
            let templates = try Core.templates(settings)
            let locales = templates.locales.sorted().joined(separator: ", ")
            add("messages", "\(locales), from \(settings.messages.names.service)")
            checkTemplateSets(templates)
            let long = templates.longNotices(in: settings.messageContext).sorted().joined(separator: ", ")
            if !long.isEmpty {
                warn(
                    "the notice to an old number costs more than one SMS in \(long); shorten accounts.undo_url or the service's "
                        + "name, or write a number-changed.txt (messages.directory)"
                )
            }
        } catch {
            refuse("\(error)")
        }
    }

    private mutating func checkTemplateSets(_ templates: MessageTemplates) {
        let named = templates.listings.filter { $0.name != .standard }
        guard !named.isEmpty else { return }
        let sets = named.map { set in
            let locales = set.translations.map(\.locale).joined(separator: ", ")
            let variables = templates.ownVariables(of: set.name).map { "{{\($0)}}" }.joined(separator: " ")
            return "\(set.name) (\(locales)\(variables.isEmpty ? "" : "; \(variables)"))"
        }
        add("templates", sets.joined(separator: ", "))
        for name in templates.setsWithoutDefault {
            warn(
                "template \(name) has no text in \(settings.language); it is refused to who asks for a language it lacks "
                    + "(messages.directory)"
            )
        }
    }

    private mutating func checkPolicy() {
        let policy = settings.policy
        add("regions", policy.allowedRegions.map(\.description).sorted().joined(separator: ", "))
        add("kinds", policy.acceptedKinds.map(\.rawValue).sorted().joined(separator: ", "))
        add(
            "code",
            "\(policy.codeLength) digits, \(policy.codeTTL.components.seconds) s, \(policy.maxChecks) checks, "
                + "\(policy.maxSends) messages"
        )
        if policy.failureLockout < .seconds(3600) {
            warn(
                "a number opens again \(policy.failureLockout.components.seconds) s after \(policy.maxConsecutiveFailures) "
                    + "wrong codes (verification.failure_lockout_seconds)"
            )
        }
        if policy.codeLength < 6 { warn("a code under 6 digits is easier to guess than NIST SP 800-63B allows") }
    }

    private mutating func checkAbuse(at now: Timestamp) {
        let (limits, rules) = (settings.abusePolicy.limits, settings.abusePolicy.trafficGuard)
        add("profile", settings.profile.rawValue)
        let rates = [
            ("address", limits.sendsByAddress), ("prefix", limits.sendsByPrefix), ("country", limits.sendsByCountry),
            ("service", limits.sendsByService),
        ]
        .map { "\($0) \($1.isEmpty ? "off" : $1.map(\.description).joined(separator: " "))" }
        add("limits", rates.joined(separator: ", ") + ", budget \(limits.dailyBudget.map(String.init) ?? "none")")
        if settings.limitsAreEnabled, limits.dailyBudget == nil {
            warn("nothing bounds what a day's messages may cost (limits.daily_budget)")
        }
        if rules.mode == .off {
            add("guard", "off")
            warn("nothing tells toll fraud from people (guard.mode)")
        } else {
            add(
                "guard",
                "\(rules.mode.rawValue), under \(rules.prefixPercent) % of \(rules.prefixSample) messages to a prefix, "
                    + "\(rules.countryPercent) % of \(rules.countrySample) to a country"
            )
        }
        let tests = settings.abusePolicy.testNumbers
        if tests.count > 0 {
            add("tests", "\(tests.count) test numbers until \(tests.until)")
            warn(
                settings.doubtAboutTestNumbers(at: now)
                    ?? "whoever knows a test number's code is signed up by it (test_numbers.numbers)"
            )
        }
        if !settings.limitsAreEnabled {
            warn("only the limits of a verification and of a number hold (limits.enabled)")
        }
    }

    private mutating func checkAccounts() {
        let policy = settings.accounts.policy
        let days = policy.dormantAfter.map { "unused for \($0.wholeDays) days: \(policy.recycling.rawValue)" }
        let deletion = max(policy.deletionGrace, policy.undoTime).wholeDays
        add("accounts", "\(days ?? "none is ever dormant"), deleted \(deletion) days after the wish")
        if policy.dormantAfter != nil, policy.recycling == .ask {
            warn(
                "nobody signs in to a dormant account until a program with a key of the scope accounts decides (accounts.recycling)"
            )
        }
        add("undo", "\(settings.undoAddress?.description ?? "nowhere")…, \(Int(policy.undoTime / .seconds(3600))) h")
        if let doubt = settings.doubtAboutUndoAddress { warn(doubt) }
        if settings.undoAddress?.isPlain ?? false {
            warn("whoever sees a link on its way can undo a change of number (accounts.undo_url)")
        }
        if policy.deletionGrace == .zero {
            warn(
                "an account is deleted as soon as a change of number cannot be undone any more, and whoever has a device of "
                    + "somebody can do it (accounts.deletion_grace_days)"
            )
        }
        if policy.recycling != .signIn, let dormant = policy.dormantAfter, settings.tokens.sessions.idleTime < dormant {
            warn(
                "no device is still signed in to an account that is dormant, so whoever loses it to quarantine cannot come back "
                    + "to it (tokens.idle_days is less than accounts.dormant_days)"
            )
        }
    }

    private mutating func checkGateways() {
        let sms = settings.sms
        add("gateways", sms.gateways.map(\.rawValue).joined(separator: ", then "))
        for (index, gateway) in sms.gateways.enumerated() {
            // A gateway that takes every message leaves none to the next.
            let what = index == 0 ? "no message leaves this service" : "what other gateways do not take stays here"
            switch gateway {
            case .stub: warn("\(what); everyone who reaches it can read every code (sms.gateway)")
            case .console: warn("\(what); codes are written to its standard error (sms.gateway)")
            default:
                guard let vendor = sms.vendors[gateway] else { continue }
                add(gateway.rawValue, vendor.summary)
                vendor.warnings.forEach { warn($0) }
            }
            if [.sens, .solapi].contains(gateway), sms.receiptSchedule == nil {
                warn(
                    "nobody asks \(gateway.rawValue) how messages fared, so none counts as delivered or lost "
                        + "(sms.receipts.hours)"
                )
            }
        }
    }

    private mutating func checkWebhooks() {
        guard let webhooks = settings.webhooks else { return add("webhooks", "none") }
        let kinds = Event.Kind.allCases.filter(webhooks.kinds.contains).map(\.rawValue).joined(separator: ", ")
        let (origin, count) = (webhooks.endpoint.origin, webhooks.secrets.count)
        add("webhooks", "\(origin), signed with \(count == 1 ? "1 secret" : "\(count) secrets"): \(kinds)")
        if webhooks.endpoint.isPlain, !webhooks.endpoint.isLoopback {
            warn("numbers can be read on their way to \(origin) (webhooks.url)")
        }
    }

    private mutating func checkTokens() {
        let (sessions, keys) = (settings.tokens.sessions, settings.tokens.signingKeys)
        add(
            "tokens",
            "by \(settings.issuer) for \(settings.audience), \(sessions.accessTokenTTL.components.seconds) s; sessions "
                + "\(sessions.lifetime.wholeDays) days, \(sessions.idleTime.wholeDays) unused"
        )
        if let doubt = settings.doubtAboutIssuer { warn(doubt) }
        if keys.ahead < SigningKeyPolicy.publicationMaxAge + .seconds(60) {
            warn(
                "a new signing key signs \(keys.ahead.components.seconds) s after it was published, and whoever verifies may "
                    + "not look for new keys for \(SigningKeyPolicy.publicationMaxAge.components.seconds) s "
                    + "(tokens.signing_key_ahead_seconds)"
            )
        }
        if sessions.refreshGrace == .zero {
            warn("a client that does not hear an answer is signed out (tokens.refresh_grace_seconds)")
        }
    }

    private mutating func checkObservability() {
        let observability = settings.observability
        if !observability.measures {
            add("metrics", "none")
        } else if let listener = observability.listener {
            let (place, isLocal) = ("\(listener.host):\(listener.port)", Settings.isLoopback(listener.host))
            add("metrics", "http://\(place)/metrics (\(isLocal ? "this machine only" : "other machines too"))")
            if !isLocal { warn("whoever can reach \(place) reads how much goes on here, without a key (metrics.host)") }
        } else {
            add("metrics", "/metrics, for programs on this machine and for keys with the scope admin")
        }
        guard let collector = observability.collector else { return }
        let headers = collector.headers.map(\.name).joined(separator: ", ")
        let with = headers.isEmpty ? "" : ", with \(headers)"
        add("tracing", "\(observability.sampleRatio) of all traces to \(collector.url)\(with)")
        if collector.url.isPlain, !Settings.isLoopback(collector.url.host) {
            let what = headers.isEmpty ? "spans" : "spans and \(headers)"
            warn("\(what) can be read on their way to \(collector.url) (tracing.otlp_endpoint)")
        }
    }
}
