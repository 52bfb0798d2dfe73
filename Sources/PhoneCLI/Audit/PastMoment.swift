public import PhoneDomain

/// A moment that a person names: as RFC 3339 has it, or as so long ago, `2h` or `7d`.
public enum PastMoment: Hashable, Sendable {
    /// This moment.
    case at(Timestamp)
    /// So long before now.
    case ago(Duration)

    private static let seconds: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

    /// Reads `2026-11-21T09:00:00Z`, with any offset, or a whole number of at most six digits and `s`, `m`, `h` or `d`.
    ///
    /// - Returns: nil for anything else.
    public init?(_ text: String) {
        if let unit = text.last.flatMap({ Self.seconds[$0] }), text.utf8.count <= 7,
            text.dropLast().utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let count = Int(text.dropLast())
        {
            self = .ago(.seconds(count * unit))
        } else if let moment = Timestamp(rfc3339: text) {
            self = .at(moment)
        } else {
            return nil
        }
    }

    /// The moment that is meant.
    public func moment(now: Timestamp) -> Timestamp {
        switch self {
        case .at(let moment): moment
        case .ago(let duration): now - duration
        }
    }
}
