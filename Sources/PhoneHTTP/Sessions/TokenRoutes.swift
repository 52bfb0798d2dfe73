import Hummingbird
import PhoneDomain

/// The tokens of a device that is signed in: the next ones, and the end of them.
///
/// A form is OAuth's way to ask, and is answered in OAuth's words; JSON is asked and answered as everywhere else here.
struct TokenRoutes: Sendable {
    static let path = "/v1/tokens"
    static let revocationPath = "/oauth2/revoke"

    let accounts: any AccountUseCase

    func addRoutes(to router: Router<APIContext>) {
        router.group(RouterPath(Self.path))
            .post(use: refresh)
            .delete(use: signOut)
        router.post(RouterPath(Self.revocationPath), use: revoke)
    }

    @Sendable private func refresh(request: Request, context: APIContext) async throws -> Response {
        guard request.isContent(Request.formType) == true else {
            let body = try await request.jsonBody()
            if let type = try body.text("grant_type"), type != "refresh_token" { throw Self.otherGrantType }
            return try await tokens(by: body.requiredText("refresh_token"), context, otherwise: Self.worthlessToken)
        }
        let form = try await request.oauthForm(["grant_type", "refresh_token"])
        if let type = form["grant_type"], type != "refresh_token" { throw Self.unsupportedGrantType }
        guard let token = form["refresh_token"] else { throw Self.noRefreshToken }
        return try await tokens(by: token, context, otherwise: Self.invalidGrant)
    }

    /// The next tokens.
    ///
    /// - Parameter refusal: the answer to a token that is not good.
    private func tokens(
        by token: String,
        _ context: APIContext,
        otherwise refusal: Problem
    ) async throws -> Response {
        do {
            return Response(json: try await accounts.refresh(SecretToken(token), from: context.address).json)
        } catch .notSignedIn {
            throw refusal
        }
    }

    @Sendable private func signOut(request: Request, context: APIContext) async throws -> Response {
        guard let token = request.bearerToken else { throw SignedInOnly.noToken }
        let isOfAll = try request.flag("all") ?? false
        let signedIn = try await signedIn(by: token)
        _ = try await accounts.end(isOfAll ? .all : .one(signedIn.session.id), of: signedIn, from: context.address)
        return Response(status: .noContent)
    }

    /// RFC 7009. A token that is not good, or no longer, is as good as revoked: the client can do nothing about it.
    @Sendable private func revoke(request: Request, context: APIContext) async throws -> Response {
        guard request.isContent(Request.formType) == true else { throw Request.notForm }
        guard let token = try await request.oauthForm(["token"])["token"] else { throw Self.noToken }
        do {
            let signedIn = try await signedIn(by: SecretToken(token))
            _ = try await accounts.end(.one(signedIn.session.id), of: signedIn, from: context.address)
        } catch .notSignedIn {}
        return Response(status: .ok)
    }

    /// Who shows this token. One whose access token has run out need not get another to sign out by.
    private func signedIn(by token: SecretToken) async throws(PhoneFailure) -> SignedIn {
        token.text.hasPrefix(Self.refreshTokenPrefix)
            ? try await accounts.signedIn(byRefreshToken: token)
            : try await accounts.signedIn(by: token)
    }

    /// What refresh tokens begin with; access tokens begin otherwise.
    private static let refreshTokenPrefix = "rt_"

    static let otherGrantType = Problem.field("grant_type", "must be refresh_token")
    static let unsupportedGrantType = otherGrantType.inOAuth(.unsupportedGrantType)

    static let noRefreshToken = Problem.field("refresh_token", "is missing").inOAuth(.invalidRequest)
    static let noToken = Problem.field("token", "is missing").inOAuth(.invalidRequest)

    /// One answer for a refresh token that never was, one that was used before, and one whose session is over.
    static let worthlessToken = Problem.unauthorized(
        "This refresh token is not good, or no longer; sign in again.",
        error: "invalid_token"
    )
    static let invalidGrant = worthlessToken.inOAuth(.invalidGrant)
}
