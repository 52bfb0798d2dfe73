public import PhoneDomain
public import TextEncodings

/// A signup whose view model is on a server: every edit and every tap is a request, and the response is drawn.
public actor RemoteSignupFlow: SignupFlow {
    private let server: String
    private let region: Region
    private let language: LanguageTag
    private let channel: Channel?
    private let clock: any WallClock
    private let client: any SignupClient
    private let solver: (any ChallengeSolver)?
    private var signup: (path: String, token: SecretToken)?
    /// The code field, which the server does not keep.
    private var codeText = ""
    /// Of the rules that the prompt has shown, and asked about, before anything was sent.
    private var consentVersion: String?

    /// - Parameters:
    ///   - region: whose plan a number in national form is read by.
    ///   - channel: nil for the order of the number's country.
    ///   - clock: the time, for a `retry_after` in seconds.
    ///   - solver: of the challenges that the server asks for.
    public init(
        server: EndpointURL,
        region: Region,
        language: LanguageTag,
        channel: Channel? = nil,
        clock: any WallClock,
        solver: (any ChallengeSolver)? = nil
    ) {
        (self.server, self.region, self.language, self.clock) = (server.description, region, language, clock)
        (self.channel, self.solver) = (channel, solver)
        client = HTTPSignupClient(server: server, language: language)
    }

    init(
        server: String,
        region: Region,
        language: LanguageTag,
        clock: any WallClock,
        client: any SignupClient,
        solver: (any ChallengeSolver)? = nil
    ) {
        (self.server, self.region, self.language, self.clock, self.client) = (server, region, language, clock, client)
        (channel, self.solver) = (nil, solver)
    }

    public func perform(_ request: SignupRequest) async throws(SignupFlowError) -> SignupView {
        let view =
            switch request {
            case .begin: try await begin()
            case .changePhoneText(let text): try await view(after: "PATCH", "", ["phone_text": text])
            case .changeCodeText(let text): try await view(after: "PATCH", "", ["code_text": text])
            case .send: try await send()
            case .signUp:
                try await view(
                    after: "POST",
                    "/sign-up",
                    ["code_text": codeText, "consent": consentVersion].compactMapValues(\.self)
                )
            }
        codeText = view.codeText
        if request == .begin { consentVersion = view.consent?.version }
        return view
    }

    private func begin() async throws(SignupFlowError) -> SignupView {
        let fields = ["region": region.description, "locale": language.description]
        let request = ClientRequest(method: "POST", path: "/v1/signups", fields: fields)
        let response = try await client.response(to: request)
        let view = try view(in: response)
        // The ID becomes part of a path, so it must have our form.
        guard let body = response.json, let token = body["token"]?.string,
            let id = body["id"]?.string.flatMap({ Signup.ID($0) })
        else { throw notUnderstood(response) }
        signup = ("/v1/signups/\(id)", SecretToken(token))
        return view
    }

    /// What the server asks to be solved is solved, and sent with the request once more.
    private func send() async throws(SignupFlowError) -> SignupView {
        var fields = ["channel": channel?.rawValue].compactMapValues(\.self)
        let view = try await view(after: "POST", "/send", fields)
        guard let work = view.challenge, let solution = try? await solver?.solve(work) else { return view }
        let proof: JSON = [
            "algorithm": .string(ProofOfWork.algorithm), "challenge": .string(solution.hash),
            "number": .integer(solution.number), "salt": .string(solution.salt),
            "signature": .string(solution.signature),
        ]
        fields["proof"] = Array(proof.utf8).base64
        return try await self.view(after: "POST", "/send", fields)
    }

    private func view(
        after method: String,
        _ subpath: String,
        _ fields: [String: String]
    ) async throws(SignupFlowError) -> SignupView {
        guard let signup else { return try await begin() }
        let request = ClientRequest(method: method, path: signup.path + subpath, token: signup.token, fields: fields)
        return try view(in: try await client.response(to: request))
    }

    /// An error is `application/problem+json` (RFC 9457), with what a success returns as its member `signup`, if there
    /// is one.
    private func view(in response: ClientResponse) throws(SignupFlowError) -> SignupView {
        guard let body = response.json, body.isObject else { throw notUnderstood(response) }
        let now = clock.now()
        if response.status < 400 {
            guard let view = SignupView(body, at: now) else { throw notUnderstood(response) }
            return view
        }
        // `message` is for the person, `detail` for the developer.
        let message =
            [body["message"], body["detail"], body["title"]].lazy.compactMap { $0?.string }.first
            ?? "The server gave no reason."
        guard var view = body["signup"].flatMap({ SignupView($0, at: now) }) else {
            throw .refused(status: response.status, message: message)
        }
        view.challenge = body["challenge"]
            .flatMap { ProofOfWork($0, at: now) ?? $0["proof_of_work"].flatMap { ProofOfWork($0, at: now) } }
        view.failure = .server(
            code: body["code"]?.string ?? "",
            message: message,
            retryAt: Timestamp(body, "next_send_at", secondsIn: "retry_after", from: now)
        )
        return view
    }

    private func notUnderstood(_ response: ClientResponse) -> SignupFlowError {
        .notUnderstood(server: server, status: response.status)
    }
}

extension Timestamp {
    /// The moment that a server states. Where it states the seconds until then, our clock and the server's need not
    /// agree.
    fileprivate init?(_ object: JSON, _ name: String, secondsIn waitName: String, from now: Timestamp) {
        if let seconds = object[waitName]?.integer, (0...Self.longestWait).contains(seconds) {
            self = now + .seconds(seconds)
        } else {
            guard let rfc3339 = object[name]?.string else { return nil }
            self.init(rfc3339: rfc3339)
        }
    }

    /// A year, in seconds. A longer wait is ignored as nonsense.
    fileprivate static let longestWait = 366 * 86_400
}

extension SignupView {
    /// Nil unless it is a signup as the service describes it; what a later version adds is ignored.
    fileprivate init?(_ body: JSON, at now: Timestamp) {
        guard let state = body["state"], let phoneText = state["phone_text"]?.string,
            let isSendEnabled = state["is_send_enabled"]?.bool,
            let isCodeFieldHidden = state["is_code_field_hidden"]?.bool, let codeText = state["code_text"]?.string,
            let isSignUpEnabled = state["is_sign_up_enabled"]?.bool
        else { return nil }
        self.init(
            phoneText: phoneText,
            isSendEnabled: isSendEnabled,
            isCodeFieldHidden: isCodeFieldHidden,
            codeText: codeText,
            isSignUpEnabled: isSignUpEnabled,
            sentCode: body["verification"].flatMap { SentCode($0, at: now) },
            account: body["account"].flatMap { Account($0) },
            consent: body["consent"].flatMap { Consent($0) }
        )
    }
}

extension ProofOfWork {
    fileprivate init?(_ challenge: JSON, at now: Timestamp) {
        guard challenge["kind"]?.string == "proof_of_work", challenge["algorithm"]?.string == Self.algorithm,
            let hash = challenge["challenge"]?.string, let salt = challenge["salt"]?.string,
            let signature = challenge["signature"]?.string, let maxNumber = challenge["maxnumber"]?.integer
        else { return nil }
        let expiry = Timestamp(challenge, "expires_at", secondsIn: "expires_in", from: now)
        self.init(hash: hash, salt: salt, signature: signature, maxNumber: maxNumber, expiresAt: expiry ?? now)
    }
}

extension SignupView.Consent {
    fileprivate init?(_ consent: JSON) {
        guard let version = consent["version"]?.string, let isRequired = consent["is_required"]?.bool
        else { return nil }
        self.init(
            version: version,
            isRequired: isRequired,
            terms: consent["terms_url"]?.string,
            privacy: consent["privacy_url"]?.string
        )
    }
}

extension SignupView.SentCode {
    fileprivate init?(_ verification: JSON, at now: Timestamp) {
        guard let e164 = verification["phone_number"]?.string else { return nil }
        self.init(
            e164: e164,
            nextSendAt: Timestamp(verification, "next_send_at", secondsIn: "next_send_in", from: now),
            expiresAt: Timestamp(verification, "expires_at", secondsIn: "expires_in", from: now),
            sendsLeft: verification["sends_left"]?.integer ?? 1,
            checksLeft: verification["checks_left"]?.integer ?? 1
        )
    }
}

extension SignupView.Account {
    fileprivate init?(_ account: JSON) {
        guard let id = account["id"]?.string, let isNew = account["is_new"]?.bool else { return nil }
        self.init(id: id, isNew: isNew)
    }
}
