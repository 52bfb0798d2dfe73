import CoreEncodings
public import PhoneDomain

extension Listing<AuditEntry> {
    public init(_ entries: [AuditEntry]) {
        self.init(
            entries,
            columns: [
                .init("TIME", "at") { $0.at },
                .init("ACTION", "action") { $0.action.rawValue },
                .init("ABOUT", nil) { About($0) },
                .init("VERIFICATION", "verification_id") { $0.verificationID },
                .init("BY", "owner") { $0.owner.map { Actor($0) } },
                .init("ADDRESS", "address") { $0.address },
                .init("DETAILS", nil) { entry in
                    entry.verdict.map { ([$0.rawValue] + entry.reasons.map(\.rawValue)).joined(separator: " ") }
                        ?? entry.reason?.description
                },
                .init(nil, "masked_number") { $0.maskedNumber },
                .init(nil, "subject") { $0.subject },
                .init(nil, "reason") { $0.reason },
                .init(nil, "verdict") { $0.verdict?.rawValue },
                .init(nil, "reasons") { $0.reasons.map(\.rawValue) },
                .init(nil, "region") { $0.region },
                .init(nil, "number_digest") { $0.numberDigest },
                .init(nil, "prefix_digest") { $0.prefixDigest },
            ]
        )
    }

    /// The entry as one line of JSON. Every member is present, null if not known.
    public static func line(of entry: AuditEntry) -> String {
        JSON.object(Listing([]).members(of: entry)).text
    }
}

/// What an entry is about, beside a verification: a number, another thing, or both.
private struct About: ShortNamed {
    let entry: AuditEntry

    /// Nil if it is about neither.
    init?(_ entry: AuditEntry) {
        if entry.maskedNumber == nil, entry.subject == nil { return nil }
        self.entry = entry
    }

    var description: String { [entry.maskedNumber, entry.subject].compactMap(\.self).joined(separator: " ") }
    var shortName: String {
        [entry.maskedNumber, entry.subject.map(Self.short)].compactMap(\.self).joined(separator: " ")
    }

    /// An ID by its short name.
    private static func short(_ subject: String) -> String {
        let parts = subject.split(separator: "_")
        return parts.count == 2 && parts[1].utf8.count == 32 ? "\(parts[0])_\(parts[1].suffix(8))" : subject
    }
}

/// Who is behind an entry.
private struct Actor: ShortNamed {
    let owner: Owner

    init(_ owner: Owner) { self.owner = owner }

    var description: String { owner.rawValue }

    var shortName: String {
        switch owner {
        case .signup(let id): id.shortName
        case .session(let id): id.shortName
        case .client(let api, _, let id): "\(api):\(id.suffix(8))"
        case .caller, .operator, .local: description
        }
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
