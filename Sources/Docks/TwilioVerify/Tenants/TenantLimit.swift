import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// A key that a tenant counts its messages by, such as its client's address or account, and the allowed rates: what
/// Twilio calls a programmable rate limit (https://www.twilio.com/docs/verify/api/service-rate-limits).
struct TenantLimit: Identified, Hashable, Sendable {
    static let identifierPrefix = "lim"

    struct Bucket: Identified, Hashable, Sendable {
        static let identifierPrefix = "buc"
        let id: ID
        var limit: RateLimit
        let createdAt: Timestamp
        var updatedAt: Timestamp
    }

    static let mostBuckets = 10
    /// The longest value that is counted, in bytes.
    static let longestValue = 256
    let id: ID
    /// What clients name it by; unique within a tenant.
    let uniqueName: UniqueName
    /// The owner's description; without line breaks, at most 256 bytes.
    var text: String
    /// All of them apply, oldest first; no two have the same window.
    var buckets: [Bucket] = []
    let createdAt: Timestamp
    var updatedAt: Timestamp

    /// What a message with this value is subject to. The value is digested, since it may be a person's address.
    func rules(for value: NumberDigest, of tenant: Tenant.ID) -> [LimitRule] {
        buckets.map { bucket in LimitRule("tenant", bucket.limit, of: "\(tenant.hexadecimal).\(uniqueName).\(value)") }
    }
}

extension [TenantLimit] {
    /// The text form, as it is stored: a line for each limit, followed by one for each of its buckets.
    var rawText: String {
        map { limit in
            let head = "L \(limit.id.hexadecimal) \(limit.createdAt.milliseconds) \(limit.updatedAt.milliseconds)"
            let buckets = limit.buckets.map { bucket in
                "B \(bucket.id.hexadecimal) \(bucket.createdAt.milliseconds) \(bucket.updatedAt.milliseconds) "
                    + "\(bucket.limit.quota) \(bucket.limit.window.components.seconds)"
            }
            return (["\(head) \(limit.uniqueName) \(limit.text)"] + buckets).joined(separator: "\n")
        }
        .joined(separator: "\n")
    }

    init?(rawText: String) {
        self = []
        // By bytes: a line's text may end in a character that combines with the line break.
        for line in rawText.utf8.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: false)
                .map { String(Substring($0)) }
            guard parts.count == 6, let createdAt = Int64(parts[2]), let updatedAt = Int64(parts[3]) else { return nil }
            let (created, updated) = (Timestamp(milliseconds: createdAt), Timestamp(milliseconds: updatedAt))
            switch parts[0] {
            case "L":
                guard let id = TenantLimit.ID(hexadecimal: parts[1]), let name = UniqueName(parts[4])
                else { return nil }
                append(TenantLimit(id: id, uniqueName: name, text: parts[5], createdAt: created, updatedAt: updated))
            case "B":
                guard let id = TenantLimit.Bucket.ID(hexadecimal: parts[1]), let quota = Int(parts[4]),
                    let seconds = Int64(parts[5]), let limit = RateLimit(quota: quota, window: .seconds(seconds)),
                    !isEmpty
                else { return nil }
                self[count - 1].buckets.append(.init(id: id, limit: limit, createdAt: created, updatedAt: updated))
            default: return nil
            }
        }
    }
}

/// How clients name a ``TenantLimit``: 1 to 64 ASCII letters, digits, `-`, `_` and `.`.
struct UniqueName: Hashable, Sendable, LosslessStringConvertible {
    let description: String

    init?(_ description: String) {
        guard (1...64).contains(description.utf8.count),
            description.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) })
        else { return nil }
        self.description = description
    }
}
