import Hummingbird
import PhoneDomain
import TextEncodings

/// Liveness and readiness, for supervisors and load balancers.
struct HealthRoutes: Sendable {
    let isReady: @Sendable () async throws -> Void

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .get("live", use: live)
            .get("ready", use: ready)
    }

    /// Nothing that a restart would not fix can make it fail.
    @Sendable private func live(request: Request, context: APIContext) -> Response {
        Response(json: ["status": "ok"])
    }

    @Sendable private func ready(request: Request, context: APIContext) async throws -> Response {
        do {
            try await isReady()
        } catch {
            throw PhoneFailure.unavailable(cause: String(describing: error))
        }
        return Response(json: ["status": "ok"])
    }
}
