import HTTPTypes
import Hummingbird
import PhoneDomain

/// Verifications from server to server.
///
/// There are no keys yet to know a caller by, so these are for callers on the machine itself, who share one owner.
struct VerificationRoutes: Sendable {
    let useCase: any VerificationUseCase
    let clock: any WallClock
    let locale: RequestLocale
    /// Whether anyone is served: not where others than the machine itself can call.
    let isServed: Bool

    private let owner = Owner.local

    var routes: RouteCollection<APIContext> {
        RouteCollection(context: APIContext.self)
            .post(use: begin)
            .get("{id}", use: show)
            .post("{id}/checks", use: check)
            .delete("{id}", use: cancel)
    }

    @Sendable private func begin(request: Request, context: APIContext) async throws -> Response {
        try admit()
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
        switch try await useCase.begin(number, channel: channel, context: requestContext) {
        case .begun(let verification):
            return Response(
                .created,
                json: verification.json(at: clock.now()),
                headers: [.location: "/v1/verifications/\(verification.id)"]
            )
        case .resent(let verification): return answer(verification)
        case .refused(let failure): throw failure
        }
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        let id = try identify(context)
        return try await answer(useCase.verification(id, owner: owner))
    }

    @Sendable private func check(request: Request, context: APIContext) async throws -> Response {
        let id = try identify(context)
        let body = try await request.jsonBody()
        let code = try body.requiredText("code")
        let requestContext = PhoneDomain.RequestContext(
            owner: owner,
            region: locale.region,
            language: locale.language,
            address: try body.clientAddress()
        )
        return try await answer(useCase.verify(code, for: id, context: requestContext))
    }

    @Sendable private func cancel(request: Request, context: APIContext) async throws -> Response {
        let id = try identify(context)
        return try await answer(useCase.cancel(id, owner: owner))
    }

    private func admit() throws {
        guard isServed else {
            throw Problem.unauthorized(
                "This server can be reached from other machines, and verifications are served to its own only."
            )
        }
    }

    private func identify(_ context: APIContext) throws -> Verification.ID {
        try admit()
        guard let id: Verification.ID = context.pathID() else { throw PhoneFailure.verificationNotFound }
        return id
    }

    private func answer(_ verification: Verification) -> Response {
        Response(json: verification.json(at: clock.now()))
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
