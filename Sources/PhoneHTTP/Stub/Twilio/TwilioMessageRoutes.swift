import HTTPTypes
import Hummingbird
import PhoneDomain

/// Twilio's Messages API (2010-04-01), as far as it is about text messages that are sent. Any account will do, and any
/// credentials: the stub sends nothing that could cost or hurt.
struct TwilioMessageRoutes: Sendable {
    let stub: any StubInbox
    let clock: any WallClock
    /// Whether somebody may be told what becomes of a message.
    let allowsCallbacks: Bool

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post("Messages.json", use: send)
            .get("Messages.json", use: list)
            .get("Messages/{message}", use: show)
            .post("Messages/{message}", use: change)
            .delete("Messages/{message}", use: delete)
    }

    @Sendable private func send(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        let order = try TwilioOrder(
            form: try await request.twilioForm(),
            account: account,
            authToken: request.basicCredentials.flatMap { $0.secret.text.isEmpty ? nil : $0.secret.text },
            allowsCallbacks: allowsCallbacks
        )
        .order(at: clock.now())
        let message = try await refusing { () throws(StubRefusal) in try await stub.accept(order) }
        return Response(.created, json: message.twilioJSON(account: account))
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let (account, sid) = try (context.twilioAccount(), sid(context))
        guard let message = await stub.message(sid: sid) else { throw TwilioError.notFound }
        return Response(json: message.twilioJSON(account: account))
    }

    /// Forgets the text, or calls the message back; not both (https://www.twilio.com/docs/api/errors/30400).
    @Sendable private func change(request: Request, context: APIContext) async throws -> Response {
        let (account, sid) = try (context.twilioAccount(), sid(context))
        let form = try await request.twilioForm()
        let message: StubMessage?
        switch (form["Body"], form["Status"]) {
        case ("", nil): message = await stub.redact(sid: sid)
        case (nil, "canceled"):
            message = try await refusing { () throws(StubRefusal) in try await stub.cancel(sid: sid) }
        default: throw TwilioError(30400, "Either Body must be there and empty, or Status must be canceled.")
        }
        guard let message else { throw TwilioError.notFound }
        return Response(json: message.twilioJSON(account: account))
    }

    @Sendable private func delete(request: Request, context: APIContext) async throws -> Response {
        let (_, sid) = try (context.twilioAccount(), sid(context))
        let wasThere = try await refusing { () throws(StubRefusal) in try await stub.delete(sid: sid) }
        guard wasThere else { throw TwilioError.notFound }
        return Response(status: .noContent)
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        let listing = try TwilioListing(query: request.queryByName, account: account)
        let found = await stub.messages(matching: listing.filter, limit: listing.offset + listing.size + 1)
        return Response(json: listing.page(of: found, account: account))
    }

    private func refusing<Answer: Sendable>(_ ask: () async throws(StubRefusal) -> Answer) async throws(TwilioError)
        -> Answer
    {
        do throws(StubRefusal) {
            return try await ask()
        } catch {
            throw TwilioError(error)
        }
    }

    private func sid(_ context: APIContext) throws(TwilioError) -> String {
        guard let name = context.parameters.get("message"), name.hasSuffix(".json"), name.hasPrefix("SM") else {
            throw TwilioError.notFound
        }
        return String(name.dropLast(".json".count))
    }
}
