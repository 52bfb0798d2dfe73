import CoreEncodings
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneService

extension ConsoleRoutes {
    @Sendable func guarding(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let traffic = try await administration.traffic(limit: 1000)
        let listing = try await administration.guardListing(of: traffic, hasAllRules: true)
        let byName = Dictionary(traffic.map { ($0.key.description, $0.traffic) }) { one, _ in one }
        let rows = listing.page.rows.filter { $0.state != .ok || $0.sent > 0 || $0.suppressed > 0 }.prefix(100)
        let subject = request.query("number")
        // The figures of a prefix tell whether a number that is masked elsewhere begins with it.
        guard subject == nil || visitor.seesNumbers else { throw ConsoleRefusal.role }
        var explanation: HTML = ""
        if let subject {
            do {
                let found = try await administration.explain(subject, from: nil)
                explanation = "<pre>\(found.text)</pre>"
            } catch let failure as AdministrationFailure {
                explanation = "<p class=\"alert\" role=\"alert\">\(failure.description)</p>"
            }
        }
        let question: HTML = """
            <form class="row" method="get">\(HTML.field("number", "What would it do with a message to", subject))
            <button>Explain</button></form>
            """
        let more: HTML = """
            <label>Prefix<input name="prefix" required pattern="\\+[0-9]{1,15}" placeholder="+8210123"></label>
            <label>Rule<select name="action"><option>block</option><option>allow</option></select></label>
            <label>For hours (empty: until it is removed)<input name="hours" inputmode="numeric" pattern="[0-9]{1,4}"></label>
            """
        let table = HTML.table(
            "Prefixes, countries and networks",
            ["Numbers or network", "State", "Until", "#Sent", "#Approved", "#Suppressed", "Trend", "Act"],
            rows.map { row($0, byName[$0.numbers], visitor) },
            ifEmpty: "No traffic."
        )
        let policy = listing.policy
        let body: HTML = """
            <p>The guard is in mode <b>\(policy.mode.rawValue)</b>\(modeNote(policy)). A prefix is suppressed below
            \(policy.prefixPercent) % approvals of \(policy.prefixSample) messages.</p>
            \(modes(policy, visitor))
            \(question, if: visitor.seesNumbers)
            \(explanation)
            \(visitor.act("Allow or block a prefix", "guard/rule", .operator, more: more))
            <h2>Last 24 hours, worst first</h2>
            \(table)
            <h2>What another level would have suppressed</h2>
            \(outlooks(try await administration.guardOutlooks()))
            <p class="small">An estimate by prefixes, by countries and by networks, each alone, from the last day of each: what
            was asked for beyond the sample and what the approvals justify; of a country that is the most, since prefixes that
            have shown people stay open. A message counts for its prefix, its country and its networks, so these are not to be
            added. People are those who typed a code at what would have been closed for a while: some of them would have had
            to solve a challenge.</p>
            """
        return ConsolePage(title: "Guard", path: "guard", body: body)
    }

    private func modeNote(_ policy: GuardPolicy) -> String {
        let set = administration.policies.trafficGuard.mode
        return policy.mode == set ? ", as set" : ", by an operator over the setting \(set.rawValue)"
    }

    private func modes(_ policy: GuardPolicy, _ visitor: Visitor) -> HTML {
        let modes: [(GuardPolicy.Mode, String)] = [
            (.enforce, "Enforce: stop what looks like fraud"), (.shadow, "Shadow: send it, and only record"),
        ]
        var acts = modes.filter { $0.0 != policy.mode }.map { mode, name in
            visitor.act(name, "guard/mode", .operator, fields: ["mode": mode.rawValue])
        }
        if policy.mode != administration.policies.trafficGuard.mode {
            acts.append(visitor.act("Back to the setting", "guard/mode", .operator, fields: ["mode": "settings"]))
        }
        return "<div class=\"acts\">\(acts.joined())</div>"
    }

    private func outlooks(_ outlooks: [GuardPolicy.Outlook]) -> HTML {
        .table(
            "What another level would have suppressed",
            ["By", "Level", "#Requested", "#Suppressed", "#Share", "#Closed", "#People there"],
            outlooks.map { outlook in
                .cells([
                    outlook.kind.rawValue, outlook.level?.rawValue ?? "as set", outlook.requested, outlook.suppressed,
                    Figures(percent(outlook.suppressed, of: outlook.requested)), outlook.closed, outlook.approved,
                ])
            },
            ifEmpty: "No traffic."
        )
    }

    @Sendable func setMode(_ act: Act) async throws {
        let text = try act.text("mode")
        let mode = GuardPolicy.Mode(rawValue: text)
        guard mode != nil || text == "settings" else {
            throw AdministrationFailure.invalid(field: "mode", "must be enforce, shadow, off or settings")
        }
        try await administration.setGuardMode(mode, by: act.author)
    }

    private func row(_ row: GuardListing.Row, _ traffic: Traffic?, _ visitor: Visitor) -> HTML {
        let first = now.milliseconds / 3_600_000 - 23
        let hours = Dictionary((traffic?.hours ?? []).map { ($0.number, $0) }) { _, last in last }
        let counts = (first...first + 23).map { (hours[$0]?.sent ?? 0) + (hours[$0]?.suppressed ?? 0) }
        let state = HTML.state(
            row.state.rawValue,
            bad: ["blocked", "blocked_by_rule", "challenged", "observed"],
            good: ["allowed_by_rule"]
        )
        // A rule may be of a single number.
        let number = try? PhoneNumber(e164: row.numbers)
        let name = number.map { visitor.shown($0) } ?? visitor.shown(subject: row.numbers)
        let isExplained = visitor.seesNumbers && row.numbers.hasPrefix("+") && row.numbers.utf8.count >= 8
        let link: HTML =
            isExplained && number == nil
            ? "<a href=\"/console/guard?number=\(row.numbers.percentEncoded)\">\(name)</a>" : "\(name)"
        let unblock = visitor.act("Unblock", "guard/unblock", .operator, fields: ["subject": row.numbers])
        let isHeld = row.state != .ok && row.state != .observed
        return .cells([
            link, state, row.until, row.sent, Figures("\(row.approved), \(percent(row.approved, of: row.sent))"),
            row.suppressed, Chart.sparkline("Messages by hour", counts), isHeld ? unblock : "" as HTML,
        ])
    }

    @Sendable func setRule(_ act: Act) async throws {
        guard let action = GuardRule.Action(rawValue: try act.text("action")) else {
            throw AdministrationFailure.invalid(field: "rule", "must be allow or block")
        }
        let hours = act.form["hours"]?.trimmed ?? ""
        guard hours.isEmpty || Int(hours).map({ (1...8760).contains($0) }) == true else {
            throw AdministrationFailure.invalid(field: "hours", "must be from 1 to 8760")
        }
        let time = Int(hours).map { Duration.seconds($0 * 3600) }
        _ = try await administration.setRule(action, prefix: act.text("prefix"), for: time, by: act.author)
    }
}
