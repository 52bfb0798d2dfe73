import HTTPTypes
import Hummingbird
import PhoneDomain

/// An account, for its holder, whom ``SignedInOnly`` let through.
struct AccountRoutes: Sendable {
    let accounts: any AccountUseCase
    let clock: any WallClock

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .get(use: show)
            .patch(use: edit)
            .delete(use: requestDeletion)
            .get("export", use: export)
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        Response(json: try context.whoIsSignedIn().account.json())
    }

    @Sendable private func edit(request: Request, context: APIContext) async throws -> Response {
        let signedIn = try context.whoIsSignedIn()
        let patch = try await request.jsonBody(types: ["application/json", Self.mergePatch]).requiredObject("metadata")
        let account = try await accounts.update(signedIn) { metadata throws(PhoneFailure) in
            try metadata.merged(with: patch)
        }
        return Response(json: try account.json())
    }

    @Sendable private func requestDeletion(request: Request, context: APIContext) async throws -> Response {
        let account = try await accounts.requestDeletion(of: context.whoIsSignedIn(), from: context.address)
        return Response(.accepted, json: try account.json())
    }

    @Sendable private func export(request: Request, context: APIContext) async throws -> Response {
        let signedIn = try context.whoIsSignedIn()
        let data = try await accounts.personalData(of: signedIn)
        return Response(
            json: try data.json(for: signedIn.session.id, at: clock.now()),
            headers: [.contentDisposition: Self.disposition]
        )
    }

    /// The media type of merge patches (RFC 7396 section 4).
    static let mergePatch = "application/merge-patch+json"

    /// Has browsers keep the answer as a file.
    static let disposition = #"attachment; filename="phoneproof-account.json""#
}
