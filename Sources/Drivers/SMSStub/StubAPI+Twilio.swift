import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneHTTP

/// Twilio's 2010 API: text messages and phone calls. Any account and any credentials will do: the stub sends nothing that
/// could cost or hurt. Nobody gets the calls: they are shown with the messages.
extension StubAPI {
    func addTwilioRoutes(to router: APIRouter) {
        router
            .post("{account}/Messages.json", use: send)
            .get("{account}/Messages.json", use: listMessages)
            .get("{account}/Messages/{message}", use: show)
            .post("{account}/Calls.json", use: call)
            .get("{account}/Calls/{call}", use: show)
    }

    @Sendable private func send(request: Request, context: APIContext) async throws -> Response {
        try await accept(request, context) { (form) throws(TwilioError) in try form.message() }
    }

    @Sendable private func call(request: Request, context: APIContext) async throws -> Response {
        try await accept(request, context) { (form) throws(TwilioError) in try form.call() }
    }

    private func accept(
        _ request: Request,
        _ context: APIContext,
        _ read: (TwilioMessageRequest) throws(TwilioError) -> StubRequest
    ) async throws -> Response {
        let account = try context.twilioAccount()
        let form = TwilioMessageRequest(
            form: try await request.decodeForm(),
            account: account,
            authToken: request.basicCredentials.flatMap { $0.secret.text.isEmpty ? nil : $0.secret.text },
            allowsCallbacks: !servesAnyone
        )
        let message = try await stub.accept(try read(form))
        // As it was accepted: Twilio has not sent it yet.
        return Response(.created, json: (message.history.first ?? message).twilioJSON(account: account))
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        let call = context.parameters.get("call")
        guard let name = call ?? context.parameters.get("message"), name.hasSuffix(".json"),
            let message = await stub.message(sid: String(name.dropLast(".json".count))),
            message.request.isCall == (call != nil)
        else { throw TwilioError.notFound }
        return Response(json: message.twilioJSON(account: account))
    }

    @Sendable private func listMessages(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        // `DateSent<=2026-05-15` is written in both ways, so the query is decoded. Of several values the first counts.
        let listing = try TwilioListing(query: FormFields(request.queryParameters), account: account)
        // One more shows that there is a next page.
        let found = await stub.messages(limit: listing.size + 1, where: listing.includes)
        return Response(json: listing.page(of: found, account: account))
    }
}

extension StubMessage {
    /// Every member that Twilio has and no other (https://github.com/twilio/twilio-oai, `api.v2010.account.message` and
    /// `api.v2010.account.call`), by name.
    func twilioJSON(account: String) -> JSON {
        let path = "/2010-04-01/Accounts/\(account)/\(request.isCall ? "Calls" : "Messages")/\(sid)"
        var members: [JSON.Member] = [
            .init("account_sid", .string(account)),
            .init("api_version", "2010-04-01"),
            .init("date_created", .string(createdAt.rfc2822)),
            .init("date_updated", .string(createdAt.rfc2822)),
            .init("direction", "outbound-api"),
            .init("from", .string(from)),
            .init("price", nil),
            .init("price_unit", "USD"),
            .init("sid", .string(sid)),
            .init("to", .string(to)),
            .init("uri", .string(path + ".json")),
        ]
        members += (request.isCall ? callMembers : textMembers).members
        return .object(members.sorted { $0.name < $1.name })
    }

    private var textMembers: JSON {
        [
            "body": .string(body),
            "date_sent": .string(sentAt?.rfc2822),
            "error_code": .integer(errorCode),
            "error_message": .string(errorCode == nil ? nil : "The message was not delivered"),
            "messaging_service_sid": .string(request.messagingService),
            "num_media": "0",
            // A messaging service has not split it when it accepts it.
            "num_segments": .string(status == .accepted ? "0" : String(segments)),
            "status": .string(status.rawValue),
            "subresource_uris": [:],
        ]
    }

    private var callMembers: JSON {
        let wasAnswered = status == .delivered
        return [
            "annotation": nil, "answered_by": nil, "caller_name": nil, "forwarded_from": nil, "group_sid": nil,
            "parent_call_sid": nil, "phone_number_sid": nil, "trunk_sid": nil,
            "duration": wasAnswered ? "0" : nil,
            "end_time": .string(wasAnswered ? createdAt.rfc2822 : nil),
            "from_formatted": .string(from),
            "queue_time": "0",
            "start_time": .string(sentAt?.rfc2822),
            "status": wasAnswered ? "completed" : status == .undelivered ? "no-answer" : "queued",
            "subresource_uris": [:],
            "to_formatted": .string(to),
        ]
    }
}
