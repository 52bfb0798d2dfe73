/// All signing keys of a service, and which of them does what at a moment.
public struct SigningKeys: Hashable, Sendable {
    /// In order of their making, and then of their names; those that are gone among them, until they are deleted.
    public private(set) var all: [SigningKey]

    /// These keys.
    public init(_ keys: some Sequence<SigningKey>) {
        all = keys.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
    }

    /// Those that others are told of: with them tokens can be verified, now or soon.
    public func published(at now: Timestamp) -> [SigningKey] {
        all.filter { !$0.isGone(at: now) }
    }

    /// The one that signs: of those that are to sign the latest. The first of a service signs at once, even where the clock
    /// of the machine that made it is ahead of ours. Nil if there is none.
    public func signing(at now: Timestamp) -> SigningKey? {
        let published = published(at: now)
        return published.filter { $0.activeAt <= now }.max(by: Self.signsBefore)
            ?? published.min(by: Self.signsBefore)
    }

    /// From when on this key no longer signs, since another does; nil if none is to follow.
    public func end(of key: SigningKey) -> Timestamp? {
        all.filter { Self.signsBefore(key, $0) }.min(by: Self.signsBefore)?.activeAt
    }

    mutating func add(_ key: SigningKey) {
        self = SigningKeys(all + [key])
    }

    /// Lets every key go at this moment, unless it goes before.
    mutating func go(at moment: Timestamp) {
        for index in all.indices { all[index].go(at: moment) }
    }

    /// Lets those go at this moment that were to stay.
    mutating func goAtLast(at moment: Timestamp) {
        for index in all.indices where all[index].goneAt == nil { all[index].go(at: moment) }
    }

    private static func signsBefore(_ one: SigningKey, _ other: SigningKey) -> Bool {
        (one.activeAt, one.id.description) < (other.activeAt, other.id.description)
    }
}
