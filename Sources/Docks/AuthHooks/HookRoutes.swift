import CoreEncodings
import HTTPTypes
import Logging
import NIOCore
import OpenSSLCrypto
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup
import PhoneStore
import Texts

/// What one server may ask for.
struct HookRoutes: Sendable {
    let server: AuthServer
    let proof: HookProof
    let service: DockService
    let region: Region
    let language: LanguageTag?

    /// For how long the same code in the same text for the same number is a repetition: longer than a signature is
    /// valid, so that a captured request sends nothing. A server makes a new code for a person who asks again.
    static let repetitionTime: Duration = HookProof.tolerance * 2

    private var owner: Owner { .client(of: "hook", group: server.rawValue, id: server.rawValue) }

    @Sendable func send(request: Request, context: APIContext) async throws -> Response {
        guard let call = try await call(request) else { return Self.unproven }
        guard let phoneText = call.phoneText else { return malformed("there is no number in the request") }
        let code: VerificationCode
        switch call.code {
        case .code(let read): code = read
        case .notice:
            // The service sends codes only.
            context.logger.notice("a hook's message without a code was not sent", metadata: ["hook": "\(server)"])
            return Self.accepted
        case .missing: return malformed("there is neither a code nor a text in the request")
        case .unreadable(let reason): return malformed(reason)
        }
        do throws(PhoneFailure) {
            let number = try service.verifications.recipient(in: phoneText, region: region)
            try await once("\(number.e164)\n\(code.digits)\n\(call.text ?? "")") { () async throws(PhoneFailure) in
                try await send(code, to: number, call, context)
            }
            return Self.accepted
        } catch {
            let language = language(of: try? service.verifications.phoneNumber(in: phoneText, region: region), call)
            return refusal(error, call, language, context)
        }
    }

    /// Counts a code as used, for the guard, which otherwise takes codes that nobody types for fraud.
    @Sendable func approve(request: Request, context: APIContext) async throws -> Response {
        guard let call = try await call(request) else { return Self.unproven }
        guard let phoneText = call.phoneText else { return malformed("there is no number in the request") }
        // A signature does not say for which path it is: a captured request for a code is no report.
        guard call.code == .missing else { return malformed("a report has a number alone") }
        let now = service.clock.now()
        do throws(PhoneFailure) {
            let number = try service.verifications.phoneNumber(in: phoneText, region: region)
            let live = try await available {
                try await service.store.liveVerification(of: number, owner: owner, at: now)
            }
            guard let live else { return Self.accepted }
            let context = RequestContext(owner: owner, region: region, language: live.language)
            _ = try await service.verifications.approve(live.id, context: context)
        } catch {
            guard case .unavailable = error else { return Self.accepted }
            throw error
        }
        return Self.accepted
    }

    /// Nil if the request is not proven to be the server's.
    ///
    /// - Throws: ``Problem`` for a body that is too long or no JSON.
    private func call(_ request: Request) async throws -> HookCall? {
        let bytes = Array(try await request.collectBody().readableBytesView)
        guard try proof.holds(for: request, bytes, at: service.clock.now()) else { return nil }
        if request.isContent(Request.formType) == true {
            let members = try await request.decodeForm().all.map { JSON.Member($0.name, .string($0.value)) }
            return HookCall(.object(members), server)
        }
        // Whatever the content type says: Auth0's own sample sends none.
        let body = try bytes.withUnsafeBytes { bytes throws(Problem) in try Request.json(bytes, repairsText: true) }
        return HookCall(body, server)
    }

    private func send(
        _ code: VerificationCode,
        to number: PhoneNumber,
        _ call: HookCall,
        _ context: APIContext
    ) async throws(PhoneFailure) -> Verification.ID {
        var dialect = DialectOptions()
        dialect.code = code
        dialect.wording = call.text.flatMap { wording($0, code) }
        if call.text != nil, dialect.wording == nil {
            context.logger.notice(
                """
                a hook's text was replaced by the service's own: it is too long for one SMS, has invisible characters or \
                braces, or the code is not in it
                """,
                metadata: ["hook": "\(server)"]
            )
        }
        let answer = try await service.verifications.begin(
            number,
            VerificationOptions(channel: .sms, dialect: dialect),
            context: RequestContext(
                owner: owner,
                region: number.region,
                language: language(of: number, call),
                address: call.address
            )
        )
        return answer.verification.id
    }

    /// Does the work unless it was done a moment ago. A refusal is not kept: the next try may succeed.
    private func once(
        _ text: String,
        _ work: () async throws(PhoneFailure) -> Verification.ID
    ) async throws(PhoneFailure) {
        let command = try available {
            let digests = try service.digester.digests(of: "\(server) hook\n" + text)
            let name = try OpenSSLRequestAuthenticator().sha256(of: Array((digests.first?.description ?? "").utf8))
            guard let key = IdempotencyKey(TextEncoding.hexadecimal.encode(name)),
                let command = BeginRequest(
                    name: IdempotentRequest.Name(owner: owner, key: key),
                    fingerprints: digests,
                    now: service.clock.now(),
                    keeping: Self.repetitionTime
                )
            else { throw PhoneFailure.unavailable(cause: "there is no key to make digests with") }
            return command
        }
        let attempt: Int
        switch try await available({ try await service.store.begin(command) }) {
        case .begun(let begun): attempt = begun
        case .answered: return
        // It may be refused yet.
        case .inFlight, .mismatch: throw .unavailable(cause: "the same request is being answered")
        }
        do throws(PhoneFailure) {
            let id = try await work()
            let stored = StoredResponse(status: 200, contentType: "", location: nil, body: "", verificationID: id)
            try? await service.store.end(EndRequest(name: command.name, attempt: attempt, answer: stored))
        } catch {
            try? await service.store.end(EndRequest(name: command.name, attempt: attempt, answer: nil))
            throw error
        }
    }

    private func language(of number: PhoneNumber?, _ call: HookCall) -> LanguageTag {
        call.locale ?? language ?? number.map { .standard(in: $0.region) } ?? .english
    }

    /// The server's own text, without the code, which is kept sealed; nil where it cannot be sent so.
    private func wording(_ text: String, _ code: VerificationCode) -> MessageWording? {
        guard text.utf8.count <= 4 * VerificationCode.longestMessage else { return nil }
        // What looks like our own variable would become the code.
        guard Array(text.utf8).firstRange(of: Array("{{".utf8)) == nil else { return nil }
        let text = text.replacing("\r\n", with: "\n").replacing(code.digits, with: "{{code}}")
        let digits = String(decoding: text.utf8.filter { (0x30...0x39).contains($0) }, as: UTF8.self)
        guard !digits.contains(code.digits), let own = MessageText(text) else { return nil }
        var wording = MessageWording()
        wording.text = own
        return service.catalog.error(in: wording, language: .english) == nil ? wording : nil
    }

    // MARK: Responses

    /// Every server takes this for success.
    private static let accepted = Response(json: [:])
    private static let unproven = Response(.unauthorized, json: ["error": "the signature or secret is wrong"])

    private func malformed(_ reason: String) -> Response { Response(.badRequest, json: ["error": .string(reason)]) }

    private func refusal(
        _ failure: PhoneFailure,
        _ call: HookCall,
        _ language: LanguageTag,
        _ context: APIContext
    ) -> Response {
        var metadata: [String: String] = ["hook": server.rawValue, "error": failure.code]
        let status: HTTPResponse.Status
        switch failure {
        case .invalidPhoneNumber, .kindNotAccepted, .regionNotAllowed, .channelUnavailable, .sendDenied:
            status = .unprocessableContent
        case .unavailable(let cause):
            status = .serviceUnavailable
            metadata["error.cause"] = cause
        default: status = .tooManyRequests
        }
        context.logger.notice("a hook's code was not sent", metadata: metadata.mapValues { "\($0)" })
        let texts = Languages.texts(in: language) ?? Languages.texts(in: .english)
        let message = texts?.explanation(of: failure, at: service.clock.now()) ?? failure.code
        if server.repeatsRefusals, status != .serviceUnavailable { return Self.accepted }
        if server.showsBody { return Response(status, text: message, contentType: "text/plain; charset=utf-8") }
        guard server == .supabase else { return Response(status, json: ["error": .string(message)]) }
        // Without Retry-After, with which it would call again at once.
        guard call.hasMetadata else { return Response(.badRequest, json: ["error": .string(message)]) }
        return Response(json: ["error": ["http_code": .integer(status.code), "message": .string(message)]])
    }
}
