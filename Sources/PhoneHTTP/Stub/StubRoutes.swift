import Hummingbird
import PhoneDomain

/// What the SMS stub was handed, and how it is to treat what comes next.
struct StubRoutes: Sendable {
    let stub: any StubInbox

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .get("messages", use: list)
            .delete("messages", use: clear)
            .put("behavior", use: behave)
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
