import HTTPTypes
public import Hummingbird
import NIOCore
import PhoneDomain

/// The metrics of the service, for Prometheus.
public struct MetricsPage: Sendable {
    public struct Content: Sendable {
        public let type: String
        public let text: String

        public init(type: String, text: String) {
            self.type = type
            self.text = text
        }
    }

    private let read: @Sendable (_ accept: String?) async -> Content

    /// - Parameter read: renders the metrics in the format that suits the value of `Accept` best.
    public init(_ read: @escaping @Sendable (_ accept: String?) async -> Content) { self.read = read }

    /// A router with `/metrics` only, for a separate listener.
    public func makeRouter() -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.get("/metrics", use: show)
        return router
    }

    @Sendable func show(request: Request, context: APIContext) async throws -> Response {
        let content = await read(request.headers[.accept])
        return Response(
            status: .ok,
            headers: [.contentType: content.type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: content.text))
        )
    }
}

/// Lets programs on the same machine and keys with the scope `admin` read the metrics: they reveal how much traffic
/// there is, and how much of it is fraud.
struct MetricsAccess: RouterMiddleware {
    typealias Context = APIContext

    let authority: CallerAuthority

    func handle(
        _ request: Request,
        context: APIContext,
        next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        // The peer's address is checked as well, since the service may be reachable from elsewhere and the client
        // chooses what a request says of its host.
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
        // A Unix domain socket has no IP address, and is on this machine.
        guard let peer else { return !isAbandoned }
        return Self.loopback.contains { $0.contains(peer) }
    }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressBlock($0) }
}
