/// So many of something within a time, by one key.
public struct RateLimit: Hashable, Sendable {
    /// How many at once, after a long silence, and on the long run within every ``window``; 1 to 1,000,000.
    public let quota: Int
    /// 1 second to 31 days, whole seconds.
    public let window: Duration

    private static let mostQuota = 1_000_000
    private static let longestWindow = 31 * 86_400

    /// - Returns: nil if a value is out of its range.
    public init?(quota: Int, window: Duration) {
        let (seconds, attoseconds) = window.components
        guard (1...Self.mostQuota).contains(quota), (1...Int64(Self.longestWindow)).contains(seconds), attoseconds == 0
        else { return nil }
        self.quota = quota
        self.window = window
    }

    /// Reads `30/1h`: a quota, and a whole number of seconds, minutes, hours or days (`s`, `m`, `h`, `d`).
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        // Digits alone: `Int` reads `+30` too.
        guard parts.count == 2, parts.allSatisfy({ $0.first?.isNumber ?? false }),
            let quota = Int(parts[0]), let unit = parts[1].last,
            let count = Int(parts[1].dropLast()), (1...Self.longestWindow).contains(count),
            let seconds = Self.units.first(where: { $0.name == unit })?.seconds
        else { return nil }
        self.init(quota: quota, window: .seconds(count * seconds))
    }

    /// The window as ``init(_:)`` reads it, in the largest unit that it is a whole number of: `1h`.
    var windowText: String {
        let seconds = Int(window.components.seconds)
        let unit = Self.units.first { seconds % $0.seconds == 0 } ?? (name: "s", seconds: 1)
        return "\(seconds / unit.seconds)\(unit.name)"
    }

    private static let units: [(name: Character, seconds: Int)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
}

extension RateLimit: CustomStringConvertible {
    /// As ``init(_:)`` reads it.
    public var description: String { "\(quota)/\(windowText)" }
}
