import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneHTTP

/// Twilio's 2010 API: text messages, phone calls and the account. Any account and any credentials will do: the stub
/// sends nothing that could cost or hurt. Nobody gets the calls: they are shown with the messages.
extension StubAPI {
    func addTwilioRoutes(to router: APIRouter) {
        router
            .get("{account}", use: showAccount)
            .post("{account}/Messages.json", use: send)
            .get("{account}/Messages.json", use: listMessages)
            .get("{account}/Messages/{message}", use: show)
            .post("{account}/Messages/{message}", use: change)
            .delete("{account}/Messages/{message}", use: delete)
            .get("{account}/Messages/{message}/Media.json", use: listMedia)
            .post("{account}/Messages/{message}/Feedback.json", use: takeFeedback)
            .post("{account}/Calls.json", use: call)
            .get("{account}/Calls/{call}", use: show)
    }

    /// Every member that Twilio has (https://github.com/twilio/twilio-oai, `api.v2010.account`) except the token, which
    /// the client has.
    @Sendable private func showAccount(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount(suffix: ".json")
        let path = "/2010-04-01/Accounts/\(account)"
        return Response(
            json: [
                "auth_token": nil,
                "date_created": .string(start.rfc2822),
                "date_updated": .string(start.rfc2822),
                "friendly_name": "SMS stub",
                "owner_account_sid": .string(account),
                "sid": .string(account),
                "status": "active",
                "subresource_uris": [
                    "calls": .string(path + "/Calls.json"),
                    "messages": .string(path + "/Messages.json"),
                ],
                "type": "Full",
                "uri": .string(path + ".json"),
            ]
        )
    }

    @Sendable private func send(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        let message = TwilioMessageRequest(
            form: try await request.twilioForm(),
            account: account,
            authToken: request.basicCredentials.flatMap { $0.secret.text.isEmpty ? nil : $0.secret.text },
            allowsCallbacks: !servesAnyone
        )
        let accepted = try await stub.accept(message.message(at: clock.now())).accepted
        return Response(.created, json: accepted.twilioJSON(account: account))
    }

    @Sendable private func call(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        let form = try await request.twilioForm()
        let call = TwilioMessageRequest(form: form, account: account, authToken: nil, allowsCallbacks: false)
        return Response(.created, json: try await stub.accept(call.call()).accepted.twilioJSON(account: account))
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

    @Sendable private func listMessages(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        // `DateSent<=2026-05-15` is written in both ways, so the query is decoded. Of several values the first counts.
        let query = FormFields(request.queryParameters)
        let listing = try TwilioListing(query: query, account: account)
        let found = await stub.messages(matching: listing.filter, limit: listing.offset + listing.size + 1)
        return Response(json: listing.page(of: found, account: account))
    }

    /// A text has none.
    @Sendable private func listMedia(request: Request, context: APIContext) async throws -> Response {
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
    @Sendable private func takeFeedback(request: Request, context: APIContext) async throws -> Response {
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

    /// The message in the path of a part of it, and its own path.
    private func message(_ context: APIContext) async throws -> (StubMessage, path: String) {
        let account = try context.twilioAccount()
        guard let sid = context.parameters.get("message"), sid.hasPrefix("SM"),
            let message = await stub.message(sid: sid)
        else { throw TwilioError.notFound }
        return (message, message.twilioPath(account: account))
    }

    /// The ID in the path of a message or a call.
    private func sid(_ context: APIContext) throws(TwilioError) -> String {
        let call = context.parameters.get("call")
        guard let name = call ?? context.parameters.get("message"), name.hasSuffix(".json"),
            name.hasPrefix(call == nil ? "SM" : "CA")
        else { throw TwilioError.notFound }
        return String(name.dropLast(".json".count))
    }
}

extension StubMessage {
    fileprivate func twilioPath(account: String) -> String {
        "/2010-04-01/Accounts/\(account)/\(request.isCall ? "Calls" : "Messages")/\(sid)"
    }

    /// Every member that Twilio has and no other (https://github.com/twilio/twilio-oai, `api.v2010.account.message` and
    /// `api.v2010.account.call`), by name.
    func twilioJSON(account: String) -> JSON {
        let path = twilioPath(account: account)
        var members: [JSON.Member] = [
            .init("account_sid", .string(account)),
            .init("api_version", "2010-04-01"),
            .init("date_created", .string(createdAt.rfc2822)),
            .init("date_updated", .string(updatedAt.rfc2822)),
            .init("direction", "outbound-api"),
            .init("from", .string(request.from)),
            .init("price", nil),
            .init("price_unit", "USD"),
            .init("sid", .string(sid)),
            .init("to", .string(to)),
            .init("uri", .string(path + ".json")),
        ]
        members += (request.isCall ? callMembers : textMembers(path: path)).members
        return .object(members.sorted { $0.name < $1.name })
    }

    private func textMembers(path: String) -> JSON {
        // A messaging service has not split it yet.
        let isSplit = status != .accepted && (status != .scheduled || request.messagingService == nil)
        let errorMessage: String? =
            switch status {
            case .undelivered: "The message was not delivered"
            case .failed: "The message was not sent"
            case .accepted, .scheduled, .queued, .sending, .sent, .delivered, .canceled: nil
            }
        return [
            "body": .string(body),
            "date_sent": .string(sentAt?.rfc2822),
            "error_code": .integer(errorCode),
            "error_message": .string(errorMessage),
            "messaging_service_sid": .string(request.messagingService),
            "num_media": "0",
            "num_segments": .string(isSplit ? String(segments) : "0"),
            "status": .string(status.rawValue),
            "subresource_uris": ["media": .string(path + "/Media.json")],
        ]
    }

    private var callMembers: JSON {
        let wasAnswered = status == .delivered
        let callStatus =
            switch status {
            case .accepted, .scheduled, .queued: "queued"
            case .sending: "ringing"
            case .sent: "in-progress"
            case .delivered: "completed"
            case .undelivered: "no-answer"
            case .failed: "failed"
            case .canceled: "canceled"
            }
        return [
            "annotation": nil, "answered_by": nil, "caller_name": nil, "forwarded_from": nil, "group_sid": nil,
            "parent_call_sid": nil, "phone_number_sid": nil, "trunk_sid": nil,
            "duration": wasAnswered ? "0" : nil,
            "end_time": .string(wasAnswered ? updatedAt.rfc2822 : nil),
            "from_formatted": .string(request.from),
            "queue_time": "0",
            "start_time": .string(sentAt?.rfc2822),
            "status": .string(callStatus),
            "subresource_uris": [:],
            "to_formatted": .string(to),
        ]
    }
}
