import HTTPTypes
import Logging
import PhoneAccounts
import PhoneDomain

/// Where a client sends the browser of a person who is to be signed in, or out (OpenID Connect Core 1.0 section 3.1,
/// RP-Initiated Logout 1.0). A person who is signed in in this browser goes on to the client; others see
/// ``SignupPages``.
struct SignInRoutes: Sendable {
    static let path = "/oauth2/authorize"
    static let logoutPath = "/oauth2/logout"

    let pages: SignupPages
    let issuer: String
    private var accounts: AccountUseCase { pages.accounts }

    func addRoutes(to router: APIRouter) {
        router.get(Self.path) { request, context in try await pages.guarding(request, context, authorize) }
        router.get(Self.logoutPath) { request, context in
            try await pages.guarding(request, context) { try await logOut($0, $1, isConfirmed: false) }
        }
        // A form of another site brings no cookies, so the browser comes again without one. Relative addresses hold
        // under whatever path a proxy serves this.
        router.post(Self.path) { request, context in
            try await pages.guarding(request, context) { request, _ in
                let fields = try await request.decodeForm()
                guard fields.byteCount <= Response.longestLocation else { throw AuthorizationQuery.Refusal.tooLong }
                return try .redirection(to: "authorize".appendingQuery(fields.all.map { ($0.name, $0.value) }))
            }
        }
        router.post(Self.logoutPath) { request, context in
            try await pages.guarding(request, context, confirmLogOut)
        }
    }

    // MARK: - Signing in

    @Sendable private func authorize(_ request: Request, _ context: APIContext) async throws -> Response {
        let fields = request.queryFields
        let query = try await AuthorizationQuery(fields, clients: accounts.clients, issuer: issuer)
        if let response = try await pages.goOn(query, request, context) { return response }
        guard query.prompts == [.none] else {
            return try .redirection(to: "../signup".appendingQuery(fields.all.map { ($0.name, $0.value) }))
        }
        let accepted = try await pages.accepted(by: query, request)
        let refusal: AuthorizationResponse.Outcome =
            accepted != nil && query.request.scopes.contains(.phone)
            ? .failure(.interactionRequired, "another number is signed in")
            : .failure(.loginRequired, "the person must sign in")
        return try query.response(refusal, issuer: issuer).redirect
    }

    // MARK: - Signing out

    @Sendable private func confirmLogOut(_ request: Request, _ context: APIContext) async throws -> Response {
        let form = try await request.decodeForm()
        let cookie = pages.signOutCookie(of: request)
        guard let fault = try pages.cookies.fault(of: form, with: cookie, from: request) else {
            return try await logOut(request, context, isConfirmed: true)
        }
        // A browser that keeps no cookies would be asked for ever.
        if fault == .expired, form["form_token"] != nil, request.query("id_token_hint") != nil { throw fault }
        guard form.byteCount <= Response.longestLocation else { throw AuthorizationQuery.Refusal.tooLong }
        // A client's form, of another site, or one that was shown to another session: the person is asked.
        let all = request.queryFields.all + form.all.filter { $0.name != "form_token" }
        return try .redirection(to: "logout".appendingQuery(all.map { ($0.name, $0.value) }))
    }

    /// The person is asked unless the browser has the session that the client's ID token is of: a link to here may be
    /// on any page, and such a token in logs (RP-Initiated Logout 1.0 section 2).
    private func logOut(_ request: Request, _ context: APIContext, isConfirmed: Bool) async throws -> Response {
        let form = request.queryFields.filled
        let hint = try await form["id_token_hint"].flatMapAsync { try await accounts.idToken(in: $0) }
        let name = form["client_id"].flatMap(OAuthClient.ID.init)
        guard hint == nil || form["client_id"] == nil || hint?.clientID == name else {
            throw AuthorizationQuery.Refusal.untrusted("client_id is not that of the ID token")
        }
        let client = try await (hint?.clientID ?? name).flatMapAsync { id in
            try await available { try await accounts.clients.client(id) }
        }
        let target = form["post_logout_redirect_uri"].flatMap(RedirectURI.init)
        guard
            form["post_logout_redirect_uri"] == nil
                || target.map({ client?.profile.logoutURIs.contains($0) == true }) == true
        else {
            throw AuthorizationQuery.Refusal.untrusted(
                "post_logout_redirect_uri is not one that the client has registered"
            )
        }
        let signedIn = try await pages.session(of: request)
        let isOfHint = signedIn.flatMap { hint?.isOf($0) } ?? false
        if !isConfirmed, !isOfHint, signedIn != nil || hint != nil {
            return try pages.confirmation(of: signedIn, request, for: client, to: target)
        }
        // Before anything ends: a state that is too long is refused.
        var response =
            if let target {
                try Response.redirection(
                    to: target.description.appendingQuery(form["state"].map { [("state", $0)] } ?? [])
                )
            } else {
                try pages.page(.signedOut, request)
            }
        if let signedIn {
            _ = try await accounts.end(.one(signedIn.session.id), of: signedIn, from: context.address)
        }
        if let hint { try await accounts.endSession(of: hint, from: context.address) }
        pages.cookies.set(.session, nil, for: .zero, in: &response)
        return response
    }
}

extension Optional where Wrapped: Sendable {
    func flatMapAsync<Value>(_ transform: (Wrapped) async throws -> Value?) async rethrows -> Value? {
        if let self { try await transform(self) } else { nil }
    }
}
