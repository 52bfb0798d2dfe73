import FoundationEssentials
public import PhoneDomain
public import TextEncodings

/// A signup whose view model is on a server: every edit and every tap is a request, and the response is drawn.
public actor RemoteSignupFlow: SignupFlow {
    private let server: String
    private let region: Region
    private let language: LanguageTag
    private let clock: any WallClock
    private let client: any SignupClient
    private var signup: (path: String, token: SecretToken)?

    /// - Parameters:
    ///   - region: whose plan a number in national form is read by.
    ///   - clock: the time, for a `retry_after` in seconds.
    public init(server: EndpointURL, region: Region, language: LanguageTag, clock: any WallClock) {
        (self.server, self.region, self.language, self.clock) = (server.description, region, language, clock)
        client = HTTPSignupClient(server: server, language: language)
    }

    init(server: String, region: Region, language: LanguageTag, clock: any WallClock, client: any SignupClient) {
        (self.server, self.region, self.language, self.clock, self.client) = (server, region, language, clock, client)
    }

    public func perform(_ request: SignupRequest) async throws(SignupFlowError) -> SignupView {
        switch request {
        case .begin: try await begin()
        case .changePhoneText(let text): try await view(after: "PATCH", "", ["phone_text": text])
        case .changeCodeText(let text): try await view(after: "PATCH", "", ["code_text": text])
        case .send: try await view(after: "POST", "/send", [:])
        case .signUp: try await view(after: "POST", "/sign-up", [:])
        }
    }

    private func begin() async throws(SignupFlowError) -> SignupView {
        let fields = ["region": region.description, "locale": language.description]
        let request = ClientRequest(method: "POST", path: "/v1/signups", fields: fields)
        let response = try await client.response(to: request)
        let body = try body(of: response)
        // The ID becomes part of a path, so it must have our form.
        guard let token = body.token, let id = Signup.ID(body.id) else { throw notUnderstood(response) }
        signup = ("/v1/signups/\(id)", SecretToken(token))
        return SignupView(body)
    }

    private func view(
        after method: String,
        _ subpath: String,
        _ fields: [String: String]
    ) async throws(SignupFlowError) -> SignupView {
        guard let signup else { return try await begin() }
        let request = ClientRequest(method: method, path: signup.path + subpath, token: signup.token, fields: fields)
        let response = try await client.response(to: request)
        if let problem = ProblemBody(json: response.body), let body = problem.signup {
            var view = SignupView(body)
            view.failure = problem.failure(at: clock.now())
            return view
        }
        return SignupView(try body(of: response))
    }

    private func body(of response: ClientResponse) throws(SignupFlowError) -> SignupBody {
        if 200..<300 ~= response.status, let body = SignupBody(json: response.body) { return body }
        guard response.status >= 400, let problem = ProblemBody(json: response.body) else {
            throw notUnderstood(response)
        }
        throw .refused(status: response.status, message: problem.text)
    }

    private func notUnderstood(_ response: ClientResponse) -> SignupFlowError {
        .notUnderstood(server: server, status: response.status)
    }
}

extension Decodable {
    fileprivate init?(json: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let value = try? decoder.decode(Self.self, from: Data(json)) else { return nil }
        self = value
    }
}

private struct SignupBody: Decodable {
    struct State: Decodable {
        var phoneText: String
        var isSendEnabled: Bool
        var isCodeFieldHidden: Bool
        var codeText: String
        var isSignUpEnabled: Bool
    }

    struct Verification: Decodable {
        var phoneNumber: String
        var nextSendAt: String?
    }

    var id: String
    var token: String?
    var state: State
    var verification: Verification?
    var account: SignupView.Account?
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
            account: body.account
        )
    }
}

/// An error of the service: `application/problem+json` (RFC 9457) with members of the service's own, of which
/// `signup` is what a success would have returned.
private struct ProblemBody: Decodable {
    var title: String?
    /// For the developer, in English.
    var detail: String?
    /// For the person, in the language of the signup.
    var message: String?
    var code: String?
    var nextSendAt: String?
    var retryAfter: Int64?
    var signup: SignupBody?

    var text: String { message ?? detail ?? title ?? "The server gave no reason." }

    func failure(at now: Timestamp) -> SignupFailure {
        let wait = retryAfter.flatMap { (0...Self.longestWait).contains($0) ? now + .seconds($0) : nil }
        let retryAt = nextSendAt.flatMap(Timestamp.init(rfc3339:)) ?? wait
        return .server(code: code ?? "", message: text, retryAt: retryAt)
    }

    /// A year, in seconds. A longer wait is ignored as nonsense.
    private static let longestWait: Int64 = 366 * 86_400
}
