import CoreEncodings
import HTTPTypes
import NIOCore
public import PhoneDomain
public import PhoneHTTP
import PhoneNumbers
import PhoneSignup
import ServiceLifecycle
import Texts

/// The HTTP API of the SMS stub: Twilio's Messages API to send, and its own to read what was sent.
public struct StubAPI: Sendable {
    let stub: SMSStub
    let servesAnyone: Bool
    private let identifiers: any IdentifierSource
    private let hosts: Set<String>
    private let receive: (@Sendable (InboundMessage) async throws -> Verification)?

    /// - Parameters:
    ///   - servesAnyone: whether other machines are served. Then nobody is called back: a client must not make the
    ///     service post to a URL in a network that the client cannot reach.
    ///   - hosts: further names of this machine, for programs that can call `api.twilio.com` only.
    ///   - receive: takes a message as if a person had sent it; nil where the stub is on its own.
    public init(
        stub: SMSStub,
        identifiers: any IdentifierSource,
        servesAnyone: Bool = false,
        hosts: Set<String> = [],
        receive: (@Sendable (InboundMessage) async throws -> Verification)? = nil
    ) {
        self.receive = receive
        (self.stub, self.identifiers, self.servesAnyone, self.hosts) = (stub, identifiers, servesAnyone, hosts)
    }

    public func makeRouter() -> APIRouter {
        let router = APIRouter()
        HealthRoutes(isReady: {}).addRoutes(to: router.group("/health"))
        addRoutes(to: router)
        return router
    }

    public func addRoutes(to router: APIRouter) {
        let routes = router.group()
        if !servesAnyone { routes.add(LocalCallersOnly(hosts: hosts)) }
        routes.group("/2010-04-01").writeErrors(TwilioError.writer())
        routes.get("/stub/messages", isPolled: true, use: list)
        routes.delete("/stub/messages", use: clear)
        routes.put("/stub/behavior", use: behave)
        if let receive {
            routes.post("/stub/inbound") { request, _ in
                let body = try await request.jsonBody()
                let (from, text) = (try body.requiredText("from"), try body.requiredText("text"))
                guard let sender = try? PhoneNumber(parsing: from, region: .world) else {
                    throw Problem.field("from", "must be a number such as +821012345678")
                }
                let approved = try await receive(InboundMessage(from: sender, text: text))
                return Response(json: ["verification": .string(approved.id.description)])
            }
        }
        routes.get("/inbox", isPolled: true, use: show)
        routes.get("/inbox/events", isPolled: true, use: events)
        addTwilioRoutes(to: routes.group("/2010-04-01/Accounts"))
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let limit = try request.query("limit", in: 1...1000, default: 50)
        let messages = await stub.messages(to: request.query("to"), limit: limit)
        return Response(json: ["messages": .array(messages.map(\.json))])
    }

    @Sendable private func clear(request: Request, context: APIContext) async -> Response {
        await stub.clear()
        return Response(status: .noContent)
    }

    @Sendable private func behave(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody()
        guard let mode: StubBehavior.Mode = try body.choice("mode") else { throw Problem.field("mode", "is missing") }
        let behavior = StubBehavior(
            mode: mode,
            delay: .milliseconds(try body.integer("delay_ms", in: 0...60_000) ?? 0),
            // Twilio's error codes have five digits.
            errorCode: try body.integer("error_code", in: 10_000...99_999),
            toPrefix: try body.text("to_prefix")
        )
        await stub.setBehavior(behavior)
        return Response(
            json: [
                "mode": .string(behavior.mode.rawValue),
                "delay_ms": .integer(behavior.delay.wholeMilliseconds),
                "error_code": .integer(behavior.errorCode),
                "to_prefix": .string(behavior.toPrefix),
            ]
        )
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let page = await inbox(in: request.texts(else: context.language))
        let nonce = try identifiers.makeRandomText()
        return Response(
            html: page.html(nonce: nonce),
            contentSecurityPolicy: InboxPage.contentSecurityPolicy(nonce: nonce),
            headers: [.contentLanguage: page.texts.language.description]
        )
    }

    private func inbox(in texts: Texts) async -> InboxPage {
        InboxPage(messages: await stub.messages(to: nil, limit: 100), texts: texts)
    }

    /// The messages, now and at each change.
    @Sendable private func events(request: Request, context: APIContext) async throws -> Response {
        let texts = request.texts(else: context.language)
        guard let updates = await stub.updates() else {
            throw Problem(.unavailable, "Too many pages show the inbox.").retryable(after: .seconds(60))
        }
        return Response(
            events: updates.map { _ in await inbox(in: texts).list.event },
            headers: [.contentLanguage: texts.language.description]
        )
    }
}

extension StubMessage {
    fileprivate var json: JSON {
        [
            "sid": .string(sid),
            "to": .string(to),
            "from": .string(from),
            "body": .string(body),
            "status": .string(status.rawValue),
            "segments": .integer(segments),
            "created_at": .string(createdAt.description),
        ]
    }
}

private struct LocalCallersOnly: RequestFilter {
    let hosts: Set<String>

    func check(_ request: Request, _ context: inout APIContext) async throws {
        guard LocalCallers.include(request, at: hosts) else {
            throw Problem.unauthorized(
                "Only programs on this machine may call this: use 127.0.0.1, or a name in sms.stub.hosts, without "
                    + "a proxy."
            )
        }
    }
}
