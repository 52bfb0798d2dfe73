import FoundationEssentials
public import PhoneDomain

/// A signup whose view model is on a server: every edit and every tap is a request, and the response is drawn.
public actor RemoteSignupFlow: SignupFlow {
    private let server: String
    private let region: Region
    private let language: LanguageTag
    private let clock: any WallClock
    private let client: any SignupClient
    /// The signup on the server, once it has begun.
    private var signup: (path: String, token: SecretToken)?

    /// A signup on a server.
    ///
    /// - Parameters:
    ///   - server: the server.
    ///   - region: whose plan a number in national form is read by.
    ///   - language: the language of the message.
    ///   - clock: the time, for a `retry_after` in seconds.
    public init(server: ServerURL, region: Region, language: LanguageTag, clock: any WallClock) {
        self.init(
            server: server.description,
            region: region,
            language: language,
            clock: clock,
            client: HTTPSignupClient(server: server)
        )
    }

    init(server: String, region: Region, language: LanguageTag, clock: any WallClock, client: any SignupClient) {
        self.server = server
        self.region = region
        self.language = language
        self.clock = clock
        self.client = client
    }

    public func begin() async throws(SignupFlowError) -> SignupView {
        let response = try await client.response(
            to: ClientRequest(
                method: "POST",
                path: "/v1/signups",
                fields: ["region": region.description, "locale": language.description]
            )
        )
        let body = try decode(response)
        // The ID becomes part of a path, so it must have our form.
        guard let token = body.token, let id = Signup.ID(body.id) else { throw notUnderstood(response) }
        signup = ("/v1/signups/\(id)", SecretToken(token))
        return SignupView(body)
    }

    public func changePhoneText(_ text: String) async throws(SignupFlowError) -> SignupView {
        try await view(after: "PATCH", "", ["phone_text": text])
    }

    public func changeCodeText(_ text: String) async throws(SignupFlowError) -> SignupView {
        try await view(after: "PATCH", "", ["code_text": text])
    }

    public func send() async throws(SignupFlowError) -> SignupView {
        try await view(after: "POST", "/send", [:])
    }

    public func signUp() async throws(SignupFlowError) -> SignupView {
        try await view(after: "POST", "/sign-up", [:])
    }

    private func view(
        after method: String,
        _ subpath: String,
        _ fields: [String: String]
    ) async throws(SignupFlowError) -> SignupView {
        guard let signup else { return try await begin() }
        let request = ClientRequest(method: method, path: signup.path + subpath, token: signup.token, fields: fields)
        let response = try await client.response(to: request)
        if let problem = try? JSONDecoder().decode(ProblemBody.self, from: Data(response.body)),
            let body = problem.signup
        {
            var view = SignupView(body)
            view.failure = problem.failure(at: clock.now())
            return view
        }
        return SignupView(try decode(response))
    }

    private func decode(_ response: ClientResponse) throws(SignupFlowError) -> SignupBody {
        let json = Data(response.body)
        if 200..<300 ~= response.status, let body = try? JSONDecoder().decode(SignupBody.self, from: json) {
            return body
        }
        guard response.status >= 400, let problem = try? JSONDecoder().decode(ProblemBody.self, from: json) else {
            throw notUnderstood(response)
        }
        throw .refused(status: response.status, detail: problem.text)
    }

    private func notUnderstood(_ response: ClientResponse) -> SignupFlowError {
        .notUnderstood(server: server, status: response.status)
    }
}

/// The members of the service's signup that the prompt uses.
private struct SignupBody: Decodable {
    struct State: Decodable {
        var phoneText: String
        var isSendEnabled: Bool
        var isCodeFieldHidden: Bool
        var codeText: String
        var isSignUpEnabled: Bool

        enum CodingKeys: String, CodingKey {
            case phoneText = "phone_text"
            case isSendEnabled = "is_send_enabled"
            case isCodeFieldHidden = "is_code_field_hidden"
            case codeText = "code_text"
            case isSignUpEnabled = "is_sign_up_enabled"
        }
    }

    struct Verification: Decodable {
        var phoneNumber: String
        var nextSendAt: String?

        enum CodingKeys: String, CodingKey {
            case phoneNumber = "phone_number"
            case nextSendAt = "next_send_at"
        }
    }

    struct Account: Decodable {
        var id: String
        var isNew: Bool

        enum CodingKeys: String, CodingKey {
            case id
            case isNew = "is_new"
        }
    }

    var id: String
    var token: String?
    var state: State
    var verification: Verification?
    var account: Account?
}

extension SignupView {
    fileprivate init(_ body: SignupBody) {
        self.init(
            phoneText: body.state.phoneText,
            isSendEnabled: body.state.isSendEnabled,
            isCodeFieldHidden: body.state.isCodeFieldHidden,
            codeText: body.state.codeText,
            isSignUpEnabled: body.state.isSignUpEnabled,
            sentCode: body.verification.map {
                SentCode(e164: $0.phoneNumber, nextSendAt: $0.nextSendAt.flatMap(Timestamp.init(rfc3339:)))
            },
            account: body.account.map { Account(id: $0.id, isNew: $0.isNew) }
        )
    }
}

/// An error of the service: `application/problem+json` (RFC 9457) with members of the service's own, of which
/// `signup` is what a success would have returned.
private struct ProblemBody: Decodable {
    var title: String?
    var detail: String?
    var code: String?
    var reason: String?
    var checksLeft: Int?
    var nextSendAt: String?
    var violatedPolicies: [String]?
    var retryAfter: Int64?
    var signup: SignupBody?

    enum CodingKeys: String, CodingKey {
        case title, detail, code, reason, signup
        case checksLeft = "checks_left"
        case violatedPolicies = "violated_policies"
        case nextSendAt = "next_send_at"
        case retryAfter = "retry_after"
    }

    var text: String { detail ?? title ?? "The server gave no reason." }

    /// A failure for which the prompt has a text in the person's language, if the members contain everything that this text
    /// needs; otherwise one with the server's text.
    func failure(at now: Timestamp) -> SignupFailure {
        let wait = retryAfter.flatMap { (0...Self.longestWait).contains($0) ? now + .seconds($0) : nil }
        let retryAt = nextSendAt.flatMap(Timestamp.init(rfc3339:)) ?? wait
        return known(retryAt: retryAt).map(SignupFailure.phone)
            ?? .server(code: code ?? "", detail: text, retryAt: retryAt)
    }

    private func known(retryAt: Timestamp?) -> PhoneFailure? {
        switch code {
        case "code_incorrect": checksLeft.map { .codeIncorrect(checksLeft: $0) }
        case "code_expired": .codeExpired
        case "verification_closed": .verificationClosed
        case "verification_not_found": .verificationNotFound
        case "max_checks_reached": retryAt.map { .maxChecksReached(retryAt: $0) }
        case "max_sends_reached": retryAt.map { .maxSendsReached(retryAt: $0) }
        case "resend_too_soon": retryAt.map { .resendTooSoon(nextSendAt: $0) }
        case "rate_limited":
            retryAt.map {
                .rateLimited(
                    policies: (violatedPolicies ?? []).map { QuotaPolicy(name: $0, quota: 0, window: .zero) },
                    retryAt: $0
                )
            }
        case "unavailable": .unavailable(cause: text)
        case "invalid_phone_number":
            Self.numberErrors.first { $0.code == reason }.map { .invalidPhoneNumber($0) }
        default: nil
        }
    }

    private static let numberErrors: [PhoneNumberError] = [.empty, .notANumber, .tooLong, .tooShort, .noSuchNumber]

    /// A year, in seconds. A longer wait is ignored as nonsense.
    private static let longestWait: Int64 = 366 * 86_400
}
