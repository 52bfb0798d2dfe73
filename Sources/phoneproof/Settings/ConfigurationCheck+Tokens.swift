import PhoneDomain

/// What those who signed up are given.
extension ConfigurationCheck {
    mutating func checkTokens(_ settings: Settings) {
        let (sessions, keys) = (settings.tokens.sessions, settings.tokens.signingKeys)
        add(
            "tokens",
            "by \(settings.issuer) for \(settings.audience), \(sessions.accessTokenTTL.components.seconds) s; sessions "
                + "\(sessions.lifetime.days) days, \(sessions.idleTime.days) unused"
        )
        if let doubt = settings.doubtAboutIssuer { warn(doubt) }
        if keys.ahead < SigningKeyPolicy.publicationMaxAge + .seconds(60) {
            warn(
                "a new signing key signs \(keys.ahead.components.seconds) s after it was published, and whoever verifies may "
                    + "not look for new keys for \(SigningKeyPolicy.publicationMaxAge.components.seconds) s "
                    + "(tokens.signing_key_ahead_seconds)"
            )
        }
        if sessions.refreshGrace == .zero {
            warn("a client that does not hear an answer is signed out (tokens.refresh_grace_seconds)")
        }
    }
}

extension Duration {
    fileprivate var days: Int64 { components.seconds / 86_400 }
}
