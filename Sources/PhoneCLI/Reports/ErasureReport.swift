import FoundationEssentials
public import PhoneDomain

/// The result of the erasure of a number, for a person and for a program.
public struct ErasureReport: Sendable {
    private let erasure: Erasure
    private let maskedNumber: String
    private let filesAreClean: Bool

    /// - Parameters:
    ///   - filesAreClean: whether the number is gone from the store's files too.
    public init(_ erasure: Erasure, of number: PhoneNumber, filesAreClean: Bool) {
        self.erasure = erasure
        maskedNumber = number.masked
        self.filesAreClean = filesAreClean
    }

    private var counts: [(name: String, key: String, count: Int)] {
        [
            ("Accounts", "accounts", erasure.accounts),
            ("Sessions", "sessions", erasure.sessions),
            ("Changes of number", "number_changes", erasure.numberChanges),
            ("Verifications", "verifications", erasure.verifications),
            ("Messages", "messages", erasure.messages),
            ("Signups", "signups", erasure.signups),
            ("Number's activity", "number_activities", erasure.activities),
            ("Guard rules", "guard_rules", erasure.guardRules),
            ("Safe lists", "safe_numbers", erasure.safeNumbers),
            ("Limits", "limit_meters", erasure.limitMeters),
            ("Kept answers", "answers", erasure.answers),
            ("Others' metadata", "account_metadata", erasure.metadata),
            ("Audit entries unlinked", "audit_entries", erasure.auditEntries),
        ]
    }

    /// A table of what was erased, or one line if there was nothing.
    public var text: String {
        if erasure.isEmpty { return "Nothing is left of \(maskedNumber)." }
        let width = counts.map(\.name.columns).max() ?? 0
        return counts.map { "\($0.name.padded(toColumns: width))  \($0.count)" }.joined(separator: "\n")
    }

    /// One object of counts on one line, and whether the files are clean.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let members = Dictionary(uniqueKeysWithValues: counts.map { ($0.key, Member.count($0.count)) })
        let all = members.merging(["files_are_clean": .flag(filesAreClean)]) { $1 }
        return String(decoding: try encoder.encode(all), as: UTF8.self)
    }

    private enum Member: Encodable {
        case count(Int)
        case flag(Bool)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .count(let count): try container.encode(count)
            case .flag(let flag): try container.encode(flag)
            }
        }
    }
}
