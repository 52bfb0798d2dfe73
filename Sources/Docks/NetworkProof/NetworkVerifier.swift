import CoreEncodings
import Logging
import OpenSSLCrypto
import PhoneDelivery
import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// Sends phones to the network, and asks it whose number they came back with. A token is the query of the URL that the
/// phone was sent back to, of which `code` and `state` count.
struct NetworkVerifier: NumberProofVerifier {
    let kind = "network"
    /// Every token is bound to what it was begun for.
    let requiresNonce = false
    let provider: Provider
    let states: ProofStates
    let environment: DeliveryEnvironment
    let client = GatewayClient(connectTimeout: NetworkAnswer.deadline)

    func begin(_ claim: NumberClaim, at now: Timestamp) throws -> ProofStart? {
        let (state, expiresAt) = try states.make(for: claim, at: now)
        let digest = try OpenSSLRequestAuthenticator().sha256(of: Array(states.verifier(of: state, for: claim).utf8))
        var parameters = [
            ("response_type", "code"), ("client_id", provider.authentication.clientID),
            ("redirect_uri", provider.redirectURI.description), ("scope", provider.scope), ("state", state),
            // Nobody is asked anything: the network knows the phone, or it does not.
            ("prompt", "none"), ("code_challenge", digest.base64URL), ("code_challenge_method", "S256"),
        ]
        if let hint = provider.loginHint.text(of: claim.number) { parameters.append(("login_hint", hint)) }
        let query = parameters.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
        return ProofStart(url: "\(provider.authorization.description)?\(query)", expiresAt: expiresAt)
    }

    func verify(_ token: String, of claim: NumberClaim, at now: Timestamp) async -> Result<ProvenNumber, ProofFault> {
        guard let redirect = Redirect(token), redirect.code != nil else { return .failure(.invalid) }
        return states.number(proven: redirect.state, for: claim, at: now)
    }

    func confirm(_ token: String, of claim: NumberClaim, at now: Timestamp) async -> ProofFault? {
        guard let redirect = Redirect(token), let code = redirect.code else { return .invalid }
        let answer = await withTimeout(NetworkAnswer.deadline, on: environment.clock) { () async throws(Never) in
            await ask(about: code, redirect.state, claim, at: now)
        }
        return (answer ?? .late).fault(environment.logger)
    }

    private func ask(
        about code: String,
        _ state: String,
        _ claim: NumberClaim,
        at now: Timestamp
    ) async -> NetworkAnswer {
        do {
            let id = try states.identifiers.makeRandomText()
            let url = provider.token.description
            let (fields, headers) = try await provider.authentication.parts(of: url, id: id, at: now)
            let form: [(name: String, value: String)] = [
                ("grant_type", "authorization_code"), ("code", code),
                ("redirect_uri", provider.redirectURI.description),
                ("code_verifier", try states.verifier(of: state, for: claim)),
            ]
            let redeemed = try await client.post(URLEncodedForm(form + fields), to: url, headers: headers)
            // The code was used, has expired, or is another's.
            if redeemed.status == 400, redeemed.json?["error"]?.string == "invalid_grant" { return .refused }
            guard redeemed.status == 200, let accessToken = redeemed.json?["access_token"]?.string else {
                return .unavailable("the code cannot be redeemed", status: redeemed.status)
            }
            let verified = try await client.post(
                json: ["phoneNumber": .string(claim.number.e164)],
                to: provider.verification.description,
                headers: [("Authorization", "Bearer " + accessToken)]
            )
            switch (verified.status, verified.json?["devicePhoneNumberVerified"]?.bool) {
            case (200, true): return .confirmed
            case (200, false): return .refused
            // The phone has come over Wi-Fi.
            case (403, _) where verified.json?["code"]?.string?.hasSuffix(Self.isElsewhere) == true: return .refused
            default: return .unavailable("the number cannot be verified", status: verified.status)
            }
        } catch {
            return .unavailable("the network cannot be asked", status: nil)
        }
    }

    /// The end of an error's code, which begins with the API's name.
    private static let isElsewhere = "USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK"
}

/// What the network says of a phone and a number.
enum NetworkAnswer: Sendable {
    case confirmed, refused
    /// Why there is no answer, without anything of the token or the number.
    case unavailable(StaticString, status: Int?)

    static let late = NetworkAnswer.unavailable("no answer in time", status: nil)
    /// How long the answers of the network to one request may take together.
    static let deadline: Duration = .seconds(3)

    /// Nil if the number is the phone's.
    func fault(_ logger: Logger) -> ProofFault? {
        switch self {
        case .confirmed: return nil
        case .refused: return .invalid
        case .unavailable(let reason, let status):
            logger.warning(
                "the network does not say whose number a phone has; apps may ask for a code",
                metadata: ["error": "\(reason)", "status": "\(status.map(String.init) ?? "none")"]
            )
            return .unavailable
        }
    }
}

/// What the phone came back with.
struct Redirect: Sendable {
    let code: String?
    let state: String

    /// Nil unless it has one state and at most one code. Other parameters are ignored (RFC 6749 section 4.1.2).
    init?(_ query: String) {
        var values: [String: String] = [:]
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let name = String(Substring(pair.prefix { $0 != UInt8(ascii: "=") }))
            guard name == "code" || name == "state" else { continue }
            let value = Substring(pair.dropFirst(name.utf8.count + 1))
            guard values[name] == nil, let text = String(percentDecoding: value, hasPlusForSpace: true), !text.isEmpty
            else { return nil }
            values[name] = text
        }
        guard let state = values["state"] else { return nil }
        (code, self.state) = (values["code"], state)
    }
}

/// What phones take along and bring back: it shows that the proof has begun here, for which owner and number, and when.
/// Nothing is stored, and nobody can read the number out of it.
struct ProofStates: Sendable {
    let deriver: any SecretDeriver
    let identifiers: any IdentifierSource
    static let life: Duration = .seconds(300)
    /// How far the clocks of two instances may differ.
    private static let clockTolerance: Duration = .seconds(30)
    /// The end of its life and 128 bits, in hexadecimal; and a tag of 256 bits in base64url.
    private static let headLength = 48, tagLength = 43

    /// - Parameter digits: 32 that the network knows the proof by; random ones unless they are given.
    func make(
        for claim: NumberClaim,
        _ digits: String? = nil,
        at now: Timestamp
    ) throws -> (state: String, expiresAt: Timestamp) {
        let expiresAt = now + Self.life
        let end = UInt64(bitPattern: expiresAt.milliseconds).paddedHexadecimal
        let head = end + (try digits ?? identifiers.makeRandomText())
        return (head + (try tags(of: head, claim)[0]), expiresAt)
    }

    /// The 128 bits of a state, as 32 hexadecimal digits.
    func digits(of state: String) -> Substring { state.prefix(Self.headLength).suffix(32) }

    /// What a state shows by itself: that it was made for this claim, and has not ended.
    func number(
        proven state: String,
        for claim: NumberClaim,
        isCounted: Bool = false,
        at now: Timestamp
    ) -> Result<ProvenNumber, ProofFault> {
        do {
            guard let expiresAt = try expiry(of: state, for: claim) else { return .failure(.invalid) }
            guard now < expiresAt else { return .failure(.expired) }
            return .success(
                ProvenNumber(
                    e164: claim.number.e164,
                    nonce: claim.nonce,
                    key: state,
                    expiresAt: expiresAt + Self.clockTolerance,
                    needsConfirmation: true,
                    isCounted: isCounted
                )
            )
        } catch {
            return .failure(.unavailable)
        }
    }

    /// Nil unless it was made for this claim.
    func expiry(of state: String, for claim: NumberClaim) throws -> Timestamp? {
        guard state.utf8.count == Self.headLength + Self.tagLength, state.utf8.allSatisfy({ $0 < 0x80 }) else {
            return nil
        }
        let (head, tag) = (String(state.prefix(Self.headLength)), String(state.dropFirst(Self.headLength)))
        guard let end = UInt64(head.prefix(16), radix: 16),
            try deriver.isDerived(tag, .numberProof, from: Self.parts(of: head, claim))
        else { return nil }
        return Timestamp(milliseconds: Int64(bitPattern: end))
    }

    /// PKCE's (RFC 7636): without it a stolen code is worth nothing. It is derived by the key that made the state, which
    /// need not be the newest any more.
    func verifier(of state: String, for claim: NumberClaim) throws -> String {
        let (head, tag) = (String(state.prefix(Self.headLength)), String(state.dropFirst(Self.headLength)))
        let index = try tags(of: head, claim).firstIndex(of: tag) ?? 0
        return try deriver.derive(.numberProof, from: ["verifier", head])[index]
    }

    private func tags(of head: String, _ claim: NumberClaim) throws -> [String] {
        try deriver.derive(.numberProof, from: Self.parts(of: head, claim))
    }

    private static func parts(of head: String, _ claim: NumberClaim) -> [String] {
        ["state", head, claim.owner.rawValue, claim.number.e164] + (claim.nonce.map { [$0] } ?? [])
    }
}
