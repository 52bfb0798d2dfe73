import Hummingbird
import PhoneDomain
import TextEncodings

/// Verifications from server to server, for programs that ``CallersOnly`` has authenticated.
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
            let text = try body.requiredText("phone_number")
            let requestContext = PhoneDomain.RequestContext(
                owner: owner,
                region: try locale.region(body.text("region")),
                language: try locale.language(body.text("locale")),
                address: try body.clientAddress(),
                isVouched: try body.flag("vouched") ?? false
            )
            let channel: Channel = try body.choice("channel") ?? .sms
            let number = try useCase.recipient(in: text, region: requestContext.region)
            let answer = try await useCase.begin(number, channel: channel, context: requestContext)
            return VerificationResponse(answer.verification, isNew: answer.isNew, at: clock.now())
        }
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        try await respond(useCase.verification(identify(context), owner: owner(context)))
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
            return VerificationResponse(verification, at: clock.now())
        }
    }

    @Sendable private func cancel(request: Request, context: APIContext) async throws -> Response {
        try await respond(useCase.cancel(identify(context), owner: owner(context)))
    }

    /// - Throws: ``Problem`` if nothing has authenticated the request: then nothing is served.
    private func owner(_ context: APIContext) throws -> Owner {
        guard let caller = context.caller else { throw Problem.internalError(cause: "no caller") }
        return caller.owner
    }

    private func identify(_ context: APIContext) throws -> Verification.ID {
        guard let id: Verification.ID = context.pathID() else { throw PhoneFailure.verificationNotFound }
        return id
    }

    private func respond(_ verification: Verification) -> Response {
        VerificationResponse(verification, at: clock.now()).response
    }
}

extension JSONBody {
    /// The address of the person's own request, if the calling server says so. The address of the connection is that
    /// server's.
    fileprivate func clientAddress() throws(Problem) -> ClientAddress? {
        guard let text = try text("client_address") else { return nil }
        guard let address = ClientAddress(text) else {
            throw Problem.field("client_address", "must be an IP address, such as 203.0.113.7 or 2001:db8::1")
        }
        return address
    }
}

extension Verification {
    /// The verification as its owner sees it: with what may be done next, and when.
    func json(at now: Timestamp) -> JSON {
        [
            "id": .string(id.description),
            "phone_number": .string(phoneNumber.e164),
            "national_format": .string(phoneNumber.nationalFormat),
            "region": .string(phoneNumber.region.description),
            "channel": .string(channel.rawValue),
            "status": .string(status(at: now).rawValue),
            "created_at": .string(createdAt.description),
            "expires_at": .string(expiresAt.description),
            "next_send_at": .string(nextSendAt.description),
            "sends_left": .integer(sendsLeft),
            "checks_left": .integer(checksLeft),
        ]
    }
}
