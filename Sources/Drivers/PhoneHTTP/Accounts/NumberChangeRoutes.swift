import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneDomain
import PhoneNumbers

/// How the owner of an account changes its number: by verifying the new one, with a verification that belongs to the
/// session.
struct NumberChangeRoutes: Sendable {
    let useCase: VerificationUseCase
    let accounts: AccountUseCase
    let requests: IdempotentRequests
    let clock: any WallClock
    let locale: RequestLocale

    static let path = "/v1/accounts/me/number-changes"

    func addRoutes(to router: APIRouter) {
        router
            .post(use: begin)
            .get("{id}", use: show)
            .post("{id}/checks", use: check)
            .delete("{id}", use: cancel)
    }

    @Sendable private func begin(request: Request, context: APIContext) async throws -> Response {
        let owner = try owner(context)
        // Checked first, so that no message is sent for nothing.
        try accounts.requireFreshProof(context.requireSignedIn())
        return try await once(request, context) { request in
            let body = try await request.jsonBody()
            let text = try body.requiredText("phone_number")
            var requestContext = try locale.context(owner, body, from: context.address)
            requestContext.challenges = .possible
            requestContext.idempotencyKey = try request.idempotencyKey()
            let options = VerificationOptions(proof: try body.proof() ?? body.messageProof())
            let number = try useCase.recipient(in: text, region: requestContext.region)
            let answer = try await useCase.begin(number, options, context: requestContext)
            return VerificationResponse(
                status: answer.isNew ? .created : .ok,
                json: answer.verification.json(at: clock.now()),
                location: answer.isNew ? "\(Self.path)/\(answer.verification.id)" : nil,
                verificationID: answer.verification.id
            )
        }
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        try await respond(useCase.verification(context.verificationID(), owner: owner(context)))
    }

    @Sendable private func check(request: Request, context: APIContext) async throws -> Response {
        let (id, owner) = (try context.verificationID(), try owner(context))
        return try await once(request, context, about: id) { request in
            let code = try await request.jsonBody(isRequired: false).requiredText("code")
            var requestContext = try locale.context(owner, from: context.address)
            requestContext.idempotencyKey = try request.idempotencyKey()
            let account = try await useCase.check(code, for: id, context: requestContext) {
                check throws(PhoneFailure) in
                try await accounts.changeNumber(by: check)
            }
            return VerificationResponse(status: .ok, json: try account.json(), verificationID: id)
        }
    }

    @Sendable private func cancel(request: Request, context: APIContext) async throws -> Response {
        try await respond(useCase.cancel(context.verificationID(), owner: owner(context)))
    }

    /// Does what ``IdempotentRequests/once(_:by:about:_:)`` does, where what a session has stored is limited.
    private func once(
        _ request: Request,
        _ context: APIContext,
        about id: Verification.ID? = nil,
        _ work: (Request) async throws -> VerificationResponse
    ) async throws -> Response {
        let session = try context.requireSignedIn().session.id
        if try request.idempotencyKey() != nil {
            try await accounts.countChange(of: session, from: context.address)
        }
        return try await requests.once(request, by: .session(session), about: id, work)
    }

    private func owner(_ context: APIContext) throws -> Owner {
        .session(try context.requireSignedIn().session.id)
    }

    private func respond(_ verification: Verification) -> Response {
        Response(json: verification.json(at: clock.now()))
    }
}

/// The same as ``UndoRoutes`` for programs, such as the operator's own page that the link leads to. The client has the
/// secret but is not signed in, so the response says no more than the link did.
struct NumberChangeUndoRoutes: Sendable {
    let accounts: AccountUseCase

    @Sendable func undo(request: Request, context: APIContext) async throws -> Response {
        let token = SecretToken(try await request.jsonBody().requiredText("token"))
        let account: Account
        do throws(PhoneFailure) {
            account = try await accounts.undoNumberChange(by: token, from: context.address)
        } catch {
            throw error == .numberTaken ? Problem.numberTakenSince : error
        }
        return Response(json: [
            "phone_number": account.phoneNumber.map { .string($0.masked) } ?? .null,
            "undone": true,
        ])
    }
}
