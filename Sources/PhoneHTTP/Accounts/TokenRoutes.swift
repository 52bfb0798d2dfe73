import Hummingbird
import PhoneDomain
import TextEncodings
import Texts

/// A form is OAuth's format, and gets OAuth's errors; JSON gets the same problems as everywhere else.
struct TokenRoutes: Sendable {
    static let path = "/v1/tokens"
    static let revocationPath = "/oauth2/revoke"

    let accounts: AccountUseCase

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
            return try await tokens(by: body.requiredText("refresh_token"), context, otherwise: Self.invalidToken)
        }
        let form = try await request.oauthForm(["grant_type", "refresh_token"])
        if let type = form["grant_type"], type != "refresh_token" { throw Self.unsupportedGrantType }
        guard let token = form["refresh_token"] else { throw Self.noRefreshToken }
        return try await tokens(by: token, context, otherwise: Self.invalidGrant)
    }

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

    /// RFC 7009: an invalid token counts as revoked, since the client can do nothing about it.
    @Sendable private func revoke(request: Request, context: APIContext) async throws -> Response {
        guard request.isContent(Request.formType) == true else { throw Request.notForm }
        guard let token = try await request.oauthForm(["token"])["token"] else { throw Self.noToken }
        do {
            let signedIn = try await signedIn(by: SecretToken(token))
            _ = try await accounts.end(.one(signedIn.session.id), of: signedIn, from: context.address)
        } catch .notSignedIn {}
        return Response(status: .ok)
    }

    /// Accepts a refresh token as well, so that a client whose access token has expired need not refresh it to sign
    /// out.
    private func signedIn(by token: SecretToken) async throws(PhoneFailure) -> SignedIn {
        token.text.hasPrefix(Self.refreshTokenPrefix)
            ? try await accounts.signedIn(byRefreshToken: token)
            : try await accounts.signedIn(by: token)
    }

    private static let refreshTokenPrefix = "rt_"

    private static let otherGrantType = Problem.field("grant_type", "must be refresh_token")
    private static let unsupportedGrantType = otherGrantType.inOAuth(.unsupportedGrantType)

    private static let noRefreshToken = Problem.field("refresh_token", "is missing").inOAuth(.invalidRequest)
    private static let noToken = Problem.field("token", "is missing").inOAuth(.invalidRequest)

    /// The same for a refresh token that never was, one that was used before, and one whose session has ended.
    private static let invalidToken = Problem.unauthorized(
        "This refresh token is invalid or expired; sign in again.",
        error: "invalid_token",
        message: { $0.explanation(of: .notSignedIn, at: Timestamp(milliseconds: 0)) }
    )
    private static let invalidGrant = invalidToken.inOAuth(.invalidGrant)
}

extension IssuedTokens {
    /// RFC 6749 section 5.1.
    var json: JSON {
        [
            "access_token": .string(accessToken.text),
            "token_type": "Bearer",
            "expires_in": .integer(Int(expiresIn / .seconds(1))),
            "refresh_token": .string(refreshToken.secret.text),
            "scope": .string(AccessToken.scope),
        ]
    }
}
