import Hummingbird
import PhoneDomain

/// Finds out by what address a request's client is known.
struct ClientAddressing: RouterMiddleware {
    typealias Context = APIContext

    let proxies: TrustedProxies

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        // One who resets the connection right behind the request has no address any more when it is taken up, and must
        // not be served as one whom no limit knows.
        guard !context.isAbandoned else { throw Problem.malformed("The connection was reset.") }
        var context = context
        context.address = context.peer.map { ClientAddress(proxies.client(behind: $0, request.headers)) }
        return try await next(request, context)
    }
}
