import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneSignup

extension ConsoleRoutes {
    @Sendable func health(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let health = try await administration.health()
        let store = health.store
        let gateways = try await administration.gateways().map { "\($0.name) \($0.state.rawValue)" }
        var facts = [
            ("Version", PhoneAPI.version), ("Gateways", gateways.joined(separator: ", ")),
            ("Database", "\(store.engine), \(size(store.bytes))"),
            ("Schema", "version \(store.schemaVersion)"),
            ("API keys", "\(health.validKeys) valid" + (health.oldestKey.map { ", the oldest \(age($0))" } ?? "")),
            (
                "Encryption keys",
                health.keyFile.map {
                    "\($0.keys) in a file that was last changed \($0.changedAt.description.prefix(10))"
                }
                    ?? "in memory"
            ),
        ]
        facts += health.signingKeys.map { key in
            let end = key.removedAt.map { ", valid until \($0.description.prefix(16))" } ?? ""
            return ("Signing key", "\(key.algorithm.rawValue), \(age(key.createdAt))\(end)")
        }
        facts += health.overrides.map {
            ("Set by an operator", "\($0.name): \($0.value), since \($0.since.description.prefix(16))")
        }
        func table(_ name: String, _ rows: [(String, String)]) -> HTML {
            .table(name, ["What", "Value"], rows.map { [$0.0, $0.1] }, ifEmpty: "Nothing is set.")
        }
        let instances = health.instances.map { instance -> [any TableCell] in
            [instance.host, instance.process, instance.version, instance.startedAt, instance.seenAt]
        }
        let titles = ["Host", "#Process", "Version", "Started (UTC)", "Last seen (UTC)"]
        let warnings = health.warnings.map { "<li>\($0)</li>" as HTML }
        let body: HTML = """
            \(Self.wrong(health.findings))
            <h2>State</h2>
            \(table("State", facts))
            <h2>Instances</h2>
            \(HTML.table("Instances", titles, instances, ifEmpty: "No instance has reported: none is running, or none can write to the database."))
            <p class="small">Each instance reports every 30 seconds. A killed one stays listed for up to 90 seconds.</p>
            <h2>Settings in force</h2>
            \("<ul class=\"wrong\">\(warnings.joined())</ul>", if: !warnings.isEmpty)
            \(table("Settings in force", health.settings.map { ($0.what, $0.value) }))
            <p class="small">As <code>phoneproof check-config</code> says it. <code>phoneproof doctor</code> looks at the
            machine and its peers besides.</p>
            """
        return ConsolePage(title: "Health", path: "health", body: body)
    }

    /// What is wrong, each with the page where its cause is.
    static func wrong(_ findings: [Finding]) -> HTML {
        if findings.isEmpty { return "<p class=\"small\">Nothing is wrong.</p>" }
        // What follows from one cause is one box, and the worst of it is its head.
        var boxes: [[Finding]] = []
        let isOut = findings.contains { $0.verdict == .failed && $0.isOfGateways }
        for finding in findings {
            let index = boxes.firstIndex { box in
                isOut && finding.isOfSending && box[0].isOfSending || finding.isOfWebhooks && box[0].isOfWebhooks
            }
            if let index { boxes[index].append(finding) } else { boxes.append([finding]) }
        }
        let items = boxes.map { box -> HTML in
            let kind: HTML = box[0].verdict == .failed ? " class=\"bad\"" : ""
            let rest = box.dropFirst().map { "<p>\(line($0))</p>" as HTML }
            return "<li\(kind)>\(line(box[0]))\(rest.joined())</li>"
        }
        return "<ul class=\"wrong\">\(items.joined())</ul>"
    }

    private static func line(_ finding: Finding) -> HTML {
        let advice = finding.advice.map { "<small>\(code($0))</small>" as HTML }
        // A gateway's name begins the sentence.
        let kind: HTML = finding.isOfGateways && finding.kind != .noGateway ? "" : " class=\"topic\""
        return """
            <a\(kind) href="/console/\(place(of: finding))">\(finding.subject)</a> \(finding.sentence)\(advice)
            """
    }

    /// What is between backticks is something to type.
    private static func code(_ text: String) -> HTML {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part -> HTML in
            index.isMultiple(of: 2) ? "\(part)" : "<code>\(part)</code>"
        }.joined()
    }

    private static func place(of finding: Finding) -> String {
        switch finding.kind {
        case .noGateway, .gatewayDown, .gatewayRefuses, .gatewayPaused: "deliveries#gateways"
        case .messagesWait: "deliveries?status=queued#messages"
        case .messagesFail: "deliveries#failures"
        case .numbersBlocked, .guardOverridden, .budget: "guard"
        case .webhooksDown, .eventsFailed: "programs#events"
        case .disk, .certificate, .keys, .clock, .serviceGone, nil: "health"
        }
    }

    private func age(_ moment: Timestamp) -> String {
        "\(counted(Int((now - moment).components.seconds / 86_400), "day")) old, of \(moment.description.prefix(10))"
    }

    private func size(_ bytes: Int) -> String {
        bytes < 10_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
    }
}

extension Finding {
    fileprivate var isOfGateways: Bool {
        kind == .noGateway || kind == .gatewayDown || kind == .gatewayRefuses || kind == .gatewayPaused
    }
    fileprivate var isOfSending: Bool { isOfGateways || kind == .messagesWait || kind == .messagesFail }
    fileprivate var isOfWebhooks: Bool { kind == .webhooksDown || kind == .eventsFailed }
}
