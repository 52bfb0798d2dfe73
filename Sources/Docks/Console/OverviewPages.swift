import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneService

// Now and Funnel: what is going on.

extension ConsoleRoutes {
    @Sendable func overview(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let body: HTML = """
            <p id="state" class="small" role="status">As of \(HTML.time(now)) UTC</p>
            <div id="live">\(try await present())</div>
            """
        return ConsolePage(title: "Now", path: "", body: body, isLive: true)
    }

    /// The part of Now that changes, which is the same for every visitor.
    @Sendable func present() async throws -> HTML {
        let now = now
        let traffic = try await administration.traffic(of: .service)
        let (hour, day) = (traffic.lastHour(at: now), traffic.lastDay(at: now))
        let backlog = try await administration.backlog()
        let events = try await administration.events(status: nil, limit: 1000)
        let failures = try await administration.failureGroups(of: .seconds(86_400), limit: 1000)
        let most = try await administration.traffic(limit: 1000)
        let blocked = try await administration.guardListing(of: most, hasAllRules: false).page.rows.filter {
            $0.state == .blocked || $0.state == .challenged
        }
        let today = try await administration.figures(days: 1, by: .region).map(\.figure)
        let budget = administration.policies.limits.dailyBudget
        let currency = administration.policies.currency
        // A suppressed message would have cost what the average one to its country did.
        let saved = today.reduce(0) { $0 + ($1.sent > 0 ? $1.cost / $1.sent * $1.suppressed : 0) }
        let suppressed = traffic.suppressedLastDay(at: now)
        func tile(_ name: String, _ value: String, _ note: String = "") -> HTML {
            let small: HTML = note.isEmpty ? "" : "<small>\(note)</small>"
            return "<div><dt>\(name)</dt><dd>\(value)\(small)</dd></div>"
        }
        let age = backlog.oldest.map { "oldest \(max(0, (now - $0).components.seconds)) s" } ?? "none waits"
        let tiles = [
            tile("Sent, 1 h", "\(hour.sent)", "\(hour.approved) approved, \(percent(hour.approved, of: hour.sent))"),
            tile("Sent, 24 h", "\(day.sent)", "\(day.approved) approved, \(percent(day.approved, of: day.sent))"),
            tile("Suppressed, 24 h", "\(suppressed)", "\(blocked.count) blocked now"),
            tile("Budget, 24 h", budget.map { percent(day.sent, of: $0) } ?? "none", budget.map { "of \($0)" } ?? ""),
            tile(
                "Spent today",
                money(today.reduce(0) { $0 + $1.cost }, currency),
                "\(money(saved, currency)) saved"
            ),
            tile("Queued", "\(backlog.count)", age),
            tile(
                "Webhook backlog",
                "\(events.count)\(events.count == 1000 ? "+" : "")",
                "\(events.filter { $0.status == .failed }.count) failed"
            ),
        ]
        var suppressedByHour: [Int64: Int] = [:]
        for keyed in most {
            guard case .prefix = keyed.key else { continue }
            for hour in keyed.traffic.hours { suppressedByHour[hour.number, default: 0] += hour.suppressed }
        }
        let first = now.milliseconds / 3_600_000 - 23
        let hours = Dictionary(traffic.hours.map { ($0.number, $0) }) { _, last in last }
        let bars = (first...first + 23).map { number in
            let hour = hours[number]
            let (sent, approved) = (hour?.sent ?? 0, min(hour?.approved ?? 0, hour?.sent ?? 0))
            return (
                name: "\(String(100 + number % 24).dropFirst()) h",
                parts: [
                    (count: approved, kind: ""), (count: sent - approved, kind: "soft"),
                    (count: suppressedByHour[number] ?? 0, kind: "bad"),
                ]
            )
        }
        return """
            <dl class="tiles">\(tiles.joined())</dl>
            \(wrong(backlog, blocked, failures, events, at: now))
            <h2>The last 24 hours</h2>
            <div class="card">\(Chart.bars("Messages by hour (UTC): approved, not approved, suppressed", bars))
            \(Chart.key(["": "approved", "soft": "sent, not approved", "bad": "suppressed"]))</div>
            """
    }

    /// What needs somebody, each with the way to its cause.
    private func wrong(
        _ backlog: OutboxBacklog,
        _ blocked: [GuardListing.Row],
        _ failures: [FailureGroup],
        _ events: [Event],
        at now: Timestamp
    ) -> HTML {
        var lines: [HTML] = []
        if let oldest = backlog.oldest, now - oldest > .seconds(60) {
            lines.append(
                "<a href=\"/console/deliveries?status=queued\">\(backlog.count) messages wait</a>, the oldest since \(HTML.time(oldest))"
            )
        }
        for group in failures.prefix(3) where group.status != .withheld && group.status != .dropped {
            let query = HTML.query([
                ("status", group.status.rawValue), ("gateway", group.gateway), ("failure", group.failure),
            ])
            lines.append(
                """
                <a href="/console/deliveries?\(query)">\(group.count) messages \(group.status.rawValue)</a>: \
                \(group.failure ?? "no reason given")\(group.gateway.map { " by \($0)" } ?? "")
                """
            )
        }
        if !blocked.isEmpty {
            lines.append(
                "<a href=\"/console/guard\">\(blocked.count) prefixes or networks</a> are blocked or challenged"
            )
        }
        let failed = events.count { $0.status == .failed }
        if failed > 0 { lines.append("<a href=\"/console/programs\">\(failed) events</a> reached no receiver") }
        if lines.isEmpty { return "<p class=\"small\">Nothing is wrong.</p>" }
        return "<ul class=\"wrong\">\(lines.map { "<li>\($0)</li>" as HTML }.joined())</ul>"
    }

    @Sendable func funnel(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let grouping = request.query("by").flatMap { FigureGrouping(rawValue: $0) } ?? .day
        let days = min(400, max(1, request.query("days").flatMap { Int($0) } ?? 30))
        let rows = try await administration.figures(days: days, by: grouping)
        let currency = administration.policies.currency
        let lines = rows.prefix(400).map { name, figure -> HTML in
            .cells([
                name, figure.requested, figure.suppressed, figure.sent, figure.delivered, figure.checked,
                figure.approved, figure.signedUp, Figures(percent(figure.approved, of: figure.requested)),
                Figures(seconds(figure, 50)), Figures(seconds(figure, 95)), Figures(money(figure.cost, currency)),
            ])
        }
        let bars = rows.suffix(60).map { name, figure in
            (
                name: grouping == .day ? String(name.suffix(5)) : name,
                parts: [
                    (count: figure.approved, kind: ""),
                    (count: max(0, figure.requested - figure.approved), kind: "soft"),
                    (count: figure.suppressed, kind: "bad"),
                ]
            )
        }
        let options = FigureGrouping.allCases.map { value -> HTML in
            let mark: HTML = value == grouping ? " selected" : ""
            return "<option\(mark)>\(value.rawValue)</option>"
        }
        let table = HTML.table(
            "Figures",
            [
                grouping.rawValue, "#Requested", "#Suppressed", "#Sent", "#Delivered", "#Checked", "#Approved",
                "#Signed up", "#Conversion", "#Median", "#p95", "#Cost",
            ],
            Array(lines),
            ifEmpty: "Nothing is counted yet: a verification is, 70 minutes after it began."
        )
        let body: HTML = """
            <form class="row" method="get"><div><label for="by">By</label><select id="by" name="by">\(options.joined())</select></div>
            \(HTML.field("days", "Days", "\(days)"))<button>Show</button></form>
            <div class="card">\(Chart.bars("Approved, not approved and suppressed", bars))
            \(Chart.key(["": "approved", "soft": "not approved", "bad": "suppressed"]))</div>
            <h2>Figures</h2>
            \(table)
            <p class="small">A verification is counted 70 minutes after it began. Median and p95 are the seconds from the
            request to the approval, rounded up to a bound.</p>
            """
        return ConsolePage(title: "Funnel", path: "funnel", body: body)
    }

    private func seconds(_ figure: DailyFigure, _ percent: Int) -> String {
        guard figure.approved > 0 else { return "–" }
        return figure.seconds(percent: percent).map { "\($0) s" } ?? "> \(DailyFigure.bounds.last ?? 0) s"
    }
}
