import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup

// Programs and Audit: who may call, and what was done.

extension ConsoleRoutes {
    @Sendable func programs(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let keys = try await administration.apiKeys().reversed().map { key -> [any TableCell] in
            let revoke = visitor.act(
                "Revoke",
                "Revoke the key \(key.name)",
                "programs/revoke-key",
                .operator,
                note: "Who uses it is refused at once"
                    + (key.lastUsedAt.map { ", last on \($0.description.prefix(10))." } ?? "; nobody ever has."),
                isDestructive: true,
                fields: ["key": key.id.description]
            )
            return [
                HTML.id(key.id.description), key.name.description, key.scopes.list, key.createdAt, key.lastUsedAt,
                Self.validity(key.revokedAt), key.revokedAt == nil ? revoke : "" as HTML,
            ]
        }
        let clients = try await administration.oauthClients().reversed().map { client -> [any TableCell] in
            [
                HTML.id(client.id.description), client.name.description, client.isPublic ? "public" : "confidential",
                client.profile.redirectURIs.map(\.description).joined(separator: " "), client.createdAt,
                Self.validity(client.revokedAt),
            ]
        }
        let now = now
        let receiver = try await administration.findings().first { $0.kind == .webhooksDown }
        let events = try await administration.events(status: nil, limit: 100).map { event -> [any TableCell] in
            let again = visitor.act(
                "Deliver again",
                "Deliver \(event.kind.rawValue) again",
                "programs/redeliver",
                .operator,
                fields: ["event": event.id.description]
            )
            // While the receiver is down nothing is tried, whatever time was set.
            let next: HTML =
                event.status != .queued
                ? "–"
                : receiver != nil
                    ? "with the next try of the receiver"
                    : event.nextAttemptAt <= now ? "now" : HTML.time(event.nextAttemptAt)
            return [
                event.occurredAt, event.kind.rawValue, HTML.state(event.status.rawValue, bad: ["failed"]),
                event.attempts, next, event.failure, event.status == .failed ? again : "" as HTML,
            ]
        }
        let keyTable = HTML.table(
            "API keys",
            ["Key", "Name", "Scopes", "Created", "Last used", "State", ""],
            Array(keys.prefix(200)),
            ifEmpty: "There is no API key."
        )
        let clientTable = HTML.table(
            "Clients",
            ["Client", "Name", "Type", "Redirect URIs", "Created", "State"],
            Array(clients.prefix(200)),
            ifEmpty: "No program signs people in by OpenID Connect."
        )
        let eventTable = HTML.table(
            "Events",
            ["Occurred", "Type", "Status", "#Attempts", "Next attempt", "Failure", ""],
            events,
            ifEmpty: "Every event was delivered, or there is no receiver (webhooks.url)."
        )
        let body: HTML = """
            <h2>API keys</h2>
            \(keyTable)
            <h2>Clients</h2>
            \(clientTable)
            <h2 id="events">Undelivered events</h2>
            \(receiver.map { Self.wrong([$0]) })
            \(eventTable)
            <p class="small">Times are UTC.</p>
            """
        return ConsolePage(title: "Programs", path: "programs", body: body)
    }

    private static func validity(_ revokedAt: Timestamp?) -> HTML {
        .state(revokedAt == nil ? "valid" : "revoked", good: ["valid"])
    }

    // MARK: - The audit log

    /// What somebody looks for in the audit log, and what of it cannot be understood.
    private struct AuditSearch {
        var query: AuditQuery
        var number: PhoneNumber?
        var faults: [String: String] = [:]

        mutating func read<Value>(_ name: String, _ request: Request, _ fault: String, _ parse: (String) -> Value?)
            -> Value?
        {
            guard let text = request.query(name)?.trimmed, !text.isEmpty else { return nil }
            let value = parse(text)
            if value == nil { faults[name] = fault }
            return value
        }
    }

    /// Throws ``ConsoleRefusal/role`` for a number that a viewer searches for.
    private func search(_ request: Request, _ visitor: Visitor, limit: Int) throws -> AuditSearch {
        guard request.query("number") == nil || visitor.seesNumbers else { throw ConsoleRefusal.role }
        var search = AuditSearch(query: AuditQuery(limit: limit))
        let (time, now) = (
            "Write a date (2026-01-31), a time in UTC (2026-01-31T09:00:00Z) or an age (30m, 12h, 7d).", now
        )
        search.query.action = search.read("action", request, "There is no such action.") {
            AuditEntry.Action(rawValue: $0)
        }
        search.query.owner = search.read("by", request, "Write caller:NAME, operator:USER or local.") {
            Owner(rawValue: $0)
        }
        search.query.since = search.read("since", request, time) { Self.moment($0, at: now) }
        search.query.until = search.read("until", request, time) { Self.moment($0, at: now) }
        search.query.verificationID = search.read("verification", request, "It begins with ver_.") {
            Verification.ID($0)
        }
        search.query.before = search.read("cursor", request, "The page is gone.") { Int64($0) }
        search.number = search.read("number", request, "This is no phone number; write it with + and country code.") {
            try? administration.number($0)
        }
        // A search for something names what it is about.
        let isWhole = [
            request.query("action"), request.query("number"), request.query("verification"), request.query("by"),
        ]
        .contains { $0?.isEmpty == false }
        search.query.hasOperatorsOnly = request.query("all") != "true" && !isWhole
        return search
    }

    /// A day, a time in RFC 3339, or an age.
    private static func moment(_ text: String, at now: Timestamp) -> Timestamp? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        if let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()), (0...999_999).contains(count)
        {
            return now - .seconds(count * unit)
        }
        return Timestamp(inQuery: text) ?? Timestamp(rfc3339: text + "T00:00:00Z")
    }

    /// What a visitor sees of an entry.
    private struct Shown {
        let subject, owner, address, reason: String?

        init(_ entry: AuditEntry, _ visitor: Visitor) {
            subject = entry.subject.map(visitor.shown(subject:))
            owner = (entry.owner?.rawValue).map(visitor.shown(subject:))
            address = visitor.seesNumbers ? entry.address?.description : nil
            reason = (entry.reason?.description).map(visitor.shown(text:))
        }
    }

    @Sendable func audit(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let search = try search(request, visitor, limit: 100)
        let page =
            search.faults.isEmpty
            ? try await administration.entries(search.query, about: search.number) : AuditPage([], limit: 1)
        let filters = ["action", "by", "number", "verification", "since", "until", "all"].map {
            ($0, request.query($0))
        }
        let rows = page.entries.map { entry -> [any TableCell] in
            let verdict = entry.verdict.map { ([$0.rawValue] + entry.reasons.map(\.rawValue)).joined(separator: " ") }
            let shown = Shown(entry, visitor)
            return [
                entry.at, entry.action.title, entry.maskedNumber, shown.subject, shown.owner, shown.address,
                shown.reason ?? verdict,
            ]
        }
        func field(_ name: String, _ label: String) -> HTML {
            HTML.field(name, label, request.query(name), fault: search.faults[name])
        }
        let numberField = field("number", "Number")
        let table = HTML.table(
            "Audit log",
            ["Time (UTC)", "Action", "Number", "About", "By", "Address", "Reason or verdict"],
            rows,
            ifEmpty: search.faults.isEmpty ? "No matching entries." : "Nothing is shown: see above."
        )
        let scope: HTML =
            search.query.hasOperatorsOnly
            ? """
            <p>What operators did and looked at. <a href="/console/audit?\(HTML.query(filters + [("all", "true")]))">Show what people and \
            programs did, too</a></p>
            """ : "<p>What everybody did. <a href=\"/console/audit\">Show what operators did alone</a></p>"
        let body: HTML = """
            <form class="row" method="get">\(Self.actions(search.query.action))
            \(field("by", "By (caller:NAME, operator:USER)"))\(numberField, if: visitor.seesNumbers)
            \(field("since", "Since (2026-01-31, or 7d)"))\(field("until", "Until"))
            <button>Show</button></form>
            \(scope)
            \(table)
            \(HTML.next("/console/audit", filters, page.next.map { String($0) }))
            <p><a href="/console/audit.csv?\(HTML.query(filters))">These as CSV</a>, 10,000 at most.</p>
            """
        return ConsolePage(title: "Audit", path: "audit", body: body)
    }

    /// A choice of actions, those of operators first.
    private static func actions(_ chosen: AuditEntry.Action?) -> HTML {
        func group(_ label: String, _ actions: [AuditEntry.Action]) -> HTML {
            let options = actions.sorted { $0.title < $1.title }.map { action -> HTML in
                "<option value=\"\(action.rawValue)\"\(" selected", if: action == chosen)>\(action.title)</option>"
            }
            return "<optgroup label=\"\(label)\">\(options.joined())</optgroup>"
        }
        let all = AuditEntry.Action.allCases
        return """
            <div><label for="action">Action</label><select id="action" name="action"><option value="">any</option>\
            \(group("Operators", all.filter(\.isOfOperators)))\(group("People and programs", all.filter { !$0.isOfOperators }))</select></div>
            """
    }

    @Sendable func auditFile(request: Request, context: APIContext) async throws -> Response {
        guard let visitor = try await sessions.visitor(of: request, from: context.address) else {
            throw ConsoleRefusal.role
        }
        let search = try search(request, visitor, limit: 10_000)
        if let (name, fault) = search.faults.first {
            throw AdministrationFailure.invalid(field: name, "is not understood: \(fault)")
        }
        let page = try await administration.entries(search.query, about: search.number)
        var lines = [["time", "action", "number", "about", "by", "address", "verdict", "reason", "reference", "tags"]]
        lines += page.entries.map { entry in
            let shown = Shown(entry, visitor)
            return [
                entry.at.description, entry.action.rawValue, entry.maskedNumber, shown.subject, shown.owner,
                shown.address, entry.verdict?.rawValue, shown.reason,
                (entry.labels.reference?.description).map(visitor.shown(text:)),
                (entry.labels.tags?.json.text).map(visitor.shown(text:)),
            ].map { $0 ?? "" }
        }
        // Spreadsheets of some countries take UTF-8 for their own encoding unless U+FEFF begins it.
        return Response(
            text: "\u{FEFF}" + lines.map { $0.map(CSV.cell).joined(separator: ",") + "\r\n" }.joined(),
            contentType: "text/csv; charset=utf-8",
            headers: [.contentDisposition: #"attachment; filename="phoneproof-audit.csv""#]
        )
    }
}

/// Comma-separated values (RFC 4180).
enum CSV {
    /// Quoted. What a spreadsheet would take for a formula has an apostrophe in front
    /// (https://owasp.org/www-community/attacks/CSV_Injection): texts are of people who want it to run. East Asian
    /// spreadsheets take the wide forms of the characters as well.
    static func cell(_ text: String) -> String {
        // In some languages a semicolon separates cells as well.
        let isFormula = text.split(separator: ";", omittingEmptySubsequences: false).contains { part in
            part.unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
        }
        let safe = isFormula ? "'" + text.replacing(";", with: ",") : text
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
