import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneSignup

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
        let overviews = try await administration.gateways()
        let gateways = HTML.table(
            "Gateways",
            ["Gateway", "State", "#Accepted", "#Delivered", "#Conversion", ""],
            overviews.map { gateway in
                let figure = figures.first { $0.name == gateway.name }?.figure
                let isLast = !overviews.contains { other in
                    other.name != gateway.name && other.state == .works
                        && !Set(other.channels).isDisjoint(with: gateway.channels)
                }
                return self.gateway(gateway, isLast: isLast, figure, visitor)
            },
            ifEmpty: "There is no gateway."
        )
        let failures = HTML.table(
            "Failures",
            ["Status", "Gateway", "Why", "#Messages", "Last (UTC)", ""],
            groups.prefix(50).map { group($0, visitor) },
            ifEmpty: "Nothing has failed."
        )
        let statuses = OutboxMessage.Status.allCases.map(\.rawValue)
        let body: HTML = """
            <h2 id="gateways">Gateways</h2>
            \(gateways)
            <p class="small">Accepted is what this instance has tried since it started. Times and deliveries are of the newest
            2,000 messages of a day: half of them took p50 at most, and 95 % p95. Conversion is of messages since yesterday
            that are 70 minutes old.</p>
            <h2 id="failures">What failed, in 7 days</h2>
            \(failures)
            <h2 id="messages">Messages</h2>
            <form class="row" method="get">\(HTML.select("status", "Status", statuses, status?.rawValue))
            \(HTML.field("gateway", "Gateway", search.gateway))\(HTML.field("failure", "Failure", search.failure))
            <button>Show</button></form>
            \(Self.messages(page.items, visitor, at: now))
            \(HTML.next("/console/deliveries", filters, page.next))
            """
        return ConsolePage(title: "Deliveries", path: "deliveries", body: body)
    }

    private func gateway(
        _ gateway: GatewayOverview,
        isLast: Bool,
        _ figure: DailyFigure?,
        _ visitor: Visitor
    ) -> [any TableCell] {
        let fields: KeyValuePairs = ["gateway": gateway.name]
        let (sent, health) = (gateway.deliveries, gateway.health)
        let lost = sent.undelivered > 0 ? ", \(sent.undelivered) lost" : ""
        let channels = gateway.channels.map(\.rawValue).joined(separator: ", ")
        let name: HTML = """
            <b>\(gateway.name)</b> <small>\(channels)</small>\(gateway.address.map { "<br><small>\($0)</small>" as HTML })
            """
        let mark = HTML.state(gateway.state.rawValue, bad: ["paused", "down", "refuses"], good: ["works"])
        // Without its first words, which the state is.
        let cause = gateway.finding.map { finding -> HTML in
            let sentence = finding.sentence
            let start = sentence.firstRange(of: ", since ").map { sentence.index($0.lowerBound, offsetBy: 2) }
            return "<small>\(sentence[(start ?? sentence.startIndex)...])</small>"
        }
        func count(_ text: String, _ time: (Int) -> Duration?) -> Figures {
            guard let half = time(50), let most = time(95) else { return Figures(text) }
            return Figures("<span>\(text)<br><small>p50 \(seconds(half)), p95 \(seconds(most))</small></span>" as HTML)
        }
        let delivered =
            sent.reports > 0
            ? "\(sent.delivered) of \(sent.messages)\(lost)"
            : health?.reportsDelivery == false ? "no receipts are set" : "none reported"
        let pause =
            gateway.pausedSince == nil
            ? visitor.act(
                "Pause",
                "Pause \(gateway.name)",
                "deliveries/pause",
                .operator,
                note: isLast
                    ? "No other gateway works: nobody gets a code until it is resumed."
                    : "Its messages go by the other gateways of their route, or wait while their codes are valid.",
                isDestructive: isLast,
                fields: fields
            )
            : visitor.act("Resume", "Resume \(gateway.name)", "deliveries/resume", .operator, fields: fields)
        let number: HTML = "<label>Number<input name=\"number\" required inputmode=\"tel\" autofocus></label>"
        let test = visitor.act(
            "Test",
            "Send a test message by \(gateway.name)",
            "deliveries/test",
            .operator,
            note: "It has a code of zeros, costs what a message costs, and goes out also while the gateway is paused.",
            fields: fields,
            more: number
        )
        return [
            name, "\(mark)\(cause)" as HTML,
            count(health.map { "\($0.accepted) of \($0.requests)" } ?? "–", sent.accepted(percent:)),
            count(delivered, sent.delivered(percent:)),
            Figures(figure.map { percent($0.approved, of: $0.requested) } ?? "–"), pause + test,
        ]
    }

    /// A time as it is shown, in seconds with a decimal below ten.
    private func seconds(_ time: Duration) -> String {
        if time < .milliseconds(100) { return "\(max(1, time.wholeMilliseconds)) ms" }
        let tenths = (time.wholeMilliseconds + 50) / 100
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) s" : "\(tenths / 10) s"
    }

    @Sendable func testGateway(_ act: Act) async throws -> ActResult {
        let gateway = try act.text("gateway")
        let number = try administration.number(act.text("number"), field: "number")
        switch try await administration.sendTest(to: number, by: gateway, author: act.author) {
        case .accepted(_, let time):
            return .said("\(gateway) accepted the test message to \(number.masked) in \(seconds(time)).")
        case .rejected(let reason):
            throw AdministrationFailure.conflict("the test message was not accepted by \(gateway): \(reason)")
        }
    }

    private func group(_ group: FailureGroup, _ visitor: Visitor) -> [any TableCell] {
        let filters: [(String, String?)] = [
            ("status", group.status.rawValue), ("gateway", group.gateway), ("failure", group.failure),
        ]
        let mayRetry = group.status == .failed || group.status == .unknown
        let reason = group.failure ?? "no reason given"
        let act = visitor.act(
            "Send again",
            "Send \(counted(group.count, "message")) again",
            "deliveries/retry-all",
            .operator,
            note: "\(reason). Those whose codes are still valid go out, the newest 5,000 at most."
                + (group.status == .unknown ? " They may arrive twice." : ""),
            fields: [
                "status": group.status.rawValue, "gateway": group.gateway ?? "", "failure": group.failure ?? "",
            ]
        )
        let link: HTML = "<a href=\"/console/deliveries?\(HTML.query(filters))#messages\">\(reason)</a>"
        return [HTML.state(group.status), group.gateway, link, group.count, group.lastAt, mayRetry ? act : "" as HTML]
    }

    static func messages(_ claims: [OutboxClaim], _ visitor: Visitor, at now: Timestamp) -> HTML {
        let rows = claims.map { claim -> [any TableCell] in
            let message = claim.message
            let canRetry = message.status == .failed || message.status == .unknown
            let to = visitor.shown(claim.recipient)
            let act = visitor.act(
                "Send again",
                "Send the message to \(to) again",
                "deliveries/retry",
                .support,
                fields: ["message": message.id.description]
            )
            return [
                message.createdAt, to, message.channel.rawValue, HTML.state(message.status), message.gateway,
                details(of: message, at: now), message.attempts, canRetry ? act : "" as HTML,
            ]
        }
        let titles = ["Queued at (UTC)", "Number", "Channel", "Status", "Gateway", "Details", "#Attempts", ""]
        return .table("Messages", titles, rows, ifEmpty: "No messages here.")
    }

    /// Why it went as it did, and whether its vendor knows that the code was entered; nil where there is nothing to say.
    static func details(of message: OutboxMessage, at now: Timestamp) -> String? {
        let wasAccepted = message.status == .sent || message.status == .delivered
        let parts = [
            message.failure.map { wasAccepted ? "failed over from \($0)" : $0 },
            message.waitsFor(at: now).map { "waits for \($0)" },
            message.feedback.map { answer in
                answer == OutboxMessage.acceptedFeedback
                    ? "the vendor was told that the code was entered"
                    : "the vendor was not told that the code was entered: \(answer)"
            },
        ]
        let text = parts.compactMap(\.self).joined(separator: "; ")
        return text.isEmpty ? nil : text
    }

    @Sendable func retryAll(_ act: Act) async throws -> ActResult {
        var search = MessageSearch(limit: 1)
        search.status = OutboxMessage.Status(rawValue: try act.text("status"))
        search.gateway = act.form["gateway"].flatMap { $0.isEmpty ? nil : $0 }
        search.failure = act.form["failure"].flatMap { $0.isEmpty ? nil : $0 }
        return .response(
            try progressPage("Send again", act.visitor, back: ("deliveries", "Deliveries")) { [search] in
                let (queued, refused) = try await administration.retryAll(search, by: act.author)
                return "Queued \(counted(queued, "message")) again."
                    + (refused > 0 ? " \(refused) cannot be sent again: their codes have expired or are used." : "")
            }
        )
    }
}
