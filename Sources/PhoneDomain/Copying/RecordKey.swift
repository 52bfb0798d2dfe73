/// By what a record is found among those of its kind: no two of a kind have the same. Its order is the same in every
/// store, whatever the store's own order of texts.
public enum RecordKey: Hashable, Sendable, Comparable {
    /// A text, in order of its bytes in UTF-8.
    case text(String)
    /// The number of an audit entry (``AuditCursor/serial``).
    case serial(Int64)

    public static func < (one: RecordKey, other: RecordKey) -> Bool {
        switch (one, other) {
        case (.text(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
        case (.serial(let one), .serial(let other)): one < other
        case (.text, .serial): true
        case (.serial, .text): false
        }
    }

    /// The text, or nil if it is none.
    public var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The number, or nil if it is none.
    public var serial: Int64? {
        guard case .serial(let serial) = self else { return nil }
        return serial
    }
}
