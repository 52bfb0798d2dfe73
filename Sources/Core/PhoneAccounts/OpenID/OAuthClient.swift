public import PhoneDomain
public import PhoneSignup

/// A program that signs people in by OpenID Connect: a relying party. Its ID is the `client_id`.
public struct OAuthClient: Hashable, Sendable {
    public typealias ID = RelyingParty.ID

    public let id: ID
    public fileprivate(set) var profile: ClientProfile
    /// The digest of its secret; nil for a public client: an app or a page, which could keep none.
    public private(set) var secretDigest: [UInt8]?
    /// The secret before that, for as long as the client's servers need to learn the new one.
    public private(set) var formerSecret: FormerSecret?
    public let createdAt: Timestamp
    /// When it became invalid, or will; nil as long as it is valid.
    public private(set) var revokedAt: Timestamp?

    public init(
        id: ID,
        profile: ClientProfile,
        secretDigest: [UInt8]?,
        formerSecret: FormerSecret? = nil,
        createdAt: Timestamp,
        revokedAt: Timestamp? = nil
    ) {
        (self.id, self.profile, self.secretDigest, self.formerSecret) = (id, profile, secretDigest, formerSecret)
        (self.createdAt, self.revokedAt) = (createdAt, revokedAt)
    }

    public struct FormerSecret: Hashable, Sendable {
        public let digest: [UInt8]
        public let endsAt: Timestamp
        public init(digest: [UInt8], endsAt: Timestamp) { (self.digest, self.endsAt) = (digest, endsAt) }
    }

    public var name: DisplayName { profile.name }
    public var isPublic: Bool { secretDigest == nil }
    /// Whether a code is exchanged only with the verifier of its request (RFC 7636). Nothing else protects a public
    /// client's.
    public var requiresPKCE: Bool { isPublic || profile.requiresPKCE }

    /// Whether a response may be sent there. Only native apps, which are public clients, choose a port of their own.
    public func mayRedirect(to uri: RedirectURI) -> Bool {
        profile.redirectURIs.contains { $0 == uri || isPublic && $0.matchesOnAnyPort(uri) }
    }

    /// Makes this the secret; the one before it is valid until the overlap ends. Of three the first is not.
    public mutating func replaceSecret(by digest: [UInt8], overlap: Duration, at now: Timestamp) {
        formerSecret = secretDigest.flatMap {
            overlap > .zero ? FormerSecret(digest: $0, endsAt: now + overlap) : nil
        }
        secretDigest = digest
    }

    /// Returns whether it was valid.
    public mutating func revoke(at now: Timestamp) -> Bool {
        guard revokedAt == nil else { return false }
        revokedAt = now
        return true
    }
}

/// What an operator decides about a client, and may change.
public struct ClientProfile: Hashable, Sendable {
    /// The pages show it, so it can contain no link and no number to call.
    public var name: DisplayName
    /// Empty for a client that signs nobody in.
    public var redirectURIs: [RedirectURI]
    /// What it may ask for on its own behalf, by the grant `client_credentials`; empty if it may not use that.
    public var scopes: Set<ClientScope>
    /// Where people may be sent after signing out.
    public var logoutURIs: [RedirectURI]
    /// The origins whose pages may show the sign-in page in a frame, as browsers write them.
    public var frameAncestors: [String]
    public var theme: ClientTheme
    /// `id_token_signed_response_alg`, by default as OpenID Connect Dynamic Client Registration 1.0 section 2 has it.
    public var idTokenAlgorithm: SigningAlgorithm
    /// Whether a confidential client must use PKCE; see ``OAuthClient/requiresPKCE``.
    public var requiresPKCE: Bool
    /// Whether it may have people signed in on devices without a browser (``DeviceAuthorization``).
    public var signsInDevices: Bool

    public init(
        name: DisplayName,
        redirectURIs: [RedirectURI],
        scopes: Set<ClientScope> = [],
        logoutURIs: [RedirectURI] = [],
        frameAncestors: [String] = [],
        theme: ClientTheme = .none,
        idTokenAlgorithm: SigningAlgorithm = .rs256,
        requiresPKCE: Bool = true,
        signsInDevices: Bool = false
    ) {
        (self.name, self.redirectURIs, self.scopes, self.logoutURIs) = (name, redirectURIs, scopes, logoutURIs)
        (self.frameAncestors, self.theme) = (frameAncestors, theme)
        (self.idTokenAlgorithm, self.requiresPKCE) = (idTokenAlgorithm, requiresPKCE)
        self.signsInDevices = signsInDevices
    }
}

/// What a client may do on its own behalf, in the words of the API that it is for: a scope-token of RFC 6749 section
/// 3.3 that means nothing in a person's sign-in.
public struct ClientScope: Hashable, Sendable, CustomStringConvertible, RawRepresentable {
    public let rawValue: String
    public var description: String { rawValue }

    public init?(_ text: String) {
        guard (1...100).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#""\"#.utf8.contains($0) }),
            OpenIDScope(rawValue: text) == nil, text != AccessToken.scope
        else { return nil }
        rawValue = text
    }

    public init?(rawValue: String) { self.init(rawValue) }
}

/// Registers clients and authenticates them. Every method throws what the ports throw.
public struct OAuthClients: Sendable {
    let store: any OpenIDStore
    let tokens: any TokenVault
    let identifiers: any IdentifierSource
    let clock: any WallClock

    public init(
        store: any OpenIDStore,
        tokens: any TokenVault,
        identifiers: any IdentifierSource,
        clock: any WallClock
    ) {
        (self.store, self.tokens, self.identifiers, self.clock) = (store, tokens, identifiers, clock)
    }

    /// Creates and saves a client. Its secret, which a public one has not, is returned once.
    public func create(
        _ profile: ClientProfile,
        isPublic: Bool,
        by author: Operator = Operator()
    ) async throws -> (client: OAuthClient, secret: SecretToken?) {
        let secret = isPublic ? nil : try tokens.makeToken(prefix: "cs_")
        let client = OAuthClient(
            id: try identifiers.makeIdentifier(),
            profile: profile,
            secretDigest: try secret.map(tokens.digest),
            createdAt: clock.now()
        )
        try await store.insert(client, audit: author.entry(.createClient, client.id.description, at: client.createdAt))
        return (client, secret)
    }

    /// The client with its changed profile; nil if there is none. Sign-ins that have begun go on under the new one.
    public func update(
        _ id: OAuthClient.ID,
        by author: Operator,
        _ change: @escaping @Sendable (inout ClientProfile) -> Void
    ) async throws -> OAuthClient? {
        let entry = author.entry(.updateClient, id.description, at: clock.now())
        return try await store.changeClient(id, audit: entry) { client in
            let before = client.profile
            change(&client.profile)
            return client.profile != before
        }
    }

    /// A new secret of a confidential client, returned once; nil if there is no such client, or it has none, or it is
    /// revoked. The one before it stays valid for `overlap`.
    public func rotateSecret(
        of id: OAuthClient.ID,
        overlap: Duration,
        by author: Operator
    ) async throws -> (client: OAuthClient, secret: SecretToken)? {
        let (secret, now) = (try tokens.makeToken(prefix: "cs_"), clock.now())
        let digest = try tokens.digest(of: secret)
        let entry = author.entry(.rotateClientSecret, id.description, at: now)
        let client = try await store.changeClient(id, audit: entry) { client in
            guard !client.isPublic, client.revokedAt == nil else { return false }
            client.replaceSecret(by: digest, overlap: overlap, at: now)
            return true
        }
        return client.flatMap { $0.secretDigest == digest ? ($0, secret) : nil }
    }

    /// Revokes the client; nil if there is none.
    public func revoke(_ id: OAuthClient.ID, by author: Operator = Operator()) async throws -> OAuthClient? {
        let now = clock.now()
        let entry = author.entry(.revokeClient, id.description, at: now)
        return try await store.changeClient(id, audit: entry) { $0.revoke(at: now) }
    }

    /// The client, unless it is revoked.
    public func client(_ id: OAuthClient.ID) async throws -> OAuthClient? {
        guard let client = try await store.client(id), client.revokedAt == nil else { return nil }
        return client
    }

    /// The client, if this is its secret or the one before it, or it has none and nobody claims one.
    public func client(_ id: OAuthClient.ID, secret: SecretToken?) async throws -> OAuthClient? {
        guard let client = try await client(id) else { return nil }
        switch (client.secretDigest, secret) {
        case (nil, nil): return client
        case (let digest?, let secret?):
            let now = clock.now()
            let former = client.formerSecret.flatMap { now < $0.endsAt ? $0.digest : nil }
            return try [digest, former].compactMap(\.self).contains { try tokens.matches(secret, digest: $0) }
                ? client : nil
        default: return nil
        }
    }
}
