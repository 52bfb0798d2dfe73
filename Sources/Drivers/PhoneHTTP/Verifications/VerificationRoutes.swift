import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// Verifications from server to server, for programs that ``CallersOnly`` has authenticated.
///
/// A class, since closures of each request refer to it: a copy of the use case with all its settings for each of them
/// took 4 % of a check.
final class VerificationRoutes: Sendable {
    private let useCase: VerificationUseCase
    private let requests: IdempotentRequests
    private let clock: any WallClock
    private let locale: RequestLocale
    private let proofTokens: [any ProofTokens]

    init(
        useCase: VerificationUseCase,
        requests: IdempotentRequests,
        clock: any WallClock,
        locale: RequestLocale,
        proofTokens: [any ProofTokens]
    ) {
        (self.useCase, self.requests, self.clock) = (useCase, requests, clock)
        (self.locale, self.proofTokens) = (locale, proofTokens)
    }

    /// Those whose commands check the client's key.
    func addCommands(to router: APIRouter) {
        router
            .post(short: begin)
            .post("{id}/checks", short: check)
    }

    func addRoutes(to router: APIRouter) {
        router
            .post("proof", use: beginProof)
            .get("{id}", use: show)
            .delete("{id}", use: cancel)
    }

    @Sendable private func begin(request: Request, context: APIContext, answer: @escaping Answer) throws {
        let caller = try caller(context)
        let answer = proofTokens.isEmpty ? answer : addingTokens(of: caller, context, answer)
        try requests.once(request, context, by: caller.owner, answer) { [self] request, answer in
            let body = try request.wholeJSONBody()
            let text = try body.requiredText("phone_number")
            var requestContext = try locale.context(caller.owner, body, from: body.clientAddress())
            requestContext.apiKey = caller.unconfirmedKey
            requestContext.idempotencyKey = try request.idempotencyKey()
            requestContext.isVouched = try body.flag("vouched") ?? false
            requestContext.challenges = .possible
            requestContext.signals = try body.signals() ?? ClientSignals()
            var options = VerificationOptions(
                channel: try body.channel(among: useCase.channels),
                proof: try body.proof(),
                numberProof: try body.numberProof()
            )
            options.labels = try body.labels()
            let number = try useCase.recipient(in: text, region: requestContext.region)
            useCase.begin(number, options, context: requestContext) { [self] result in
                answer { [self] in
                    let begun = try result.get()
                    return VerificationResponse(
                        status: begun.isNew ? .created : .ok,
                        json: try json(begun.verification),
                        location: begun.isNew ? "/v1/verifications/\(begun.verification.id)" : nil,
                        verificationID: begun.verification.id
                    )
                }
            }
        }
    }

    @Sendable private func beginProof(request: Request, context: APIContext) async throws -> Response {
        let caller = try caller(context)
        let body = try await request.jsonBody()
        let requestContext = try locale.context(caller.owner, body, from: body.clientAddress())
        let number = try useCase.phoneNumber(in: body.requiredText("phone_number"), region: requestContext.region)
        return try await useCase.beginProof(body, of: number, context: requestContext, at: clock.now())
    }

    @Sendable private func show(request: Request, context: APIContext) async throws -> Response {
        try await respond(useCase.verification(context.verificationID(), owner: caller(context).owner))
    }

    @Sendable private func check(request: Request, context: APIContext, answer: @escaping Answer) throws {
        let (id, caller) = (try context.verificationID(), try caller(context))
        let answer = proofTokens.isEmpty ? answer : addingTokens(of: caller, context, answer)
        try requests.once(request, context, by: caller.owner, about: id, answer) { [self] request, answer in
            let body = try request.wholeJSONBody()
            let code = try body.requiredText("code")
            var requestContext = try locale.context(caller.owner, from: body.clientAddress())
            requestContext.apiKey = caller.unconfirmedKey
            requestContext.idempotencyKey = try request.idempotencyKey()
            useCase.check(code, for: id, context: requestContext) { [self] result in
                answer { [self] in
                    VerificationResponse(status: .ok, json: try json(result.get()), verificationID: id)
                }
            }
        }
    }

    /// To each response that says that the verification is approved: by a check, or at once by a proof of the number.
    /// What is stored for a repeated request has no token. A repetition gets one as long as it would without an
    /// `Idempotency-Key`.
    private func addingTokens(
        of caller: Caller,
        _ context: APIContext,
        _ answer: @escaping Answer
    ) -> Answer {
        { [self] make in
            Task(executorPreference: context.executor) { [self] in
                do {
                    let response = try await addingTokens(of: caller, to: make())
                    answer { response }
                } catch {
                    answer { throw error }
                }
            }
        }
    }

    private func addingTokens(of caller: Caller, to response: Response) async throws -> Response {
        guard let json = response.json, json["status"]?.string == VerificationStatus.approved.rawValue,
            let id = json["id"]?.string.flatMap({ Verification.ID($0) })
        else { return response }
        let approved = try await useCase.verification(id, owner: caller.owner)
        guard approved.isRepeatable(at: clock.now()) else { return response }
        let tokens = try await available { try await proofTokens.json { try await $0.token(of: approved.phoneNumber) } }
        return Response(response.status, json: json.merged(with: ["tokens": tokens]), headers: response.headers)
    }

    @Sendable private func cancel(request: Request, context: APIContext) async throws -> Response {
        try await respond(useCase.cancel(context.verificationID(), owner: caller(context).owner))
    }

    private func caller(_ context: APIContext) throws -> Caller {
        guard let caller = context.caller else { throw Problem.internalError(cause: "no caller") }
        return caller
    }

    private func respond(_ verification: Verification) throws(PhoneFailure) -> Response {
        Response(json: try json(verification))
    }

    private func json(_ verification: Verification) throws(PhoneFailure) -> JSON {
        verification.json(try useCase.instruction(for: verification), at: clock.now())
    }
}

extension JSONBody {
    /// Nil where it is left open, or `auto`.
    func channel(among offered: @autoclosure () -> [Channel]) throws(Problem) -> Channel? {
        guard let name = try text("channel"), name != "auto" else { return nil }
        let offered = offered()
        guard let channel = offered.first(where: { $0.rawValue == name }) else {
            throw Problem.field(
                "channel",
                "must be one of: \((["auto"] + offered.map(\.rawValue)).joined(separator: ", "))"
            )
        }
        return channel
    }

    /// The client's own words.
    func labels() throws(Problem) -> Labels {
        let reference = try text("reference", Labels.Reference.requirement, Labels.Reference.init)
        guard let members = try object("tags"), !members.isEmpty else { return Labels(reference: reference) }
        // Counted first: a body may have thousands.
        let all =
            members.count > Labels.Tags.most
            ? [] : members.compactMap { tag in tag.value.string.flatMap { Labels.Tag(tag.name, $0) } }
        guard all.count == members.count, let tags = Labels.Tags(all) else {
            throw Problem.field("tags", Labels.Tags.requirement)
        }
        return Labels(reference: reference, tags: tags)
    }

    /// The address of the person's own request, if the calling server says so. The address of the connection is that
    /// server's.
    fileprivate func clientAddress() throws(Problem) -> ClientAddress? {
        try text("client_address", "must be an IP address, such as 203.0.113.7 or 2001:db8::1") { ClientAddress($0) }
    }
}

extension Verification {
    /// - Parameter instruction: what the person is to send, if it waits for that.
    func json(_ instruction: InboundInstruction? = nil, at now: Timestamp) -> JSON {
        let status = status(at: now)
        let json: JSON = [
            "id": .string(id.description),
            "phone_number": .string(phoneNumber.e164),
            "national_format": .string(phoneNumber.nationalFormat),
            "region": .string(phoneNumber.region.description),
            "channel": .string(channel.rawValue),
            "next_channels": .array(fallbacks.map { .string($0.rawValue) }),
            "status": .string(status.rawValue),
            "created_at": .string(createdAt.description),
            "expires_at": .string(expiresAt.description),
            // One that a clock made which was ahead has expired before that moment.
            "expires_in": .seconds(until: status == .expired ? now : expiresAt, from: now),
            "next_send_at": .string(nextSendAt.description),
            "next_send_in": .seconds(until: nextSendAt, from: now),
            "sends_left": .integer(sendsLeft),
            "checks_left": .integer(checksLeft),
        ]
        var others = labels.members
        if let instruction {
            let inbound: JSON = ["to": .string(instruction.recipient), "text": .string(instruction.text)]
            others.append(JSON.Member("inbound", inbound))
        }
        return others.isEmpty ? json : .object(json.members + others)
    }
}

extension Labels {
    /// Those that there are: most have none.
    var members: [JSON.Member] { isEmpty ? [] : membersOrNull.filter { $0.value != .null } }

    var membersOrNull: [JSON.Member] {
        [JSON.Member("reference", .string(reference?.description)), JSON.Member("tags", tags?.json ?? .null)]
    }
}
