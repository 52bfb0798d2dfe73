import Hummingbird
import PhoneDomain

/// How a signup is begun, found by its holder, brought back and kept.
extension SignupRoutes {
    /// A new signup and the token that its holder is known by from now on.
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

    /// The signup that the path names, for whoever holds its token.
    ///
    /// - Throws: ``Problem`` without a token; the same one for no such signup, an ended one and the wrong token.
    func authorize(_ request: Request, _ context: APIContext) async throws -> Signup {
        let token = try token(of: request)
        let signup = try await signup(context)
        guard try await available({ try tokens.matches(token, digest: signup.tokenDigest) }) else {
            throw Problem.signupNotFound
        }
        return signup
    }

    /// What is said to be the signup's token.
    ///
    /// - Throws: ``Problem`` if there is none.
    func token(of request: Request) throws(Problem) -> SecretToken {
        guard let token = request.bearerToken else { throw Self.noToken }
        return token
    }

    static let noToken = Problem.unauthorized("Send the token of the signup: Authorization: Bearer ….")

    /// The signup that the path names, whoever asks.
    ///
    /// - Throws: ``Problem`` if there is none or it has ended.
    func signup(_ context: APIContext) async throws -> Signup {
        guard let id: Signup.ID = context.pathID(),
            let signup = try await available({ try await signups.signup(id) }),
            clock.now() < signup.expiresAt
        else { throw Problem.signupNotFound }
        return signup
    }

    func restore(_ signup: Signup, _ context: APIContext) async throws(PhoneFailure) -> LiveSignup {
        try await LiveSignup(signup, useCase: useCase, context: signup.context(from: context.address))
    }

    /// Keeps what a request has changed, and nothing else, since another may be under way.
    ///
    /// - Returns: the signup as it is now.
    func keep(_ id: Signup.ID, _ change: @escaping @Sendable (inout Signup) -> Void) async throws -> Signup {
        guard let kept = try await available({ try await signups.update(id, change) }) else {
            throw Problem.signupNotFound
        }
        return kept
    }

    /// Does the work of a port, and takes whatever it throws for what it is: no answer at the moment.
    private func available<Result>(_ work: () async throws -> Result) async throws(PhoneFailure) -> Result {
        do {
            return try await work()
        } catch {
            throw .unavailable(cause: String(describing: error))
        }
    }
}
