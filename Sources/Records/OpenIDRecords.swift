public import PhoneDomain

// Clients of OpenID Connect, and their codes. Their sessions are among those of accounts.

extension OAuthClient: IdentifiedRecord {
    /// Lists have a line for each element, since none of them contains a line break.
    public static let table = Table(
        "client",
        [
            .column("id", .id("cli")), .column("name", .text), .optional("secret_digest", .bytes),
            .column("redirect_uris", .text), .column("logout_uris", .text), .column("frame_ancestors", .text),
            .optional("logo", .text), .optional("accent", .text), .optional("radius", .integer),
            .column("created_at", .integer), .optional("revoked_at", .integer),
        ]
    )

    public func write(to row: inout Row) {
        row.append(id, name.description, secretDigest, Self.lines(redirectURIs.map(\.description)))
        row.append(Self.lines(logoutURIs.map(\.description)), Self.lines(frameAncestors))
        row.append(theme.logo?.description, theme.accent?.description, theme.radius)
        row.append(createdAt, revokedAt)
    }

    public init(from row: inout RowReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            name: try row.parsed(TenantName.init),
            secretDigest: try row.optionalBytes(),
            redirectURIs: try row.parsed(Self.addresses),
            logoutURIs: try row.parsed(Self.addresses),
            frameAncestors: try row.parsed(Self.elements),
            theme: try Self.theme(&row),
            createdAt: try row.moment(),
            revokedAt: try row.optionalMoment()
        )
    }

    private static func theme(_ row: inout RowReader) throws(UnreadableRecord) -> ClientTheme {
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
            .column("scopes", .text), .column("redirect_uri", .text), .column("challenge", .bytes),
            .optional("nonce", .text), .column("session_id", .id("ses")), .column("expires_at", .integer),
            .optional("used_at", .integer),
        ],
        guards: ["used_at"]
    )

    public func write(to row: inout Row) {
        row.append(id, digest, grant.clientID, grant.scopes.list)
        row.append(redirectURI.description, challenge, nonce, sessionID)
        row.append(expiresAt, usedAt)
    }

    public init(from row: inout RowReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            digest: try row.bytes(),
            grant: ClientGrant(clientID: try row.id(), scopes: try row.parsed(Set<OpenIDScope>.init(list:))),
            redirectURI: try row.parsed(RedirectURI.init),
            challenge: try row.bytes(),
            nonce: try row.optionalText(),
            sessionID: try row.id(),
            expiresAt: try row.moment(),
            usedAt: try row.optionalMoment()
        )
    }
}

extension RecordKeys {
    /// To exchange a code. Of it only its session is asked for, which never changes.
    static func of(_ command: ExchangeCode, _ code: AuthorizationCode?) -> RecordKeys {
        var keys = RecordKeys(.authorizationCode, .id(command.id))
        keys.need(.sessionWithOthers, code.map { .id($0.sessionID) })
        keys.need(.session, code.map { .id($0.openedSessionID) })
        return keys
    }
}

extension RecordStore {
    public func insert(_ client: OAuthClient, audit entry: AuditEntry) async throws {
        try await perform(.change) {
            $0.clients.put(client)
            $0.append(entry)
        }
    }

    public func client(_ id: OAuthClient.ID) async throws -> OAuthClient? { try await find(OAuthClient.self, id) }

    public func revokeClient(
        _ id: OAuthClient.ID,
        at now: Timestamp,
        audit entry: AuditEntry
    ) async throws -> OAuthClient? {
        try await change(.client, id) { unit in
            try unit.change(unit.clients, id) { if $0.revoke(at: now) { unit.append(entry) } }
        }
    }

    public func insert(_ code: AuthorizationCode, within limits: TakeLimits) async throws {
        try await perform(.change, needing: { .of(limits.rules) }) { unit in
            try unit.counted(limits) { $0.authorizationCodes.put(code) }
        }
    }

    public func exchange(_ command: ExchangeCode) async throws -> ExchangeCode.Outcome {
        let code = try await find(AuthorizationCode.self, command.id)
        return try await perform(.change, needing: { .of(command, code) }) { try $0.exchange(command) }
    }
}

extension UnitOfWork {
    func exchange(_ command: ExchangeCode) throws -> ExchangeCode.Outcome {
        let code = try authorizationCodes.find(command.id)
        let signedIn = try code.flatMap { try self.signedIn($0.sessionID) }
        let opened = try code.flatMap { try sessions.find($0.openedSessionID) }
        let account = try signedIn?.account ?? opened.flatMap { try accounts.find($0.accountID) }
        var state = ExchangeCode.State(code: code, signedIn: signedIn, opened: opened, account: account)
        let outcome = try command.apply(to: &state)
        if let changed = state.code, changed != code { authorizationCodes.put(changed) }
        try keep(state.account, loaded: account, at: command.now)
        try keep(state.opened, loaded: opened, of: state.account, at: command.now)
        append(state.audit)
        return outcome
    }
}
