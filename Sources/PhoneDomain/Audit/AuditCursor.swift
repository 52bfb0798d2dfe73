/// A place in the audit trail, at which a page ends and the next one begins.
public struct AuditCursor: Hashable, Sendable, Comparable {
    /// When the entry at this place was written.
    public let at: Timestamp
    /// Tells entries of one moment apart: the later one has the higher number.
    public let serial: Int64

    /// The place of an entry, as a store has it.
    public init(at: Timestamp, serial: Int64) {
        self.at = at
        self.serial = serial
    }

    public static func < (one: AuditCursor, other: AuditCursor) -> Bool {
        (one.at, one.serial) < (other.at, other.serial)
    }
}
