import Glibc
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import PhoneHTTP
import SQLiteStore

/// A look at settings before they are used: what is in force, what is unsafe, what would not start.
struct ConfigurationCheck {
    private(set) var lines: [String] = []
    private(set) var wouldStart = true

    init(_ settings: Settings, file: String?, at now: Timestamp) {
        add("settings", file ?? "no file; defaults and the environment")
        add(
            "address",
            "\(settings.host):\(settings.port)\(settings.isLoopback ? " (this machine only)" : " (other machines too)")"
        )
        let proxies = settings.proxies.blocks.map(\.description).joined(separator: ", ")
        add("proxies", proxies.isEmpty ? "none" : "\(proxies) by \(settings.proxies.header.rawValue)")
        checkServing(settings)
        switch settings.database {
        case .memory:
            add("database", "in memory")
            warn("everything is forgotten when the service stops (database.url)")
        case .file(let path):
            add("database", path + (Self.exists(path) ? "" : " (will be made)"))
            checkFolder(of: SQLiteStore.file(at: path))
        case .postgresql(let url):
            add("database", settings.database.description)
            checkServer(settings, url: url)
        }
        settings.exposures(file: file).forEach { warn($0) }
        if !settings.isDurable { warn("a power cut may take what was acknowledged last (database.synchronous)") }
        checkKeys(settings)
        checkMessages(settings)
        add("regions", settings.policy.allowedRegions.map(\.description).sorted().joined(separator: ", "))
        add("kinds", settings.policy.acceptedKinds.map(\.rawValue).sorted().joined(separator: ", "))
        add(
            "code",
            "\(settings.policy.codeLength) digits, \(settings.policy.codeTTL.components.seconds) s, "
                + "\(settings.policy.maxChecks) checks, \(settings.policy.maxSends) messages"
        )
        if settings.policy.failureLockout < .seconds(3600) {
            warn(
                "a number opens again \(settings.policy.failureLockout.components.seconds) s after "
                    + "\(settings.policy.maxConsecutiveFailures) wrong codes (verification.failure_lockout_seconds)"
            )
        }
        if settings.policy.codeLength < 6 {
            warn("a code under 6 digits is easier to guess than NIST SP 800-63B allows")
        }
        checkAbuse(settings, at: now)
        if !settings.limitsAreEnabled {
            warn("only the limits of a verification and of a number hold (limits.enabled)")
        }
        checkAccounts(settings)
        checkGateways(settings)
        checkWebhooks(settings)
        checkTokens(settings)
        checkObservability(settings)
        do {
            try settings.requireSafeToServe()
        } catch {
            refuse((error as? Failure)?.line ?? "\(error)")
        }
        if settings.servesWithoutKeys {
            warn("every program on this machine may send messages without an API key (server.insecure_no_keys)")
        }
    }

    private mutating func checkAbuse(_ settings: Settings, at now: Timestamp) {
        let (limits, guarding) = (settings.abusePolicy.limits, settings.abusePolicy.trafficGuard)
        add("profile", settings.profile.rawValue)
        add(
            "limits",
            [
                ("address", limits.sendsByAddress), ("prefix", limits.sendsByPrefix),
                ("country", limits.sendsByCountry), ("service", limits.sendsByService),
            ]
            .map { name, limits in
                "\(name) \(limits.isEmpty ? "off" : limits.map(\.description).joined(separator: " "))"
            }
            .joined(separator: ", ") + ", budget \(limits.dailyBudget.map(String.init) ?? "none")"
        )
        if settings.limitsAreEnabled, limits.dailyBudget == nil {
            warn("nothing bounds what a day's messages may cost (limits.daily_budget)")
        }
        add(
            "guard",
            guarding.mode == .off
                ? "off"
                : "\(guarding.mode.rawValue), under \(guarding.prefixPercent) % of \(guarding.prefixSample) messages to a "
                    + "prefix, \(guarding.countryPercent) % of \(guarding.countrySample) to a country"
        )
        if guarding.mode == .off { warn("nothing tells toll fraud from people (guard.mode)") }
        let testNumbers = settings.abusePolicy.testNumbers
        guard testNumbers.count > 0 else { return }
        add("tests", "\(testNumbers.count) test numbers until \(testNumbers.until)")
        warn(
            settings.doubtAboutTestNumbers(at: now)
                ?? "whoever knows a test number's code is signed up by it (test_numbers.numbers)"
        )
    }

    private mutating func checkGateways(_ settings: Settings) {
        add("gateways", settings.gateways.map(\.rawValue).joined(separator: ", then "))
        for (index, gateway) in settings.gateways.enumerated() {
            // What takes every message leaves none to the next.
            let what = index == 0 ? "no message leaves this service" : "what other gateways do not take stays here"
            switch gateway {
            case .stub: warn("\(what); everyone who reaches it can read every code (sms.gateway)")
            case .console: warn("\(what); codes are written to its standard error (sms.gateway)")
            case .twilio: checkTwilio(settings)
            case .sens: checkSENS(settings)
            case .solapi: checkSolapi(settings)
            case .sns: checkAmazonSNS(settings)
            case .vonage: checkVonage(settings)
            case .http: checkHTTPGateway(settings)
            }
        }
    }

    private mutating func checkWebhooks(_ settings: Settings) {
        guard let webhooks = settings.webhooks else { return add("webhooks", "none") }
        let kinds = Event.Kind.allCases.filter(webhooks.kinds.contains).map(\.rawValue).joined(separator: ", ")
        let count = webhooks.secrets.count
        add(
            "webhooks",
            "\(webhooks.endpoint.origin), signed with \(count == 1 ? "1 secret" : "\(count) secrets"): \(kinds)"
        )
        if webhooks.endpoint.isPlain, !webhooks.endpoint.isLoopback {
            warn("numbers can be read on their way to \(webhooks.endpoint.origin) (webhooks.url)")
        }
    }

    private mutating func checkKeys(_ settings: Settings) {
        do {
            guard let path = try settings.keyPath() else { return add("keys", "in memory") }
            guard Self.exists(path) else { return try checkMissingKeys(settings, path) }
            let count = try KeyRing.load(from: path).ids.count
            add("keys", "\(path), \(count == 1 ? "1 key" : "\(count) keys")")
        } catch {
            refuse((error as? Failure)?.line ?? "\(error)")
        }
    }

    private mutating func checkMissingKeys(_ settings: Settings, _ path: String) throws {
        try settings.requireKeysOfAll()
        add("keys", "\(path) (will be made)")
        if case .postgresql = settings.database {
            warn(
                "every instance must have this very file; one with keys of its own cannot check the others' codes (keys.file)"
            )
        }
    }

    private mutating func checkMessages(_ settings: Settings) {
        do {
            let templates = try Core.templates(settings)
            let locales = templates.locales.sorted().joined(separator: ", ")
            add("messages", "\(locales), from \(settings.messageNames.service)")
            checkTemplateSets(templates, settings)
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

    /// The folder, or the nearest one above it that there is, must be writable.
    private mutating func checkFolder(of path: String) {
        var folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
        while !folder.isEmpty, !Self.exists(folder),
            let slash = folder.lastIndex(of: "/")
        {
            folder = String(folder[..<slash])
        }
        if folder.isEmpty { folder = "/" }
        if !Self.exists(folder) { folder = "." }
        if access(folder + "/.", W_OK | X_OK) != 0 {
            refuse("the folder \(folder) cannot be written; choose another by database.url")
        }
    }

    private static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    mutating func add(_ what: String, _ value: String) {
        lines.append(what.padded(to: 10) + value)
    }

    mutating func warn(_ text: String) {
        lines.append("warning".padded(to: 10) + text)
    }

    mutating func refuse(_ text: String) {
        lines.append("error".padded(to: 10) + text)
        wouldStart = false
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
