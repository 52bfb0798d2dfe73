import CoreEncodings
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup

extension ConsoleRoutes {
    @Sendable func guarding(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let traffic = try await administration.traffic(limit: 1000)
        let listing = try await administration.guardListing(of: traffic, hasAllRules: true)
        let byName = Dictionary(traffic.map { ($0.key.description, $0.traffic) }) { one, _ in one }
        let all = listing.page.rows.filter { $0.sent > 0 || $0.suppressed > 0 || $0.state != .ok }
        // Where all is well there is nothing to do, so it is below, for who looks for it.
        let showsAll = request.query("all") == "true"
        let rows = all.filter { showsAll || $0.state != .ok }.prefix(200)
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
            <form class="row" method="get">\(HTML.field("number", "What would it do with a message to this number", subject))
            <button>Explain</button></form>
            """
        let more: HTML = """
            <label>Prefix<input name="prefix" required pattern="\\+[0-9]{1,15}" placeholder="+8210123" autofocus
            value="\(subject.flatMap { $0.hasPrefix("+") ? $0 : nil } ?? "")" title="+ and the first digits, with the country code: +8210123"></label>
            <label>Rule<select name="action"><option>block</option><option>allow</option></select></label>
            <label>For hours (empty: until it is removed)<input name="hours" inputmode="numeric" pattern="[0-9]{1,4}"></label>
            """
        let rule = visitor.act(
            "Allow or block a prefix",
            "Allow or block a prefix",
            "guard/rule",
            .operator,
            note: "The rule with the longest matching prefix applies.",
            more: more
        )
        let table = HTML.table(
            "Prefixes, countries and networks",
            ["Numbers or network", "State", "Until (UTC)", "#Sent", "#Approved", "#Suppressed", "Trend", ""],
            rows.map { row($0, byName[$0.numbers], visitor) },
            ifEmpty: showsAll ? "No traffic in 24 hours." : "Nothing is blocked or challenged, and there are no rules."
        )
        let others = all.count - rows.count
        let policy = listing.policy
        let body: HTML = """
            <p>The guard is in mode <b>\(policy.mode.rawValue)</b>\(modeNote(policy)). A prefix is suppressed below
            \(policy.prefixPercent) % approvals of \(policy.prefixSample) messages.</p>
            <div class="acts">\(modes(policy, visitor))\(rule)</div>
            \(question, if: visitor.seesNumbers)
            \(explanation)
            <h2>Last 24 hours, worst first</h2>
            \(table)
            \("<p><a href=\"/console/guard?all=true\">Show \(others) more that are left alone</a></p>", if: !showsAll && others > 0)
            <h2>What another level would have suppressed</h2>
            \(outlooks(try await administration.guardOutlooks()))
            <p class="small">An estimate from the last day, for prefixes, countries and networks separately. Each message counts
            for its prefix, its country and its networks, so do not add the lines up. Suppressed is an upper bound for
            countries, since prefixes with real people stay open. People there are those who entered a code where it would
            have been closed for a while; some of them would have had to solve a challenge.</p>
            """
        return ConsolePage(title: "Guard", path: "guard", body: body)
    }

    private func modeNote(_ policy: GuardPolicy) -> String {
        let set = administration.policies.trafficGuard.mode
        return policy.mode == set ? ", as set" : ", set by an operator (configured: \(set.rawValue))"
    }

    private func modes(_ policy: GuardPolicy, _ visitor: Visitor) -> HTML {
        let modes: [(GuardPolicy.Mode, String)] = [
            (.enforce, "Messages that look like fraud are stopped or challenged, at once and at every instance."),
            (.shadow, "Every message is sent, fraud too; what would have been stopped is only recorded."),
        ]
        var acts = modes.filter { $0.0 != policy.mode }.map { mode, note in
            visitor.act(
                "Switch to \(mode.rawValue)",
                "Switch the guard to \(mode.rawValue)",
                "guard/mode",
                .operator,
                note: "\(note)",
                isDestructive: mode == .shadow,
                fields: ["mode": mode.rawValue]
            )
        }
        let set = administration.policies.trafficGuard.mode
        if policy.mode != set {
            acts.append(
                visitor.act(
                    "Use the configured mode",
                    "Switch the guard to \(set.rawValue), its configured mode",
                    "guard/mode",
                    .operator,
                    fields: ["mode": "settings"]
                )
            )
        }
        return acts.joined()
    }

    private func outlooks(_ outlooks: [GuardPolicy.Outlook]) -> HTML {
        .table(
            "What another level would have suppressed",
            ["By", "Level", "#Requested", "#Suppressed", "#Share", "#Closed for a while", "#People there"],
            outlooks.map { outlook in
                [
                    outlook.kind.rawValue, outlook.level?.rawValue ?? "as set", outlook.requested, outlook.suppressed,
                    Figures(percent(outlook.suppressed, of: outlook.requested)), outlook.closed, outlook.approved,
                ]
            },
            ifEmpty: "No traffic."
        )
    }

    @Sendable func setMode(_ act: Act) async throws -> ActResult {
        let text = try act.text("mode")
        let mode = GuardPolicy.Mode(rawValue: text)
        guard mode != nil || text == "settings" else {
            throw AdministrationFailure.invalid(field: "mode", "must be enforce, shadow, off or settings")
        }
        try await administration.setGuardMode(mode, by: act.author)
        let name = (mode ?? administration.policies.trafficGuard.mode).rawValue
        return .said(
            "The guard is in mode \(name)\(mode == nil ? ", as set" : ""): every instance obeys within seconds."
        )
    }

    private func row(_ row: GuardListing.Row, _ traffic: Traffic?, _ visitor: Visitor) -> [any TableCell] {
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
        let unblock = visitor.act(
            "Unblock",
            "Unblock \(name)",
            "guard/unblock",
            .operator,
            note: "Ends its block, and removes its rule if it has one.",
            fields: ["subject": row.numbers]
        )
        // What is challenged has no block that could end: it is let through, or blocked.
        let isHeld = row.state == .blocked || row.state == .blockedByRule || row.state == .allowedByRule
        let rules = ["block", "allow"].map { action in
            visitor.act(
                action == "block" ? "Block" : "Allow",
                "\(action == "block" ? "Block" : "Allow") \(name)",
                "guard/rule",
                .operator,
                note: action == "block"
                    ? "Nobody there gets a code until the rule is removed." : "The guard lets all of it through.",
                isDestructive: action == "block",
                fields: ["prefix": row.numbers, "action": action]
            )
        }
        let isOpen = (row.state == .challenged || row.state == .observed) && row.numbers.hasPrefix("+")
        return [
            link, state, row.until, row.sent, Figures("\(row.approved), \(percent(row.approved, of: row.sent))"),
            row.suppressed, Chart.sparkline("Messages by hour", counts),
            isHeld ? unblock : isOpen ? rules.joined() : "" as HTML,
        ]
    }

    @Sendable func setRule(_ act: Act) async throws -> ActResult {
        guard let action = GuardRule.Action(rawValue: try act.text("action")) else {
            throw AdministrationFailure.invalid(field: "rule", "must be allow or block")
        }
        let (hours, prefix) = (act.form["hours"]?.trimmed ?? "", try act.text("prefix"))
        guard hours.isEmpty || Int(hours).map({ (1...8760).contains($0) }) == true else {
            throw AdministrationFailure.invalid(field: "hours", "must be from 1 to 8760")
        }
        let reach = try await administration.reach(of: prefix)
        if action == .block, reach.coversCallingCode, act.form["confirmation"] != "yes" {
            return .page(confirmation(of: prefix, hours, reach, act))
        }
        let time = Int(hours).map { Duration.seconds($0 * 3600) }
        let rule = try await administration.setRule(action, prefix: prefix, for: time, by: act.author)
        let end = rule.until.map { "until \($0.description.prefix(16)) UTC" } ?? "until it is removed"
        return .said("Added the rule to \(action.rawValue) \(prefix) \(end). \(reach.sentence)")
    }

    /// A whole country is not blocked by a slip of the hand.
    private func confirmation(of prefix: String, _ hours: String, _ reach: PrefixReach, _ act: Act) -> ConsolePage {
        let fields = [("prefix", prefix), ("hours", hours), ("action", "block"), ("confirmation", "yes")]
        let hidden = fields.map { "<input type=\"hidden\" name=\"\($0)\" value=\"\($1)\">" as HTML }
        let body: HTML = """
            <form method="post" action="/console/guard/rule" class="card dialog">
            <p><b>\(prefix) is a whole country or more.</b> \(reach.sentence) If you block it, nobody there gets a code.</p>
            \(act.visitor.tokenField)\(hidden.joined())
            <input type="hidden" name="reason" value="\(act.author.reason?.description ?? "")">
            <div class="buttons"><button class="act danger">Block \(prefix)</button> <a href="/console/guard">Cancel</a></div></form>
            """
        return ConsolePage(title: "Block \(prefix)?", path: "guard", body: body)
    }
}
