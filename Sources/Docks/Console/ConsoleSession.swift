import CoreEncodings
import HTTPTypes
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup
package import PhoneStore

/// Somebody who is signed in to the console. Its key is the digest of the cookie, so that a reader of the database
/// cannot use it; it ends with the API key or the account's session that it was opened with.
package struct ConsoleSession: Record {
    let digest: String
    let apiKey: APIKey.ID?
    let accountSession: Session.ID?
    let createdAt: Timestamp
    let expiresAt: Timestamp

    package static let table = Table(
        "console_session",
        [
            .column("digest", .text), .optional("api_key", .id("key")), .optional("session", .id("ses")),
            .column("created_at", .integer), .column("expires_at", .integer),
        ],
        indexes: [("console_session_expires_at", "(expires_at, digest)")],
        expiry: "expires_at"
    )

    package var key: String { digest }

    package func write(to row: inout some ColumnWriter) {
        row.append(digest, apiKey, accountSession)
        row.append(createdAt, expiresAt)
    }

    /// Long enough for a morning, short enough for a machine that was left open.
    static let life: Duration = .seconds(4 * 3600)
}

extension ConsoleSession {
    package init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            digest: try row.text(),
            apiKey: try row.optionalID(),
            accountSession: try row.optionalID(),
            createdAt: try row.moment(),
            expiresAt: try row.moment()
        )
    }
}

/// What somebody may do. Each may do what those before it may.
enum Role: Int, CaseIterable, Comparable {
    /// Sees no number, prefix or address in full, and finds nobody by a number: ten thousand searches for what is
    /// masked would find it.
    case viewer
    /// Sees numbers, and does what helps one person and can be undone.
    case support
    case `operator`

    init?(_ scopes: Set<APIScope>) {
        if scopes.contains(.admin) {
            self = .operator
        } else if scopes.contains(.support) {
            self = .support
        } else if scopes.contains(.viewer) {
            self = .viewer
        } else {
            return nil
        }
    }

    static func < (one: Role, other: Role) -> Bool { one.rawValue < other.rawValue }
}

/// Who looks at a page.
struct Visitor: Sendable {
    let owner: Owner
    let name: String
    let role: Role
    /// What each form must bring.
    let formToken: String
    let address: ClientAddress?

    /// What it is on the audit log by.
    func author(_ reason: AuditReason? = nil) -> Operator { Operator(owner: owner, reason: reason, from: address) }

    var seesNumbers: Bool { role >= .support }

    /// A number as this one may see it.
    func shown(_ number: PhoneNumber?) -> String {
        guard let number else { return "–" }
        return seesNumbers ? number.internationalFormat : number.masked
    }

    /// What numbers begin with, or a network, as this one may see it: with the last digits of masked numbers, the
    /// prefix would reveal them.
    func shown(subject: String) -> String {
        seesNumbers ? subject : Self.withoutPrefixes(Self.withoutAddresses(subject))
    }

    /// What somebody wrote, as this one may see it.
    func shown(text: String) -> String {
        seesNumbers ? text : Self.withoutPrefixes(Self.withoutAddresses(text).withNumbersMasked)
    }

    private static func withoutPrefixes(_ text: String) -> String {
        text.replacingWords { word in
            guard word.utf8.first == UInt8(ascii: "+") else { return nil }
            return "+" + (NumberingPlans.callingCode(leading: word.dropFirst()) ?? "") + "…"
        }
    }

    private static func withoutAddresses(_ text: String) -> String {
        text.replacingWords { word in
            // In parentheses, or with a comma behind it.
            let core = word.drop { !$0.isHexDigit && $0 != ":" }.prefix { $0.isHexDigit || ":./".contains($0) }
            let isAddress = [core, core.dropLast()].contains {
                IPAddress(String($0)) != nil || ClientAddress.Network(String($0)) != nil
            }
            return isAddress ? "an address" : nil
        }
    }
}

extension String {
    /// - Parameter replacement: nil for a word that stays.
    fileprivate func replacingWords(_ replacement: (Substring) -> String?) -> String {
        split(separator: " ", omittingEmptySubsequences: false).map { replacement($0) ?? String($0) }
            .joined(separator: " ")
    }
}

/// Opens, finds and ends sessions.
struct ConsoleSessions: Sendable {
    let service: DockService
    let cookies: BrowserCookies
    /// Who signs in with a phone number; nil if nobody does.
    let operators: NumberOperators?

    private static let cookie = BrowserCookies.Kind("console")

    /// Opens a session for the holder of this key; nil if it opens none.
    func open(
        _ secret: String,
        for request: Request,
        from address: ClientAddress?,
        in response: inout Response
    ) async throws -> APIKey? {
        guard let key = try await service.keys.key(of: SecretToken(secret)), Role(key.scopes) != nil else { return nil }
        let entry = Operator(owner: key.owner, from: address)
            .entry(.signInToConsole, key.id.description, at: service.clock.now())
        try await open(apiKey: key.id, session: nil, entry, for: request, in: &response)
        return key
    }

    /// Opens a session for an operator who has proven their number. Returns whether it is one.
    func open(
        _ signedIn: SignedIn,
        for request: Request,
        from address: ClientAddress?,
        in response: inout Response
    ) async throws -> Bool {
        guard let number = signedIn.account.phoneNumber, role(of: signedIn) != nil else { return false }
        let entry = try Operator(owner: .operator(number.masked), from: address)
            .entry(
                .signInToConsole,
                number,
                signedIn.account.id.description,
                digester: service.digester,
                at: service.clock.now()
            )
        try await open(apiKey: nil, session: signedIn.session.id, entry, for: request, in: &response)
        return true
    }

    /// Opens a session in place of the one that this browser had.
    private func open(
        apiKey: APIKey.ID?,
        session: Session.ID?,
        _ entry: AuditEntry,
        for request: Request,
        in response: inout Response
    ) async throws {
        let token = try service.tokens.makeToken(prefix: "con_")
        let now = service.clock.now()
        let opened = ConsoleSession(
            digest: try digest(of: token.text),
            apiKey: apiKey,
            accountSession: session,
            createdAt: now,
            expiresAt: now + ConsoleSession.life
        )
        try await service.store.execute(.change) {
            try $0.put(opened)
            $0.append(entry)
        }
        try await end(request)
        cookies.set(Self.cookie, token.text, for: ConsoleSession.life, in: &response)
    }

    /// Nil if nobody is signed in.
    func visitor(of request: Request, from address: ClientAddress?) async throws -> Visitor? {
        guard let cookie = cookies.value(Self.cookie, of: request),
            let session = try await service.store.find(ConsoleSession.self, digest(of: cookie)),
            session.expiresAt > service.clock.now(), let (owner, name, role) = try await holder(of: session)
        else { return nil }
        let formToken = try cookies.formToken(for: cookie)
        return Visitor(owner: owner, name: name, role: role, formToken: formToken, address: address)
    }

    /// Nil if what it was opened with is not valid any more.
    private func holder(of session: ConsoleSession) async throws -> (Owner, name: String, Role)? {
        if let id = session.apiKey {
            guard let key = try await service.store.apiKey(id), key.revokedAt == nil, let role = Role(key.scopes)
            else { return nil }
            return (key.owner, key.name.description, role)
        }
        guard let id = session.accountSession, let signedIn = try await service.store.signedIn(id),
            let name = signedIn.account.phoneNumber?.masked, let role = role(of: signedIn),
            let client = signedIn.session.grant?.clientID,
            try await service.accounts.clients.client(client) != nil
        else { return nil }
        return (.operator(name), name, role)
    }

    /// The role that the settings give to the account's number; nil if that is no operator's.
    private func role(of signedIn: SignedIn) -> Role? {
        guard let operators, signedIn.holds(at: service.clock.now()),
            signedIn.session.grant?.clientID == operators.client
        else { return nil }
        return signedIn.account.phoneNumber.flatMap { operators.roles[$0] }
    }

    /// Gives the next page what an act did.
    func note(_ line: String, for request: Request, in response: inout Response) throws {
        guard let cookie = cookies.value(Self.cookie, of: request) else { return }
        let value = try Array(line.utf8).base64URL + "." + seal(line, of: cookie)
        cookies.set(Self.doneCookie, value, for: .seconds(60), in: &response)
    }

    /// What the last act did. Nil for what is not of this session: a page of another host of the domain may set cookies.
    func note(of request: Request) throws -> String? {
        guard let parts = cookies.value(Self.doneCookie, of: request)?.split(separator: "."), parts.count == 2,
            let cookie = cookies.value(Self.cookie, of: request), let bytes = [UInt8](.base64URL, parts[0].utf8)
        else { return nil }
        let line = String(decoding: bytes, as: UTF8.self)
        return try parts[1] == seal(line, of: cookie) ? line : nil
    }

    /// A note is shown once.
    func endNote(of request: Request, in response: inout Response) {
        if cookies.value(Self.doneCookie, of: request) != nil {
            cookies.set(Self.doneCookie, nil, for: .zero, in: &response)
        }
    }

    private static let doneCookie = BrowserCookies.Kind("console_done")

    private func seal(_ line: String, of cookie: String) throws -> String {
        try service.tokens.digest(of: SecretToken("done \(cookie) \(line)")).base64URL
    }

    /// Whether a form comes from a page of this visitor.
    func isGenuine(_ form: FormFields, _ request: Request) throws -> Bool {
        try cookies.fault(of: form, with: cookies.value(Self.cookie, of: request), from: request) == nil
    }

    /// Ends the session that this browser has, if it has one.
    private func end(_ request: Request) async throws {
        guard let cookie = cookies.value(Self.cookie, of: request) else { return }
        let digest = try digest(of: cookie)
        if let id = try await service.store.find(ConsoleSession.self, digest)?.accountSession,
            let signedIn = try await service.store.signedIn(id)
        {
            _ = try await service.accounts.end(.one(id), of: signedIn, from: nil)
        }
        try await service.store.execute(.change) { try $0.remove(ConsoleSession.self, digest) }
    }

    func end(_ request: Request, in response: inout Response) async throws {
        try await end(request)
        cookies.set(Self.cookie, nil, for: .zero, in: &response)
    }

    private func digest(of cookie: String) throws -> String {
        TextEncoding.hexadecimal.encode(try service.tokens.digest(of: SecretToken(cookie)))
    }
}
