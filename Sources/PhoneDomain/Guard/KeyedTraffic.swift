/// The traffic of a prefix, a country or all.
public struct KeyedTraffic: Hashable, Sendable {
    /// Of what.
    public let key: TrafficKey
    /// The traffic.
    public let traffic: Traffic

    /// The traffic of this key.
    public init(key: TrafficKey, traffic: Traffic) {
        self.key = key
        self.traffic = traffic
    }

    /// Those that are blocked first, then those to which most was sent within the last day; of equals the one whose key
    /// comes first. What counts nothing any more and is not blocked is left out.
    public static func ranked(_ all: [KeyedTraffic], at now: Timestamp) -> [KeyedTraffic] {
        all.map { (of: $0, isBlocked: $0.traffic.isBlocked(at: now), day: $0.traffic.lastDay(at: now)) }
            .filter { $0.isBlocked || $0.day != Traffic.Sample() || $0.of.traffic.heldBackLastDay(at: now) > 0 }
            .sorted {
                if $0.isBlocked != $1.isBlocked { return $0.isBlocked }
                if $0.day.sent != $1.day.sent { return $0.day.sent > $1.day.sent }
                return $0.of.key.description < $1.of.key.description
            }
            .map(\.of)
    }
}
