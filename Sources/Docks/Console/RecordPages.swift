import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneService

// Programs and Audit: who may call, and what was done.

extension ConsoleRoutes {
    @Sendable func programs(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let keys = try await administration.apiKeys().reversed().map { key -> HTML in
            let revoke = visitor.act("Revoke", "programs/revoke-key", .operator, fields: ["key": key.id.description])
            return .cells([
                HTML.id(key.id.description), key.name.description, key.scopes.list, key.createdAt, key.lastUsedAt,
                Self.validity(key.revokedAt), key.revokedAt == nil ? revoke : "" as HTML,
            ])
        }
        let clients = try await administration.oauthClients().reversed().map { client -> HTML in
            .cells([
                HTML.id(client.id.description), client.name.description, client.isPublic ? "public" : "confidential",
                client.profile.redirectURIs.map(\.description).joined(separator: " "), client.createdAt,
                Self.validity(client.revokedAt),
            ])
        }
        let events = try await administration.events(status: nil, limit: 100).map { event -> HTML in
            let again = visitor.act(
                "Deliver again",
                "programs/redeliver",
                .operator,
                fields: ["event": event.id.description]
            )
            return .cells([
                event.occurredAt, event.kind.rawValue, HTML.state(event.status.rawValue, bad: ["failed"]),
                event.attempts, event.failure, event.status == .failed ? again : "" as HTML,
            ])
        }
        let keyTable = HTML.table(
            "API keys",
            ["Key", "Name", "Scopes", "Created", "Last used", "State", "Act"],
            Array(keys.prefix(200))
        )
        let clientTable = HTML.table(
            "Clients",
            ["Client", "Name", "Type", "Redirect URIs", "Created", "State"],
            Array(clients.prefix(200))
        )
        let eventTable = HTML.table("Events", ["Occurred", "Type", "Status", "#Attempts", "Failure", "Act"], events)
        let body: HTML = """
            <h2>API keys</h2>
            \(keyTable)
            <h2>Clients</h2>
            \(clientTable)
            <h2>Undelivered events</h2>
            \(eventTable)
            """
        return ConsolePage(title: "Programs", path: "programs", body: body)
    }

    private static func validity(_ revokedAt: Timestamp?) -> HTML {
        .state(revokedAt == nil ? "valid" : "revoked", good: ["valid"])
    }

    // MARK: - The audit log

    /// Throws ``ConsoleRefusal/role`` for a number that a viewer searches for.
    private func query(_ request: Request, _ visitor: Visitor, limit: Int) throws -> (AuditQuery, PhoneNumber?) {
        let number = request.query("number")
        guard number == nil || visitor.seesNumbers else { throw ConsoleRefusal.role }
        var query = AuditQuery(limit: limit)
        query.action = request.query("action").flatMap { AuditEntry.Action(rawValue: $0) }
        query.owner = request.query("by").flatMap { Owner(rawValue: $0.trimmed) }
        query.since = request.query("since").flatMap(Self.moment)
        query.until = request.query("until").flatMap(Self.moment)
        query.verificationID = request.query("verification").flatMap { Verification.ID($0.trimmed) }
        query.before = request.query("cursor").flatMap { Int64($0) }
        return (query, try number.map { try administration.number($0.trimmed) })
    }

    /// A day, or a time in RFC 3339.
    private static func moment(_ text: String) -> Timestamp? {
        Timestamp(inQuery: text.trimmed) ?? Timestamp(rfc3339: text.trimmed + "T00:00:00Z")
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
        let (query, number) = try query(request, visitor, limit: 100)
        let page = try await administration.entries(query, about: number)
        let filters = ["action", "by", "number", "verification", "since", "until"].map { ($0, request.query($0)) }
        let rows = page.entries.map { entry -> HTML in
            let verdict = entry.verdict.map { ([$0.rawValue] + entry.reasons.map(\.rawValue)).joined(separator: " ") }
            let shown = Shown(entry, visitor)
            return .cells([
                entry.at, entry.action.rawValue, entry.maskedNumber, shown.subject, shown.owner, shown.address,
                shown.reason ?? verdict,
            ])
        }
        let numberField = HTML.field("number", "Number", request.query("number"))
        let actions = AuditEntry.Action.allCases.map(\.rawValue).sorted()
        let table = HTML.table(
            "Audit log",
            ["Time (UTC)", "Action", "Number", "About", "By", "Address", "Reason or verdict"],
            rows,
            ifEmpty: "No matching entries."
        )
        let body: HTML = """
            <form class="row" method="get">\(HTML.select("action", "Action", actions, query.action?.rawValue))
            \(HTML.field("by", "By (caller:NAME, operator:USER)", request.query("by")))\(numberField, if: visitor.seesNumbers)
            \(HTML.field("since", "Since (2026-01-31)", request.query("since")))\(HTML.field("until", "Until", request.query("until")))
            <button>Show</button></form>
            \(table)
            \(HTML.next("/console/audit", filters, page.next.map { String($0) }))
            <p><a href="/console/audit.csv?\(HTML.query(filters))">These as CSV</a>, 10,000 at most.</p>
            """
        return ConsolePage(title: "Audit", path: "audit", body: body)
    }

    @Sendable func auditFile(request: Request, context: APIContext) async throws -> Response {
        guard let visitor = try await sessions.visitor(of: request, from: context.address) else {
            throw ConsoleRefusal.role
        }
        let (query, number) = try query(request, visitor, limit: 10_000)
        let page = try await administration.entries(query, about: number)
        var lines = [["time", "action", "number", "about", "by", "address", "verdict", "reason"]]
        lines += page.entries.map { entry in
            let shown = Shown(entry, visitor)
            return [
                entry.at.description, entry.action.rawValue, entry.maskedNumber, shown.subject, shown.owner,
                shown.address, entry.verdict?.rawValue, shown.reason,
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
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? false
        return "\"" + (isFormula ? "'" : "") + text.replacing("\"", with: "\"\"") + "\""
    }
}
