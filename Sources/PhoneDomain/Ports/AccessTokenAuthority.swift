/// Signs access tokens, and tells its own from all others.
public protocol AccessTokenAuthority: Sendable {
    /// The token as text, signed by the key of the moment.
    ///
    /// - Throws: if there is no key, or the cryptography fails.
    func sign(_ token: AccessToken) async throws -> String

    /// What this text says, if it is a token that this service has made for itself and that still holds.
    ///
    /// - Returns: nil for everything else (RFC 8725 section 3).
    /// - Throws: if the keys cannot be had at the moment; nothing is known of the token then.
    func token(in text: String, at now: Timestamp) async throws -> AccessToken?
}
