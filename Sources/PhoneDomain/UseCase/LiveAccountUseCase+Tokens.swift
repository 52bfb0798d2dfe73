/// How devices come to their tokens and are known by them.
extension LiveAccountUseCase {
    public func opening(
        of verification: Verification.ID,
        by secret: SecretToken,
        userAgent: String?
    ) throws(PhoneFailure) -> SessionOpening {
        do {
            let first = try tokens.first(of: Session.id(openedBy: verification), from: secret)
            return SessionOpening(
                tokenDigests: try first.map(tokens.digest),
                userAgent: userAgent,
                policy: sessionPolicy
            )
        } catch {
            throw .unavailable(cause: String(describing: error))
        }
    }

    public func tokens(of signedUp: SignedUp, by secret: SecretToken) async throws(PhoneFailure) -> IssuedTokens? {
        guard let session = signedUp.session else { return nil }
        return try await available {
            let first = try tokens.first(of: session.id, from: secret)
            guard let token = try first.first(where: { try tokens.matches($0, digest: session.tokenDigest) }) else {
                return nil
            }
            return try await issue(token, to: SignedIn(session: session, account: signedUp.account))
        }
    }

    public func refresh(
        _ token: SecretToken,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> IssuedTokens {
        guard let token = RefreshToken(token) else { throw .notSignedIn }
        let issued = try await available { () throws -> IssuedTokens? in
            guard try await isWorthTrying(token) else { return nil }
            let outcome = try await store.refresh(
                RefreshSession(
                    token: token,
                    tokens: tokens,
                    policy: sessionPolicy,
                    digester: digester,
                    address: address,
                    now: clock.now()
                )
            )
            guard case .refreshed(let signedIn, let next) = outcome else { return nil }
            return try await issue(next, to: signedIn)
        }
        guard let issued else { throw .notSignedIn }
        return issued
    }

    /// Whether the token may be one of ours: what anybody can make up must cost the store no more than a look. One that was
    /// made under a key which is gone may still be good.
    private func isWorthTrying(_ token: RefreshToken) async throws -> Bool {
        if try tokens.isGenuine(token) { return true }
        guard let session = try await store.signedIn(token.sessionID)?.session else { return false }
        return try tokens.matches(token, digest: session.tokenDigest)
            || session.isInGrace(try tokens.digest(of: token), at: clock.now(), policy: sessionPolicy)
    }

    public func signedIn(by accessToken: SecretToken) async throws(PhoneFailure) -> SignedIn {
        let now = clock.now()
        let found = try await available { () throws -> SignedIn? in
            guard let token = try await authority.token(in: accessToken.text, at: now),
                let found = try await store.signedIn(token.sessionID), found.account.id == token.accountID
            else { return nil }
            return found
        }
        guard let found, found.holds(at: now) else { throw .notSignedIn }
        return found
    }

    public func signedIn(byRefreshToken token: SecretToken) async throws(PhoneFailure) -> SignedIn {
        guard let token = RefreshToken(token) else { throw .notSignedIn }
        let now = clock.now()
        let found = try await available { () throws -> SignedIn? in
            guard let found = try await store.signedIn(token.sessionID) else { return nil }
            let isGood = try tokens.matches(token, digest: found.session.tokenDigest)
            let digest = try tokens.digest(of: token)
            return isGood || found.session.isInGrace(digest, at: now, policy: sessionPolicy) ? found : nil
        }
        guard let found, found.holds(at: now) else { throw .notSignedIn }
        return found
    }

    /// The refresh token with an access token to it. Its moments are in whole seconds, as tokens write them.
    private func issue(_ token: RefreshToken, to signedIn: SignedIn) async throws -> IssuedTokens {
        let issuedAt = Timestamp(seconds: clock.now().milliseconds / 1000)
        let accessToken = AccessToken(
            id: try identifiers.makeIdentifier(),
            accountID: signedIn.account.id,
            sessionID: signedIn.session.id,
            isPhoneNumberVerified: signedIn.account.phoneNumber != nil,
            authenticatedAt: Timestamp(seconds: signedIn.session.createdAt.milliseconds / 1000),
            issuedAt: issuedAt,
            expiresAt: issuedAt + sessionPolicy.accessTokenTTL
        )
        return IssuedTokens(
            signedIn: signedIn,
            accessToken: SecretToken(try await authority.sign(accessToken)),
            expiresIn: sessionPolicy.accessTokenTTL,
            refreshToken: token
        )
    }
}
