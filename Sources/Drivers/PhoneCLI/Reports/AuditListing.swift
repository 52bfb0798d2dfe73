public import CoreEncodings
public import PhoneSignup

extension Listing {
    /// Entries of the audit log.
    public init(entries: [JSON]) {
        self.init(
            entries,
            [
                .init("TIME", "at"), .init("ACTION", "action"),
                .init("ABOUT") { Self.words([$0["masked_number"], $0["subject"]]) },
                .init("VERIFICATION", "verification_id"), .init("BY", "owner"), .init("ADDRESS", "address"),
                .init("DETAILS") { entry in
                    entry["verdict"]?.string == nil
                        ? entry["reason"]?.string : Self.words([entry["verdict"], entry["reasons"]])
                },
            ]
        )
    }

    private static func words(_ values: [JSON?]) -> String? {
        let words = values.compactMap(\.self).map(\.cellText).filter { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

/// A time in the past as a person types it: in RFC 3339, or as a duration before now, such as `2h` or `7d`.
public enum PastTime: Hashable, Sendable {
    case at(Timestamp)
    case ago(Duration)

    private static let seconds: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

    /// Parses `2026-11-21T09:00:00Z`, with any offset, or a whole number of at most six digits and `s`, `m`, `h` or
    /// `d`.
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

    public func moment(now: Timestamp) -> Timestamp {
        switch self {
        case .at(let moment): moment
        case .ago(let duration): now - duration
        }
    }
}
