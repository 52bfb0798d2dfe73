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
}
