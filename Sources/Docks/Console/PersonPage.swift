import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup

// The support desk's page: a number or an account, and all that happened around it.

extension ConsoleRoutes {
    @Sendable func person(_ request: Request, _ visitor: Visitor) async throws -> ConsolePage {
        let text = request.query("q")?.trimmed
        let label = visitor.seesNumbers ? "Phone number, or account ID" : "Account ID"
        let form: HTML = """
            <form class="row" method="get">\(HTML.field("q", label, text, isFirst: true))<button>Find</button></form>
            """
        guard let text, !text.isEmpty else { return ConsolePage(title: "Person", path: "person", body: form) }
        guard let (number, account) = try await subject(text, visitor) else {
            let reason =
                visitor.seesNumbers
                ? "That is no phone number and no account; write a number with + and its country code."
                : "That is no account ID. Only the support desk finds people by their numbers."
            let line: HTML = "<p role=\"alert\" class=\"alert\">\(reason)</p>"
            return ConsolePage(title: "Person", path: "person", body: form + line)
        }
        try await administration.recordView(of: number, account, by: visitor.author())
        let timeline = try await timeline(number, account, visitor)
        let history: HTML =
            timeline.entries.isEmpty
            ? "<p>Nothing is known of this number.</p>" : "<ol class=\"timeline\">\(timeline.entries.joined())</ol>"
        let body: HTML = """
            \(form)
            <h2>\(visitor.shown(number))\(account.map(state))</h2>
            \(facts(account, visitor))
            \(acts(number, account, timeline, visitor))
            \(account.flatMap { passkeys(of: $0, timeline.keys, visitor) })
            <h2>What happened</h2>
            \(history)
            \(number.flatMap { visitor.seesNumbers ? auditLink($0) : nil })
            """
        return ConsolePage(title: "Person", path: "person", body: body)
    }

    /// The number and the account that somebody means; nil if it is neither.
    private func subject(
        _ text: String,
        _ visitor: Visitor
    ) async throws -> (number: PhoneNumber?, account: Account?)? {
        if let id = Account.ID(text) {
            let account = try await administration.account(id)
            return (account.phoneNumber, account)
        }
        guard visitor.seesNumbers, let number = try? administration.number(text) else { return nil }
        return (number, try await administration.accounts(of: number).first)
    }

    private func facts(_ account: Account?, _ visitor: Visitor) -> HTML {
        guard let account else { return "<p>No account has this number.</p>" }
        // It may have numbers in it, and whatever programs store.
        let metadata: HTML? =
            visitor.seesNumbers
            ? "<div class=\"all\"><dt>Metadata</dt><dd>\(account.metadata.json)</dd></div>" : nil
        return """
            <dl class="facts"><div class="all"><dt>Account</dt><dd>\(HTML.id(account.id.description))</dd></div>
            <div><dt>Number since</dt><dd>\(HTML.time(account.phoneNumberSince))</dd></div>
            <div><dt>Created</dt><dd>\(HTML.time(account.createdAt))</dd></div>
            <div><dt>Last active</dt><dd>\(HTML.time(account.lastActiveAt))</dd></div>
            <div><dt>Deletion due</dt><dd>\(HTML.time(account.deletionDueAt))</dd></div>
            \(metadata)</dl>
            """
    }

    private func state(_ account: Account) -> HTML {
        let state = account.suspendedAt != nil ? "suspended" : account.deletionDueAt != nil ? "to be deleted" : "active"
        return HTML.state(state, bad: ["suspended", "to be deleted"], good: ["active"])
    }

    private func acts(
        _ number: PhoneNumber?,
        _ account: Account?,
        _ happened: Timeline,
        _ visitor: Visitor
    ) -> HTML {
        var acts: [HTML] = []
        let name = visitor.shown(number)
        if let number {
            let fields: KeyValuePairs = ["number": number.e164]
            acts.append(
                visitor.act(
                    "Clear limits",
                    "Clear the limits of \(name)",
                    "person/clear-limits",
                    .support,
                    note:
                        "The number can get codes again at once: this resets its cooldown, its messages of the day and any lock.",
                    fields: fields
                )
            )
        }
        if let account {
            let fields: KeyValuePairs = ["account": account.id.description]
            acts.append(
                visitor.act(
                    "Sign out everywhere",
                    "Sign \(name) out everywhere",
                    "person/sign-out",
                    .support,
                    note: "Ends \(counted(happened.sessions, "session")).",
                    fields: fields
                )
            )
            acts.append(
                account.suspendedAt == nil
                    ? visitor.act(
                        "Suspend",
                        "Suspend the account of \(name)",
                        "person/suspend",
                        .support,
                        note:
                            "Nobody can sign in to it until it is restored. Ends \(counted(happened.sessions, "session")).",
                        isDestructive: true,
                        fields: fields
                    )
                    : visitor.act(
                        "Restore",
                        "Restore the account of \(name)",
                        "person/restore",
                        .support,
                        fields: fields
                    )
            )
            let more: HTML = "<label>New number<input name=\"new_number\" required autofocus></label>"
            acts.append(
                visitor.act(
                    "Change number",
                    "Change the number of \(name)",
                    "person/change-number",
                    .operator,
                    note:
                        "No code goes to the new number: make sure that it is this person's. All devices are signed out.",
                    fields: fields,
                    more: more
                )
            )
            acts.append(
                visitor.act(
                    "Export all data",
                    "Export all data of \(name)",
                    "person/export",
                    .operator,
                    fields: fields
                )
            )
        }
        if let number {
            let more: HTML =
                "<label>Type erase to confirm<input name=\"confirmation\" required pattern=\"[Ee]rase\" title=\"the word erase\" autofocus></label>"
            acts.append(
                visitor.act(
                    "Erase all data",
                    "Erase all data of \(name)",
                    "person/erase",
                    .operator,
                    note: """
                        Erases \(happened.contents(account)). Nothing brings it back; what was done and when stays on the audit log, \
                        without the number.
                        """,
                    isDestructive: true,
                    fields: ["number": number.e164],
                    more: more
                )
            )
        }
        return "<div class=\"acts\">\(acts.joined())</div>"
    }

    /// - Parameter keys: nil where people have none, which the page then has no word of.
    private func passkeys(of account: Account, _ keys: [SignInKey]?, _ visitor: Visitor) -> HTML? {
        guard let keys else { return nil }
        let rows = keys.map { key -> [any TableCell] in
            let remove = visitor.act(
                "Remove",
                "Remove the passkey \(key.name) of \(visitor.shown(account.phoneNumber))",
                "person/remove-passkey",
                .operator,
                note: """
                    It was made at \(HTML.time(key.createdAt)). Once removed it signs nobody in; sessions that it has opened go on \
                    until "Sign out everywhere".
                    """,
                isDestructive: true,
                fields: ["account": account.id.description, "key": key.id]
            )
            let state = HTML.state(key.state.rawValue, bad: ["ended"], good: ["active"])
            return [visitor.shown(text: key.name), key.createdAt, key.lastUsedAt, state, remove]
        }
        let titles = ["Name", "Made at (UTC)", "Last used (UTC)", "State", ""]
        return "<h2>Passkeys</h2>\(HTML.table("Passkeys", titles, rows, ifEmpty: "The account has none."))"
    }

    /// What happened around a person, and how much of it there is.
    private struct Timeline {
        /// The newest first.
        var entries: [HTML] = []
        /// Nil where nobody signs in by a key.
        var keys: [SignInKey]?
        var (sessions, verifications, messages, changes) = (0, 0, 0, 0)
        /// How many verifications and messages are looked at.
        static let most = 50

        /// What erasing takes away.
        func contents(_ account: Account?) -> String {
            let most = [
                (account == nil ? 0 : 1, "account"), (sessions, "session"), (keys?.count ?? 0, "passkey"),
                (changes, "number change"),
            ]
            .map { ($0.0, counted($0.0, $0.1)) }
            let rest = [(verifications, "verification"), (messages, "message")]
                .map { ($0.0, $0.0 >= Self.most ? "\($0.0) \($0.1)s or more" : counted($0.0, $0.1)) }
            let found = (most + rest).filter { $0.0 > 0 }.map(\.1)
            return found.isEmpty ? "what little is known of this number" : found.joined(separator: ", ")
        }
    }

    private func auditLink(_ number: PhoneNumber) -> HTML {
        "<p><a href=\"/console/audit?number=\(number.e164.percentEncoded)\">Audit log of this number</a></p>"
    }

    private func timeline(_ number: PhoneNumber?, _ account: Account?, _ visitor: Visitor) async throws -> Timeline {
        var timeline = Timeline()
        var entries: [(at: Timestamp, html: HTML)] = []
        func add(_ at: Timestamp, _ title: String, _ text: HTML) {
            let line: HTML = "<div>\(text)</div>"
            entries.append((at, "<li><b>\(title)</b> \(HTML.time(at))\(line, if: !text.text.isEmpty)</li>"))
        }
        let now = now
        if let number {
            var query = VerificationQuery(limit: Timeline.most)
            query.number = number
            for verification in try await administration.verifications(query).items {
                timeline.verifications += 1
                let status = verification.status(at: now).rawValue
                let state = HTML.state(status, bad: ["failed", "max_attempts_reached"], good: ["approved"])
                add(
                    verification.createdAt,
                    "Code requested by \(verification.owner.figureName)",
                    "\(state) by \(verification.channel.rawValue), \(counted(verification.checksLeft, "check")) left \(HTML.id(verification.id.description))"
                )
                if verification.recordedStatus == .approved {
                    add(verification.updatedAt, verification.consumedBy == nil ? "Approved" : "Approved and used", "")
                }
            }
            var search = MessageSearch(limit: Timeline.most)
            search.number = number
            for claim in try await administration.messages(search).items {
                timeline.messages += 1
                let message = claim.message
                let details = Self.details(of: message, at: now).map { ", \($0)" } ?? ""
                add(
                    message.createdAt,
                    message.isNotice ? "Notice of a number change" : "Message",
                    "\(HTML.state(message.status)) by \(message.channel.rawValue)\(message.gateway.map { ", \($0)" } ?? "")\(details)"
                )
            }
            // Of what was refused nothing is stored but this.
            var suppressions = AuditQuery(limit: Timeline.most)
            suppressions.action = .suppress
            for entry in try await administration.entries(suppressions, about: number).entries {
                let reasons = ([entry.verdict?.rawValue].compactMap(\.self) + entry.reasons.map(\.rawValue))
                add(entry.at, "Suppressed by the guard", "\(reasons.joined(separator: ", "))")
            }
        }
        if let account {
            timeline.keys = try await administration.signInKeys(of: account)
            for session in try await administration.sessions(of: account.id) {
                timeline.sessions += 1
                add(session.createdAt, "Signed in", "\(session.userAgent ?? "an unknown device")")
            }
            for change in try await administration.numberChanges(of: account.id) {
                timeline.changes += 1
                let isUndoable = change.isUndoable(at: now)
                let end: HTML = isUndoable ? "can be undone until \(HTML.time(change.undoableUntil))" : "is final"
                let undo = visitor.act(
                    "Undo this change",
                    "Give the account \(visitor.shown(change.oldNumber)) back",
                    "person/undo-change",
                    .support,
                    note: "All devices are signed out.",
                    fields: ["account": account.id.description, "change": change.id.description]
                )
                add(
                    change.changedAt,
                    "Number changed",
                    "from \(visitor.shown(change.oldNumber)) to \(visitor.shown(change.newNumber)), \(end)\(undo, if: isUndoable)"
                )
            }
        }
        timeline.entries = entries.sorted { $0.at > $1.at }.map(\.html)
        return timeline
    }

    // MARK: - Acts

    private static func page(ofPerson subject: String) -> String { "/console/person?q=\(subject.percentEncoded)" }

    func actOnAccount(_ what: ActOnAccount.Act, _ act: Act, _ done: String) async throws -> ActResult {
        let account = try await administration.act(what, on: act.id("account"), by: act.author)
        return .said(done, page: Self.page(ofPerson: account.id.description))
    }

    @Sendable func changeNumber(_ act: Act) async throws -> ActResult {
        let number = try administration.number(act.text("new_number"), field: "new_number")
        return try await actOnAccount(.changeNumber(number), act, "The account has \(number.masked) now.")
    }

    @Sendable func undoChange(_ act: Act) async throws -> ActResult {
        let account = try await administration.undo(act.id("change"), of: act.id("account"), by: act.author)
        return .said(
            "The account has \(account.phoneNumber?.masked ?? "its old number") again, and is signed out everywhere.",
            page: Self.page(ofPerson: account.id.description)
        )
    }

    @Sendable func removePasskey(_ act: Act) async throws -> ActResult {
        let account: Account.ID = try act.id("account")
        let name = try await administration.removeSignInKey(act.text("key"), of: account, by: act.author)
        return .said("Removed the passkey \(name).", page: Self.page(ofPerson: account.description))
    }

    /// The file that the API and `accounts export` give.
    @Sendable func export(_ act: Act) async throws -> ActResult {
        let id: Account.ID = try act.id("account")
        let data = try await administration.export(id, by: act.author)
        return .response(
            Response(
                text: try data.text(at: now),
                contentType: "application/json",
                headers: [.contentDisposition: "attachment; filename=\"\(id).json\""]
            )
        )
    }

    @Sendable func clearLimits(_ act: Act) async throws -> ActResult {
        let number = try administration.number(act.text("number"))
        let cleared = try await administration.clearLimit(number.e164, by: act.author)
        return .said("Cleared \(cleared).", page: Self.page(ofPerson: number.e164))
    }

    @Sendable func erase(_ act: Act) async throws -> ActResult {
        guard act.form["confirmation"]?.trimmed.lowercased() == "erase" else {
            throw AdministrationFailure.invalid(field: "confirmation", "must be the word erase")
        }
        let number = try administration.number(act.text("number"))
        return .response(
            try progressPage("Erase \(number.masked)", act.visitor, back: ("person", "Person")) {
                let erasure = try await administration.erase(number, by: act.author)
                let rest = erasure.hindrance.map { " What was erased may remain in the files: \($0); do it again." }
                return "Erased all data of \(number.masked): \(erasure.sentence).\(rest ?? "")"
            }
        )
    }
}
