import Hummingbird
import PhoneDomain

/// The tokens of a device that is signed in: the next ones, and the end of them.
struct TokenRoutes: Sendable {
    let accounts: any AccountUseCase

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post(use: refresh)
            .delete(use: signOut)
    }

    @Sendable private func refresh(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.tokenBody()
        // OAuth's clients name it (RFC 6749 section 6); there is no other here.
        if let type = try body.text("grant_type"), type != "refresh_token" { throw Self.otherGrantType }
        let token = SecretToken(try body.requiredText("refresh_token"))
        do {
            return Response(json: try await accounts.refresh(token, from: context.address).json)
        } catch .notSignedIn {
            throw Self.worthlessToken
        }
    }

    @Sendable private func signOut(request: Request, context: APIContext) async throws -> Response {
        guard let token = request.bearerToken else { throw SignedInOnly.noToken }
        let isOfAll = try request.flag("all") ?? false
        // One whose access token has run out need not get another to sign out by.
        let signedIn =
            token.text.hasPrefix(Self.refreshTokenPrefix)
            ? try await accounts.signedIn(byRefreshToken: token)
            : try await accounts.signedIn(by: token)
        _ = try await accounts.end(isOfAll ? .all : .one(signedIn.session.id), of: signedIn, from: context.address)
        return Response(status: .noContent)
    }

    /// What refresh tokens begin with; access tokens begin otherwise.
    private static let refreshTokenPrefix = "rt_"

    static let otherGrantType = Problem.field("grant_type", "must be refresh_token")

    /// One answer for a refresh token that never was, one that was used before, and one whose session is over.
    static let worthlessToken = Problem.unauthorized(
        "This refresh token is not good, or no longer; sign in again.",
        error: "invalid_token"
    )
}
