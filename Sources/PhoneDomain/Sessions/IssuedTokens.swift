/// The tokens that a device gets: one to show, and one to get the next two by.
public struct IssuedTokens: Sendable {
    /// Whose they are.
    public let signedIn: SignedIn
    /// The access token, signed.
    public let accessToken: SecretToken
    /// How long that one is good.
    public let expiresIn: Duration
    /// The refresh token.
    public let refreshToken: RefreshToken
}
