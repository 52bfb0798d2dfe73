import HTTPTypes
public import Hummingbird
public import PhoneDomain
public import SMSStub
import TextEncodings

/// The HTTP API of the SMS stub: Twilio's Messages API to send, and its own to read what was sent.
public struct StubAPI: Sendable {
    private let stub: SMSStub
    private let identifiers: any IdentifierSource
    private let clock: any WallClock
    private let servesAnyone: Bool
    private let hosts: Set<String>

    /// - Parameters:
    ///   - identifiers: the source of nonces.
    ///   - servesAnyone: whether other machines are served. Then nobody is called back: a client must not make the
    ///     service post to a URL in a network that the client cannot reach.
    ///   - hosts: further names of this machine, for programs that can call `api.twilio.com` only.
    public init(
        stub: SMSStub,
        identifiers: any IdentifierSource,
        clock: any WallClock,
        servesAnyone: Bool = false,
        hosts: Set<String> = []
    ) {
        self.stub = stub
        self.identifiers = identifiers
        self.clock = clock
        self.servesAnyone = servesAnyone
        self.hosts = hosts
    }

    /// A router with the stub's routes only, for a stub that runs alone.
    public func makeRouter() -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.addRoutes(HealthRoutes(isReady: {}).routes, atPath: "/health")
        addRoutes(to: router)
        return router
    }

    func addRoutes(to router: Router<APIContext>) {
        let routes = router.group()
        if !servesAnyone { routes.add(middleware: LocalCallersOnly(hosts: hosts)) }
        routes.addRoutes(StubRoutes(stub: stub, identifiers: identifiers).routes)
        routes.addRoutes(
            TwilioAccountRoutes(stub: stub, clock: clock, start: clock.now()).routes,
            atPath: "/2010-04-01/Accounts"
        )
        routes.addRoutes(
            TwilioMessageRoutes(stub: stub, clock: clock, allowsCallbacks: !servesAnyone).routes,
            atPath: "/2010-04-01/Accounts/{account}"
        )
    }
}

/// What the SMS stub has received, and how it handles what comes next.
struct StubRoutes: Sendable {
    let stub: SMSStub
    let identifiers: any IdentifierSource

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .get("stub/messages", use: list)
            .delete("stub/messages", use: clear)
            .put("stub/behavior", use: behave)
            .get("inbox", use: show)
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
            toPrefix: try body.text("to_prefix"),
            step: .milliseconds(try body.integer("step_ms", in: 0...3_600_000) ?? 0)
        )
        await stub.setBehavior(behavior)
        return Response(
            json: [
                "mode": .string(behavior.mode.rawValue),
                "delay_ms": .integer(behavior.delay.wholeMilliseconds),
                "error_code": .integer(behavior.errorCode),
                "to_prefix": .string(behavior.toPrefix),
                "step_ms": .integer(behavior.step.wholeMilliseconds),
            ]
        )
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let (high, low) = try identifiers.makeBits()
        let page = InboxPage(
            messages: await stub.messages(to: nil, limit: 100),
            nonce: String(high, radix: 16) + String(low, radix: 16)
        )
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentSecurityPolicy: page.contentSecurityPolicy,
        ]
        // A page that opens this one gets no reference to its window, which shows codes (HTML, section 7.1.3).
        headers[.crossOriginOpenerPolicy] = "same-origin"
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.html))
        )
    }
}

extension StubMessage {
    fileprivate var json: JSON {
        [
            "sid": .string(sid),
            "to": .string(to),
            "from": .string(sender),
            "body": .string(body),
            "status": .string(status.rawValue),
            "segments": .integer(segments),
            "created_at": .string(createdAt.description),
        ]
    }
}
