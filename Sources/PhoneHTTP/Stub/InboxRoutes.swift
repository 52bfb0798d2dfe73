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
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentSecurityPolicy: page.contentSecurityPolicy,
        ]
        // A page that opens this one keeps no hold of its window, in which codes are shown (HTML, section 7.1.3).
        if let name = HTTPField.Name("Cross-Origin-Opener-Policy") { headers[name] = "same-origin" }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.html))
        )
    }
}
