/// Makes refresh tokens, and reads them.
///
/// A token's text is `rt_`, the 32 hexadecimal digits of its session, an underscore, 256 bits and a tag of 128, both in
/// base64url. It is opaque to clients. Kept are digests alone.
///
/// The next token is made of the one before, under the service's keys. So all who use one token at once are given one and
/// the same next one, though it is kept nowhere; and nobody who has a token, or the database, or both, can make the next.
/// The tag tells any token that was ever made from one that somebody made up, so that only the former ends a session.
public struct RefreshTokens: Sendable {
    private let deriver: any SecretDeriver
    private let vault: any TokenVault

    /// Tokens under these keys.
    public init(deriver: any SecretDeriver, vault: any TokenVault) {
        self.deriver = deriver
        self.vault = vault
    }

    /// The first token of a session.
    ///
    /// - Parameters:
    ///   - session: whose it is.
    ///   - secret: what its holder alone has shown to open the session: whoever shows it again is given the same token.
    /// - Returns: one for each key that is known, the newest first.
    /// - Throws: what the ports throw.
    public func first(of session: Session.ID, from secret: SecretToken) throws -> [RefreshToken] {
        try make(session, from: secret)
    }

    /// The token that comes after this one: one for each key that is known, the newest first.
    ///
    /// - Throws: what the ports throw.
    public func next(after token: RefreshToken) throws -> [RefreshToken] {
        try make(token.sessionID, from: token.secret)
    }

    /// Whether this service has made the token, ever, under a key that it still has.
    ///
    /// - Throws: what the ports throw.
    public func isGenuine(_ token: RefreshToken) throws -> Bool {
        try deriver.isDerived(
            token.tag,
            .refreshTokenTag,
            from: [token.sessionID.description, token.body]
        )
    }

    /// What is kept of the token.
    ///
    /// - Throws: what the ports throw.
    public func digest(of token: RefreshToken) throws -> [UInt8] {
        try vault.digest(of: token.secret)
    }

    /// Whether the digest was made of this token, in constant time.
    ///
    /// - Throws: what the ports throw.
    public func matches(_ token: RefreshToken, digest: [UInt8]) throws -> Bool {
        try vault.matches(token.secret, digest: digest)
    }

    private func make(_ session: Session.ID, from secret: SecretToken) throws -> [RefreshToken] {
        let name = session.description
        let bodies = try deriver.derive(.refreshToken, from: [name, secret.text])
        return try zip(bodies.indices, bodies).compactMap { index, body in
            // The tag under the same key, unless the key was taken away in between.
            let tags = try deriver.derive(.refreshTokenTag, from: [name, body])
            return tags.indices.contains(index) ? RefreshToken(session, body: body, tag: tags[index]) : nil
        }
    }
}
