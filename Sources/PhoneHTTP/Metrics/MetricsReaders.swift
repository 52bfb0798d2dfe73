import Hummingbird
import PhoneDomain

/// Lets nobody read the metrics but programs on the machine itself and those whose key has the scope `admin`: they tell
/// how much goes on here, and how much of it is fraud.
struct MetricsReaders: RouterMiddleware {
    typealias Context = APIContext

    let authority: CallerAuthority

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        // The address at the other end as well, since the service may be reached from elsewhere, and what a request says
        // of its host is for whoever sends it to choose.
        if request.bearerToken == nil, context.isOfThisMachine, LocalCallersOnly.isLocal(request) {
            return try await next(request, context)
        }
        guard try await authority.caller(of: request).scopes.contains(.admin) else {
            throw Problem.insufficientScope(.admin)
        }
        return try await next(request, context)
    }
}

extension APIContext {
    fileprivate var isOfThisMachine: Bool {
        // A socket of the Unix domain has no address, and is of this machine.
        guard let peer else { return !isAbandoned }
        return Self.loopback.contains { $0.contains(peer) }
    }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressBlock($0) }
}
