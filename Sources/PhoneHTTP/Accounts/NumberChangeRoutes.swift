import Hummingbird
import PhoneDomain

/// How the holder of an account, whom ``SignedInOnly`` let through, gives it another number: by proving that number with
/// a verification that is the session's own.
struct NumberChangeRoutes: Sendable {
    let useCase: any VerificationUseCase
    let accounts: any AccountUseCase
    let clock: any WallClock
    let locale: RequestLocale

    static let path = "/v1/accounts/me/number-changes"

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post(use: begin)
            .get("{id}", use: show)
            .post("{id}/checks", use: check)
            .delete("{id}", use: cancel)
    }

    @Sendable private func begin(request: Request, context: APIContext) async throws -> Response {
        let owner = try owner(context)
        // Before anything is sent in vain.
        try accounts.requireFreshProof(context.whoIsSignedIn())
        let body = try await request.jsonBody()
        let number = try body.requiredText("phone_number")
        let requestContext = PhoneDomain.RequestContext(
            owner: owner,
            region: try locale.region(body.text("region")),
            language: try locale.language(body.text("locale")),
            address: context.address
        )
        switch try await useCase.begin(number, channel: .sms, context: requestContext).outcome {
        case .begun(let verification):
            return Response(
                .created,
                json: verification.json(at: clock.now()),
                headers: [.location: "\(Self.path)/\(verification.id)"]
            )
        case .resent(let verification): return answer(verification)
        case .refused(let failure): throw failure
        }
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        try await answer(useCase.verification(identify(context), owner: owner(context)))
    }

    @Sendable private func check(request: Request, context: APIContext) async throws -> Response {
        let (id, owner) = (try identify(context), try owner(context))
        let code = try await request.jsonBody(isRequired: false).requiredText("code")
        let requestContext = PhoneDomain.RequestContext(
            owner: owner,
            region: locale.region,
            language: locale.language,
            address: context.address
        )
        let account = try await useCase.check(code, for: id, context: requestContext) { check throws(PhoneFailure) in
            try await accounts.changeNumber(by: check)
        }
        return Response(json: try account.json())
    }

    @Sendable private func cancel(request: Request, context: APIContext) async throws -> Response {
        try await answer(useCase.cancel(identify(context), owner: owner(context)))
    }

    private func owner(_ context: APIContext) throws -> Owner {
        .session(try context.whoIsSignedIn().session.id)
    }

    private func identify(_ context: APIContext) throws -> Verification.ID {
        guard let id: Verification.ID = context.pathID() else { throw PhoneFailure.verificationNotFound }
        return id
    }

    private func answer(_ verification: Verification) -> Response {
        Response(json: verification.json(at: clock.now()))
    }
}
