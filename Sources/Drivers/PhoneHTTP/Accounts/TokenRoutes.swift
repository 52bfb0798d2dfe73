package import CoreEncodings
import HTTPTypes
package import PhoneAccounts
package import PhoneDomain
import PhoneSignup
import Texts

/// A form is OAuth's format, and gets OAuth's errors; JSON gets the same problems as everywhere else.
struct TokenRoutes: Sendable {
    static let path = "/v1/tokens"

    let accounts: AccountUseCase

    func addRoutes(to router: APIRouter) {
        router.group(Self.path)
            .post(use: refresh)
            .delete(use: signOut)
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
            return Response(json: try await accounts.refresh(SecretToken(token), from: context.address).json())
        } catch .notSignedIn {
            throw refusal
        }
    }

    @Sendable private func signOut(request: Request, context: APIContext) async throws -> Response {
        guard let token = request.bearerToken else { throw SignedInOnly.noToken }
        let isOfAll = try request.flag("all") ?? false
        let signedIn = try await accounts.signedIn(byEither: token)
        let session = signedIn.session
        let selection: EndSessions.Selection = isOfAll ? .all(generation: session.generation) : .one(session.id)
        _ = try await accounts.end(selection, of: signedIn, from: context.address)
        return Response(status: .noContent)
    }

    private static let otherGrantType = Problem.field("grant_type", "must be refresh_token")
    private static let unsupportedGrantType = otherGrantType.inOAuth(.unsupportedGrantType)

    private static let noRefreshToken = Problem.field("refresh_token", "is missing").inOAuth(.invalidRequest)

    /// The same for a refresh token that never was, one that was used before, and one whose session has ended.
    private static let invalidToken = Problem.unauthorized(
        "This refresh token is invalid or expired; sign in again.",
        error: "invalid_token",
        message: { $0.explanation(of: .notSignedIn, at: Timestamp(milliseconds: 0)) }
    )
    private static let invalidGrant = invalidToken.inOAuth(.invalidGrant)
}

extension IssuedTokens {
    /// RFC 6749 section 5.1, and with an ID token OpenID Connect Core 1.0 section 3.1.3.3.
    package func json(idToken: SecretToken? = nil) -> JSON {
        let scopes = signedIn.session.grant?.scopes
        var members = [
            JSON.Member("access_token", .string(accessToken.text)), JSON.Member("token_type", "Bearer"),
            JSON.Member("expires_in", .integer(Int(expiresIn / .seconds(1)))),
        ]
        if scopes?.contains(.offlineAccess) ?? true {
            members.append(JSON.Member("refresh_token", .string(refreshToken.secret.text)))
        }
        members.append(JSON.Member("scope", .string(scopes?.list ?? AccessToken.scope)))
        if let idToken { members.append(JSON.Member("id_token", .string(idToken.text))) }
        return .object(members)
    }
}
