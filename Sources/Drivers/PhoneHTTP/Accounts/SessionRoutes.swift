import CoreEncodings
import HTTPTypes
package import PhoneAccounts
package import PhoneDomain
import PhoneSignup
import Texts

struct SessionRoutes: Sendable {
    let accounts: AccountUseCase

    func addRoutes(to router: APIRouter) {
        router
            .get(use: list)
            .delete("{id}", use: end)
    }

    @Sendable private func list(request: Request, context: APIContext) async throws -> Response {
        let signedIn = try context.requireSignedIn()
        let sessions = try await accounts.sessions(of: signedIn)
        return Response(json: ["sessions": .array(sessions.map { $0.json(current: signedIn.session.id) })])
    }

    @Sendable private func end(request: Request, context: APIContext) async throws -> Response {
        guard let id: Session.ID = context.pathID(),
            try await accounts.end(.one(id), of: context.requireSignedIn(), from: context.address)
        else {
            // The same for a session that never was, one that has ended, and someone else's.
            throw Problem(
                .sessionNotFound,
                "The account has no such session, or it has ended; GET /v1/sessions lists its sessions.",
                message: { $0.failures.sessionNotFound }
            )
        }
        return Response(status: .noContent)
    }
}

extension Session {
    /// - Parameter current: the session of the request.
    func json(current: Session.ID?) -> JSON {
        var members = [JSON.Member("id", .string(id.description)), JSON.Member("user_agent", .string(userAgent))]
        if let grant { members.append(JSON.Member("client_id", .string(grant.clientID.description))) }
        return .object(
            members + [
                JSON.Member("created_at", .string(createdAt.description)),
                JSON.Member("last_used_at", .string(refreshedAt.description)),
                JSON.Member("expires_at", .string(end.description)),
                JSON.Member("is_current", .bool(id == current)),
            ]
        )
    }
}

/// Authenticates signed-in devices by their access token. A refresh token, a signup's token or an API key is not
/// accepted.
package struct SignedInOnly: RequestFilter {
    let accounts: AccountUseCase

    package init(accounts: AccountUseCase) { self.accounts = accounts }

    package func check(_ request: Request, _ context: inout APIContext) async throws {
        guard let token = request.bearerToken else { throw Self.noToken }
        context.signedIn = try await accounts.signedIn(by: token)
    }

    static let noToken = Problem.unauthorized(
        "Send the access token from the signup: Authorization: Bearer …."
    )
}

extension APIContext {
    /// - Throws: ``Problem`` if nothing has authenticated the request: then nothing is served.
    package func requireSignedIn() throws(Problem) -> SignedIn {
        guard let signedIn else { throw Problem.internalError(cause: "nobody is signed in") }
        return signedIn
    }
}
