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

extension TestServer {
    /// Signs a device up, or in, with this number. First advances the clock by a minute, so that the number may get a
    /// message.
    func signIn(_ phoneText: String = "01012345678", headers: [String: String] = [:]) async throws -> Device {
        try await Device(signUp(phoneText, headers: headers))
    }

    /// Takes a signup to its last response, whatever that is.
    func signUp(_ phoneText: String = "01012345678", headers: [String: String] = [:]) async throws -> Answer {
        clock.advance(by: .seconds(60))
        let begun = try await send("POST", "/v1/signups")
        let (path, token) = (try #require(begun.headers["location"]), try #require(begun.text("token")))
        _ = try await send("POST", path + "/send", #"{"phone_text":"\#(phoneText)"}"#, token: token)
        return try await send(
            "POST",
            path + "/sign-up",
            #"{"code_text":"314159"}"#,
            token: token,
            headers: headers
        )
    }

    func refresh(_ token: String) async throws -> Answer {
        try await send("POST", "/v1/tokens", #"{"refresh_token":"\#(token)"}"#)
    }
}
