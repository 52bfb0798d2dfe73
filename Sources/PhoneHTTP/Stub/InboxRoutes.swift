import HTTPTypes
import Hummingbird
import PhoneDomain

/// The stub's messages as a page for people.
struct InboxRoutes: Sendable {
    let stub: any StubInbox
    let identifiers: any IdentifierSource

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .get(use: show)
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let (high, low) = try identifiers.makeBits()
        let page = InboxPage(
            messages: await stub.messages(to: nil, limit: 100),
            nonce: String(high, radix: 16) + String(low, radix: 16)
        )
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy: page.contentSecurityPolicy,
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.html))
        )
    }
}
