import CoreEncodings
import HTTPTypes
import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// Challenges ahead of a request, for programs and for the widget of ALTCHA, which knows this as its `challengeurl`.
/// Nothing is stored for one.
struct ChallengeRoutes: Sendable {
    let useCase: VerificationUseCase
    let clock: any WallClock
    let locale: RequestLocale

    @Sendable func make(request: Request, context: APIContext) async throws -> Response {
        guard let text = request.query("phone_number") else { throw Problem.field("phone_number", "is missing") }
        let region = try locale.region(request.query("region"))
        let number = try useCase.phoneNumber(in: text, region: region)
        guard let offer = try await useCase.challenge(for: number, from: context.address, region) else {
            throw Problem(.notFound, "This service makes no challenges (challenge.kind).")
        }
        let json = offer.challenge.json(at: clock.now())
        return Response(
            json: json.merged(with: ["is_required": .bool(offer.isRequired)]),
            headers: [.cacheControl: "no-store"]
        )
    }
}

extension VerificationUseCase {
    /// The challenge for a client that solves it by itself.
    func challenge(
        for number: PhoneNumber,
        from address: ClientAddress?,
        _ region: Region
    ) async throws(PhoneFailure) -> ChallengeOffer? {
        var context = RequestContext(owner: .local, region: region, language: .english, address: address)
        context.challenges = .automatic
        return try await challenge(for: number, context: context)
    }

    /// Answers where the phone is to go for a token that proves this number.
    func beginProof(
        _ body: JSONBody,
        of number: PhoneNumber,
        context: RequestContext,
        at now: Timestamp
    ) async throws -> Response {
        let kind = try body.requiredText("kind")
        let nonce = try body.text("nonce")
        guard nonce.map({ $0.utf8.count <= NumberProof.longestNonce }) ?? true else {
            throw Problem.field("nonce", "must have at most \(NumberProof.longestNonce) bytes")
        }
        guard let start = try await beginProof(kind, of: number, nonce: nonce, context: context, at: now) else {
            throw Problem.field("kind", "must be a kind of proof that begins at this service")
        }
        let json: JSON = [
            "kind": .string(kind),
            "url": .string(start.url),
            "expires_at": .string(start.expiresAt.description),
            "expires_in": .seconds(until: start.expiresAt, from: now),
        ]
        let token: JSON = start.token.map { ["token": .string($0)] } ?? [:]
        return Response(json: json.merged(with: token), headers: [.cacheControl: "no-store"])
    }
}

extension Challenge {
    /// A captcha, with the work that is accepted in its place, or the work; and what an app can have signed instead, alone
    /// where nothing else counts.
    func json(at now: Timestamp) -> JSON {
        let members: JSON = app.map { ["app": $0.json(at: now)] } ?? [:]
        if isForAppsAlone { return (["kind": "app"] as JSON).merged(with: members) }
        guard let captcha else { return work.json(at: now).merged(with: members) }
        let json: JSON = [
            "kind": .string(captcha.kind.rawValue),
            "site_key": .string(captcha.siteKey),
            "action": .string(Captcha.action),
            "proof_of_work": captcha.outage == .proofOfWork ? work.json(at: now) : .null,
        ]
        return json.merged(with: members)
    }
}

extension AppChallenge {
    func json(at now: Timestamp) -> JSON {
        [
            "nonce": .string(nonce),
            "expires_at": .string(expiresAt.description),
            "expires_in": .seconds(until: expiresAt, from: now),
        ]
    }
}

extension ProofOfWork {
    /// ALTCHA's form, with what it is and until when.
    func json(at now: Timestamp) -> JSON {
        [
            "kind": "proof_of_work",
            "algorithm": .string(Self.algorithm),
            "challenge": .string(hash),
            "maxnumber": .integer(maxNumber),
            "salt": .string(salt),
            "signature": .string(signature),
            "expires_at": .string(expiresAt.description),
            "expires_in": .seconds(until: expiresAt, from: now),
        ]
    }
}

extension ChallengeProof {
    /// The token of a captcha is whatever else fits into its longest: only the provider knows.
    private static let longestToken = 8192

    /// A ticket of a page, the base64 of ALTCHA's JSON, or the token of a captcha; nil for anything else.
    init?(_ text: String) {
        if let proof = Self.own(text) {
            self = proof
        } else {
            guard (20...Self.longestToken).contains(text.utf8.count), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
            else { return nil }
            self = .captcha(text)
        }
    }

    private static func own(_ text: String) -> ChallengeProof? {
        guard text.utf8.count <= longestToken else { return nil }
        if let ticket = WaitTicket(text) {
            return .ticket(ticket)
        }
        var characters = Substring(text).utf8
        while characters.last == UInt8(ascii: "=") { characters.removeLast() }
        guard let bytes = [UInt8](.base64, characters),
            let json = bytes.withUnsafeBytes({ try? JSON(parsingRequest: $0) }),
            let algorithm = json["algorithm"]?.string, let hash = json["challenge"]?.string,
            let number = json["number"]?.integer, let salt = json["salt"]?.string,
            let signature = json["signature"]?.string,
            let solution = WorkSolution(
                algorithm: algorithm,
                hash: hash,
                number: number,
                salt: salt,
                signature: signature
            )
        else { return nil }
        return .work(solution)
    }
}

extension Request {
    /// The client's `User-Agent`, cut to what a signal may have.
    var userAgent: String? {
        headers[.userAgent].map { String(decoding: $0.utf8.prefix(ClientSignals.longest), as: UTF8.self) }
    }
}

extension JSONBody {
    /// What the caller says of the client; nil if it says nothing.
    func signals() throws(Problem) -> ClientSignals? {
        guard let members = try object("signals") else { return nil }
        let object = JSONBody(members, path: "signals.")
        func text(_ name: String) throws(Problem) -> String? {
            guard let text = try object.text(name), !text.isEmpty else { return nil }
            guard text.utf8.count <= ClientSignals.longest else {
                throw Problem.field("signals.\(name)", "must have at most \(ClientSignals.longest) bytes")
            }
            return text
        }
        return ClientSignals(
            deviceID: try text("device_id"),
            platform: try text("platform"),
            userAgent: try text("user_agent"),
            ja4: try text("ja4")
        )
    }

    /// What lets a message out, if the proof is that: a text, or an object with the kind of an app's. Throws
    /// ``PhoneFailure/challengeFailed(_:)`` for what no proof looks like.
    func proof() throws -> ChallengeProof? {
        guard let object = try proofObject() else { return hasObject("proof") ? nil : try messageProof() }
        guard let kind = AppProof.Kind(rawValue: try object.requiredText("kind")) else { return nil }
        return .app(try object.appProof(kind))
    }

    func messageProof() throws -> ChallengeProof? {
        guard let text = try text("proof") else { return nil }
        guard let proof = ChallengeProof(text) else { throw PhoneFailure.challengeFailed(.invalid) }
        return proof
    }

    /// What proves the number in place of a message, if the proof is that: an object with its kind.
    func numberProof() throws -> NumberProof? {
        guard let object = try proofObject() else { return nil }
        let kind = try object.requiredText("kind")
        if AppProof.Kind(rawValue: kind) != nil { return nil }
        let token = try object.requiredText("token")
        let nonce = try object.text("nonce")
        guard token.utf8.count <= NumberProof.longestToken,
            nonce.map({ $0.utf8.count <= NumberProof.longestNonce }) ?? true
        else { throw PhoneFailure.challengeFailed(.invalid) }
        return NumberProof(kind: kind, token: token, nonce: nonce)
    }

    private func proofObject() throws(Problem) -> JSONBody? {
        guard hasObject("proof"), let members = try object("proof") else { return nil }
        return JSONBody(members, path: "proof.")
    }

    private func appProof(_ kind: AppProof.Kind) throws -> AppProof {
        let nonce = try requiredText("nonce")
        let (attestation, assertion) = (try text("attestation"), try text("assertion"))
        let (keyID, token) = (try text("key_id"), try text("token"))
        let statement: AppProof.Statement?
        switch kind {
        case .playIntegrity:
            guard let token else { throw Problem.field("proof.token", "is missing") }
            statement = token.utf8.count <= AppProof.longestStatement ? .token(token) : nil
        case .appAttest:
            guard let keyID else { throw Problem.field("proof.key_id", "is missing") }
            guard let text = attestation ?? assertion else {
                throw Problem.field("proof.attestation", "is missing; so is an assertion, one of which is needed")
            }
            let isShort = text.utf8.count <= 4 * AppProof.longestStatement / 3
            let bytes = isShort ? [UInt8](.base64, text.utf8.filter { $0 != UInt8(ascii: "=") }) : nil
            statement = bytes.map { attestation == nil ? .assertion(keyID: keyID, $0) : .attestation(keyID: keyID, $0) }
        }
        guard let proof = statement.flatMap({ AppProof(nonce: nonce, statement: $0) }) else {
            throw PhoneFailure.challengeFailed(.invalid)
        }
        return proof
    }
}
