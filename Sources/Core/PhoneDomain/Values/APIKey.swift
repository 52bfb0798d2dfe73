import PhoneNumbers
public import PhoneSignup

/// The API key of a client program. It contains only the digest of the secret.
public struct APIKey: Identified, Hashable, Sendable {
    public static let identifierPrefix = "key"

    /// It is listed and revoked by its ID; no secret.
    public let id: ID
    /// The client program. Several keys may have one name, so that a program can rotate its key and keep its
    /// verifications.
    public let name: CallerName
    public let digest: [UInt8]
    /// Never empty.
    public let scopes: Set<APIScope>
    /// What it gives access to in an API of somebody else's words, in that API's words, and to nothing else; nil for a
    /// key of the service's own API.
    public let audience: String?
    public let createdAt: Timestamp
    /// When it was last used, to within ``useInterval``; nil if it never was.
    public private(set) var lastUsedAt: Timestamp?
    /// When it became invalid, or will; nil as long as it is valid.
    public private(set) var revokedAt: Timestamp?

    /// How long a use may go unrecorded after another, so that a busy key is not written all the time.
    public static let useInterval: Duration = .seconds(60)

    public init(
        id: ID,
        name: CallerName,
        digest: [UInt8],
        scopes: Set<APIScope>,
        audience: String? = nil,
        createdAt: Timestamp,
        lastUsedAt: Timestamp? = nil,
        revokedAt: Timestamp? = nil
    ) {
        (self.id, self.name, self.digest, self.scopes, self.audience) = (id, name, digest, scopes, audience)
        (self.createdAt, self.lastUsedAt, self.revokedAt) = (createdAt, lastUsedAt, revokedAt)
    }

    public var owner: Owner { .caller(name) }

    /// Returns whether it was valid.
    public mutating func revoke(at now: Timestamp) -> Bool {
        guard revokedAt == nil else { return false }
        revokedAt = now
        return true
    }

    public func shouldRecordUse(at now: Timestamp) -> Bool {
        lastUsedAt.map { $0 + Self.useInterval <= now } ?? true
    }

    /// Records a use. Instances may record uses out of order; the latest counts.
    public mutating func recordUse(at now: Timestamp) { lastUsedAt = max(lastUsedAt ?? now, now) }
}

/// What an ``APIKey`` allows. Raw values are stored, and operators write them.
public enum APIScope: String, Sendable, CaseIterable {
    /// Begin, check, see and cancel verifications, and have numbers assessed.
    case verifications
    /// All that operators do (the module `PhoneAdministration`), and the service's metrics.
    case admin
    /// Decide who a person is that has proven the number of a dormant account (``AccountPolicy/Recycling/ask``).
    case accounts
    /// See the console, with masked numbers.
    case viewer
    /// See the console with numbers in full, and do what helps one person.
    case support
}

extension Set where Element: RawRepresentable<String> {
    /// The names as they are stored and as OAuth writes them (RFC 6749 section 3.3): in order, with spaces between.
    public var list: String { map { $0.rawValue }.sorted().joined(separator: " ") }

    public init?(list: String) {
        self.init(list.split(separator: " ").compactMap { Element(rawValue: String($0)) })
        // An unknown name is missing now, and another order is sorted.
        if self.list != list { return nil }
    }
}

/// An operator's name for a client program: 1 to 64 of the characters that RFC 3986 section 2.3 leaves unreserved
/// (letters, digits, `-`, `.`, `_`, `~`), so that it can stand in any log.
public struct CallerName: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    public init?(_ description: String) {
        guard (1...64).contains(description.utf8.count),
            description.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-._~".utf8.contains($0) })
        else { return nil }
        self.description = description
    }
}
