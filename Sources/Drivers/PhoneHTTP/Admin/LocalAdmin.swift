package import CoreEncodings
import HTTPTypes
import Logging
import NIOCore
package import PhoneAdministration
package import PhoneDomain

/// `/v1/admin` for an operator on the service's machine: the same routes in the operator's own process, without a
/// socket and without a key. An act may have no reason, and a page may be long, since nobody else waits meanwhile.
package struct LocalAdmin: Sendable {
    package static let longestPage = 10_000
    private let routes: RouteTable
    private let author: Owner

    /// - Parameter author: whose acts they are on the audit log.
    package init(_ administration: Administration, by author: Owner) {
        let router = APIRouter()
        AdminRoutes(administration: administration, longestPage: Self.longestPage, requiresReason: false)
            .addRoutes(to: router.group(Self.root))
        (routes, self.author) = (RouteTable(router), author)
    }

    package static let root = "/v1/admin"

    /// - Parameter path: what follows ``root``, with a query if it has one.
    /// - Returns: the body of the response; null if it has none.
    /// - Throws: ``Problem`` for what is wrong with the request, and whatever else a route throws, as it is: to an
    ///   operator the cause is no secret.
    package func send(_ method: String, _ path: String, _ body: JSON?) async throws -> JSON {
        let request = Request(
            HTTPRequest.Method(method) ?? .get,
            Self.root + path,
            headers: [.contentType: "application/json"],
            body: .whole(body?.bytes ?? ByteBuffer())
        )
        var context = APIContext(peer: nil, logger: Logger(label: "admin") { _ in SwiftLogNoOpLogHandler() })
        context.caller = Caller(owner: author, scopes: [.admin])
        let endpoint = routes.endpoint(of: request.path, &context.parameters)
        guard let route = endpoint?.routes[request.method] else {
            return try routes.response(to: request, at: endpoint).json ?? .null
        }
        let response = try await withUnsafeThrowingContinuation { continuation in
            route.respond(to: request, context) { make in continuation.resume(with: Result(catching: make)) }
        }
        return response.json ?? .null
    }
}
