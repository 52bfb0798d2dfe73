import Hummingbird
import PhoneDomain

/// As much of Twilio's Messages API (2010-04-01) as a program that sends messages uses. Any account will do, and any
/// credentials: the stub sends nothing that could cost or hurt.
struct TwilioMessageRoutes: Sendable {
    let stub: any StubInbox

    /// Twilio's limit on a text, in characters.
    private static let longestText = 1600

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post("Messages.json", use: send)
            .get("Messages.json", use: list)
            .get("Messages/{message}", use: show)
    }

    @Sendable private func send(request: Request, context: APIContext) async throws -> Response {
        let account = try account(context)
        let form: [String: String]
        do {
            form = try await request.decodeForm()
        } catch let problem as Problem {
            throw TwilioError(21617, problem.detail, status: problem.status)
        }
        func value(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let to = value("To") else { throw TwilioError(21604, "A 'To' phone number is required.") }
        guard let from = value("From") ?? value("MessagingServiceSid") else {
            throw TwilioError(21603, "A 'From' phone number is required.")
        }
        guard let body = value("Body") else { throw TwilioError(21602, "Message body is required.") }
        guard body.count <= Self.longestText else {
            throw TwilioError(21617, "The concatenated message body exceeds the 1600 character limit.")
        }
        do throws(StubRefusal) {
            let message = try await stub.accept(to: to, from: from, body: body)
            return Response(.created, json: message.twilioJSON(account: account, isNew: true))
        } catch {
            throw TwilioError(error)
        }
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let account = try account(context)
        guard let name = context.parameters.get("message"), name.hasSuffix(".json"),
            let message = await stub.message(sid: String(name.dropLast(".json".count)))
        else { throw TwilioError.notFound }
        return Response(json: message.twilioJSON(account: account))
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let account = try account(context)
        let to = request.query("To")
        let size = number(request, "PageSize", in: 1...1000) ?? 50
        let page = number(request, "Page", in: 0...1000) ?? 0
        let start = page * size
        let messages = await stub.messages(to: to, limit: start + size + 1)
        let shown = messages.dropFirst(start).prefix(size)

        func uri(_ page: Int) -> JSON {
            let filter = to.map { "To=\($0.percentEncoded)&" } ?? ""
            return .string("/2010-04-01/Accounts/\(account)/Messages.json?\(filter)PageSize=\(size)&Page=\(page)")
        }
        return Response(
            json: [
                "first_page_uri": uri(0),
                "end": .integer(max(start, start + shown.count - 1)),
                "previous_page_uri": page > 0 ? uri(page - 1) : nil,
                "messages": .array(shown.map { $0.twilioJSON(account: account) }),
                "uri": uri(page),
                "page_size": .integer(size),
                "start": .integer(start),
                "next_page_uri": messages.count > start + size ? uri(page + 1) : nil,
                "page": .integer(page),
            ]
        )
    }

    private func account(_ context: APIContext) throws -> String {
        guard let account = context.parameters.get("account"), TwilioSID.isAccount(account) else {
            throw TwilioError.notFound
        }
        return account
    }

    /// Twilio passes over a page or a size that is none.
    private func number(_ request: Request, _ name: String, in range: ClosedRange<Int>) -> Int? {
        request.query(name).flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
    }
}
