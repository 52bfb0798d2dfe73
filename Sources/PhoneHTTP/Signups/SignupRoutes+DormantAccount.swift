import PhoneDomain
import TextEncodings

/// Decisions about a number whose account has not been used for long (``AccountPolicy/Recycling/ask``).
///
/// The client of the signup may choose a new account. Whether they own the old one is not for them to say: they have
/// proven the number only, which may have come to them from its former owner.
extension SignupRoutes {
    @Sendable func decide(request: Request, context: APIContext) async throws -> Response {
        let (signup, program) = try await authorizeDecision(request, context)
        let body = try await request.jsonBody()
        guard let decision: DormantDecision = try body.choice("decision") else {
            throw Problem.field("decision", "is missing")
        }
        guard program != nil || decision == .newAccount else { throw Self.decisionNotAllowed }
        let saved = try await decide(decision, signup, by: program?.owner ?? signup.owner, from: context.address)
        return Response(json: try await restore(saved, context).json(at: clock.now()))
    }

    func decide(
        _ decision: DormantDecision,
        _ signup: Signup,
        by owner: Owner,
        from address: ClientAddress?
    ) async throws -> Signup {
        let approval = try await approval(of: signup)
        let id = approval.id
        // Repeating a decision writes no audit entry: a client with the signup's token could write any number of them.
        if signup.decision != decision {
            try await accounts.recordDecision(decision, on: approval, by: owner, from: address)
        }
        let saved = try await save(signup.id, from: address) { saved in
            guard !saved.isComplete, saved.verificationID == id else { return }
            saved.decision = decision
        }
        // Meanwhile another request may have signed the person up, or requested another code.
        guard !saved.isComplete, saved.verificationID == id else { throw PhoneFailure.verificationClosed }
        return saved
    }

    @Sendable func showDormantAccount(request: Request, context: APIContext) async throws -> Response {
        _ = try await program(request)
        let signup = try await signup(context.pathID())
        let account = try await accounts.dormantAccount(of: approval(of: signup).phoneNumber)
        return Response(
            json: [
                "account": try account?.dormantJSON() ?? .null,
                "decision": .string(signup.decision?.rawValue),
            ]
        )
    }

    /// The signup in the path, for clients with its token and for programs that may decide.
    private func authorizeDecision(
        _ request: Request,
        _ context: APIContext
    ) async throws -> (signup: Signup, program: Caller?) {
        if let token = request.bearerToken, !token.text.hasPrefix(APIKeys.prefix) {
            return (try await authorize(request, context), nil)
        }
        let program = try await program(request)
        return (try await signup(context.pathID()), program)
    }

    private func program(_ request: Request) async throws -> Caller {
        let caller = try await callers.caller(of: request)
        guard caller.scopes.contains(.accounts) else { throw Problem.insufficientScope(.accounts) }
        return caller
    }

    private func approval(of signup: Signup) async throws(PhoneFailure) -> Verification {
        guard let id = signup.verificationID else { throw .verificationNotApproved }
        let verification = try await useCase.verification(id, owner: signup.owner)
        switch verification.status(at: clock.now()) {
        case .approved where verification.consumedBy == nil: return verification
        case .pending: throw .verificationNotApproved
        case .expired: throw .codeExpired
        case .approved, .canceled, .failed, .maxAttemptsReached: throw .verificationClosed
        }
    }

    /// The signup's token must not open an account that may be someone else's.
    private static let decisionNotAllowed = Problem.insufficientScope(
        .accounts,
        "The token of a signup allows new_account only; sign_in needs an API key with the scope accounts."
    )
}
