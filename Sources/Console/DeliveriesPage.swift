import PhoneDomain
import PhoneHTTP

extension ConsoleRoutes {
    @Sendable func deliveries(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let status = request.query("status").flatMap { OutboxMessage.Status(rawValue: $0) }
        var search = MessageSearch(limit: 50)
        (search.status, search.gateway) = (status, request.query("gateway"))
        search.failure = request.query("failure")
        search.before = request.query("cursor").flatMap { OutboxMessage.ID($0) }
        let page = try await administration.store.messages(search)
        let groups = try await administration.store.failureGroups(since: now - .seconds(7 * 86_400), limit: 5000)
        let filters: [(String, String?)] = [
            ("status", status?.rawValue), ("gateway", search.gateway), ("failure", search.failure),
        ]
        let figures = try await administration.figures(days: 2, by: .gateway)
        let gateways = HTML.table(
            "Gateways",
            ["Gateway", "#Sent", "#Delivered", "#Approved", "#Conversion", "#Median to approval"],
            figures.filter { $0.figure.requested > 0 || $0.figure.sent > 0 }.map(gateway),
            ifEmpty: "Nothing is counted yet: a message is, 70 minutes after its verification began."
        )
        let failures = HTML.table(
            "Failures",
            ["Status", "Gateway", "Failure", "#Messages", "Last", "Act"],
            groups.prefix(50).map { group($0, visitor) },
            ifEmpty: "Nothing has failed."
        )
        let statuses = OutboxMessage.Status.allCases.map(\.rawValue)
        let body: HTML = """
            <h2>Gateways, since yesterday</h2>
            \(gateways)
            <h2>What failed, in 7 days</h2>
            \(failures)
            <h2>Messages</h2>
            <form class="row" method="get">\(HTML.select("status", "Status", statuses, status?.rawValue))
            \(HTML.field("gateway", "Gateway", search.gateway))\(HTML.field("failure", "Failure", search.failure))
            <button>Show</button></form>
            \(Self.messages(page.items, visitor))
            \(HTML.next("/console/deliveries", filters, page.next))
            """
        return ConsolePage(title: "Deliveries", path: "deliveries", body: body)
    }

    private func gateway(_ name: String, _ figure: DailyFigure) -> HTML {
        """
        \(HTML.cell(name == "-" ? "none" : name))\(HTML.cell(figure.sent))\(HTML.cell(figure.delivered))\(HTML.cell(figure.approved))\
        \(HTML.cell(number: percent(figure.approved, of: figure.requested)))\
        \(HTML.cell(number: figure.seconds(percent: 50).map { "\($0) s" } ?? "–"))
        """
    }

    private func group(_ group: FailureGroup, _ visitor: Visitor) -> HTML {
        let filters: [(String, String?)] = [
            ("status", group.status.rawValue), ("gateway", group.gateway), ("failure", group.failure),
        ]
        let act = visitor.act(
            "Send all again",
            "deliveries/retry-all",
            .operator,
            fields: [
                "status": group.status.rawValue, "gateway": group.gateway ?? "", "failure": group.failure ?? "",
            ]
        )
        let mayRetry = group.status == .failed || group.status == .unknown
        return """
            \(HTML.cell(HTML.state(group.status.rawValue, bad: ["failed", "undelivered", "unknown"])))\(HTML.cell(group.gateway))\
            <td><a href="/console/deliveries?\(HTML.query(filters))">\(group.failure ?? "no reason given")</a></td>\
            \(HTML.cell(group.count))\(HTML.cell(HTML.time(group.lastAt)))\(HTML.cell(mayRetry ? act : ""))
            """
    }

    static func messages(_ claims: [OutboxClaim], _ visitor: Visitor) -> HTML {
        let rows = claims.map { claim -> HTML in
            let message = claim.message
            let canRetry = message.status == .failed || message.status == .unknown
            let act = visitor.act(
                "Send again",
                "deliveries/retry",
                .support,
                fields: ["message": message.id.description]
            )
            let state = HTML.state(
                message.status.rawValue,
                bad: ["failed", "undelivered", "unknown"],
                good: ["delivered"]
            )
            return """
                \(HTML.cell(HTML.time(message.createdAt)))\(HTML.cell(visitor.shown(claim.recipient)))\(HTML.cell(message.channel.rawValue))\
                \(HTML.cell(state))\(HTML.cell(message.gateway))\(HTML.cell(message.failure))\(HTML.cell(message.attempts))\
                \(HTML.cell(canRetry ? act : ""))
                """
        }
        let titles = ["Queued at (UTC)", "Number", "Channel", "Status", "Gateway", "Failure", "#Attempts", "Act"]
        return .table("Messages", titles, rows, ifEmpty: "No messages here.")
    }

    @Sendable func retry(_ act: Act) async throws -> String {
        guard let id = OutboxMessage.ID(try act.text("message")) else {
            throw AdministrationFailure.notFound("there is no such message")
        }
        _ = try await administration.retry(id, by: act.author)
        return "/console/deliveries"
    }

    /// As many as are on the first pages: those whose code has expired meanwhile stay as they are.
    @Sendable func retryAll(_ act: Act) async throws -> String {
        var search = MessageSearch(limit: 200)
        search.status = OutboxMessage.Status(rawValue: try act.text("status"))
        search.gateway = act.form["gateway"].flatMap { $0.isEmpty ? nil : $0 }
        search.failure = act.form["failure"].flatMap { $0.isEmpty ? nil : $0 }
        guard search.status == .failed || search.status == .unknown else {
            throw AdministrationFailure.invalid(field: "status", "must be failed or unknown")
        }
        var count = 0
        for _ in 0..<25 {
            let page = try await administration.store.messages(search)
            for claim in page.items {
                do {
                    _ = try await administration.retry(claim.message.id, by: act.author)
                    count += 1
                } catch is AdministrationFailure {}
            }
            guard let next = page.next.flatMap({ OutboxMessage.ID($0) }) else { break }
            search.before = next
        }
        guard count > 0 else {
            throw AdministrationFailure.conflict("none of them can be sent again: their codes expired")
        }
        return "/console/deliveries?status=queued"
    }
}
