import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneHTTP

/// Accounts and phone calls of Twilio's 2010 API. Nobody gets the calls: they are shown with the messages. Any account
/// will do.
extension StubAPI {
    func addAccounts(to router: APIRouter) {
        router
            .get("{account}", use: show)
            .post("{account}/Calls.json", use: call)
            .get("{account}/Calls/{call}", use: showCall)
    }

    /// Every member that Twilio has (https://github.com/twilio/twilio-oai, `api.v2010.account`) except the token, which
    /// the client has.
    @Sendable private func show(request: Request, context: APIContext) throws -> Response {
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

    @Sendable private func call(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        let form = try await request.twilioForm()
        let order = TwilioMessageRequest(form: form, account: account, authToken: nil, allowsCallbacks: false)
        return Response(.created, json: try await stub.accept(order.call()).twilioCallJSON(account: account))
    }

    @Sendable private func showCall(request: Request, context: APIContext) async throws -> Response {
        let account = try context.twilioAccount()
        guard let name = context.parameters.get("call"), name.hasSuffix(".json"),
            let call = await stub.message(sid: String(name.dropLast(".json".count))), call.isCall
        else { throw TwilioError.notFound }
        return Response(json: call.twilioCallJSON(account: account))
    }
}

extension StubMessage {
    /// Every member that Twilio has and no other (https://github.com/twilio/twilio-oai, `api.v2010.account.call`).
    fileprivate func twilioCallJSON(account: String) -> JSON {
        let wasAnswered = status == .delivered
        return [
            "account_sid": .string(account),
            "annotation": nil, "answered_by": nil, "api_version": "2010-04-01", "caller_name": nil,
            "date_created": .string(createdAt.rfc2822),
            "date_updated": .string(updatedAt.rfc2822),
            "direction": "outbound-api",
            "duration": wasAnswered ? "0" : nil,
            "end_time": .string(wasAnswered ? updatedAt.rfc2822 : nil),
            "forwarded_from": nil,
            "from": .string(from),
            "from_formatted": .string(from),
            "group_sid": nil, "parent_call_sid": nil, "phone_number_sid": nil, "price": nil, "price_unit": "USD",
            "queue_time": "0",
            "sid": .string(sid),
            "start_time": .string(sentAt?.rfc2822),
            "status": .string(callStatus),
            "subresource_uris": [:],
            "to": .string(to),
            "to_formatted": .string(to),
            "trunk_sid": nil,
            "uri": .string("/2010-04-01/Accounts/\(account)/Calls/\(sid).json"),
        ]
    }

    private var callStatus: String {
        switch status {
        case .accepted, .scheduled, .queued: "queued"
        case .sending: "ringing"
        case .sent: "in-progress"
        case .delivered: "completed"
        case .undelivered: "no-answer"
        case .failed: "failed"
        case .canceled: "canceled"
        }
    }
}
