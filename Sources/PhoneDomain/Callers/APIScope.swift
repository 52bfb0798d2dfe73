/// What the holder of an ``APIKey`` may do. The raw values are what stores keep and what operators write.
public enum APIScope: String, Sendable, CaseIterable {
    /// Begin, check, see and cancel verifications, and have numbers judged.
    case verifications
    /// See how the service fares: its metrics.
    case admin
    /// Decide who somebody is that has proven the number of a dormant account (``AccountPolicy/Recycling/ask``).
    case accounts
}

extension Set<APIScope> {
    /// The scopes as stores keep them and as OAuth writes them (RFC 6749 section 3.3): in order, with spaces between.
    public var list: String {
        map(\.rawValue).sorted().joined(separator: " ")
    }

    /// Reads what ``list`` wrote; nil for anything else.
    public init?(list: String) {
        let scopes = list.utf8.split(separator: UInt8(ascii: " ")).map { APIScope(rawValue: String(Substring($0))) }
        let known = Set(scopes.compactMap(\.self))
        guard !scopes.contains(nil), known.list == list else { return nil }
        self = known
    }
}
