import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneDomain
import PhoneViewModel
import Texts

/// The guided signup, for programs.
struct SignupRoutes: Sendable {
    let signups: HostedSignup
    let locale: RequestLocale
    /// Authenticates the programs that may decide about dormant accounts.
    let callers: CallerAuthority
    let proofTokens: [any ProofTokens]

    func addRoutes(to router: APIRouter) {
        router
            .post(use: begin)
            .get("{id}", use: show)
            .patch("{id}", use: edit)
            .post("{id}/proof", use: beginProof)
            .post("{id}/send", use: send)
            .post("{id}/sign-up", use: signUp)
            .get("{id}/dormant-account", use: showDormantAccount)
            .post("{id}/dormant-account", use: decide)
    }

    @Sendable private func begin(request: Request, context: APIContext) async throws -> Response {
        let body = try await request.jsonBody(isRequired: false)
        let region = try locale.region(body.text("region"))
        let language = try locale.language(body.text("locale"))
        let labels = try body.labels()
        let (signup, token) = try await signups.begin(region, language, from: context.address, labels: labels)
        return Response(
            .created,
            json: try await signups.show(signup, from: context.address).json(token: token, at: signup.createdAt),
            headers: [.location: "/v1/signups/\(signup.id)"]
        )
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let (signup, _) = try await authorize(request, context)
        return try respond(await signups.show(signup, from: context.address), to: request)
    }

    @Sendable private func edit(request: Request, context: APIContext) async throws -> Response {
        let (signup, _) = try await authorize(request, context)
        let body = try await request.jsonBody()
        let (phoneText, codeText) = (try body.text("phone_text"), try body.text("code_text"))
        let answer = try await signups.edit(signup, phoneText: phoneText, codeText: codeText, from: context.address)
        return try respond(answer, to: request)
    }

    @Sendable private func beginProof(request: Request, context: APIContext) async throws -> Response {
        let (signup, _) = try await authorize(request, context)
        let body = try await request.jsonBody()
        let (useCase, text) = (signups.useCase, try body.text("phone_text") ?? signup.phoneText)
        let number = try useCase.phoneNumber(in: text, region: signup.region)
        let requestContext = signup.context(from: context.address)
        return try await useCase.beginProof(body, of: number, context: requestContext, at: signups.clock.now())
    }

    @Sendable private func send(request: Request, context: APIContext) async throws -> Response {
        let (signup, _) = try await authorize(request, context)
        let body = try await request.jsonBody(isRequired: false)
        let (phoneText, channel) = (try body.text("phone_text"), try body.channel(among: signups.useCase.channels))
        let answer = try await signups.send(
            signup,
            phoneText: phoneText,
            by: channel,
            proof: try body.proof(),
            numberProof: try body.numberProof(),
            signals: try body.signals() ?? ClientSignals(userAgent: request.userAgent),
            from: context.address
        )
        return try respond(answer, .accepted, to: request)
    }

    /// Responds with the account and the tokens of the session that signing up has opened. If the tokens are
    /// unavailable, the account and the session exist: a client that retries at once gets them.
    @Sendable private func signUp(request: Request, context: APIContext) async throws -> Response {
        let (signup, token) = try await authorize(request, context)
        let body = try await request.jsonBody(isRequired: false)
        let answer = try await signups.signUp(
            signup,
            token,
            codeText: try body.requiredText("code_text"),
            consentVersion: try body.text("consent"),
            userAgent: request.headers[.userAgent],
            from: context.address
        )
        guard answer.failure == nil, let signedUp = answer.signedUp else {
            return try respond(answer, to: request)
        }
        let tokens: JSON
        do throws(PhoneFailure) {
            let own = try await signups.accounts.tokens(of: signedUp, by: token)?.json()
            let others = try await available {
                try await proofTokens.json { try await $0.token(of: signedUp.account.id) }
            }
            tokens = own?.merged(with: others) ?? .null
        } catch {
            throw problem(error, answer, of: request)
        }
        return try respond(answer, signedUp.isNew ? .created : .ok, tokens: tokens, to: request)
    }

    private func respond(
        _ answer: HostedSignup.Answer,
        _ status: HTTPResponse.Status = .ok,
        tokens: JSON? = nil,
        to request: Request
    ) throws(Problem) -> Response {
        if let failure = answer.failure { throw problem(failure, answer, of: request) }
        return Response(status, json: answer.json(tokens: tokens, at: signups.clock.now()))
    }

    /// A failure together with everything to draw, so that a client draws one thing, however it went.
    private func problem(_ failure: PhoneFailure, _ answer: HostedSignup.Answer, of request: Request) -> Problem {
        let now = signups.clock.now()
        var problem = Problem(failure, at: now)
        let texts = Languages.texts(in: answer.signup.language) ?? request.texts(else: locale.language)
        problem.language = texts.language
        let state = JSON.object(problem.summary(in: texts) + problem.members)
        problem.members.append(JSON.Member("signup", answer.json(failure: state, at: now)))
        return problem
    }

    // MARK: - Dormant accounts

    /// The client of the signup may choose a new account. Whether they own the old one is not for them to say: they
    /// have proven the number only, which may have come to them from its former owner.
    @Sendable private func decide(request: Request, context: APIContext) async throws -> Response {
        let program: Caller?
        let signup: Signup
        if let token = request.bearerToken, !token.text.hasPrefix(APIKeys.prefix) {
            (program, signup) = (nil, try await signups.signup(context.pathID(), for: token))
        } else {
            (program, signup) = (try await self.program(request), try await signups.signup(context.pathID()))
        }
        guard let decision: DormantDecision = try await request.jsonBody().choice("decision") else {
            throw Problem.field("decision", "is missing")
        }
        guard program != nil || decision == .newAccount else { throw Self.decisionNotAllowed }
        let owner = program?.owner ?? signup.owner
        let saved = try await signups.decide(decision, signup, by: owner, from: context.address)
        return try respond(await signups.show(saved, from: context.address), to: request)
    }

    @Sendable private func showDormantAccount(request: Request, context: APIContext) async throws -> Response {
        _ = try await program(request)
        let signup = try await signups.signup(context.pathID())
        return Response(
            json: [
                "account": try await signups.dormantAccount(of: signup)?.dormantJSON() ?? .null,
                "decision": .string(signup.decision?.rawValue),
            ]
        )
    }

    /// The signup's token must not open an account that may be someone else's.
    private static let decisionNotAllowed = Problem.insufficientScope(
        .accounts,
        "The token of a signup allows new_account only; sign_in needs an API key with the scope accounts."
    )

    // MARK: - Who asks

    /// The signup in the path, if the request has its token.
    private func authorize(_ request: Request, _ context: APIContext) async throws -> (Signup, SecretToken) {
        guard let token = request.bearerToken else { throw Self.noToken }
        return (try await signups.signup(context.pathID(), for: token), token)
    }

    private static let noToken = Problem.unauthorized("Send the token of the signup: Authorization: Bearer ….")

    private func program(_ request: Request) async throws -> Caller {
        let caller = try await callers.caller(of: request)
        guard caller.scopes.contains(.accounts) else { throw Problem.insufficientScope(.accounts) }
        return caller
    }
}
