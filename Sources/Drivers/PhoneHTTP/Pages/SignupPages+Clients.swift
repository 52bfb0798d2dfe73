import PhoneAccounts
import PhoneDomain
import PhoneSignup
import PhoneViewModel

/// Who is signed in in a browser, the way on to the client that asks, and the question before signing out.
extension SignupPages {
    /// Who is signed in in this browser. It may bring its cookie for longer than it was asked to.
    func signedIn(_ request: Request) async throws(PhoneFailure) -> SignedIn? {
        guard let signedIn = try await session(of: request),
            clock.now() <= signedIn.session.createdAt + accounts.browserTime
        else { return nil }
        return signedIn
    }

    /// The session of this browser, however old, for whatever ends it.
    func session(of request: Request) async throws(PhoneFailure) -> SignedIn? {
        guard let cookie = cookies.value(.session, of: request) else { return nil }
        do {
            return try await accounts.signedIn(byRefreshToken: SecretToken(cookie))
        } catch .notSignedIn {
            return nil
        }
    }

    /// Who is signed in and need not prove a number again for this request of a client's.
    func accepted(by query: AuthorizationQuery, _ request: Request) async throws(PhoneFailure) -> SignedIn? {
        guard query.prompts.isDisjoint(with: [.login, .consent, .selectAccount, .create]),
            let signedIn = try await signedIn(request),
            query.maxAge.map({ clock.now() <= signedIn.session.createdAt + $0 }) ?? true
        else { return nil }
        if let hint = query.idTokenHint, try await accounts.idToken(in: hint)?.accountID != signedIn.account.id {
            return nil
        }
        return signedIn
    }

    /// Who is accepted, unless the client names another number.
    func hinted(by query: AuthorizationQuery, _ request: Request) async throws(PhoneFailure) -> SignedIn? {
        guard let signedIn = try await accepted(by: query, request), isHinted(signedIn.account, query) else {
            return nil
        }
        return signedIn
    }

    /// Sends the browser back to the client if no page need be shown.
    func goOn(_ query: AuthorizationQuery, _ request: Request, _ context: APIContext) async throws -> Response? {
        guard let signedIn = try await hinted(by: query, request) else { return nil }
        return try await finish(query, for: signedIn, context)
    }

    /// Whether it is the account of the number that the client names, if it names one.
    ///
    /// For a client without the scope `phone` it never is: what follows would reveal whose number it is.
    private func isHinted(_ account: Account, _ query: AuthorizationQuery) -> Bool {
        guard let number = number(query.loginHint) else { return true }
        return query.request.scopes.contains(.phone) && number == account.phoneNumber
    }

    /// Sends the browser back to the client with a code; with an error, if this browser has got too many, or somebody
    /// else has signed in than the client expects (OpenID Connect Core 1.0 section 3.1.2.1, `id_token_hint`).
    func finish(_ query: AuthorizationQuery, for signedIn: SignedIn, _ context: APIContext) async throws -> Response {
        let expected = try await query.idTokenHint.flatMapAsync { try await accounts.idToken(in: $0)?.accountID }
        if let expected, expected != signedIn.account.id {
            let refusal = AuthorizationResponse.Outcome.failure(.loginRequired, "another person has signed in")
            return try query.response(refusal, issuer: issuer ?? "").redirect
        }
        let outcome: AuthorizationResponse.Outcome
        do throws(PhoneFailure) {
            outcome = .code(try await accounts.authorize(query.request, for: signedIn, from: context.address))
        } catch {
            guard case .rateLimited = error else { throw error }
            outcome = .failure(.temporarilyUnavailable, "too many sign-ins from here; try again later")
        }
        return try query.response(outcome, issuer: issuer ?? "").redirect
    }

    // MARK: - Signing out

    /// - Parameters:
    ///   - signedIn: who is signed in in this browser; nil if only a client's session would end.
    ///   - target: where the browser goes after that.
    func confirmation(
        of signedIn: SignedIn?,
        _ request: Request,
        for client: OAuthClient?,
        to target: RedirectURI?
    ) throws -> Response {
        let known = signOutCookie(of: request)
        let cookie = try known ?? SignupCookie(at: clock.now(), by: signups.tokens).text
        var response = try page(
            .confirmSignOut(signedIn?.account.phoneNumber),
            request,
            for: client,
            to: target,
            formToken: cookies.formToken(for: cookie)
        )
        if known == nil { cookies.set(.signup, cookie, for: signups.ttl, in: &response) }
        return response
    }

    /// The cookie that the form of this question belongs to.
    func signOutCookie(of request: Request) -> String? {
        cookies.value(.session, of: request) ?? cookies.value(.signup, of: request)
    }
}
