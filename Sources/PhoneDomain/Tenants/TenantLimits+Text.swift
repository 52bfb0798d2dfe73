extension [TenantLimit] {
    /// The text form, as stores keep it: a line for each limit, and one for each of its buckets behind it.
    public var rawText: String {
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

    /// Reads what ``rawText`` wrote; nil for anything else.
    public init?(rawText: String) {
        self = []
        // By bytes: a line's text may end in a character that joins with the line break.
        for line in rawText.utf8.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: false)
                .map { String(Substring($0)) }
            guard parts.count == 6, let createdAt = Int64(parts[2]), let updatedAt = Int64(parts[3]) else { return nil }
            let (created, updated) = (Timestamp(milliseconds: createdAt), Timestamp(milliseconds: updatedAt))
            switch parts[0] {
            case "L":
                guard let id = TenantLimit.ID(hexadecimal: parts[1]), let name = UniqueName(parts[4]) else {
                    return nil
                }
                append(
                    TenantLimit(
                        id: id,
                        uniqueName: name,
                        text: parts[5],
                        buckets: [],
                        createdAt: created,
                        updatedAt: updated
                    )
                )
            case "B":
                guard let id = TenantLimit.Bucket.ID(hexadecimal: parts[1]), let quota = Int(parts[4]),
                    let seconds = Int64(parts[5]), let limit = RateLimit(quota: quota, window: .seconds(seconds)),
                    !isEmpty
                else { return nil }
                self[count - 1].buckets.append(
                    TenantLimit.Bucket(id: id, limit: limit, createdAt: created, updatedAt: updated)
                )
            default: return nil
            }
        }
    }
}
