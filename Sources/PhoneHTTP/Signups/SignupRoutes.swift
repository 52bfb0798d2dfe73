import HTTPTypes
import Hummingbird
import PhoneDomain
import PhoneViewModel
import TextEncodings

/// The guided signup. Each request restores the signup's view model, passes it what the person did, saves what that
/// changed, and returns what there is to see.
struct SignupRoutes: Sendable {
    let useCase: any VerificationUseCase
    let accounts: AccountUseCase
    let signups: any SignupStore
    let tokens: any TokenVault
    let identifiers: any IdentifierSource
    let clock: any WallClock
    let plans: NumberingPlans
    let locale: RequestLocale
    /// The lifetime of a signup.
    let ttl: Duration
    /// How many signups an address may begin.
    let limits: LimitPolicy
    /// Authenticates the programs that may decide about dormant accounts.
    let callers: CallerAuthority

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post(use: begin)
            .get("{id}", use: show)
            .patch("{id}", use: edit)
            .post("{id}/send", use: send)
            .post("{id}/sign-up", use: signUp)
            .get("{id}/dormant-account", use: showDormantAccount)
            .post("{id}/dormant-account", use: decide)
    }

    @Sendable private func begin(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody(isRequired: false)
        let (signup, token) = try await begin(
            region: locale.region(body.text("region")),
            language: locale.language(body.text("locale")),
            from: context.address
        )
        return Response(
            .created,
            json: try await restore(signup, context).response.json(token: token, at: signup.createdAt),
            headers: [.location: "/v1/signups/\(signup.id)"]
        )
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        try await respond(restore(authorize(request, context), context))
    }

    @Sendable private func edit(request: Request, context: APIContext) async throws -> Response {
        let signup = try await authorize(request, context)
        let body = try await request.jsonBody()
        let live = try await restore(signup, context)
        let phoneText = try body.text("phone_text").map { live.session.changePhoneText($0).phoneText }
        let codeText = try body.text("code_text").map { live.session.changeCodeText($0).codeText }
        let change: @Sendable (inout Signup) -> Void = { saved in
            if let phoneText { saved.phoneText = phoneText }
            if let codeText { saved.codeText = codeText }
        }
        var expected = signup
        change(&expected)
        let saved = try await save(signup.id, change)
        // Another request may have changed the signup since it was read: the response shows what was saved.
        return try await respond(saved == expected ? live : restore(saved, context))
    }

    @Sendable private func send(request: Request, context: APIContext) async throws -> Response {
        let signup = try await authorize(request, context)
        let body = try await request.jsonBody(isRequired: false)
        let live = try await restore(signup, context)
        // After signing up another verification would replace the one that proves it.
        guard live.signedUp == nil else { throw problem(.verificationClosed, live) }
        let phoneText = try body.text("phone_text").map { live.session.changePhoneText($0).phoneText }
        let state = await live.session.tapSend()
        let verification = state.failure == nil ? state.verification : nil
        let saved = try await save(signup.id) { saved in
            // Another request may have signed the person up meanwhile.
            guard !saved.isComplete else { return }
            if let phoneText { saved.phoneText = phoneText }
            guard let verification else { return }
            saved.codeText = state.codeText
            saved.verificationID = verification.id
        }
        guard let verification else {
            throw try await problem(state.failure ?? Self.cancelled, restore(saved, context))
        }
        guard saved.verificationID == verification.id else {
            throw try await problem(.verificationClosed, restore(saved, context))
        }
        return respond(live, .accepted)
    }

    @Sendable private func signUp(request: Request, context: APIContext) async throws -> Response {
        let signup = try await authorize(request, context)
        let token = try token(of: request)
        let body = try await request.jsonBody(isRequired: false)
        let codeText = try body.text("code_text")
        let requestContext = try openingContext(signup, token, request, context)
        let live = try await RestoredSignup(signup, useCase: useCase, context: requestContext)
        let shownText = codeText.map { live.session.changeCodeText($0).codeText }
        let state = await live.session.tapSignUp()
        if let signedUp = state.signedUp {
            let response = SignupResponse(id: signup.id, state: state, signedUp: signedUp)
            return try await self.respond(signedUp, by: token, response)
        }
        let failure = state.failure ?? Self.cancelled
        if let shownText, Self.maySave(codeRefusedBy: failure) {
            // The response is the result of the check: failing to save the field must not make the client retry.
            _ = try? await save(signup.id) { $0.codeText = shownText }
        }
        throw problem(failure, live)
    }

    /// Whether the code is known to be wrong. One that may be correct is not saved: the signup's token alone would then
    /// be enough to sign up.
    private static func maySave(codeRefusedBy failure: PhoneFailure) -> Bool {
        switch failure {
        case .codeIncorrect, .malformedCode, .verificationNotFound: true
        default: false
        }
    }

    /// The client, with what the session will be opened by.
    private func openingContext(
        _ signup: Signup,
        _ token: SecretToken,
        _ request: Request,
        _ context: APIContext
    ) throws(PhoneFailure) -> PhoneDomain.RequestContext {
        var requestContext = signup.context(from: context.address)
        if let id = signup.verificationID {
            requestContext.opening = try accounts.opening(of: id, by: token, userAgent: request.headers[.userAgent])
        }
        return requestContext
    }

    /// Returns the account and the tokens of the session that signing up has opened.
    ///
    /// - Throws: ``Problem``, with everything to draw, if the tokens are unavailable. The account and the session exist
    ///   then: a client that retries at once gets them.
    private func respond(_ signedUp: SignedUp, by token: SecretToken, _ response: SignupResponse) async throws
        -> Response
    {
        let issued: IssuedTokens?
        do throws(PhoneFailure) {
            issued = try await accounts.tokens(of: signedUp, by: token)
        } catch {
            throw problem(error, response)
        }
        return Response(
            signedUp.isNew ? .created : .ok,
            json: response.json(tokens: issued?.json ?? .null, at: clock.now())
        )
    }

    private func respond(_ live: RestoredSignup, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(status, json: live.response.json(at: clock.now()))
    }

    /// A tap ends without success and without failure only if the request was cancelled.
    private static let cancelled = PhoneFailure.unavailable(cause: "the request was given up")

    /// A failure together with everything to draw, so that a client draws one thing, however it went.
    private func problem(_ failure: PhoneFailure, _ live: RestoredSignup) -> Problem {
        problem(failure, live.response)
    }

    private func problem(_ failure: PhoneFailure, _ response: SignupResponse) -> Problem {
        let now = clock.now()
        var response = response
        response.state.failure = failure
        var problem = Problem(failure, at: now)
        problem.members.append(JSON.Member("signup", response.json(at: now)))
        return problem
    }
}

/// Beginning, authorizing, restoring and saving.
extension SignupRoutes {
    /// A new signup and its token.
    func begin(
        region: Region,
        language: LanguageTag,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> (signup: Signup, token: SecretToken) {
        let (outcome, signup, token) = try await available {
            let now = clock.now()
            let token = try tokens.makeToken(prefix: "sgt_")
            let signup = Signup(
                id: try identifiers.makeIdentifier(),
                tokenDigest: try tokens.digest(of: token),
                region: region,
                language: language,
                createdAt: now,
                expiresAt: now + ttl,
                phoneText: plans.startText(for: region),
                codeText: "",
                verificationID: nil
            )
            let outcome = try await signups.begin(BeginSignup(signup, from: address, limits: limits))
            return (outcome, signup, token)
        }
        if case .refused(let failure) = outcome { throw failure }
        return (signup, token)
    }

    /// The signup in the path, if the request has its token.
    ///
    /// - Throws: ``Problem``: the same for a signup that never was, an expired one and a wrong token.
    func authorize(_ request: Request, _ context: APIContext) async throws -> Signup {
        let token = try token(of: request)
        let signup = try await signup(context)
        guard try await available({ try tokens.matches(token, digest: signup.tokenDigest) }) else {
            throw Problem.signupNotFound
        }
        return signup
    }

    /// - Throws: ``Problem`` if there is none.
    func token(of request: Request) throws(Problem) -> SecretToken {
        guard let token = request.bearerToken else { throw Self.noToken }
        return token
    }

    private static let noToken = Problem.unauthorized("Send the token of the signup: Authorization: Bearer ….")

    /// The signup in the path, without authorization.
    ///
    /// - Throws: ``Problem`` if there is none or it has expired.
    func signup(_ context: APIContext) async throws -> Signup {
        guard let id: Signup.ID = context.pathID(),
            let signup = try await available({ try await signups.signup(id) }),
            clock.now() < signup.expiresAt
        else { throw Problem.signupNotFound }
        return signup
    }

    func restore(_ signup: Signup, _ context: APIContext) async throws(PhoneFailure) -> RestoredSignup {
        try await RestoredSignup(signup, useCase: useCase, context: signup.context(from: context.address))
    }

    /// Saves what a request has changed, and nothing else, since another may be in progress.
    ///
    /// - Returns: the signup as it is now.
    func save(_ id: Signup.ID, _ change: @escaping @Sendable (inout Signup) -> Void) async throws -> Signup {
        guard let saved = try await available({ try await signups.update(id, change) }) else {
            throw Problem.signupNotFound
        }
        return saved
    }

    /// Turns any error of a port into ``PhoneFailure/unavailable(cause:)``.
    private func available<Result>(_ work: () async throws -> Result) async throws(PhoneFailure) -> Result {
        do {
            return try await work()
        } catch {
            throw .unavailable(cause: String(describing: error))
        }
    }
}
