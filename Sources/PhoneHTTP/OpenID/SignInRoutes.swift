import HTTPTypes
import Logging
import PhoneDomain

/// Where a client sends the browser of a person who is to be signed in, or out (OpenID Connect Core 1.0 section 3.1,
/// RP-Initiated Logout 1.0). A person who is signed in in this browser goes on to the client; others see ``SignupPages``.
struct SignInRoutes: Sendable {
    static let path = "/oauth2/authorize"
    static let logoutPath = "/oauth2/logout"

    let pages: SignupPages
    let issuer: String
    private var accounts: AccountUseCase { pages.accounts }

    func addRoutes(to router: APIRouter) {
        router.get(Self.path) { request, context in try await pages.guarding(request, context, authorize) }
        router.get(Self.logoutPath) { request, context in try await pages.guarding(request, context, logOut)
        }
        // A form of another site brings no cookies, so the browser comes again without one. Relative addresses hold
        // under whatever path a proxy serves this.
        router.post(Self.path) { request, _ -> Response in
            if let canonical = request.withoutTrailingSlash { return canonical }
            return .redirect(to: "authorize".appendingQuery(try await request.formFields().map { ($0.name, $0.value) }))
        }
        router.post(Self.logoutPath) { request, context in
            try await pages.guarding(request, context, confirmLogOut)
        }
    }

    // MARK: - Signing in

    @Sendable private func authorize(_ request: Request, _ context: APIContext) async throws -> Response {
        let fields = request.queryFields
        let query = try await AuthorizationQuery(fields, clients: accounts.clients, issuer: issuer)
        let signedIn = try await pages.signedIn(request)
        if let signedIn, query.accepts(signedIn, within: accounts.browserTime, at: pages.clock.now()) {
            let isOther = pages.number(query.loginHint).map { $0 != signedIn.account.phoneNumber } ?? false
            if !isOther { return try await pages.finish(query, for: signedIn) }
            if query.prompts == [.none] {
                return query.response(.failure(.interactionRequired, "another number is signed in"), issuer: issuer)
                    .redirect
            }
        }
        if query.prompts == [.none] {
            return query.response(.failure(.loginRequired, "nobody is signed in"), issuer: issuer).redirect
        }
        return .redirect(to: "../signup".appendingQuery(fields.map { ($0.name, $0.value) }))
    }

    // MARK: - Signing out

    @Sendable private func logOut(_ request: Request, _ context: APIContext) async throws -> Response {
        try await logOut(request, context, fields: request.queryFields, isConfirmed: false)
    }

    @Sendable private func confirmLogOut(_ request: Request, _ context: APIContext) async throws -> Response {
        let fields = try await request.formFields()
        let form = Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
        // A client's form, of another site.
        guard form["form_token"] != nil else {
            return .redirect(to: "logout".appendingQuery(fields.map { ($0.name, $0.value) }))
        }
        guard try pages.cookies.accept(form, with: pages.cookies.value(.session, of: request), from: request) else {
            throw SignupPages.Refusal.form
        }
        return try await logOut(request, context, fields: request.queryFields, isConfirmed: true)
    }

    /// Without an ID token a link on any page could sign a person out, so the person is asked.
    private func logOut(
        _ request: Request,
        _ context: APIContext,
        fields: [(name: String, value: String)],
        isConfirmed: Bool
    ) async throws -> Response {
        let form = Dictionary(fields.filter { !$0.value.isEmpty }.map { ($0.name, $0.value) }) { first, _ in first }
        let hint = try await form["id_token_hint"].flatMapAsync { try await accounts.idToken(in: $0) }
        let name = form["client_id"].flatMap(OAuthClient.ID.init)
        guard hint == nil || form["client_id"] == nil || hint?.clientID == name else {
            throw AuthorizationQuery.Refusal.untrusted("client_id is not that of the ID token")
        }
        let client = try await (hint?.clientID ?? name).flatMapAsync { id in
            try await available { try await accounts.clients.client(id) }
        }
        let target = form["post_logout_redirect_uri"]
        if let target, !(client?.logoutURIs.contains { $0.description == target } ?? false) {
            throw AuthorizationQuery.Refusal.untrusted(
                "post_logout_redirect_uri is not one that the client has registered"
            )
        }
        let signedIn = try await pages.signedIn(request)
        let isOfOther = hint.map { $0.accountID != signedIn?.account.id } ?? true
        if let signedIn, isOfOther, !isConfirmed { return try pages.confirmation(of: signedIn, request, client) }
        if let signedIn {
            _ = try await accounts.end(.one(signedIn.session.id), of: signedIn, from: context.address)
        }
        if let hint { try await accounts.endSession(of: hint, from: context.address) }
        var response =
            if let target {
                Response.redirect(to: target.appendingQuery(form["state"].map { [("state", $0)] } ?? []))
            } else {
                try pages.signedOut(request)
            }
        pages.cookies.set(.session, nil, for: .zero, in: &response)
        return response
    }
}

extension AuthorizationQuery {
    /// Whether a person who has signed in before need not do so again.
    fileprivate func accepts(_ signedIn: SignedIn, within time: Duration, at now: Timestamp) -> Bool {
        prompts.isDisjoint(with: [.login, .consent, .selectAccount])
            && now <= signedIn.session.createdAt + min(time, maxAge ?? time)
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func flatMapAsync<Value>(_ transform: (Wrapped) async throws -> Value?) async rethrows -> Value? {
        if let self { try await transform(self) } else { nil }
    }
}
