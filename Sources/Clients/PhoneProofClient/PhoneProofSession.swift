internal import CoreEncodings
public import PhoneSignup

/// The tokens of a person who is signed in.
public struct SessionTokens: Hashable, Sendable {
    /// A JWT, for this service and for others that check it.
    public let accessToken: String
    /// Gets the next tokens, once. Keep it where secrets are kept.
    public let refreshToken: String
    /// When the access token expires.
    public let expiresAt: Timestamp

    public init(accessToken: String, refreshToken: String, expiresAt: Timestamp) {
        (self.accessToken, self.refreshToken, self.expiresAt) = (accessToken, refreshToken, expiresAt)
    }

    init?(_ body: JSON, at now: Timestamp) {
        guard let accessToken = body["access_token"]?.string, let refreshToken = body["refresh_token"]?.string,
            let life = body["expires_in"]?.integer.flatMap(Duration.init(seconds:))
        else { return nil }
        self.init(accessToken: accessToken, refreshToken: refreshToken, expiresAt: now + life)
    }
}

extension SessionTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Neither token: both are secrets.
    public var description: String { "tokens until \(expiresAt)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A person who is signed in. It refreshes the tokens when they expire, one refresh at a time however many calls need
/// it: a refresh token that is used twice would end the session.
///
/// The service gives the same next tokens for half a minute after a refresh, so one whose response was lost is
/// repeated.
public actor PhoneProofSession {
    let client: PhoneProofClient
    private let tokensChanged: @Sendable (SessionTokens?) -> Void
    private var refresh: Task<Result<SessionTokens, PhoneProofError>, Never>?
    /// Nil once the person is signed out.
    public private(set) var tokens: SessionTokens?

    /// How long before its end an access token is replaced: it must reach the server before.
    private static let margin: Duration = .seconds(30)

    /// - Parameter tokensChanged: called with the new tokens, to store them, and with nil when the session has ended.
    public init(
        _ client: PhoneProofClient,
        tokens: SessionTokens,
        tokensChanged: @escaping @Sendable (SessionTokens?) -> Void = { _ in }
    ) { (self.client, self.tokens, self.tokensChanged) = (client, tokens, tokensChanged) }

    /// A valid access token, for a request to any server that accepts them.
    ///
    /// - Throws: a refusal with the code `unauthorized` once the session has ended: the person must sign in again.
    public func accessToken() async throws(PhoneProofError) -> String {
        guard let tokens else { throw Self.signedOut }
        if client.now() < tokens.expiresAt - Self.margin { return tokens.accessToken }
        return try await refreshed(insteadOf: tokens).accessToken
    }

    /// - Parameter isEverywhere: whether to end every session of the account.
    public func signOut(isEverywhere: Bool = false) async throws(PhoneProofError) {
        guard tokens != nil else { return }
        do throws(PhoneProofError) {
            _ = try await call("DELETE", isEverywhere ? "/v1/tokens?all=true" : "/v1/tokens", .always)
        } catch {
            // Then it has ended already.
            guard error.code == .unauthorized else { throw error }
        }
        end()
    }

    /// A call with the access token, and an `Idempotency-Key` if it is a POST. If the server knows better than our
    /// clock, the tokens are refreshed once.
    func call(
        _ method: String,
        _ path: String,
        _ repetition: PhoneProofClient.Repetition,
        _ fields: [JSON.Member]? = nil
    ) async throws(PhoneProofError) -> JSON {
        let token = try await accessToken()
        let key = method == "POST" ? client.makeKey() : nil
        func call(with token: String) async throws(PhoneProofError) -> JSON {
            try await client.call(method, path, token: token, fields: fields, key: key, repetition: repetition)
        }
        do throws(PhoneProofError) {
            return try await call(with: token)
        } catch {
            guard error.code == .unauthorized, let tokens else { throw error }
            let next = tokens.accessToken == token ? try await refreshed(insteadOf: tokens) : tokens
            return try await call(with: next.accessToken)
        }
    }

    private func refreshed(insteadOf old: SessionTokens) async throws(PhoneProofError) -> SessionTokens {
        let task =
            refresh
            ?? Task { [client] in
                do throws(PhoneProofError) {
                    let fields = [JSON.Member](["refresh_token": old.refreshToken])
                    let body = try await client.call("POST", "/v1/tokens", fields: fields, repetition: .always)
                    guard let tokens = SessionTokens(body, at: client.now()) else {
                        throw .notUnderstood(status: 200)
                    }
                    return .success(tokens)
                } catch {
                    return .failure(error)
                }
            }
        let isOwn = refresh == nil
        refresh = task
        let result = await task.value
        if isOwn {
            refresh = nil
            switch result {
            case .success(let next):
                tokens = next
                tokensChanged(next)
            case .failure(let error): if error.code == .unauthorized { end() }
            }
        }
        return try result.get()
    }

    func end() {
        guard tokens != nil else { return }
        tokens = nil
        tokensChanged(nil)
    }

    private static let signedOut = PhoneProofError.refused(
        PhoneProofError.Problem(.unauthorized, status: 401, detail: "The session has ended; sign in again.")
    )
}
