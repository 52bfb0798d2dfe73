public import PhoneAccounts
import PhoneDomain

// Clients of OpenID Connect, and their codes. Their sessions are among those of accounts.

extension OAuthClient: IdentifiedRecord {
    /// Lists have a line for each element, since none of them contains a line break.
    public static let table = Table(
        "client",
        [
            .column("id", .id("cli")), .column("name", .text), .optional("secret_digest", .bytes),
            .column("redirect_uris", .text), .column("scopes", .text), .column("logout_uris", .text),
            .column("frame_ancestors", .text),
            .optional("logo", .text), .optional("accent", .text), .optional("radius", .integer),
            .column("id_token_algorithm", .text), .column("requires_pkce", .boolean),
            .column("signs_in_devices", .boolean),
            .optional("former_secret_digest", .bytes), .optional("former_secret_ends_at", .integer),
            .column("created_at", .integer), .optional("revoked_at", .integer),
        ]
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(id, name.description, secretDigest, Self.lines(profile.redirectURIs.map(\.description)))
        row.append(profile.scopes.list)
        row.append(Self.lines(profile.logoutURIs.map(\.description)), Self.lines(profile.frameAncestors))
        row.append(profile.theme.logo?.description, profile.theme.accent?.description, profile.theme.radius)
        row.append(profile.idTokenAlgorithm.rawValue, profile.requiresPKCE, profile.signsInDevices)
        row.append(formerSecret?.digest, formerSecret?.endsAt)
        row.append(createdAt, revokedAt)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        let (id, name, secretDigest) = (try row.id() as ID, try row.parsed(DisplayName.init), try row.optionalBytes())
        let profile = ClientProfile(
            name: name,
            redirectURIs: try row.parsed(Self.addresses),
            scopes: try row.parsed(Set<ClientScope>.init(list:)),
            logoutURIs: try row.parsed(Self.addresses),
            frameAncestors: try row.parsed(Self.elements),
            theme: try Self.theme(&row),
            idTokenAlgorithm: try row.parsed(SigningAlgorithm.init(rawValue:)),
            requiresPKCE: try row.flag(),
            signsInDevices: try row.flag()
        )
        let former = (digest: try row.optionalBytes(), endsAt: try row.optionalMoment())
        self.init(
            id: id,
            profile: profile,
            secretDigest: secretDigest,
            formerSecret: former.digest.flatMap { digest in
                former.endsAt.map { FormerSecret(digest: digest, endsAt: $0) }
            },
            createdAt: try row.moment(),
            revokedAt: try row.optionalMoment()
        )
    }

    private static func theme(_ row: inout some ColumnReader) throws(UnreadableRecord) -> ClientTheme {
        let logo = try row.optionalParsed(RedirectURI.init)
        let accent = try row.optionalParsed(Color.init)
        let radius = try row.optionalInteger()
        do {
            return try ClientTheme(logo: logo, accent: accent, radius: radius.map { Int($0) })
        } catch {
            throw row.unreadable()
        }
    }

    private static func lines(_ elements: [String]) -> String { elements.joined(separator: "\n") }
    private static func elements(_ text: String) -> [String]? { text.split(separator: "\n").map(String.init) }

    private static func addresses(_ text: String) -> [RedirectURI]? {
        let lines = text.split(separator: "\n")
        let addresses = lines.compactMap { RedirectURI(String($0)) }
        return addresses.count == lines.count ? addresses : nil
    }
}

extension AuthorizationCode: IdentifiedRecord {
    public static let table = Table(
        "authorization_code",
        [
            .column("id", .id("azc")), .column("digest", .bytes), .column("client_id", .id("cli")),
            .column("scopes", .text), .column("redirect_uri", .text), .optional("challenge", .bytes),
            .optional("nonce", .text), .column("session_id", .id("ses")), .column("expires_at", .integer),
            .optional("used_at", .integer),
        ],
        guards: ["used_at"]
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(id, digest, grant.clientID, grant.scopes.list)
        row.append(redirectURI.description, challenge, nonce, sessionID)
        row.append(expiresAt, usedAt)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            digest: try row.bytes(),
            grant: ClientGrant(clientID: try row.id(), scopes: try row.parsed(Set<OpenIDScope>.init(list:))),
            redirectURI: try row.parsed(RedirectURI.init),
            challenge: try row.optionalBytes(),
            nonce: try row.optionalText(),
            sessionID: try row.id(),
            expiresAt: try row.moment(),
            usedAt: try row.optionalMoment()
        )
    }
}

/// A row lasts for ten minutes.
extension DeviceAuthorization: Record {
    public static let table = Table(
        "device_authorization",
        [
            .column("key", .text), .column("device_digest", .bytes), .column("client_id", .id("cli")),
            .column("scopes", .text), .optional("address", .text), .optional("user_agent", .text),
            .column("created_at", .integer), .column("expires_at", .integer), .column("opened_session_id", .id("ses")),
            .column("interval_seconds", .integer), .optional("asked_at", .integer), .column("status", .text),
            .optional("session_id", .id("ses")),
        ],
        indexes: [("device_authorization_expires_at", "(expires_at, key)")],
        expiry: "expires_at"
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(key, deviceDigest, grant.clientID, grant.scopes.list)
        row.append(address?.description, userAgent, createdAt, expiresAt)
        row.append(openedSessionID, Int64(interval.components.seconds), askedAt, status.rawValue)
        row.append(sessionID)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            key: try row.text(),
            deviceDigest: try row.bytes(),
            grant: ClientGrant(clientID: try row.id(), scopes: try row.parsed(Set<OpenIDScope>.init(list:))),
            address: try row.optionalParsed { ClientAddress($0) },
            userAgent: try row.optionalText(),
            createdAt: try row.moment(),
            expiresAt: try row.moment(),
            openedSessionID: try row.id(),
            interval: .seconds(try row.integer()),
            askedAt: try row.optionalMoment(),
            status: try row.parsed(Status.init(rawValue:)),
            sessionID: try row.optionalID()
        )
    }
}
