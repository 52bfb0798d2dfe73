import Hummingbird
import PhoneDomain

/// Verifications from server to server, for whoever ``CallersOnly`` let through.
struct VerificationRoutes: Sendable {
    let useCase: any VerificationUseCase
    let requests: IdempotentRequests
    let clock: any WallClock
    let locale: RequestLocale

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post(use: begin)
            .get("{id}", use: show)
            .post("{id}/checks", use: check)
            .delete("{id}", use: cancel)
    }

    @Sendable private func begin(request: Request, context: APIContext) async throws -> Response {
        let owner = try owner(context)
        return try await requests.once(request, by: owner) { request in
            let body = try await request.jsonBody()
            let number = try body.requiredText("phone_number")
            let requestContext = PhoneDomain.RequestContext(
                owner: owner,
                region: try locale.region(body.text("region")),
                language: try locale.language(body.text("locale")),
                address: try body.clientAddress(),
                isVouched: try body.flag("vouched") ?? false
            )
            let channel: Channel = try body.choice("channel") ?? .sms
            switch try await useCase.begin(number, channel: channel, context: requestContext).outcome {
            case .begun(let verification):
                return VerificationAnswer(verification, isNew: true, at: clock.now())
            case .resent(let verification): return VerificationAnswer(verification, at: clock.now())
            case .refused(let failure): throw failure
            }
        }
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        try await answer(useCase.verification(identify(context), owner: owner(context)))
    }

    @Sendable private func check(request: Request, context: APIContext) async throws -> Response {
        let (id, owner) = (try identify(context), try owner(context))
        return try await requests.once(request, by: owner, about: id) { request in
            let body = try await request.jsonBody()
            let code = try body.requiredText("code")
            let requestContext = PhoneDomain.RequestContext(
                owner: owner,
                region: locale.region,
                language: locale.language,
                address: try body.clientAddress()
            )
            let verification = try await useCase.verify(code, for: id, context: requestContext)
            return VerificationAnswer(verification, at: clock.now())
        }
    }

    @Sendable private func cancel(request: Request, context: APIContext) async throws -> Response {
        try await answer(useCase.cancel(identify(context), owner: owner(context)))
    }

    /// Who calls.
    ///
    /// - Throws: ``Problem`` if nobody has found that out: nothing is served then.
    private func owner(_ context: APIContext) throws -> Owner {
        guard let caller = context.caller else { throw Problem.internalError(cause: "no caller") }
        return caller.owner
    }

    private func identify(_ context: APIContext) throws -> Verification.ID {
        guard let id: Verification.ID = context.pathID() else { throw PhoneFailure.verificationNotFound }
        return id
    }

    private func answer(_ verification: Verification) -> Response {
        VerificationAnswer(verification, at: clock.now()).response
    }
}

extension JSONBody {
    /// From where the person's own request came, if the calling server says. The caller's address tells nothing of that.
    fileprivate func clientAddress() throws(Problem) -> ClientAddress? {
        guard let text = try text("client_address") else { return nil }
        guard let address = ClientAddress(text) else {
            throw Problem.field("client_address", "must be an IP address, such as 203.0.113.7 or 2001:db8::1")
        }
        return address
    }
}
