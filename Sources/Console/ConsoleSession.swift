import HTTPTypes
import PhoneDock
import PhoneDomain
import PhoneHTTP
package import Records
import TextEncodings

/// Somebody who is signed in to the console. Its key is the digest of the cookie, so that whoever reads the database
/// cannot use it; it ends with the key that it was opened with.
package struct ConsoleSession: Record {
    let digest: String
    let apiKey: APIKey.ID
    let createdAt: Timestamp
    let expiresAt: Timestamp

    package static let table = Table(
        "console_session",
        [
            .column("digest", .text), .column("api_key", .id("key")), .column("created_at", .integer),
            .column("expires_at", .integer),
        ],
        indexes: [("console_session_expires_at", "(expires_at, digest)")],
        expiry: "expires_at"
    )

    package var key: String { digest }

    init(digest: String, apiKey: APIKey.ID, createdAt: Timestamp, expiresAt: Timestamp) {
        (self.digest, self.apiKey, self.createdAt, self.expiresAt) = (digest, apiKey, createdAt, expiresAt)
    }

    package func write(to row: inout Row) { row.append(digest, apiKey, createdAt, expiresAt) }

    package init(from row: inout RowReader) throws(UnreadableRecord) {
        self.init(
            digest: try row.text(),
            apiKey: try row.id(),
            createdAt: try row.moment(),
            expiresAt: try row.moment()
        )
    }

    /// Long enough for a morning, short enough for a machine that was left open.
    static let life: Duration = .seconds(4 * 3600)
}

/// What somebody may do. Each may do what those before it may.
enum Role: Int, Comparable {
    /// Sees everything, numbers masked.
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

    /// A number as this one may see it.
    func shown(_ number: PhoneNumber?) -> String {
        guard let number else { return "–" }
        return role >= .support ? number.internationalFormat : number.masked
    }
}

/// Opens, finds and ends sessions.
struct ConsoleSessions: Sendable {
    let service: DockService
    let cookies: BrowserCookies

    private static let cookie = BrowserCookies.Kind("console")

    /// Opens a session for the holder of this key; nil if it opens none.
    func open(_ secret: String, in response: inout Response) async throws -> APIKey? {
        guard let key = try await service.keys.key(of: SecretToken(secret)), Role(key.scopes) != nil else { return nil }
        let token = try service.tokens.makeToken(prefix: "con_")
        let now = service.clock.now()
        let session = ConsoleSession(
            digest: try digest(of: token.text),
            apiKey: key.id,
            createdAt: now,
            expiresAt: now + ConsoleSession.life
        )
        try await service.store.execute(.change) { $0.put(session) }
        cookies.set(Self.cookie, token.text, for: ConsoleSession.life, in: &response)
        return key
    }

    /// Nil if nobody is signed in.
    func visitor(of request: Request) async throws -> Visitor? {
        guard let cookie = cookies.value(Self.cookie, of: request),
            let session = try await service.store.find(ConsoleSession.self, digest(of: cookie)),
            session.expiresAt > service.clock.now(),
            let key = try await service.store.apiKey(session.apiKey), key.revokedAt == nil,
            let role = Role(key.scopes)
        else { return nil }
        return Visitor(
            owner: key.owner,
            name: key.name.description,
            role: role,
            formToken: try cookies.formToken(for: cookie)
        )
    }

    /// Whether a form comes from a page of this visitor.
    func isGenuine(_ form: [String: String], _ request: Request) throws -> Bool {
        try cookies.fault(of: form, with: cookies.value(Self.cookie, of: request), from: request) == nil
    }

    func end(_ request: Request, in response: inout Response) async throws {
        if let cookie = cookies.value(Self.cookie, of: request) {
            let digest = try digest(of: cookie)
            try await service.store.execute(.change) { _ = try $0.remove(ConsoleSession.self, digest, audit: nil) }
        }
        cookies.set(Self.cookie, nil, for: .zero, in: &response)
    }

    private func digest(of cookie: String) throws -> String {
        TextEncoding.hexadecimal.encode(try service.tokens.digest(of: SecretToken(cookie)))
    }
}
