import Hummingbird
import PhoneDomain

/// What is decided about a number whose account nobody has used for long (``AccountPolicy/Recycling/ask``).
///
/// The holder of the signup may begin anew. That they are who the account belongs to is not theirs to say: the number is all
/// that they have proven, and it may have come to them from whoever had it before.
extension SignupRoutes {
    @Sendable func decide(request: Request, context: APIContext) async throws -> Response {
        let (signup, program) = try await authorizeDecision(request, context)
        let body = try await request.jsonBody()
        guard let decision: DormantDecision = try body.choice("decision") else {
            throw Problem.field("decision", "is missing")
        }
        guard program != nil || decision == .newAccount else { throw Self.notTheHolders }
        let approval = try await approval(of: signup)
        let id = approval.id
        // The same decision once more leaves no entry: a client with the signup's token could write any number.
        if signup.decision != decision {
            try await accounts.recordDecision(
                decision,
                on: approval,
                by: program?.owner ?? signup.owner,
                from: context.address
            )
        }
        let kept = try await keep(signup.id) { kept in
            guard !kept.isComplete, kept.verificationID == id else { return }
            kept.decision = decision
        }
        // Another request may have signed the person up meanwhile, or asked for another code.
        guard !kept.isComplete, kept.verificationID == id else { throw PhoneFailure.verificationClosed }
        return Response(json: try await restore(kept, context).answer.json(at: clock.now()))
    }

    @Sendable func showDormantAccount(request: Request, context: APIContext) async throws -> Response {
        _ = try await program(request)
        let signup = try await signup(context)
        let account = try await accounts.dormantAccount(of: approval(of: signup).phoneNumber)
        return Response(
            json: [
                "account": try account?.dormantJSON() ?? .null,
                "decision": .string(signup.decision?.rawValue),
            ]
        )
    }

    /// The signup that the path names, for whoever holds its token, and for programs that may decide.
    private func authorizeDecision(
        _ request: Request,
        _ context: APIContext
    ) async throws -> (signup: Signup, program: Caller?) {
        if let token = request.bearerToken, !token.text.hasPrefix(APIKeys.prefix) {
            return (try await authorize(request, context), nil)
        }
        let program = try await program(request)
        return (try await signup(context), program)
    }

    private func program(_ request: Request) async throws -> Caller {
        let caller = try await callers.caller(of: request)
        guard caller.scopes.contains(.accounts) else { throw Problem.insufficientScope(.accounts) }
        return caller
    }

    /// The verification by which the signup has proven its number and not been signed up yet.
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

    /// The holder of a signup wants to be let in to an account that may be somebody else's.
    static let notTheHolders = Problem.insufficientScope(
        .accounts,
        "The token of a signup is good for new_account alone; for sign_in, a program has to decide."
    )
}
