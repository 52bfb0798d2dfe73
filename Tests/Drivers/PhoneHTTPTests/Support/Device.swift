import PhoneAccounts
import PhoneDomain
import PhoneStore
import PhoneTestSupport
import Testing

/// A signed-in device.
struct Device: Sendable {
    let accessToken: String
    let refreshToken: String
    /// The response of the signup.
    let answer: Answer

    init(_ answer: Answer) throws {
        self.answer = answer
        accessToken = try #require(answer.text("access_token"))
        refreshToken = try #require(answer.text("refresh_token"))
    }
}

/// A guided signup, as the client that began it calls it.
struct GuidedSignup: Sendable {
    let server: TestServer
    let path: String
    let token: String

    /// The signup that this response is of.
    init(_ server: TestServer, _ begun: Answer) throws {
        self.server = server
        path = try #require(begun.headers["location"])
        token = try #require(begun.text("token"))
    }

    func call(
        _ method: String,
        _ tail: String = "",
        _ body: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        try await server.send(method, path + tail, body, token: token, headers: headers)
    }

    func show() async throws -> Answer { try await call("GET") }

    func edit(_ body: String) async throws -> Answer { try await call("PATCH", "", body) }

    func send(_ phoneText: String? = nil) async throws -> Answer {
        try await call("POST", "/send", phoneText.map { #"{"phone_text":"\#($0)"}"# })
    }

    func signUp(_ codeText: String = "314159", headers: [String: String] = [:]) async throws -> Answer {
        try await call("POST", "/sign-up", #"{"code_text":"\#(codeText)"}"#, headers: headers)
    }
}

extension TestServer {
    /// Signs a device up, or in, with this number. First advances the clock by a minute, so that the number may get a
    /// message.
    func signIn(_ phoneText: String = "01012345678", headers: [String: String] = [:]) async throws -> Device {
        try await Device(signUp(phoneText, headers: headers))
    }

    /// Takes a signup to its last response, whatever that is.
    func signUp(_ phoneText: String = "01012345678", headers: [String: String] = [:]) async throws -> Answer {
        clock.advance(by: .seconds(60))
        return try await beginSignup(phoneText).signUp(headers: headers)
    }

    /// Begins a guided signup and, if there is a number, has a code sent to it.
    func beginSignup(_ phoneText: String? = nil) async throws -> GuidedSignup {
        let signup = try await GuidedSignup(self, send("POST", "/v1/signups"))
        if let phoneText { try #require(try await signup.send(phoneText).status == 202) }
        return signup
    }

    func refresh(_ token: String) async throws -> Answer {
        try await send("POST", "/v1/tokens", #"{"refresh_token":"\#(token)"}"#)
    }

    /// Changes the number of a device's account. First advances the clock by a minute.
    ///
    /// - Returns: the secret that the old number gets.
    func changeNumber(_ device: Device, to phoneText: String = "010-8765-4321") async throws -> String {
        clock.advance(by: .seconds(60))
        let begun = try await send(
            "POST",
            "/v1/accounts/me/number-changes",
            #"{"phone_number":"\#(phoneText)"}"#,
            token: device.accessToken
        )
        let path = try #require(begun.headers["location"], "\(begun.body)")
        let changed = try await send("POST", path + "/checks", #"{"code":"314159"}"#, token: device.accessToken)
        #expect(changed.status == 200, "\(changed.body)")
        let changes = try await store.records(of: NumberChange.self, after: nil, limit: 100).compactMap { record in
            try record.record(as: NumberChange.self)
        }
        let change = try #require(changes.max { $0.changedAt < $1.changedAt })
        let tokens = UndoTokens(deriver: PlainSecretDeriver(), vault: PlainTokenVault())
        return try #require(try tokens.token(of: change)).text
    }

    /// The number of a device's account; nil if the device is signed out.
    func number(of device: Device) async throws -> String? {
        let account = try await send("GET", "/v1/accounts/me", token: device.accessToken)
        return account.status == 200 ? account.text("phone_number") : nil
    }

    /// A key of a program.
    func key(_ name: String = "shop", _ scopes: Set<APIScope> = [.verifications]) async throws -> String {
        try await keys.create(name: #require(CallerName(name)), scopes: scopes).secret.text
    }
}

/// A browser that shows the page with the phone field.
struct Browser: Sendable {
    private let server: TestServer
    let cookie: String
    private let formToken: String

    init(_ server: TestServer) async throws {
        self.server = server
        let page = try await server.send("GET", "/signup")
        cookie = String(try #require(page.headers["set-cookie"]).prefix { $0 != ";" })
        formToken = String(try #require(page.body.firstMatch(of: /name="form_token" value="([^"]+)"/)?.1))
    }

    /// Posts the page's form with these fields.
    func post(_ fields: String, to path: String = "/signup", language: String = "en") async throws -> Answer {
        try await postAsIs("form_token=\(formToken)&\(fields)", to: path, language: language)
    }

    /// Posts a form that need not be the page's.
    func postAsIs(_ form: String, to path: String = "/signup", language: String = "en") async throws -> Answer {
        try await server.send(
            "POST",
            path,
            form,
            type: "application/x-www-form-urlencoded",
            headers: ["Cookie": cookie, "Accept-Language": language]
        )
    }
}
