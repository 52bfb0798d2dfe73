import CoreEncodings
import Glibc
import OpenSSLCrypto
import PhoneAccounts
package import PhoneAdministration
import PhoneDelivery
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
package import PhoneSignup
import PhoneStore
import Texts

/// Checks settings before they are used: what is set, what is unsafe, what would not start.
package struct ConfigurationCheck {
    package private(set) var findings: [Finding] = []
    private let settings: Settings
    private let now: Timestamp

    package init(_ settings: Settings, at now: Timestamp) {
        (self.settings, self.now) = (settings, now)
        add("settings", settings.file ?? "no file; environment and defaults")
        checkServer()
        checkDatabase()
        checkKeys()
        checkMessages()
        checkPolicy()
        checkAbuse()
        checkAccounts()
        checkGateways()
        checkWebhooks()
        checkTokens()
        checkObservability()
        findings += settings.docks.flatMap(\.findings)
        findings += settings.doubts(at: now)
        do {
            try settings.requireSafeToServe()
        } catch {
            refuse(error)
        }
        warn(
            if: settings.server.servesWithoutKeys,
            "any program on this machine can send messages without an API key (server.insecure_no_keys)"
        )
    }

    package static func verdict(of findings: [Finding]) -> String {
        func count(_ verdict: Finding.Verdict) -> String? {
            let number = findings.count { $0.verdict == verdict }
            return number == 0 ? nil : counted(number, verdict.rawValue)
        }
        let (errors, warnings) = (count(.failed), count(.doubtful).map { ", \($0)" } ?? "")
        return errors.map { "FAILED: serve would not start, \($0)\(warnings)" } ?? "OK: serve would start\(warnings)"
    }

    private mutating func add(_ subject: String, _ text: String) { findings.append(Finding(subject, text)) }

    private mutating func warn(if isSo: Bool = true, _ text: String) {
        if isSo { findings.append(.warning(text)) }
    }

    private mutating func refuse(if isSo: Bool = true, _ text: String) {
        if isSo { findings.append(.error(text)) }
    }

    /// Why what a start does has failed.
    private mutating func refuse(_ error: any Error) {
        for line in (error as? Failure)?.lines ?? ["\(error)"] { refuse(line) }
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
            warn(
                if: !settings.isLoopback && proxies.isEmpty,
                "plain HTTP: tokens and numbers can be read in transit (server.tls.certificate_file)"
            )
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
            refuse(error)
        }
        warn(
            if: isExposed(files.key),
            "other users of this machine can access \(files.key); chmod 600 it (server.tls.key_file)"
        )
    }

    private mutating func checkDatabase() {
        let database = settings.database
        switch database.place {
        case .memory:
            add("database", "in memory")
            warn("all data is lost when the service stops (database.url)")
        case .file(let path):
            refuse(
                if: database.place.isMissing && !database.migratesAtStart,
                "there is no database at \(path); run `phoneproof migrate`, or set database.migrate"
            )
            add("database", path + (database.place.isMissing ? " (will be created)" : ""))
            let folder = DataFolder(of: SQLiteStore.file(at: path)).path
            refuse(
                if: access("\(folder)/.", W_OK | X_OK) != 0,
                "folder \(folder) is not writable; choose another with database.url"
            )
        case .postgresql(let text):
            add("database", database.place.description)
            if let url = try? PostgreSQLURL(text) { checkPostgreSQL(url) }
        }
        warn(if: !database.isDurable, "a power failure can lose the last acknowledged writes (database.synchronous)")
    }

    private mutating func checkPostgreSQL(_ url: PostgreSQLURL) {
        let (remote, mode) = (url.remoteHosts, url.sslMode)
        warn(
            if: !remote.isEmpty && mode != "verify-full",
            "sslmode is \(mode): traffic to \(remote.joined(separator: ", ")) can be read and altered in transit; add "
                + "sslmode=verify-full and sslrootcert=FILE (database.url)"
        )
        // libpq ignores such a file silently, so that the server is the first to complain
        // (https://www.postgresql.org/docs/current/libpq-pgpass.html).
        if let file = url.keywordsInForce["passfile"], !file.isEmpty {
            let exists = access(file, F_OK) == 0
            warn(if: !exists, "password file \(file) does not exist (PGPASSFILE)")
            warn(
                if: exists && isExposed(file, by: 0o077),
                "password file \(file) is ignored because others can access it; chmod 600 it (PGPASSFILE)"
            )
        }
        warn(
            if: settings.sms.gateways.contains(.stub),
            "each instance has its own SMS stub, so a code may appear at another instance (sms.gateway)"
        )
    }

    private mutating func checkKeys() {
        do {
            guard let path = try settings.keyPath() else { return add("keys", "in memory") }
            if access(path, F_OK) == 0 {
                return add("keys", "\(path), \(counted(try KeyRing.load(from: path).ids.count, "key"))")
            }
            try settings.requireKeysOfAll()
            add("keys", "\(path) (will be created)")
            if case .postgresql = settings.database.place {
                warn(
                    "every instance needs the same key file; with another one it cannot check their codes (keys.file)"
                )
            }
        } catch {
            refuse(error)
        }
    }

    private mutating func checkMessages() {
        do {
            let templates = try ServiceCore.templates(settings)
            let locales = templates.locales.sorted().joined(separator: ", ")
            add("messages", "\(locales), from \(settings.messages.names.service)")
            checkTemplateSets(templates)
            for texts in try ServiceCore.pageTexts(settings) where !texts.isOverBuiltIn && !texts.missing.isEmpty {
                let (names, count) = (texts.missing.prefix(5), texts.missing.count)
                warn(
                    "pages in \(texts.language) have \(counted(count, "text")) in English: \(names.joined(separator: ", "))"
                        + (count > 5 ? " and \(count - 5) more" : "")
                        + "; add them to \(texts.language)/\(MessageFolder.pageTexts) (messages.directory)"
                )
            }
            let leftOut = templates.leftOut.joined(separator: ", ")
            warn(
                if: !leftOut.isEmpty,
                "codes in \(leftOut) do not fit one SMS with this service name and autofill, so people get the text in "
                    + "\(settings.language); shorten the name, or write a verification.txt (messages.directory)"
            )
            let long = templates.longNotices(in: settings.messageContext).sorted().joined(separator: ", ")
            warn(
                if: !long.isEmpty,
                "the notice to the old number takes more than one SMS in \(long); shorten accounts.undo_url or the "
                    + "service name, or write a number-changed.txt (messages.directory)"
            )
        } catch {
            refuse(error)
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
        warn(
            if: policy.failureLockout < .seconds(3600),
            "a number is locked for only \(policy.failureLockout.components.seconds) s after "
                + "\(policy.maxConsecutiveFailures) wrong codes (verification.failure_lockout_seconds)"
        )
        warn(
            if: policy.codeLength < 6,
            "codes under 6 digits are easier to guess than NIST SP 800-63B allows (verification.code_length)"
        )
    }

    private mutating func checkAbuse() {
        let (limits, rules) = (settings.abusePolicy.limits, settings.abusePolicy.trafficGuard)
        add("profile", settings.profile.rawValue)
        let rates = [
            ("address", limits.sendsByAddress), ("prefix", limits.sendsByPrefix), ("country", limits.sendsByCountry),
            ("service", limits.sendsByService),
        ]
        .map { "\($0) \($1.isEmpty ? "off" : $1.map(\.description).joined(separator: " "))" }
        add("limits", rates.joined(separator: ", ") + ", budget \(limits.dailyBudget.map(String.init) ?? "none")")
        warn(
            if: settings.limitsAreEnabled && limits.dailyBudget == nil,
            "the cost of a day's messages is unlimited (limits.daily_budget)"
        )
        add(
            "guard",
            rules.mode == .off
                ? "off"
                : "\(rules.mode.rawValue) below \(rules.prefixPercent)% approvals of \(rules.prefixSample) messages to a prefix, "
                    + "\(rules.countryPercent)% of \(rules.countrySample) to a country"
        )
        warn(if: rules.mode == .off, "no protection against toll fraud (guard.mode)")
        warn(
            if: rules.mode != .off && rules.answer == .silent,
            "people whose messages the guard stops wait for codes that never come (guard.answer)"
        )
        checkChallenge()
        if let hook = settings.beforeSend {
            let isOpen = hook.onFailure == .allow
            let end = "\(isOpen ? "sent" : "not sent") without an answer"
            add("hook", "\(hook.endpoint.origin) is asked before each message; \(end)")
            warn(
                if: isOpen,
                "every message is sent while the program does not answer (hooks.before_send.on_failure)"
            )
        }
        let tests = settings.abusePolicy.testNumbers
        if tests.count > 0 {
            add("tests", "\(counted(tests.count, "test number")) until \(tests.until)")
            warn(
                if: tests.until > now,
                "anyone who knows a test number's code can sign up with it (test_numbers.numbers)"
            )
        }
    }

    private mutating func checkChallenge() {
        guard let challenge = settings.challenge else { return add("challenge", "none") }
        guard let access = challenge.captcha else { return add("challenge", "proof of work") }
        let (kind, outage) = (access.captcha.kind.rawValue, access.captcha.outage)
        add("challenge", "\(kind), \(outage.rawValue) in an outage")
        warn(
            if: access.hostnames.isEmpty,
            "tokens that the captcha's widget gave on any site are good here (challenge.hostnames)"
        )
        warn(if: outage == .open, "any token is good while \(kind) does not answer (challenge.on_outage)")
    }

    private mutating func checkAccounts() {
        add("retention", "\(settings.retention.wholeDays) days, the audit log \(settings.auditRetention.wholeDays)")
        let policy = settings.accounts.policy
        let days = policy.dormantAfter.map { "dormant after \($0.wholeDays) days: \(policy.recycling.rawValue)" }
        let deletion = max(policy.deletionGrace, policy.undoTime).wholeDays
        add("accounts", "\(days ?? "never dormant"), deleted \(deletion) days after the request")
        warn(
            if: policy.dormantAfter != nil && policy.recycling == .ask,
            "sign-in to a dormant account waits for a program with an API key of scope accounts (accounts.recycling)"
        )
        add(
            "undo",
            "\(settings.undoAddress?.description ?? "nowhere")…, for \(Int(policy.undoTime / .seconds(3600))) h"
        )
        warn(
            if: settings.undoAddress?.isPlain ?? false,
            "undo links are plain HTTP: anyone who sees one in transit can undo a number change (accounts.undo_url)"
        )
        warn(
            if: policy.deletionGrace == .zero,
            "an account is deleted as soon as a number change can no longer be undone, and anyone with a signed-in "
                + "device can request it (accounts.deletion_grace_days)"
        )
        if policy.recycling != .signIn, let dormant = policy.dormantAfter {
            warn(
                if: settings.tokens.sessions.idleTime < dormant,
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
        let names = unreached.map(\.description).sorted().joined(separator: ", ")
        warn(
            if: !names.isEmpty,
            "no code can be sent to \(names), which verification.allowed_regions has (sms.routes)"
        )
        let silent = sms.routes.withoutNotices.map(\.description).joined(separator: ", ")
        let rule = sms.routes.rules.isEmpty ? "sms.gateway" : "sms.routes, notice"
        warn(
            if: !silent.isEmpty,
            "people are not notified of a change of their number (\(silent)): every gateway for them takes messages with a "
                + "code alone; add one that takes any text (\(rule))"
        )
        let orders = [.everywhere: Routes.standardOrder].merging(sms.routes.orders) { $1 }
        let idle = orders.filter { Set($1).isDisjoint(with: sms.routes.channels) }
        warn(
            if: !idle.isEmpty,
            "a request that names no channel sends nothing to \(idle.keys.map(\.description).sorted().joined(separator: ", ")): "
                + "put \(sms.routes.channels.map(\.rawValue).joined(separator: ", ")) into its order (sms.channels)"
        )
        let (codes, lengths) = (settings.policy.codeLength, TelegramGateway.lengths)
        let telegram = sms.gateways.filter { $0.kind == .telegram }.map(\.description).joined(separator: ", ")
        warn(
            if: !telegram.isEmpty && !(lengths ~= codes),
            "\(telegram) sends nothing: it takes codes of \(lengths.lowerBound) to \(lengths.upperBound) digits "
                + "(verification.code_length)"
        )
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
        }
        guard !sms.inbound.isEmpty else { return }
        let ways = sms.inbound.map { "\($0.key) to \($0.value)" }.sorted().joined(separator: ", ")
        add("inbound", "people may send the code themselves: \(ways)")
        warn(
            "who can forge the sender of a message proves that number; see what your carriers let through (sms.inbound)"
        )
    }

    private mutating func checkWebhooks() {
        guard let webhooks = settings.webhooks else { return add("webhooks", "none") }
        let kinds = Event.Kind.allCases.filter(webhooks.kinds.contains).map(\.rawValue).joined(separator: ", ")
        let endpoint = webhooks.endpoint
        add("webhooks", "\(endpoint.origin), signed with \(counted(webhooks.secrets.count, "secret")): \(kinds)")
        warn(
            if: endpoint.isPlain && !endpoint.isLoopback,
            "\(endpoint.origin) is plain HTTP: numbers can be read in transit (webhooks.url)"
        )
    }

    private mutating func checkTokens() {
        let sessions = settings.tokens.sessions
        add(
            "tokens",
            "issuer \(settings.issuer), audience \(settings.audience), \(sessions.accessTokenTTL.components.seconds) s; sessions "
                + "\(sessions.lifetime.wholeDays) days, \(sessions.idleTime.wholeDays) days idle"
        )
        warn(
            if: sessions.refreshGrace == .zero,
            "a client that loses a refresh response is signed out (tokens.refresh_grace_seconds)"
        )
    }

    private mutating func checkObservability() {
        if let listener = settings.observability.listener {
            let (place, isLocal) = ("\(listener.host):\(listener.port)", EndpointURL.isLoopback(listener.host))
            add("metrics", "http://\(place)/metrics (\(isLocal ? "this machine only" : "other machines too"))")
            warn(if: !isLocal, "anyone who can reach \(place) can read the metrics without a key (metrics.host)")
        } else {
            add("metrics", "/metrics, from this machine or with an API key of scope admin")
        }
        guard let collector = settings.observability.collector else { return }
        let headers = collector.headers.map(\.name).joined(separator: ", ")
        let with = headers.isEmpty ? "" : ", with \(headers)"
        add("tracing", "ratio \(settings.observability.sampleRatio) to \(collector.url.origin)\(with)")
        if let logs = collector.logsURL { add("audit log", "each entry to \(logs.origin) as OTLP logs") }
        let what = headers.isEmpty ? "spans" : "spans and \(headers)"
        warn(
            if: collector.url.isPlain && !collector.url.isLoopback,
            "\(collector.url.origin) is plain HTTP: \(what) can be read in transit (tracing.otlp_endpoint)"
        )
    }
}
