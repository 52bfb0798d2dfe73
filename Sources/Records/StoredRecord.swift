public import PhoneDomain

/// One record of a store with all that belongs to it, in the form in which every store has it.
public struct StoredRecord: Hashable, Sendable {
    /// What kind of record it is.
    public let kind: RecordKind
    /// Its columns.
    public let row: Row

    init(kind: RecordKind, row: Row) {
        self.kind = kind
        self.row = row
    }

    /// A record of a kind that is copied.
    public init<R: CopiedRecord>(_ record: R) { self.init(kind: R.recordKind, row: Row(record)) }

    /// By what it is found among those of its kind.
    public var key: SQLValue { row[0] }

    /// The record, if it is of this type.
    public func record<R: CopiedRecord>(
        as type: R.Type = R.self,
        plans: NumberingPlans = .builtIn
    ) throws(UnreadableRecord) -> R? {
        guard R.recordKind == kind else { return nil }
        var reader = RowReader(row, of: R.table.name, plans: plans)
        return try R(from: &reader)
    }

    /// All of the record in bytes that no other record has: the kind, then each column with its type and its length, so that no
    /// two lists of columns give the same bytes.
    public var encoded: [UInt8] {
        var bytes = Array(kind.rawValue.utf8)
        bytes.reserveCapacity(bytes.count + row.bytes.count + row.columns.count * 9)
        for column in row.columns {
            bytes.append(column.kind.rawValue)
            let number = column.kind == .integer ? column.integer : Int64(column.end - column.start)
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: row.bytes[column.start..<column.end])
        }
        return bytes
    }
}

/// A record that is copied from one store to another.
public protocol CopiedRecord: Record {
    static var recordKind: RecordKind { get }
}

extension RecordKind {
    /// The type of its records.
    public var type: any CopiedRecord.Type {
        switch self {
        case .account: Account.self
        case .session: Session.self
        case .numberChange: NumberChange.self
        case .verification: Verification.self
        case .message: OutboxMessage.self
        case .event: Event.self
        case .signup: Signup.self
        case .idempotentRequest: IdempotentRequest.self
        case .activity: ActiveNumber.self
        case .meter: MeterInUse.self
        case .traffic: KeyedTraffic.self
        case .guardRule: GuardRule.self
        case .apiKey: APIKey.self
        case .tenant: Tenant.self
        case .safeNumber: SafeNumber.self
        case .signingKey: SigningKey.self
        case .auditEntry: AuditRecord.self
        }
    }

    /// Where its records are.
    public var table: Table { type.table }

    /// The tables of all records, with that of the holders of numbers, in the order in which they are copied.
    public static let tables: [Table] = allCases.map(\.table) + [NumberHolder.table]
}

extension Account: CopiedRecord { public static var recordKind: RecordKind { .account } }
extension Session: CopiedRecord { public static var recordKind: RecordKind { .session } }
extension NumberChange: CopiedRecord { public static var recordKind: RecordKind { .numberChange } }
extension Verification: CopiedRecord { public static var recordKind: RecordKind { .verification } }
extension OutboxMessage: CopiedRecord { public static var recordKind: RecordKind { .message } }
extension Event: CopiedRecord { public static var recordKind: RecordKind { .event } }
extension Signup: CopiedRecord { public static var recordKind: RecordKind { .signup } }
extension IdempotentRequest: CopiedRecord { public static var recordKind: RecordKind { .idempotentRequest } }
extension ActiveNumber: CopiedRecord { public static var recordKind: RecordKind { .activity } }
extension MeterInUse: CopiedRecord { public static var recordKind: RecordKind { .meter } }
extension KeyedTraffic: CopiedRecord { public static var recordKind: RecordKind { .traffic } }
extension GuardRule: CopiedRecord { public static var recordKind: RecordKind { .guardRule } }
extension APIKey: CopiedRecord { public static var recordKind: RecordKind { .apiKey } }
extension Tenant: CopiedRecord { public static var recordKind: RecordKind { .tenant } }
extension SafeNumber: CopiedRecord { public static var recordKind: RecordKind { .safeNumber } }
extension SigningKey: CopiedRecord { public static var recordKind: RecordKind { .signingKey } }
extension AuditRecord: CopiedRecord { public static var recordKind: RecordKind { .auditEntry } }
