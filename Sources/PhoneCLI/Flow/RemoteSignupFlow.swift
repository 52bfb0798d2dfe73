import FoundationEssentials
public import PhoneDomain

/// A signup whose view model is on a server: every edit and every tap goes there, and what comes back is drawn.
public actor RemoteSignupFlow: SignupFlow {
    private let server: String
    private let region: Region
    private let language: LanguageTag
    private let clock: any WallClock
    private let exchange: any SignupExchange
    /// What the server knows this signup by, once it has begun.
    private var ticket: (path: String, token: SecretToken)?

    /// A signup on a server.
    ///
    /// - Parameters:
    ///   - server: where it is.
    ///   - region: whose plan a number in national form is read by.
    ///   - language: the language of the message.
    ///   - clock: what time it is, for a wait that the server tells in seconds.
    public init(server: ServerAddress, region: Region, language: LanguageTag, clock: any WallClock) {
        self.init(
            server: server.description,
            region: region,
            language: language,
            clock: clock,
            exchange: HTTPSignupExchange(server: server)
        )
    }

    init(server: String, region: Region, language: LanguageTag, clock: any WallClock, exchange: any SignupExchange) {
        self.server = server
        self.region = region
        self.language = language
        self.clock = clock
        self.exchange = exchange
    }

    public func begin() async throws(SignupFlowError) -> SignupView {
        let answer = try await exchange.answer(
            to: SignupCall(
                method: "POST",
                path: "/v1/signups",
                fields: ["region": region.description, "locale": language.description]
            )
        )
        let body = try read(answer)
        // The identifier becomes part of a path: only one that is written as ours are will do.
        guard let token = body.token, let id = Signup.ID(body.id) else { throw notUnderstood(answer) }
        ticket = ("/v1/signups/\(id)", SecretToken(token))
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
        guard let ticket else { return try await begin() }
        let call = SignupCall(method: method, path: ticket.path + subpath, token: ticket.token, fields: fields)
        let answer = try await exchange.answer(to: call)
        if let problem = try? JSONDecoder().decode(ProblemBody.self, from: Data(answer.body)), let body = problem.signup
        {
            var view = SignupView(body)
            view.failure = problem.failure(at: clock.now())
            return view
        }
        return SignupView(try read(answer))
    }

    private func read(_ answer: SignupAnswer) throws(SignupFlowError) -> SignupBody {
        let json = Data(answer.body)
        if 200..<300 ~= answer.status, let body = try? JSONDecoder().decode(SignupBody.self, from: json) { return body }
        guard answer.status >= 400, let problem = try? JSONDecoder().decode(ProblemBody.self, from: json) else {
            throw notUnderstood(answer)
        }
        throw .refused(status: answer.status, detail: problem.text)
    }

    private func notUnderstood(_ answer: SignupAnswer) -> SignupFlowError {
        .notUnderstood(server: server, status: answer.status)
    }
}
