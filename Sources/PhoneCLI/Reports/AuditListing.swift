import FoundationEssentials
public import PhoneDomain

/// Entries of the audit log as a table.
public struct AuditTable: Sendable {
    private let table: TextTable

    private static let titles = ["TIME", "ACTION", "NUMBER", "VERIFICATION", "OWNER", "ADDRESS", "VERDICT"]

    public init(_ entries: [AuditEntry]) { table = TextTable(Self.titles, entries.map(Self.row)) }

    /// One line for each entry, with `-` for what is not known.
    public var text: String { table.text }

    private static func row(_ entry: AuditEntry) -> [String] {
        let verdict = entry.verdict.map { verdict in
            ([verdict.rawValue] + entry.reasons.map(\.rawValue)).joined(separator: " ")
        }
        return [
            entry.at.description, entry.action.rawValue, entry.maskedNumber, entry.verificationID?.description,
            entry.owner?.rawValue, entry.address?.description, verdict,
        ].map { $0 ?? "-" }
    }
}

extension AuditEntry {
    /// The entry as one line of JSON. Every member is present, null if not known.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Line(entry: self)), as: UTF8.self)
    }

    private struct Line: Encodable {
        let entry: AuditEntry

        private enum CodingKeys: String, CodingKey {
            case at, action, owner, address, region, verdict, reasons
            case verificationID = "verification_id"
            case maskedNumber = "masked_number"
            case numberDigest = "number_digest"
            case prefixDigest = "prefix_digest"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(entry.at.description, forKey: .at)
            try container.encode(entry.action.rawValue, forKey: .action)
            try container.encode(entry.owner?.rawValue, forKey: .owner)
            try container.encode(entry.address?.description, forKey: .address)
            try container.encode(entry.verificationID?.description, forKey: .verificationID)
            try container.encode(entry.maskedNumber, forKey: .maskedNumber)
            try container.encode(entry.numberDigest?.description, forKey: .numberDigest)
            try container.encode(entry.prefixDigest?.description, forKey: .prefixDigest)
            try container.encode(entry.region?.description, forKey: .region)
            try container.encode(entry.verdict?.rawValue, forKey: .verdict)
            try container.encode(entry.reasons.map(\.rawValue), forKey: .reasons)
        }
    }
}

/// A time in the past as a person types it: in RFC 3339, or as a duration before now, such as `2h` or `7d`.
public enum PastTime: Hashable, Sendable {
    case at(Timestamp)
    case ago(Duration)

    private static let seconds: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

    /// Parses `2026-11-21T09:00:00Z`, with any offset, or a whole number of at most six digits and `s`, `m`, `h` or `d`.
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
