import PhoneTestSupport
import Testing

/// A device that is signed in, and what it was given for it.
struct Device: Sendable {
    let accessToken: String
    let refreshToken: String
    /// The whole answer of the signup.
    let answer: Answer

    init(_ answer: Answer) throws {
        self.answer = answer
        accessToken = try #require(answer.text("access_token"))
        refreshToken = try #require(answer.text("refresh_token"))
    }
}

extension TestServer {
    /// Signs a device up, or in, with this number. The clock goes on by a minute first, so that the number may have a
    /// message.
    func signIn(_ phoneText: String = "01012345678", headers: [String: String] = [:]) async throws -> Device {
        try await Device(signUp(phoneText, headers: headers))
    }

    /// Goes through a signup up to its last answer, whatever that is.
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

    /// Fetches the next tokens.
    func refresh(_ token: String) async throws -> Answer {
        try await send("POST", "/v1/tokens", #"{"refresh_token":"\#(token)"}"#)
    }
}
