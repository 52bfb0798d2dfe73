import HTTPTypes
import Hummingbird
import PhoneDomain

/// What hangs on a message in Twilio's Messages API: pictures, of which a text has none, and what its sender says of how it
/// fared, which changes nothing (https://www.twilio.com/docs/messaging/api/message-feedback-resource).
struct TwilioMessagePartRoutes: Sendable {
    let stub: any StubInbox
    let clock: any WallClock

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .get("Media.json", use: media)
            .post("Feedback.json", use: feedback)
    }

    @Sendable private func media(request: Request, context: APIContext) async throws -> Response {
        let (_, path) = try await message(context)
        let address = JSON.string(path + "/Media.json?PageSize=50&Page=0")
        return Response(
            json: [
                "first_page_uri": address,
                "end": 0,
                "previous_page_uri": nil,
                "media_list": [],
                "uri": address,
                "page_size": 50,
                "start": 0,
                "next_page_uri": nil,
                "page": 0,
            ]
        )
    }

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

    /// The message that the path names, and the part of the path that names it.
    private func message(_ context: APIContext) async throws -> (StubMessage, path: String) {
        let account = try context.twilioAccount()
        guard let sid = context.parameters.get("message"), let message = await stub.message(sid: sid), !message.isCall
        else {
            throw TwilioError.notFound
        }
        return (message, "/2010-04-01/Accounts/\(account)/Messages/\(sid)")
    }
}
