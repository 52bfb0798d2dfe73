import CoreEncodings
import HTTPTypes
import PhoneDomain

/// The metrics of the service, for Prometheus.
public struct MetricsPage: Sendable {
    /// Renders the metrics in the format that suits the value of `Accept` best.
    public typealias Read = @Sendable (_ accept: String?) async -> (type: String, text: String)

    private let read: Read

    public init(_ read: @escaping Read) { self.read = read }

    /// A router with `/metrics` only, for a separate listener.
    public func makeRouter() -> APIRouter {
        let router = APIRouter()
        router.get("/metrics", isPolled: true, use: show)
        return router
    }

    @Sendable func show(request: Request, context: APIContext) async throws -> Response {
        let content = await read(request.headers[.accept])
        return Response(text: content.text, contentType: content.type)
    }
}

/// Lets programs on the same machine and keys with the scope `admin` read the metrics: they reveal how much traffic
/// there is, and how much of it is fraud.
struct MetricsAccess: RequestFilter {
    let authority: CallerAuthority

    func check(_ request: Request, _ context: inout APIContext) async throws {
        // The peer's address is checked as well, since the service may be reachable from elsewhere and the client
        // chooses what a request says of its host.
        if request.bearerToken == nil, context.isOfThisMachine, LocalCallers.include(request) { return }
        guard try await authority.caller(of: request).scopes.contains(.admin) else {
            throw Problem.insufficientScope(.admin)
        }
    }
}

extension APIContext {
    fileprivate var isOfThisMachine: Bool {
        peer.map { peer in Self.loopback.contains { $0.contains(peer) } } ?? false
    }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressBlock($0) }
}

/// Liveness and readiness, for supervisors and load balancers.
package struct HealthRoutes: Sendable {
    /// Throws if the service cannot work at the moment.
    let isReady: @Sendable () async throws -> Void

    package init(isReady: @escaping @Sendable () async throws -> Void) { self.isReady = isReady }

    package func addRoutes(to router: APIRouter) {
        router
            .get("live", isPolled: true, use: live)
            .get("ready", isPolled: true, use: ready)
    }

    /// Nothing that a restart would not fix can make it fail.
    @Sendable private func live(request: Request, context: APIContext) -> Response {
        Response(json: ["status": "ok"])
    }

    @Sendable private func ready(request: Request, context: APIContext) async throws -> Response {
        try await available { try await isReady() }
        return Response(json: ["status": "ok"])
    }
}
