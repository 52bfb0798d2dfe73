import Hummingbird
import PhoneDomain

/// The devices that are signed in to an account, for whoever ``SignedInOnly`` let through.
struct SessionRoutes: Sendable {
    let accounts: any AccountUseCase

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .get(use: list)
            .delete("{id}", use: end)
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let signedIn = try context.whoIsSignedIn()
        let sessions = try await accounts.sessions(of: signedIn)
        return Response(json: ["sessions": .array(sessions.map { $0.json(current: signedIn.session.id) })])
    }

    @Sendable private func end(request: Request, context: APIContext) async throws -> Response {
        guard let id: Session.ID = context.pathID(),
            try await accounts.end(.one(id), of: context.whoIsSignedIn(), from: context.address) > 0
        else { throw Self.sessionNotFound }
        return Response(status: .noContent)
    }

    /// One answer for no such session, one that is over, and somebody else's.
    static let sessionNotFound = Problem(
        .sessionNotFound,
        "The account has no such session, or no longer; see which it has."
    )
}
