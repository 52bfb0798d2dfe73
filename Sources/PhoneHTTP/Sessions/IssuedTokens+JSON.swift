import PhoneDomain

extension IssuedTokens {
    /// The tokens as OAuth writes them (RFC 6749 section 5.1).
    var json: JSON {
        [
            "access_token": .string(accessToken.text),
            "token_type": "Bearer",
            "expires_in": .integer(Int(expiresIn / .seconds(1))),
            "refresh_token": .string(refreshToken.secret.text),
            "scope": .string(AccessToken.scope),
        ]
    }
}
