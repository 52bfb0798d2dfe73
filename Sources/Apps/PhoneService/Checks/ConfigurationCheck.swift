import CoreEncodings
import FoundationEssentials
import Glibc
import OpenSSLCrypto
import PhoneAccounts
import PhoneDelivery
package import PhoneDomain
import PhoneHTTP
import PhoneStore

/// Checks settings before they are used: what is set, what is unsafe, what would not start.
package struct ConfigurationCheck {
    package private(set) var entries: [(what: String, value: String)] = []
    private var (warnings, errors) = (0, 0)
    package var wouldStart: Bool { errors == 0 }
    package let settings: Settings

    package init(_ settings: Settings, file: String?, at now: Timestamp) {
        self.settings = settings
        add("settings", file ?? "no file; environment and defaults")
        checkServer()
        checkDatabase(file: file)
        checkKeys()
        checkMessages()
        checkPolicy()
        checkAbuse(at: now)
        checkAccounts()
        checkGateways()
        checkInbound()
        checkWebhooks()
        checkTokens()
        checkObservability()
        for report in settings.docks.map(\.report) {
            for line in report.lines { add(line.what, line.value) }
            report.warnings.forEach { warn($0) }
        }
        do {
            try settings.requireSafeToServe()
        } catch {
            ((error as? Failure)?.lines ?? ["\(error)"]).forEach { refuse($0) }
        }
        if settings.server.servesWithoutKeys {
            warn("any program on this machine can send messages without an API key (server.insecure_no_keys)")
        }
    }

    package var verdict: String { Self.verdict(errors: errors, warnings: warnings) }

    package static func verdict(errors: Int, warnings: Int) -> String {
        func count(_ number: Int, _ name: String) -> String { "\(number) \(name)\(number == 1 ? "" : "s")" }
        let warned = warnings == 0 ? "" : ", \(count(warnings, "warning"))"
        return errors == 0
            ? "OK: serve would start\(warned)" : "FAILED: serve would not start, \(count(errors, "error"))\(warned)"
    }

    package var lines: [String] {
        entries.map { $0.what + String(repeating: " ", count: max(0, 10 - $0.what.count)) + $0.value }
    }

    package mutating func add(_ what: String, _ value: String) { entries.append((what, value)) }

    package mutating func warn(_ text: String) {
        add("warning", text)
        warnings += 1
    }

    package mutating func refuse(_ text: String) {
        add("error", text)
        errors += 1
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
                warn("plain HTTP: tokens and numbers can be read in transit (server.tls.certificate_file)")
            }
        }
        let origins = server.crossOrigins
        if !origins.isEmpty { add("cors", origins.map(\.description).joined(separator: ", ")) }
        for origin in origins where origin.isPlain {
            warn("\(origin) is plain HTTP: its pages can be altered in transit (server.cors.origins)")
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
            warn("other users of this machine can access \(files.key); chmod 600 it (server.tls.key_file)")
        }
    }

    private mutating func checkDatabase(file: String?) {
        switch settings.database.place {
        case .memory:
            add("database", "in memory")
            warn("all data is lost when the service stops (database.url)")
        case .file(let path):
            if !Self.exists(path), !settings.database.migratesAtStart {
                refuse("there is no database at \(path); run `phoneproof migrate`, or set database.migrate")
            }
            add("database", path + (Self.exists(path) ? "" : " (will be created)"))
            let folder = DataFolder(of: SQLiteStore.file(at: path)).path
            if access("\(folder)/.", W_OK | X_OK) != 0 {
                refuse("folder \(folder) is not writable; choose another with database.url")
            }
        case .postgresql(let url):
            add("database", settings.database.place.description)
            checkPostgreSQL(url)
        }
        settings.exposures(file: file).forEach { warn($0) }
        if !settings.database.isDurable {
            warn("a power failure can lose the last acknowledged writes (database.synchronous)")
        }
    }

    private mutating func checkPostgreSQL(_ text: String) {
        guard let url = try? PostgreSQLURL(text) else { return }
        let environment = ProcessInfo.processInfo.environment
        let remote = url.remoteHosts(environment: environment)
        let mode = url.sslMode(environment: environment)
        if !remote.isEmpty, mode != "verify-full" {
            warn(
                "sslmode is \(mode): traffic to \(remote.joined(separator: ", ")) can be read and altered in transit; add "
                    + "sslmode=verify-full and sslrootcert=FILE (database.url)"
            )
        }
        checkPasswordFile(url.parameters["passfile"] ?? environment["PGPASSFILE"])
        if settings.sms.gateways.contains(.stub) {
            warn("each instance has its own SMS stub, so a code may appear at another instance (sms.gateway)")
        }
    }

    /// libpq ignores such a file silently, so that the server is the first to complain
    /// (https://www.postgresql.org/docs/current/libpq-pgpass.html).
    private mutating func checkPasswordFile(_ file: String?) {
        guard let file, !file.isEmpty else { return }
        if !Self.exists(file) {
            warn("password file \(file) does not exist (PGPASSFILE)")
        } else if isExposed(file, by: 0o077) {
            warn("password file \(file) is ignored because others can access it; chmod 600 it (PGPASSFILE)")
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
            add("keys", "\(path) (will be created)")
            if case .postgresql = settings.database.place {
                warn(
                    "every instance needs the same key file; with another one it cannot check their codes (keys.file)"
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
                    "the notice to the old number takes more than one SMS in \(long); shorten accounts.undo_url or the "
                        + "service name, or write a number-changed.txt (messages.directory)"
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
                "template \(name) has no text in \(settings.language): requests for a language it lacks are refused "
                    + "(messages.directory)"
            )
        }
    }

    private mutating func checkPolicy() {
        let policy = settings.policy
        let regions = policy.allowedRegions.map(\.description).sorted()
        add(
            "regions",
            regions.count == NumberingPlans.builtIn.regions.count
                ? "all \(regions.count)" + (settings.setsAllowedRegions ? "" : ", for local development")
                : regions.joined(separator: ", ")
        )
        add("kinds", policy.acceptedKinds.map(\.rawValue).sorted().joined(separator: ", "))
        add(
            "code",
            "\(policy.codeLength) digits, \(policy.codeTTL.components.seconds) s, \(policy.maxChecks) checks, "
                + "\(policy.maxSends) messages"
        )
        if policy.failureLockout < .seconds(3600) {
            warn(
                "a number is locked for only \(policy.failureLockout.components.seconds) s after "
                    + "\(policy.maxConsecutiveFailures) wrong codes (verification.failure_lockout_seconds)"
            )
        }
        if policy.codeLength < 6 {
            warn("codes under 6 digits are easier to guess than NIST SP 800-63B allows (verification.code_length)")
        }
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
            warn("the cost of a day's messages is unlimited (limits.daily_budget)")
        }
        if rules.mode == .off {
            add("guard", "off")
            warn("no protection against toll fraud (guard.mode)")
        } else {
            add(
                "guard",
                "\(rules.mode.rawValue) below \(rules.prefixPercent)% approvals of \(rules.prefixSample) messages to a prefix, "
                    + "\(rules.countryPercent)% of \(rules.countrySample) to a country"
            )
        }
        if rules.mode != .off, rules.answer == .silent {
            warn("people whose messages the guard stops wait for codes that never come (guard.answer)")
        }
        checkChallenge()
        if let hook = settings.beforeSend {
            let isOpen = hook.onFailure == .allow
            let end = "\(isOpen ? "sent" : "not sent") without an answer"
            add("hook", "\(hook.endpoint.origin) is asked before each message; \(end)")
            if isOpen {
                warn("every message is sent while the program does not answer (hooks.before_send.on_failure)")
            }
        }
        let tests = settings.abusePolicy.testNumbers
        if tests.count > 0 {
            add("tests", "\(tests.count) test numbers until \(tests.until)")
            warn(
                settings.doubtAboutTestNumbers(at: now)
                    ?? "anyone who knows a test number's code can sign up with it (test_numbers.numbers)"
            )
        }
        if !settings.limitsAreEnabled {
            warn("only the limits per verification and per number are on (limits.enabled)")
        }
    }

    private mutating func checkChallenge() {
        guard let challenge = settings.challenge else { return add("challenge", "none") }
        guard let access = challenge.captcha else { return add("challenge", "proof of work") }
        let (kind, outage) = (access.captcha.kind.rawValue, access.captcha.outage)
        add("challenge", "\(kind), \(outage.rawValue) in an outage")
        if access.hostnames.isEmpty {
            warn("tokens that the captcha's widget gave on any site are good here (challenge.hostnames)")
        }
        if outage == .open { warn("any token is good while \(kind) does not answer (challenge.on_outage)") }
    }

    private mutating func checkAccounts() {
        add("retention", "\(settings.retention.wholeDays) days, the audit log \(settings.auditRetention.wholeDays)")
        let policy = settings.accounts.policy
        let days = policy.dormantAfter.map { "dormant after \($0.wholeDays) days: \(policy.recycling.rawValue)" }
        let deletion = max(policy.deletionGrace, policy.undoTime).wholeDays
        add("accounts", "\(days ?? "never dormant"), deleted \(deletion) days after the request")
        if policy.dormantAfter != nil, policy.recycling == .ask {
            warn(
                "sign-in to a dormant account waits for a program with an API key of scope accounts (accounts.recycling)"
            )
        }
        add(
            "undo",
            "\(settings.undoAddress?.description ?? "nowhere")…, for \(Int(policy.undoTime / .seconds(3600))) h"
        )
        if let doubt = settings.doubtAboutUndoAddress { warn(doubt) }
        if settings.undoAddress?.isPlain ?? false {
            warn(
                "undo links are plain HTTP: anyone who sees one in transit can undo a number change (accounts.undo_url)"
            )
        }
        if policy.deletionGrace == .zero {
            warn(
                "an account is deleted as soon as a number change can no longer be undone, and anyone with a signed-in "
                    + "device can request it (accounts.deletion_grace_days)"
            )
        }
        if policy.recycling != .signIn, let dormant = policy.dormantAfter, settings.tokens.sessions.idleTime < dormant {
            warn(
                "sessions expire before an account is dormant, so an owner cannot get back into a quarantined account "
                    + "(tokens.idle_days is less than accounts.dormant_days)"
            )
        }
    }

    private mutating func checkGateways() {
        let sms = settings.sms
        add("gateways", sms.gateways.map(\.description).joined(separator: ", then "))
        let unreached = settings.policy.allowedRegions.filter { region in
            NumberingPlans.builtIn.callingCode(of: region).map { !sms.routes.reach(region, callingCode: $0) } ?? false
        }
        if !unreached.isEmpty {
            let names = unreached.map(\.description).sorted().joined(separator: ", ")
            warn("no code can be sent to \(names), which verification.allowed_regions has (sms.routes)")
        }
        for (index, gateway) in sms.gateways.enumerated() {
            // A gateway that takes every message leaves none to the next.
            let what = index == 0 ? "no message leaves this service" : "messages that other gateways refuse stay here"
            switch gateway.kind {
            case .stub: warn("\(what); anyone who can reach it can read every code (sms.gateway)")
            case .console: warn("\(what); codes are written to its standard error (sms.gateway)")
            default:
                guard let vendor = sms.vendors[gateway] else { continue }
                add(gateway.description, vendor.summary)
                vendor.warnings.forEach { warn($0) }
            }
            if [.sens, .solapi].contains(gateway.kind), sms.dispatching.receiptSchedule == nil {
                warn(
                    "delivery reports of \(gateway) are not polled, so messages stay `sent` (sms.receipts.hours)"
                )
            }
        }
    }

    private mutating func checkInbound() {
        guard !settings.sms.inbound.isEmpty else { return }
        let ways = settings.sms.inbound.map { "\($0.key) to \($0.value)" }.sorted().joined(separator: ", ")
        add("inbound", "people may send the code themselves: \(ways)")
        warn(
            "who can forge the sender of a message proves that number; see what your carriers let through (sms.inbound)"
        )
    }

    private mutating func checkWebhooks() {
        guard let webhooks = settings.webhooks else { return add("webhooks", "none") }
        let kinds = Event.Kind.allCases.filter(webhooks.kinds.contains).map(\.rawValue).joined(separator: ", ")
        let (origin, count) = (webhooks.endpoint.origin, webhooks.secrets.count)
        add("webhooks", "\(origin), signed with \(count == 1 ? "1 secret" : "\(count) secrets"): \(kinds)")
        if webhooks.endpoint.isPlain, !webhooks.endpoint.isLoopback {
            warn("\(origin) is plain HTTP: numbers can be read in transit (webhooks.url)")
        }
    }

    private mutating func checkTokens() {
        let (sessions, keys) = (settings.tokens.sessions, settings.tokens.signingKeys)
        add(
            "tokens",
            "issuer \(settings.issuer), audience \(settings.audience), \(sessions.accessTokenTTL.components.seconds) s; sessions "
                + "\(sessions.lifetime.wholeDays) days, \(sessions.idleTime.wholeDays) days idle"
        )
        if let doubt = settings.doubtAboutIssuer { warn(doubt) }
        if keys.ahead < SigningKeyPolicy.publicationMaxAge + .seconds(60) {
            warn(
                "a new signing key is used \(keys.ahead.components.seconds) s after it is published, but verifiers may cache "
                    + "keys for \(SigningKeyPolicy.publicationMaxAge.components.seconds) s (tokens.signing_key_ahead_seconds)"
            )
        }
        if sessions.refreshGrace == .zero {
            warn("a client that loses a refresh response is signed out (tokens.refresh_grace_seconds)")
        }
    }

    private mutating func checkObservability() {
        let observability = settings.observability
        if !observability.measures {
            add("metrics", "none")
        } else if let listener = observability.listener {
            let (place, isLocal) = ("\(listener.host):\(listener.port)", EndpointURL.isLoopback(listener.host))
            add("metrics", "http://\(place)/metrics (\(isLocal ? "this machine only" : "other machines too"))")
            if !isLocal { warn("anyone who can reach \(place) can read the metrics without a key (metrics.host)") }
        } else {
            add("metrics", "/metrics, from this machine or with an API key of scope admin")
        }
        guard let collector = observability.collector else { return }
        let headers = collector.headers.map(\.name).joined(separator: ", ")
        let with = headers.isEmpty ? "" : ", with \(headers)"
        add("tracing", "ratio \(observability.sampleRatio) to \(collector.url.origin)\(with)")
        if collector.url.isPlain, !collector.url.isLoopback {
            let what = headers.isEmpty ? "spans" : "spans and \(headers)"
            warn("\(collector.url.origin) is plain HTTP: \(what) can be read in transit (tracing.otlp_endpoint)")
        }
    }
}
