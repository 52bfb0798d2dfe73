import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneDomain
import PhoneNumbers

/// Tokens for clients of OpenID Connect. Without a client it refreshes a person's own tokens, as `/v1/tokens` does: a
/// program that has found it by discovery need not know the difference.
struct TokenEndpoint: Sendable {
    static let path = "/oauth2/token"
    static let userInfoPath = "/oauth2/userinfo"
    static let revocationPath = "/oauth2/revoke"

    let accounts: AccountUseCase
    /// Nil where there are no pages for devices.
    var discovery: Discovery?

    func addRoutes(to router: APIRouter) {
        router.post(Self.path, use: tokens)
        router.get(Self.userInfoPath, use: userInfo)
        router.post(Self.userInfoPath, use: userInfo)
        router.post(Self.revocationPath, use: revoke)
        if discovery != nil { router.post(Self.devicePath, use: startDevice) }
    }

    @Sendable private func tokens(request: Request, context: APIContext) async throws -> Response {
        guard request.isContent(Request.formType) == true else { throw Request.notForm.inOAuth(.invalidRequest) }
        let form = try await request.oauthForm([
            "grant_type", "code", "redirect_uri", "code_verifier", "refresh_token", "client_id", "client_secret",
            "scope", "device_code",
        ])
        func required(_ name: String) throws -> String {
            guard let value = form[name] else { throw Problem.field(name, "is missing").inOAuth(.invalidRequest) }
            return value
        }
        // Before the client: a library that tries another grant gets this error, with any client.
        let grantType = try required("grant_type")
        guard Self.grantTypes.contains(grantType) else { throw Self.unsupportedGrantType }
        let client = try await client(of: request, form)
        if grantType == "client_credentials" { return try await tokens(for: client, form["scope"]) }
        do {
            if grantType == Self.deviceGrant {
                return try await tokens(with: SecretToken(try required("device_code")), of: client, context)
            }
            if grantType == "authorization_code" {
                guard let client else { throw Self.invalidClient }
                let verifier = client.requiresPKCE ? try required("code_verifier") : form["code_verifier"]
                guard verifier.map(Self.isVerifier) ?? true else { throw PhoneFailure.notSignedIn }
                let code = SecretToken(try required("code"))
                guard let redirectURI = RedirectURI(try required("redirect_uri")) else {
                    throw PhoneFailure.notSignedIn
                }
                let (tokens, idToken) = try await accounts.exchange(
                    code,
                    of: client,
                    redirectURI: redirectURI,
                    verifier: verifier.map { SecretToken($0) },
                    userAgent: request.headers[.userAgent],
                    from: context.address
                )
                return Response(json: tokens.json(idToken: idToken))
            }
            let token = SecretToken(try required("refresh_token"))
            return Response(json: try await accounts.refresh(token, of: client?.id, from: context.address).json())
        } catch PhoneFailure.notSignedIn {
            throw Self.invalidGrant
        }
    }

    /// A token for the client itself (RFC 6749 section 4.4). Scopes that it may not ask for are left out, as the
    /// response says (section 3.3).
    private func tokens(for client: OAuthClient?, _ scope: String?) async throws -> Response {
        guard let client, !client.isPublic else { throw Self.invalidClient }
        guard !client.profile.scopes.isEmpty else { throw Self.unauthorizedClient }
        guard (scope ?? "").utf8.count <= 1000 else { throw Self.invalidScope }
        let asked = scope.map { Set($0.split(separator: " ").compactMap { ClientScope(String($0)) }) }
        guard let (text, expiresIn, scopes) = try await accounts.clientToken(for: client, asked) else {
            throw Self.invalidScope
        }
        return Response(
            json: [
                "access_token": .string(text), "token_type": "Bearer",
                "expires_in": .integer(expiresIn.components.seconds), "scope": .string(scopes.list),
            ]
        )
    }

    /// The client that the request authenticates by (RFC 6749 section 2.3); nil if it names none.
    ///
    /// - Throws: ``Problem`` if it does so in two ways, or is not that client.
    func client(of request: Request, _ form: FormFields) async throws -> OAuthClient? {
        var (name, secret) = (form["client_id"], form["client_secret"])
        if let basic = request.basicCredentials {
            // Both are encoded as in forms before they are joined (section 2.3.1).
            let user = String(percentDecoding: basic.name[...], hasPlusForSpace: true)
            guard secret == nil, name == nil || name == user else {
                throw Problem.malformed("Authenticate the client in one way.").inOAuth(.invalidRequest)
            }
            (name, secret) = (user, String(percentDecoding: basic.secret.text[...], hasPlusForSpace: true) ?? "")
        }
        let id = name.flatMap(OAuthClient.ID.init)
        // A person's own device calls itself what it likes.
        if id == nil, secret == nil { return nil }
        guard let id,
            let client = try await available({
                try await accounts.clients.client(id, secret: secret.map { SecretToken($0) })
            })
        else { throw Self.invalidClient }
        return client
    }

    /// RFC 7636 section 4.1.
    private static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(\.isUnreserved)
    }

    /// OpenID Connect Core 1.0 section 5.3.
    @Sendable private func userInfo(request: Request, context: APIContext) async throws -> Response {
        // Some clients send it in the form (RFC 6750 section 2.2), pyoidc in its defaults among them.
        let isForm = request.method == .post && request.isContent(Request.formType) == true
        let form = isForm ? try await request.oauthForm(["access_token"]) : nil
        guard let token = request.bearerToken ?? form?["access_token"].map({ SecretToken($0) }) else {
            throw Problem.unauthorized("Send the access token that /oauth2/token gave: Authorization: Bearer ….")
        }
        let (account, grant) = try await accounts.userInfo(by: token)
        var members = [JSON.Member("sub", .string(account.id.description))]
        if let name = grant.preferredUsername(of: account) {
            members.append(JSON.Member("preferred_username", .string(name)))
        }
        if grant.scopes.contains(.phone) {
            if let number = account.phoneNumber { members.append(JSON.Member("phone_number", .string(number.e164))) }
            members.append(JSON.Member("phone_number_verified", .bool(account.phoneNumber != nil)))
            if let id = account.externalID { members.append(JSON.Member("external_id", .string(id.description))) }
        }
        return Response(json: .object(members))
    }

    /// RFC 7009: an invalid token counts as revoked, since the client can do nothing about it, and so does another
    /// client's, which stays valid.
    @Sendable private func revoke(request: Request, context: APIContext) async throws -> Response {
        guard request.isContent(Request.formType) == true else { throw Request.notForm }
        let form = try await request.oauthForm(["token", "client_id", "client_secret"])
        guard let token = form["token"] else { throw Self.noToken }
        let client = try await client(of: request, form)
        do {
            let signedIn = try await accounts.signedIn(byEither: SecretToken(token), of: client?.id)
            _ = try await accounts.end(.one(signedIn.session.id), of: signedIn, from: context.address)
        } catch PhoneFailure.notSignedIn {}
        return Response(status: .ok)
    }

    private static let noToken = Problem.field("token", "is missing").inOAuth(.invalidRequest)
    static let grantTypes = ["authorization_code", "refresh_token", "client_credentials", deviceGrant]
    private static let unsupportedGrantType = Problem.field(
        "grant_type",
        "must be authorization_code, refresh_token, client_credentials or \(deviceGrant)"
    ).inOAuth(.unsupportedGrantType)
    private static let unauthorizedClient = Problem.field(
        "grant_type",
        "must be one of the client's: it has no scope of its own"
    ).inOAuth(.unauthorizedClient)
    private static let invalidScope = Problem.field("scope", "must be one of the client's").inOAuth(.invalidScope)

    /// The same for a code or a refresh token that never was, one that was used before, and one of another client.
    private static let invalidGrant = Problem.unauthorized(
        "This code or refresh token is invalid or expired; sign in again."
    ).inOAuth(.invalidGrant)

    /// The same for a client that never was, one that was revoked, and a wrong secret.
    static let invalidClient: Problem = {
        var problem = Problem.unauthorized("Unknown client, or wrong client secret.")
            .inOAuth(.invalidClient)
        problem.status = .unauthorized
        problem.headers[.wwwAuthenticate] = #"Basic realm="phoneproof""#
        problem.hint = Problem.unknownHint("client or its secret")
        return problem
    }()
}
