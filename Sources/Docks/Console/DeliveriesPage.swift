import PhoneAdministration
import PhoneDomain
import PhoneHTTP

extension ConsoleRoutes {
    @Sendable func deliveries(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let status = request.query("status").flatMap { OutboxMessage.Status(rawValue: $0) }
        var search = MessageSearch(limit: 50)
        (search.status, search.gateway) = (status, request.query("gateway"))
        search.failure = request.query("failure")
        search.before = request.query("cursor").flatMap { OutboxMessage.ID($0) }
        let page = try await administration.messages(search)
        let groups = try await administration.failureGroups(of: .seconds(7 * 86_400), limit: 5000)
        let filters: [(String, String?)] = [
            ("status", status?.rawValue), ("gateway", search.gateway), ("failure", search.failure),
        ]
        let figures = try await administration.figures(days: 2, by: .gateway)
        let gateways = HTML.table(
            "Gateways",
            [
                "Gateway", "State", "#Accepted", "#To acceptance, p50 / p95", "#Delivered", "#To delivery, p50 / p95",
                "#Conversion", "Act",
            ],
            try await administration.gateways().map { gateway in
                self.gateway(gateway, figures.first { $0.name == gateway.name }?.figure, visitor)
            }
        )
        let test = request.query("accepted").flatMap { Int64($0) }.map { milliseconds -> HTML in
            let time = seconds(.milliseconds(milliseconds))
            return "<p role=\"status\" class=\"card\">The gateway accepted the test message in \(time).</p>"
        }
        let failures = HTML.table(
            "Failures",
            ["Status", "Gateway", "Failure", "#Messages", "Last", "Act"],
            groups.prefix(50).map { group($0, visitor) },
            ifEmpty: "Nothing has failed."
        )
        let statuses = OutboxMessage.Status.allCases.map(\.rawValue)
        let body: HTML = """
            \(test)
            <h2>Gateways</h2>
            \(gateways)
            <p class="small">The circuit breaker and what was accepted are those of this instance since it started; others
            have their own (<code>phoneproof_gateway_circuit_open</code>). Times and deliveries are of the newest 2,000
            messages of a day, conversion of messages since yesterday that are 70 minutes old. A paused gateway gets no
            message from any instance within seconds: they go by the next of their route, or wait while their codes are
            valid.</p>
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

    private func gateway(_ gateway: GatewayOverview, _ figure: DailyFigure?, _ visitor: Visitor) -> HTML {
        let fields: KeyValuePairs = ["gateway": gateway.name]
        let (sent, health) = (gateway.deliveries, gateway.health)
        let state =
            gateway.pausedSince.map { "paused since \($0.description.prefix(16))" }
            ?? health.map { "breaker \($0.breaker.rawValue)" } ?? "unknown"
        let name = "\(gateway.name) (\(gateway.channels.map(\.rawValue).joined(separator: ", ")))"
        let isGood = gateway.pausedSince == nil && health?.breaker == .closed
        func times(_ time: (Int) -> Duration?) -> String {
            guard let half = time(50), let most = time(95) else { return "–" }
            return "\(seconds(half)) / \(seconds(most))"
        }
        let pause =
            gateway.pausedSince == nil
            ? visitor.act("Pause", "deliveries/pause", .operator, fields: fields)
            : visitor.act("Resume", "deliveries/resume", .operator, fields: fields)
        let number: HTML = "<label>Number<input name=\"number\" required inputmode=\"tel\"></label>"
        let test = visitor.act("Send a test message", "deliveries/test", .operator, fields: fields, more: number)
        return .cells([
            name, HTML.state(state, bad: isGood ? [] : [state], good: isGood ? [state] : []),
            Figures(health.map { "\($0.accepted) of \($0.requests)" } ?? "–"), Figures(times(sent.accepted(percent:))),
            Figures("\(sent.delivered) of \(sent.messages), \(sent.undelivered) lost"),
            Figures(times(sent.delivered(percent:))),
            Figures(figure.map { percent($0.approved, of: $0.requested) } ?? "–"), pause + test,
        ])
    }

    /// Seconds as they are shown, with a decimal below ten.
    private func seconds(_ time: Duration) -> String {
        let tenths = (time.wholeMilliseconds + 50) / 100
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 10) s"
    }

    @Sendable func testGateway(_ act: Act) async throws -> Response? {
        let gateway = try act.text("gateway")
        let number = try administration.number(act.text("number"), field: "number")
        switch try await administration.sendTest(to: number, by: gateway, author: act.author) {
        case .accepted(_, let time):
            return try Self.redirection(to: "/console/deliveries?accepted=\(time.wholeMilliseconds)")
        case .rejected(let reason): throw AdministrationFailure.conflict("\(gateway) did not accept it: \(reason)")
        }
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
        let link: HTML =
            "<a href=\"/console/deliveries?\(HTML.query(filters))\">\(group.failure ?? "no reason given")</a>"
        return .cells([
            HTML.state(group.status), group.gateway, link, group.count, group.lastAt, mayRetry ? act : "" as HTML,
        ])
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
            return .cells([
                message.createdAt, visitor.shown(claim.recipient), message.channel.rawValue, HTML.state(message.status),
                message.gateway, message.failure, message.attempts, canRetry ? act : "" as HTML,
            ])
        }
        let titles = ["Queued at (UTC)", "Number", "Channel", "Status", "Gateway", "Failure", "#Attempts", "Act"]
        return .table("Messages", titles, rows, ifEmpty: "No messages here.")
    }

    @Sendable func retryAll(_ act: Act) async throws -> Response? {
        var search = MessageSearch(limit: 1)
        search.status = OutboxMessage.Status(rawValue: try act.text("status"))
        search.gateway = act.form["gateway"].flatMap { $0.isEmpty ? nil : $0 }
        search.failure = act.form["failure"].flatMap { $0.isEmpty ? nil : $0 }
        _ = try await administration.retryAll(search, by: act.author)
        return try Self.redirection(to: "/console/deliveries?status=queued")
    }
}
