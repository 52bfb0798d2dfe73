import HTTPTypes
import PhoneDomain
import PhoneViewModel
import TextEncodings
import Texts

/// The guided signup. Each request restores the signup's view model, passes it what the person did, saves what that
/// changed, and returns what there is to see.
struct SignupRoutes: Sendable {
    let useCase: any VerificationUseCase
    let accounts: AccountUseCase
    let signups: any SignupStore
    let tokens: any TokenVault
    let identifiers: any IdentifierSource
    let clock: any WallClock
    let locale: RequestLocale
    let ttl: Duration
    /// How many signups an address may begin, and how much they may have stored.
    let limits: LimitPolicy
    /// Authenticates the programs that may decide about dormant accounts.
    let callers: CallerAuthority

    func addRoutes(to router: APIRouter) {
        router
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
        let region = try locale.region(body.text("region"))
        let language = try locale.language(body.text("locale"))
        let (signup, token) = try await begin(region, language, from: context.address)
        return Response(
            .created,
            json: try await restore(signup, context).json(token: token, at: signup.createdAt),
            headers: [.location: "/v1/signups/\(signup.id)"]
        )
    }

    /// A new signup, and the token that only its client has.
    ///
    /// - Parameter cookie: of the browser that it is for. If another of its requests has just begun the signup, that one
    ///   stays.
    func begin(
        _ region: Region,
        _ language: LanguageTag,
        from address: ClientAddress?,
        as cookie: SignupCookie? = nil
    ) async throws(PhoneFailure) -> (Signup, SecretToken) {
        try await available {
            let now = clock.now()
            let token = try cookie?.token ?? tokens.makeToken(prefix: "sgt_")
            let signup = Signup(
                id: try cookie?.id ?? identifiers.makeIdentifier(),
                tokenDigest: try tokens.digest(of: token),
                region: region,
                language: language,
                createdAt: now,
                expiresAt: now + ttl,
                phoneText: NumberingPlans.builtIn.startText(for: region),
                codeText: "",
                verificationID: nil
            )
            try await signups.begin(BeginSignup(signup, from: address, limits: limits))
            return (signup, token)
        }
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        try await respond(restore(authorize(request, context), context))
    }

    @Sendable private func edit(request: Request, context: APIContext) async throws -> Response {
        let signup = try await authorize(request, context)
        let body = try await request.jsonBody()
        let session = try await restore(signup, context)
        let phoneText = try body.text("phone_text").map { session.view.changePhoneText($0).phoneText }
        let codeText = try body.text("code_text").map { session.view.changeCodeText($0).codeText }
        let change: @Sendable (inout Signup) -> Void = { saved in
            if let phoneText { saved.phoneText = phoneText }
            if let codeText { saved.codeText = codeText }
        }
        var expected = signup
        change(&expected)
        let saved = try await save(signup.id, from: context.address, change)
        // Another request may have changed the signup since it was read: the response shows what was saved.
        return try await respond(saved == expected ? session : restore(saved, context))
    }

    @Sendable private func send(request: Request, context: APIContext) async throws -> Response {
        let signup = try await authorize(request, context)
        let body = try await request.jsonBody(isRequired: false)
        let (session, failure) = try await send(signup, phoneText: body.text("phone_text"), context)
        if let failure { throw problem(failure, session, of: request) }
        return respond(session, .accepted)
    }

    /// Has a code sent. The signup is saved in the transaction that does so, without its earlier verification being
    /// read. After signing up another one would replace the one that proves it.
    func send(
        _ signup: Signup,
        phoneText: String?,
        _ context: APIContext
    ) async throws -> (session: SignupSession, failure: PhoneFailure?) {
        guard !signup.isComplete else { return (try await restore(signup, context), .verificationClosed) }
        var requestContext = signup.context(from: context.address)
        let shownText = phoneText.map { useCase.format($0, region: signup.region) }
        requestContext.phoneText = shownText
        let session = SignupSession(signup, useCase: useCase, context: requestContext)
        if let phoneText { session.view.changePhoneText(phoneText) }
        let state = await session.view.tapSend()
        if state.failure == nil, state.verification != nil { return (session, nil) }
        let saved = try await save(signup.id, from: context.address) { saved in
            if let shownText, !saved.isComplete { saved.phoneText = shownText }
        }
        return (try await restore(saved, context), state.failure ?? Self.cancelled)
    }

    @Sendable private func signUp(request: Request, context: APIContext) async throws -> Response {
        let signup = try await authorize(request, context)
        let token = try token(of: request)
        let body = try await request.jsonBody(isRequired: false)
        let (session, outcome) = try await signUp(signup, token, codeText: body.text("code_text"), request, context)
        let signedUp = try outcome.mapError { problem($0, session, of: request) }.get()
        return try await respond(session, signedUp, token, to: request)
    }

    /// Checks the code, and opens a session whose first tokens ``AccountUseCase/tokens(of:by:)`` has.
    func signUp(
        _ signup: Signup,
        _ token: SecretToken,
        codeText: String?,
        _ request: Request,
        _ context: APIContext
    ) async throws -> (session: SignupSession, outcome: Result<SignedUp, PhoneFailure>) {
        var requestContext = signup.context(from: context.address)
        if let id = signup.verificationID {
            requestContext.opening = try accounts.opening(of: id, by: token, userAgent: request.headers[.userAgent])
        }
        let session = try await restore(signup, requestContext)
        let shownText = codeText.map { session.view.changeCodeText($0).codeText }
        let state = await session.view.tapSignUp()
        if let signedUp = state.signedUp { return (session, .success(signedUp)) }
        let failure = state.failure ?? Self.cancelled
        if let shownText, Self.maySave(codeRefusedBy: failure) {
            // The response is the result of the check: failing to save the field must not make the client retry.
            _ = try? await save(signup.id, from: context.address) { $0.codeText = shownText }
        }
        return (session, .failure(failure))
    }

    /// Whether the code is known to be wrong. One that may be correct is not saved: the signup's token alone would then
    /// be enough to sign up.
    private static func maySave(codeRefusedBy failure: PhoneFailure) -> Bool {
        switch failure {
        case .codeIncorrect, .malformedCode, .verificationNotFound: true
        default: false
        }
    }

    /// Returns the account and the tokens of the session that signing up has opened.
    ///
    /// - Throws: ``Problem``, with everything to draw, if the tokens are unavailable. The account and the session exist
    ///   then: a client that retries at once gets them.
    private func respond(
        _ session: SignupSession,
        _ signedUp: SignedUp,
        _ token: SecretToken,
        to request: Request
    ) async throws(Problem) -> Response {
        do throws(PhoneFailure) {
            let tokens = try await accounts.tokens(of: signedUp, by: token)?.json() ?? .null
            return Response(signedUp.isNew ? .created : .ok, json: session.json(tokens: tokens, at: clock.now()))
        } catch {
            throw problem(error, session, of: request)
        }
    }

    private func respond(_ session: SignupSession, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(status, json: session.json(at: clock.now()))
    }

    /// A tap ends without success and without failure only if the request was cancelled.
    private static let cancelled = PhoneFailure.unavailable(cause: "the request was given up")

    /// A failure together with everything to draw, so that a client draws one thing, however it went.
    private func problem(_ failure: PhoneFailure, _ session: SignupSession, of request: Request) -> Problem {
        let now = clock.now()
        var problem = Problem(failure, at: now)
        let texts = Languages.texts(in: session.language) ?? request.texts(else: locale.language)
        problem.language = texts.language
        let state = JSON.object(problem.summary(in: texts) + problem.members)
        problem.members.append(JSON.Member("signup", session.json(failure: state, at: now)))
        return problem
    }
}

/// Authorizing, restoring and saving.
extension SignupRoutes {
    /// The signup in the path, if the request has its token.
    ///
    /// - Throws: ``Problem``: the same for a signup that never was, an expired one and a wrong token.
    func authorize(_ request: Request, _ context: APIContext) async throws -> Signup {
        try await authorize(context.pathID(), token(of: request))
    }

    func authorize(_ id: Signup.ID?, _ token: SecretToken) async throws -> Signup {
        let signup = try await signup(id)
        guard try await available({ try tokens.matches(token, digest: signup.tokenDigest) }) else {
            throw Problem.signupNotFound
        }
        return signup
    }

    func token(of request: Request) throws(Problem) -> SecretToken {
        guard let token = request.bearerToken else { throw Self.noToken }
        return token
    }

    private static let noToken = Problem.unauthorized("Send the token of the signup: Authorization: Bearer ….")

    /// - Throws: ``Problem`` if there is none or it has expired.
    func signup(_ id: Signup.ID?) async throws -> Signup {
        guard let id,
            let signup = try await available({ try await signups.signup(id) }),
            clock.now() < signup.expiresAt
        else { throw Problem.signupNotFound }
        return signup
    }

    func restore(_ signup: Signup, _ context: APIContext) async throws(PhoneFailure) -> SignupSession {
        try await restore(signup, signup.context(from: context.address))
    }

    private func restore(
        _ signup: Signup,
        _ context: RequestContext
    ) async throws(PhoneFailure) -> SignupSession {
        var (verification, signedUp): (Verification?, SignedUp?)
        if let id = signup.verificationID {
            do {
                let found = try await useCase.verification(id, owner: signup.owner)
                signedUp = try await useCase.signedUp(with: found)
                verification = found
            } catch .verificationNotFound {
                // Purged, as all are in the end: the signup continues without.
            }
        }
        return SignupSession(
            signup,
            useCase: useCase,
            context: context,
            verification: verification,
            signedUp: signedUp
        )
    }

    /// Saves what a request has changed, and nothing else, since another may be in progress.
    ///
    /// - Returns: the signup as it is now.
    /// - Throws: ``PhoneFailure/rateLimited(policies:retryAt:)`` if it changes too often.
    func save(
        _ id: Signup.ID,
        from address: ClientAddress?,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup {
        let limits = limits.changes(by: .signup(id), from: address, at: clock.now())
        guard let saved = try await available({ try await signups.update(id, within: limits, change) }) else {
            throw Problem.signupNotFound
        }
        return saved
    }
}
