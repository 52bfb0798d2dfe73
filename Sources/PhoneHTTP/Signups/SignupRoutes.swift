import HTTPTypes
import Hummingbird
import PhoneDomain
import PhoneViewModel

/// The guided signup. A request brings the signup's view model back, hands it what the person did, keeps what that
/// changed, and answers with what there is to see now.
struct SignupRoutes: Sendable {
    let useCase: any VerificationUseCase
    let accounts: any AccountUseCase
    let signups: any SignupStore
    let tokens: any TokenVault
    let identifiers: any IdentifierSource
    let clock: any WallClock
    let plans: NumberingPlans
    let locale: RequestLocale
    /// How long a signup lives.
    let ttl: Duration
    /// How many an address may begin.
    let limits: LimitPolicy
    /// Tells which programs may decide about dormant accounts.
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
            json: try await restore(signup, context).answer.json(token: token, at: signup.createdAt),
            headers: [.location: "/v1/signups/\(signup.id)"]
        )
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        try await answer(restore(authorize(request, context), context))
    }

    @Sendable private func edit(request: Request, context: APIContext) async throws -> Response {
        let signup = try await authorize(request, context)
        let body = try await request.jsonBody()
        let live = try await restore(signup, context)
        let phoneText = try body.text("phone_text").map { live.session.changePhoneText($0).phoneText }
        let codeText = try body.text("code_text").map { live.session.changeCodeText($0).codeText }
        let change: @Sendable (inout Signup) -> Void = { kept in
            if let phoneText { kept.phoneText = phoneText }
            if let codeText { kept.codeText = codeText }
        }
        var expected = signup
        change(&expected)
        let kept = try await keep(signup.id, change)
        // Another request may have changed the signup since it was read: what is shown is what was saved.
        return try await answer(kept == expected ? live : restore(kept, context))
    }

    @Sendable private func send(request: Request, context: APIContext) async throws -> Response {
        let signup = try await authorize(request, context)
        let body = try await request.jsonBody(isRequired: false)
        let live = try await restore(signup, context)
        // One who has signed up is done: another verification would take the place of the one that proves it.
        guard live.signedUp == nil else { throw problem(.verificationClosed, live) }
        let phoneText = try body.text("phone_text").map { live.session.changePhoneText($0).phoneText }
        let state = await live.session.tapSend()
        let verification = state.failure == nil ? state.verification : nil
        let kept = try await keep(signup.id) { kept in
            // Another request may have signed the person up meanwhile.
            guard !kept.isComplete else { return }
            if let phoneText { kept.phoneText = phoneText }
            guard let verification else { return }
            kept.codeText = state.codeText
            kept.verificationID = verification.id
        }
        guard let verification else { throw try await problem(state.failure ?? Self.cutShort, restore(kept, context)) }
        guard kept.verificationID == verification.id else {
            throw try await problem(.verificationClosed, restore(kept, context))
        }
        return answer(live, .accepted)
    }

    @Sendable private func signUp(request: Request, context: APIContext) async throws -> Response {
        let signup = try await authorize(request, context)
        let token = try token(of: request)
        let body = try await request.jsonBody(isRequired: false)
        let codeText = try body.text("code_text")
        let requestContext = try openingContext(signup, token, request, context)
        let live = try await LiveSignup(signup, useCase: useCase, context: requestContext)
        let shownText = codeText.map { live.session.changeCodeText($0).codeText }
        let state = await live.session.tapSignUp()
        if let signedUp = state.signedUp {
            let answer = SignupAnswer(id: signup.id, state: state, signedUp: signedUp)
            return try await self.answer(signedUp, by: token, answer)
        }
        let failure = state.failure ?? Self.cutShort
        if let shownText, Self.mayBeKept(codeRefusedBy: failure) {
            // The answer is what the check has found: that the field cannot be kept must not have the client try again.
            _ = try? await keep(signup.id) { $0.codeText = shownText }
        }
        throw problem(failure, live)
    }

    /// Whether the code that was brought is known to be of no use. One that may be right is not kept: the signup's token
    /// alone, without the code, would be enough to sign up with it.
    private static func mayBeKept(codeRefusedBy failure: PhoneFailure) -> Bool {
        switch failure {
        case .codeIncorrect, .malformedCode, .verificationNotFound: true
        default: false
        }
    }

    /// Who signs up, with what the session is to be opened by.
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

    /// Tells of the account and hands out the tokens of the session that signing up has opened.
    ///
    /// - Throws: ``Problem``, with all that there is to draw, if they cannot be made at the moment. The account is there
    ///   then, and so is the session: whoever asks again right after gets them.
    private func answer(_ signedUp: SignedUp, by token: SecretToken, _ answer: SignupAnswer) async throws -> Response {
        let issued: IssuedTokens?
        do throws(PhoneFailure) {
            issued = try await accounts.tokens(of: signedUp, by: token)
        } catch {
            throw problem(error, answer)
        }
        return Response(
            signedUp.isNew ? .created : .ok,
            json: answer.json(tokens: issued?.json ?? .null, at: clock.now())
        )
    }

    private func answer(_ live: LiveSignup, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(status, json: live.answer.json(at: clock.now()))
    }

    /// A tap ends without success and without failure only if the request was given up meanwhile.
    private static let cutShort = PhoneFailure.unavailable(cause: "the request was given up")

    /// A failure together with all that there is to draw, so that a client draws one thing, however it went.
    private func problem(_ failure: PhoneFailure, _ live: LiveSignup) -> Problem {
        problem(failure, live.answer)
    }

    private func problem(_ failure: PhoneFailure, _ answer: SignupAnswer) -> Problem {
        let now = clock.now()
        var answer = answer
        answer.state.failure = failure
        var problem = Problem(failure, at: now)
        problem.members.append(JSON.Member("signup", answer.json(at: now)))
        return problem
    }
}
