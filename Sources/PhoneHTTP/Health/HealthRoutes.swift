import Hummingbird
import PhoneDomain

/// Whether the service runs, and whether it can do its work: for whatever starts, watches and feeds it.
struct HealthRoutes: Sendable {
    let isReady: @Sendable () async throws -> Void

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .get("live", use: live)
            .get("ready", use: ready)
    }

    /// Answers as long as the process does: nothing that a restart would not mend can make it fail.
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
