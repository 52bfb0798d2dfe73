import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneHTTP

/// Twilio's Messages API (2010-04-01) for text messages. Any account and any credentials will do: the stub sends
/// nothing that could cost or hurt.
extension StubAPI {
    func addMessages(to router: APIRouter) {
        router
            .post("Messages.json", use: send)
            .get("Messages.json", use: list)
            .get("Messages/{message}", use: show)
            .post("Messages/{message}", use: change)
            .delete("Messages/{message}", use: delete)
            .get("Messages/{message}/Media.json", use: media)
            .post("Messages/{message}/Feedback.json", use: feedback)
    }

    @Sendable private func send(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        let order = try TwilioMessageRequest(
            form: try await request.twilioForm(),
            account: account,
            authToken: request.basicCredentials.flatMap { $0.secret.text.isEmpty ? nil : $0.secret.text },
            allowsCallbacks: !servesAnyone
        )
        .order(at: clock.now())
        let message = try await stub.accept(order)
        return Response(.created, json: message.twilioJSON(account: account))
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let (account, sid) = try (context.twilioAccount(), sid(context))
        guard let message = await stub.message(sid: sid) else { throw TwilioError.notFound }
        return Response(json: message.twilioJSON(account: account))
    }

    /// Redacts the text or cancels the message, not both (https://www.twilio.com/docs/api/errors/30400).
    @Sendable private func change(request: Request, context: APIContext) async throws -> Response {
        let (account, sid) = try (context.twilioAccount(), sid(context))
        let form = try await request.twilioForm()
        let message: StubMessage?
        switch (form["Body"], form["Status"]) {
        case ("", nil): message = await stub.redact(sid: sid)
        case (nil, "canceled"): message = try await stub.cancel(sid: sid)
        default: throw TwilioError(30400, "Either Body must be there and empty, or Status must be canceled.")
        }
        guard let message else { throw TwilioError.notFound }
        return Response(json: message.twilioJSON(account: account))
    }

    @Sendable private func delete(request: Request, context: APIContext) async throws -> Response {
        let (_, sid) = try (context.twilioAccount(), sid(context))
        guard try await stub.delete(sid: sid) else { throw TwilioError.notFound }
        return Response(status: .noContent)
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        // `DateSent<=2026-05-15` is written in both ways, so the query is decoded. Of several values the first counts.
        let query = FormFields(request.queryParameters)
        let listing = try TwilioListing(query: query, account: account)
        let found = await stub.messages(matching: listing.filter, limit: listing.offset + listing.size + 1)
        return Response(json: listing.page(of: found, account: account))
    }

    private func sid(_ context: APIContext) throws(TwilioError) -> String {
        guard let name = context.parameters.get("message"), name.hasSuffix(".json"), name.hasPrefix("SM") else {
            throw TwilioError.notFound
        }
        return String(name.dropLast(".json".count))
    }

    /// A text has none.
    @Sendable private func media(request: Request, context: APIContext) async throws -> Response {
        let (_, path) = try await message(context)
        let address = JSON.string(path + "/Media.json?PageSize=50&Page=0")
        return Response(
            json: [
                "first_page_uri": address, "end": 0, "previous_page_uri": nil, "media_list": [], "uri": address,
                "page_size": 50, "start": 0, "next_page_uri": nil, "page": 0,
            ]
        )
    }

    /// It has no effect (https://www.twilio.com/docs/messaging/api/message-feedback-resource).
    @Sendable private func feedback(request: Request, context: APIContext) async throws -> Response {
        let (message, path) = try await message(context)
        let outcome = try await request.twilioForm()["Outcome"] ?? "confirmed"
        guard ["confirmed", "unconfirmed"].contains(outcome) else {
            throw TwilioError(20001, "Outcome must be confirmed or unconfirmed.")
        }
        let now = JSON.string(clock.now().rfc2822)
        return Response(
            .created,
            json: [
                "account_sid": .string(try context.twilioAccount()),
                "date_created": now,
                "date_updated": now,
                "message_sid": .string(message.sid),
                "outcome": .string(outcome),
                "uri": .string(path + "/Feedback.json"),
            ]
        )
    }

    /// The message in the path, and its SID there.
    private func message(_ context: APIContext) async throws -> (StubMessage, path: String) {
        let account = try context.twilioAccount()
        guard let sid = context.parameters.get("message"), let message = await stub.message(sid: sid), !message.isCall
        else { throw TwilioError.notFound }
        return (message, "/2010-04-01/Accounts/\(account)/Messages/\(sid)")
    }
}

extension StubMessage {
    /// Every member that Twilio has and no other (https://github.com/twilio/twilio-oai, `api.v2010.account.message`).
    func twilioJSON(account: String) -> JSON {
        let path = "/2010-04-01/Accounts/\(account)/Messages/\(sid)"
        // A messaging service has not split it yet.
        let isSplit = status != .accepted && (status != .scheduled || messagingService == nil)
        return [
            "account_sid": .string(account),
            "api_version": "2010-04-01",
            "body": .string(body),
            "date_created": .string(createdAt.rfc2822),
            "date_sent": .string(sentAt?.rfc2822),
            "date_updated": .string(updatedAt.rfc2822),
            "direction": "outbound-api",
            "error_code": .integer(errorCode),
            "error_message": .string(errorMessage),
            "from": .string(from),
            "messaging_service_sid": .string(messagingService),
            "num_media": "0",
            "num_segments": .string(isSplit ? String(segments) : "0"),
            "price": nil,
            "price_unit": "USD",
            "sid": .string(sid),
            "status": .string(status.rawValue),
            "subresource_uris": ["media": .string(path + "/Media.json")],
            "to": .string(to),
            "uri": .string(path + ".json"),
        ]
    }

    private var errorMessage: String? {
        switch status {
        case .undelivered: "The message was not delivered"
        case .failed: "The message was not sent"
        case .accepted, .scheduled, .queued, .sending, .sent, .delivered, .canceled: nil
        }
    }
}
