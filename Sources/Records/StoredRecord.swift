public import PhoneDomain

/// One record of a store with all that belongs to it, in the form in which every store has it.
public struct StoredRecord: Hashable, Sendable {
    public let kind: RecordKind
    public let row: Row

    public init(_ kind: RecordKind, _ row: Row) { (self.kind, self.row) = (kind, row) }

    /// The key by which it is found among those of its kind.
    public var key: SQLValue { row[0] }

    /// The record, if it is of this type.
    public func record<R: Record>(
        as type: R.Type = R.self
    ) throws(UnreadableRecord) -> R? { R.table === kind.table ? try R(row) : nil }

    /// - Throws: ``UnreadableRecord`` if it makes no sense.
    func validate() throws(UnreadableRecord) {
        func read<R: Record>(_ type: R.Type) throws(UnreadableRecord) { _ = try R(row) }
        try read(kind.type)
    }

    public var encoded: [UInt8] { row.encoded(as: kind.table.name) }
}

extension Row {
    /// All of the row in bytes that no other row has: the table, then each column with its type and its length, so that
    /// no two lists of columns give the same bytes.
    func encoded(as table: String) -> [UInt8] {
        var bytes = Array(table.utf8)
        bytes.reserveCapacity(bytes.count + self.bytes.count + columns.count * 9)
        for column in columns {
            bytes.append(column.kind.rawValue)
            let number = column.kind == .integer ? column.integer : Int64(column.end - column.start)
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: self.bytes[column.start..<column.end])
        }
        return bytes
    }
}

extension RecordKind {
    public var type: any Record.Type {
        switch self {
        case .account: Account.self
        case .client: OAuthClient.self
        case .session: Session.self
        case .authorizationCode: AuthorizationCode.self
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

    public var table: Table { type.table }

    /// The tables of all records, with that of the holders of numbers, in the order in which they are copied.
    public static let tables: [Table] = allCases.map(\.table) + [NumberHolder.table]
}
