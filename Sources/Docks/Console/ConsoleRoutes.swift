import HTTPTypes
import Logging
import NIOCore
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneSignup
import Texts

/// The routes of the console. Every page but the sign-in is for somebody who is signed in; every act is a form with the
/// page's own token and a reason, and ends with the page that it was on.
struct ConsoleRoutes: Sendable {
    let service: DockService
    let sessions: ConsoleSessions

    var administration: Administration { service.administration }
    var now: Timestamp { service.clock.now() }

    func addRoutes(to router: APIRouter) {
        router.get("/") { _, _ in try Self.redirection(to: "/console") }
        let console = router.group("/console")
        console.writeErrors { error, request, context in refusal(error, request, context) }
        console.get("sign-in") { request, _ in try signInPage(for: request) }
        console.post("sign-in", use: openSession)
        console.get("sign-in/phone", use: beginNumberSignIn)
        console.get("signed-in", use: finishNumberSignIn)
        console.post("sign-out", use: closeSession)
        page(console, "", overview)
        page(console, "deliveries", deliveries)
        page(console, "guard", guarding)
        page(console, "person", person)
        page(console, "funnel", funnel)
        page(console, "programs", programs)
        page(console, "audit", audit)
        page(console, "health", health)
        console.get("audit.csv", use: auditFile)
        let live = LiveNow(pause: { try await Task.sleep(for: .seconds(5)) }, make: present)
        console.get("events") { try await events($0, $1, live) }
        console.get("live.js") { _, _ in
            Response(text: EmbeddedFiles.liveJS, contentType: "text/javascript; charset=utf-8")
        }
        act(console, "deliveries/retry", .support) { act in
            _ = try await administration.retry(act.id("message"), by: act.author)
            return .said("The message is queued again.")
        }
        act(console, "deliveries/retry-all", .operator, retryAll)
        act(console, "deliveries/pause", .operator) {
            let gateway = try $0.text("gateway")
            try await administration.pause(gateway, by: $0.author)
            return .said("Paused \(gateway): no instance gives it another message.")
        }
        act(console, "deliveries/resume", .operator) {
            let gateway = try $0.text("gateway")
            try await administration.resume(gateway, by: $0.author)
            return .said("Resumed \(gateway): it gets messages again.")
        }
        act(console, "deliveries/test", .operator, testGateway)
        act(console, "guard/rule", .operator, setRule)
        act(console, "guard/mode", .operator, setMode)
        act(console, "guard/unblock", .operator) { act in
            let (rule, ended) = try await administration.unblock(act.text("subject"), by: act.author)
            let removed = rule.map { "removed the rule to \($0.action.rawValue) \($0.prefix)" }
            let blocks = ended.isEmpty ? nil : "ended \(counted(ended.count, "block"))"
            return .said("Done: \([removed, blocks].compactMap(\.self).joined(separator: ", ")).")
        }
        act(console, "person/clear-limits", .support, clearLimits)
        act(console, "person/sign-out", .support) { try await actOnAccount(.signOut, $0, "Signed out everywhere.") }
        act(console, "person/suspend", .support) {
            try await actOnAccount(.suspend, $0, "Suspended the account, and signed it out everywhere.")
        }
        act(console, "person/restore", .support) { try await actOnAccount(.restore, $0, "Restored the account.") }
        act(console, "person/change-number", .operator, changeNumber)
        act(console, "person/undo-change", .support, undoChange)
        act(console, "person/remove-passkey", .operator, removePasskey)
        act(console, "person/export", .operator, export)
        act(console, "person/erase", .operator, erase)
        act(console, "programs/revoke-key", .operator) { act in
            let key = try await administration.revokeKey(act.id("key"), by: act.author)
            return .said("Revoked the key \(key.name).")
        }
        act(console, "programs/redeliver", .operator) { act in
            let event = try await administration.redeliver(act.id("event"), by: act.author)
            return .said("The event \(event.kind.rawValue) is queued again.")
        }
    }

    // MARK: - Pages and acts

    typealias PageMaker = @Sendable (Request, Visitor) async throws -> ConsolePage

    private func page(_ router: APIRouter, _ path: String, _ make: @escaping PageMaker) {
        router.get(path) { request, context in
            guard let visitor = try await sessions.visitor(of: request, from: context.address) else {
                return try Self.redirection(to: "/console/sign-in")
            }
            var page = try await make(request, visitor)
            page.done = try sessions.note(of: request)
            var response = try response(page, visitor)
            sessions.endNote(of: request, in: &response)
            return response
        }
    }

    /// An act of a visitor: what the form has, who did it and why.
    struct Act: Sendable {
        let form: FormFields
        let visitor: Visitor
        let author: Operator

        func text(_ name: String) throws -> String {
            let text = form[name]?.trimmed ?? ""
            guard !text.isEmpty else { throw AdministrationFailure.invalid(field: name, "is missing") }
            return text
        }

        func id<ID: LosslessStringConvertible>(_ name: String) throws -> ID {
            guard let id = ID(try text(name)) else {
                throw AdministrationFailure.notFound("there is no such \(name)")
            }
            return id
        }
    }

    /// What follows an act.
    enum ActResult {
        /// The page that the act is of, or another one, says what was done.
        case said(String, page: String? = nil)
        case response(Response)
        /// A page of its own, for what is to be confirmed.
        case page(ConsolePage)
    }

    private func act(
        _ router: APIRouter,
        _ path: String,
        _ role: Role,
        _ perform: @escaping @Sendable (Act) async throws -> ActResult
    ) {
        router.post(path) { request, context in
            guard let visitor = try await sessions.visitor(of: request, from: context.address) else {
                return try Self.redirection(to: "/console/sign-in")
            }
            let form = try await request.decodeForm()
            guard try sessions.isGenuine(form, request) else { throw ConsoleRefusal.otherPage }
            guard visitor.role >= role else { throw ConsoleRefusal.role }
            guard let reason = AuditReason(form["reason"]?.trimmed ?? "") else {
                throw AdministrationFailure.invalid(field: "reason", AuditReason.requirement)
            }
            let act = Act(form: form, visitor: visitor, author: visitor.author(reason))
            let result: ActResult
            do { result = try await perform(act) } catch let failure as AdministrationFailure {
                let back = String(path.prefix { $0 != "/" })
                let (status, title, text) = Self.refusal(failure)
                return try response(Self.refusalPage(title, text, back: back), visitor, status: status)
            }
            switch result {
            case .response(let response): return response
            case .page(let page): return try response(page, visitor)
            case .said(let line, let page):
                var response = try Self.redirection(to: page ?? "/console/\(path.prefix { $0 != "/" })")
                try sessions.note(line, for: request, in: &response)
                return response
            }
        }
    }

    private func response(
        _ page: ConsolePage,
        _ visitor: Visitor?,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let nonce = try service.identifiers.makeRandomText()
        return Response(
            status,
            html: page.html(for: visitor, nonce: nonce),
            contentSecurityPolicy: page.contentSecurityPolicy(nonce: nonce)
        )
    }

    /// A page that shows what a long act is at while it works, and then what it did. The act goes on if nobody waits.
    ///
    /// - Parameters:
    ///   - back: the page that follows, and its name.
    ///   - work: returns what was done.
    func progressPage(
        _ title: String,
        _ visitor: Visitor,
        back: (path: String, name: String),
        _ work: @escaping @Sendable () async throws -> String
    ) throws -> Response {
        let nonce = try service.identifiers.makeRandomText()
        let page = ConsolePage(title: title, path: String(back.path.prefix { $0 != "?" }), body: "")
        let text = page.html(for: visitor, nonce: nonce).text
        let end = text.firstRange(of: "</main>")?.lowerBound ?? text.endIndex
        let (head, foot) = (String(text[..<end]), String(text[end...]))
        let whole = Response(html: "", contentSecurityPolicy: page.contentSecurityPolicy(nonce: nonce))
        var headers = whole.headers
        headers[.contentLength] = nil
        return Response(
            status: .ok,
            headers: headers,
            body: .streamed { [now] send in
                let (lines, line) = AsyncStream<HTML>.makeStream()
                Task {
                    let result: HTML
                    do {
                        let report: @Sendable (String) -> Void = { step in
                            _ = line.yield("<p class=\"small\">\(step) …</p>\n")
                        }
                        let done = try await ActProgress.$report.withValue(.init(report), operation: work)
                        result = "<p role=\"status\" class=\"done\">\(done)</p>"
                    } catch {
                        result = "<p role=\"alert\" class=\"alert\">\(Self.explanation(of: error, at: now))</p>"
                    }
                    line.yield(result + "<p><a href=\"/console/\(back.path)\">Back to \(back.name)</a></p>")
                    line.finish()
                }
                try await send(ByteBuffer(string: head))
                for await line in lines { try await send(ByteBuffer(string: line.text)) }
                try await send(ByteBuffer(string: foot))
            }
        )
    }

    private static func explanation(of error: any Error, at now: Timestamp) -> String {
        (error as? AdministrationFailure)?.description ?? Problem(of: error, at: now).detail
    }

    static func redirection(to path: String) throws -> Response {
        // A path of ours, whatever it was made of.
        guard path.hasPrefix("/console"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ConsoleRefusal.otherPage
        }
        return Response(status: .seeOther, headers: [.location: path])
    }

    /// Every error as a page, with the way back.
    private func refusal(_ error: any Error, _ request: Request, _ context: APIContext) -> Response {
        let (status, title, text): (HTTPResponse.Status, String, String)
        switch error {
        case ConsoleRefusal.role:
            (status, title, text) = (
                .forbidden, "Not allowed", "Your role does not allow this; ask an operator."
            )
        case ConsoleRefusal.otherPage:
            (status, title, text) = (
                .forbidden, "Not done",
                "This form is out of date or belongs to another sign-in. Reload the page and try again."
            )
        case let failure as AdministrationFailure: (status, title, text) = Self.refusal(failure)
        default:
            let problem = Problem(of: error, at: now)
            if let cause = problem.cause {
                context.logger.error("a page of the console failed", metadata: ["error.cause": "\(cause)"])
            }
            // A sign-in writes, too: who cannot sign in sees no page that says why. No path, since it may be anybody.
            let isFull =
                problem.status.code >= 500
                && administration.ownFindings().contains { $0.kind == .disk && $0.verdict == .failed }
            (status, title, text) =
                isFull
                ? (
                    .serviceUnavailable, "Not done",
                    "The disk of the database is full: nothing can be written, not even a sign-in. Make room, and try again."
                ) : (problem.status, "Not done", problem.detail)
        }
        let page = Self.refusalPage(title, text, back: "")
        return (try? response(page, nil, status: status)) ?? Response(status: .internalServerError)
    }

    private static func refusal(
        _ failure: AdministrationFailure
    ) -> (status: HTTPResponse.Status, title: String, text: String) {
        switch failure {
        case .notFound(let line): (.notFound, "Not found", line)
        case .conflict(let line): (.conflict, "Not done", line)
        case .invalid(let field, let line):
            (.unprocessableContent, "Not done", "\(String(field.map { $0 == "_" ? " " : $0 })) \(line)")
        }
    }

    /// - Parameter back: the page that it was done on.
    private static func refusalPage(_ title: String, _ text: String, back: String) -> ConsolePage {
        let sentence = text.prefix(1).uppercased() + text.dropFirst()
        let name = back.isEmpty ? "Now" : back.prefix(1).uppercased() + back.dropFirst()
        let body: HTML = """
            <p role="alert" class="alert">\(sentence)\(sentence.hasSuffix(".") ? "" : ".")</p>
            <p><a href="/console/\(back)">Back to \(name)</a></p>
            """
        return ConsolePage(title: title, path: back, body: body)
    }

    // MARK: - Signing in and out

    /// The one page of the console that comes in the language of who reads it: its errors send people here.
    ///
    /// - Parameter alert: why nobody was signed in.
    func signInPage(for request: Request, alert: KeyPath<Texts.Console, String>? = nil) throws -> Response {
        let texts = request.texts(else: service.language)
        let byNumber: HTML =
            "<a class=\"button plain\" href=\"/console/sign-in/phone\">\(texts.pages.signInHeading)</a>"
        let body: HTML = """
            <form method="post" action="/console/sign-in" class="card">
            \(alert.map { "<p role=\"alert\" class=\"alert\">\(texts.console[keyPath: $0])</p>" as HTML })
            <label for="key">\(texts.console.key)</label>
            <input id="key" name="key" type="password" autocomplete="off" dir="ltr" required autofocus>
            <p class="small">\(texts.console.keyHint) <code dir="ltr">phoneproof keys create \
            <span class="whole">--name anna</span> <span class="whole">--scope support</span></code></p>
            <button>\(texts.pages.signIn)</button>
            \(byNumber, if: sessions.operators != nil)
            </form>
            """
        let page = ConsolePage(title: texts.pages.signIn, path: "", body: body, language: texts.language)
        var response = try response(page, nil, status: alert == nil ? .ok : .forbidden)
        // Or browsers name no origin with the form (`Request.isOfOtherSite`).
        response.headers[.referrerPolicy] = "same-origin"
        return response
    }

    @Sendable private func openSession(request: Request, context: APIContext) async throws -> Response {
        let form = try await request.decodeForm()
        // No page of another site signs anybody in.
        if request.isOfOtherSite { throw ConsoleRefusal.otherPage }
        var response = try Self.redirection(to: "/console")
        let secret = form["key"]?.trimmed ?? ""
        guard let key = try await sessions.open(secret, for: request, from: context.address, in: &response) else {
            return try signInPage(for: request, alert: \.keyRefused)
        }
        context.logger.notice("signed in to the console", metadata: ["key.id": "\(key.id)", "key.name": "\(key.name)"])
        return response
    }

    @Sendable private func closeSession(request: Request, context: APIContext) async throws -> Response {
        let form = try await request.decodeForm()
        guard try sessions.isGenuine(form, request) else { throw ConsoleRefusal.otherPage }
        var response = try Self.redirection(to: "/console/sign-in")
        try await sessions.end(request, in: &response)
        return response
    }
}

enum ConsoleRefusal: Error {
    /// The role is not enough for what is asked.
    case role
    /// The form is of no page that this visitor was shown.
    case otherPage
}
