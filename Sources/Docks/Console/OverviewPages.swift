import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneSignup

// Now and Funnel: what is going on.

extension ConsoleRoutes {
    @Sendable func overview(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let body: HTML = """
            <p id="state" class="small" role="status"></p>
            <div id="live">\(try await present())</div>
            """
        return ConsolePage(title: "Now", path: "", body: body, isLive: true)
    }

    /// The part of Now that changes, which is the same for every visitor.
    @Sendable func present() async throws -> HTML {
        let now = now
        let findings = try await administration.findings()
        let traffic = try await administration.traffic(of: .service)
        let (hour, day) = (traffic.lastHour(at: now), traffic.lastDay(at: now))
        let backlog = try await administration.backlog()
        let events = try await administration.events(status: nil, limit: 1000)
        let most = try await administration.traffic(limit: 1000)
        let blocked = try await administration.guardListing(of: most, hasAllRules: false).page.rows.filter {
            $0.state == .blocked || $0.state == .challenged || $0.state == .blockedByRule && $0.suppressed > 0
        }
        let today = try await administration.costs(days: 1, by: .country)
        let budget = administration.policies.limits.dailyBudget
        let currency = administration.policies.currency
        let suppressed = traffic.suppressedLastDay(at: now)
        func tile(_ name: String, _ value: String, _ note: String = "") -> HTML {
            let small: HTML = note.isEmpty ? "" : "<small>\(note)</small>"
            return "<div><dt>\(name)</dt><dd>\(value)\(small)</dd></div>"
        }
        let age = backlog.oldest.map { "oldest \(max(0, (now - $0).components.seconds)) s" } ?? "none waits"
        // Codes are valid for minutes, so that what is queued is of the last hour.
        let queued = backlog.count > 0 ? "\(backlog.count) of them queued, " : ""
        let tiles = [
            tile(
                "Messages, 1 h",
                "\(hour.sent)",
                "\(queued)\(hour.approved) approved, \(percent(hour.approved, of: hour.sent))"
            ),
            tile(
                "Messages, 24 h",
                "\(day.sent)",
                "\(queued)\(day.approved) approved, \(percent(day.approved, of: day.sent))"
            ),
            tile(
                "Suppressed, 24 h",
                "\(suppressed)",
                blocked.isEmpty ? "nothing blocked now" : "\(blocked.count) blocked or challenged now"
            ),
            tile("Budget, 24 h", budget.map { percent(day.sent, of: $0) } ?? "none", budget.map { "of \($0)" } ?? ""),
            administration.policies.routes.prices.prices.isEmpty
                ? tile("Spent since 0 h UTC", "–", "no prices are set (sms.prices)")
                : tile(
                    "Spent since 0 h UTC",
                    money(today.reduce(0) { $0 + $1.cost }, currency),
                    "\(money(today.reduce(0) { $0 + $1.saved }, currency)) saved by the guard"
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
            <p class="small">As of \(HTML.time(now)) UTC</p>
            \(Self.wrong(findings))
            <dl class="tiles">\(tiles.joined())</dl>
            <h2>The last 24 hours (UTC)</h2>
            <div class="card">\(Chart.bars("Messages by hour (UTC): approved, not approved, suppressed", bars))
            \(Chart.key(["": "approved", "soft": "not approved", "bad": "suppressed"]))</div>
            """
    }

    @Sendable func funnel(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let grouping = request.query("by").flatMap { FigureGrouping(rawValue: $0) } ?? .day
        let days = min(400, max(1, request.query("days").flatMap { Int($0) } ?? 30))
        let rows = try await administration.figures(days: days, by: grouping, isCurrent: true)
        let currency = administration.policies.currency
        let today = String(now.description.prefix(10))
        let hasReceipts = try await administration.gateways().contains { $0.health?.reportsDelivery != false }
        let lines = rows.prefix(400).map { name, figure -> [any TableCell] in
            let open: HTML = " <small>not settled</small>"
            return [
                "\(name)\(open, if: name == today)" as HTML, figure.requested, figure.suppressed, figure.sent,
                hasReceipts || figure.delivered > 0 ? figure.delivered : nil as Int?, figure.checked, figure.approved,
                figure.signedUp, Figures(percent(figure.approved, of: figure.requested)),
                Figures(seconds(figure, 50)), Figures(seconds(figure, 95)), Figures(money(figure.cost, currency)),
            ]
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
        let options = HTML.options(FigureGrouping.allCases.map(\.rawValue), grouping.rawValue)
        let table = HTML.table(
            "Figures",
            [
                String(grouping.rawValue.prefix(1).uppercased() + grouping.rawValue.dropFirst()), "#Requested",
                "#Suppressed", "#Sent", "#Delivered", "#Checked", "#Approved",
                "#Signed up", "#Conversion", "#Median", "#p95", "#Cost",
            ],
            lines,
            ifEmpty: "Nobody has asked for a code in these days."
        )
        let body: HTML = """
            <form class="row" method="get"><div><label for="by">By</label><select id="by" name="by">\(options)</select></div>
            \(HTML.field("days", "Days", "\(days)"))<button>Show</button></form>
            <div class="card">\(Chart.bars("Approved, not approved and suppressed, by \(grouping.rawValue)", bars))
            \(Chart.key(["": "approved", "soft": "not approved", "bad": "suppressed"]))</div>
            <h2>Figures</h2>
            \(table)
            <p class="small">The last \(counted(days, "day")) up to this moment, in UTC; \(Self.lag) What the guard suppressed is counted at the
            end of its hour.\(" No receipts are set, so nobody knows what was delivered.", if: !hasReceipts) Median and p95 are the seconds from the request to the approval, rounded up to a bound.</p>
            """
        return ConsolePage(title: "Funnel", path: "funnel", body: body)
    }

    private static let lag = "codes of the last 70 minutes may still be entered, so the newest figures are not settled."

    private func seconds(_ figure: DailyFigure, _ percent: Int) -> String {
        guard figure.approved > 0 else { return "–" }
        return figure.seconds(percent: percent).map { "\($0) s" } ?? "> \(DailyFigure.bounds.last ?? 0) s"
    }
}
