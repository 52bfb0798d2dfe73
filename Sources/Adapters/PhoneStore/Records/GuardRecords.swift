import PhoneAdministration
public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

// What limits, the guard and the audit log keep.

/// There is no row for a key that has its whole quota.
extension MeterInUse: Record {
    /// `full_at` is in microseconds, as ``RateMeter`` has it.
    public static let table = Table(
        "rate_meter",
        [.column("key", .text), .column("full_at", .integer)],
        isCommon: true
    )

    public func write(to row: inout some ColumnWriter) { row.append(key.description, meter.fullAt) }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(key: LimitKey(rawValue: try row.text()), meter: RateMeter(fullAt: try row.integer()))
    }
}

/// There is no row for numbers that nothing is known of.
extension KeyedTraffic: Record {
    public static let table = Table(
        "traffic",
        [
            .column("key", .text),
            // Four numbers for each hour: which, sent, approved, suppressed; at most 25 hours.
            .column("hours", .text), .optional("blocked_until", .integer), .column("refused_in_block", .integer),
            // The sums of the hours, by which an operator's question finds the few rows that matter.
            .column("requested", .integer), .column("approved", .integer), .column("silent_since", .integer),
            // Two numbers for each: the day, approved.
            .optional("peaks", .text), .optional("remembered_until", .integer),
        ],
        isCommon: true
    )

    public var isBlank: Bool { traffic.silentSince == nil && (traffic.peaks.isEmpty || !key.isRemembered) }

    public func write(to row: inout some ColumnWriter) {
        row.append(key.description)
        let hours = traffic.hours
        row.append(numbers: 4 * hours.count) { index in
            let hour = hours[index / 4]
            return switch index % 4 {
            case 0: hour.number
            case 1: Int64(hour.sent)
            case 2: Int64(hour.approved)
            default: Int64(hour.suppressed)
            }
        }
        let kept = traffic.kept
        row.append(traffic.blockedUntil, traffic.refusedInBlock, kept.sent, kept.approved)
        row.append(traffic.silentSince ?? Timestamp(milliseconds: 0))
        row.append(optionalNumbers: key.isRemembered ? traffic.peaks.flatMap { [$0.day, Int64($0.approved)] } : [])
        row.append(key.isRemembered ? traffic.rememberedUntil : nil)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        let key = try row.parsed(TrafficKey.init)
        let numbers = try row.numbers()
        guard numbers.count.isMultiple(of: 4) else { throw row.unreadable() }
        let hours = stride(from: 0, to: numbers.count, by: 4).map { (first: Int) -> Traffic.Hour in
            Traffic.Hour(
                number: numbers[first],
                sent: Int(numbers[first + 1]),
                approved: Int(numbers[first + 2]),
                suppressed: Int(numbers[first + 3])
            )
        }
        let (blockedUntil, refusedInBlock) = (try row.optionalMoment(), try row.count())
        _ = (try row.count(), try row.count(), try row.moment())
        let days = try row.optionalNumbers()
        guard days.count.isMultiple(of: 2) else { throw row.unreadable() }
        let peaks = stride(from: 0, to: days.count, by: 2).map { (first: Int) -> Traffic.Peak in
            Traffic.Peak(day: days[first], approved: Int(days[first + 1]))
        }
        let traffic = Traffic(hours: hours, blockedUntil: blockedUntil, refusedInBlock: refusedInBlock, peaks: peaks)
        self.init(key: key, traffic: traffic)
        _ = try row.optionalMoment()
    }
}

extension GuardRule: Record {
    public static let table = Table(
        "guard_rule",
        [
            .column("prefix", .text), .column("action", .text), .optional("until", .integer),
            .column("created_at", .integer),
        ],
        expiry: "until",
        // Other rules that fit a number are of more numbers than this.
        erasedNumber: "prefix"
    )

    public var key: String { prefix }

    public func write(to row: inout some ColumnWriter) { row.append(prefix, action.rawValue, until, createdAt) }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        let (prefix, action) = (try row.text(), try row.oneOf(Action.self))
        let (until, createdAt) = (try row.optionalMoment(), try row.moment())
        guard let rule = GuardRule(prefix: prefix, action: action, until: until, createdAt: createdAt) else {
            throw UnreadableRecord(table: Self.table.name, column: 0)
        }
        self = rule
    }
}

/// There is no row for what is as the settings say.
extension Override: Record {
    public static let table = Table(
        "setting_override",
        [.column("name", .text), .column("value", .text), .column("since", .integer)]
    )

    public var key: String { name }

    public func write(to row: inout some ColumnWriter) { row.append(name, value, since) }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(try row.text(), try row.text(), since: try row.moment())
    }
}

/// There is no row for a proof that no message went out for. A row lasts for minutes.
extension UsedProof: Record {
    public static let table = Table(
        "used_proof",
        [.column("key", .text), .column("expires_at", .integer)],
        indexes: [("used_proof_expires_at", "(expires_at, key)")],
        expiry: "expires_at"
    )

    public func write(to row: inout some ColumnWriter) { row.append(key, expiresAt) }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(key: try row.text(), expiresAt: try row.moment())
    }
}

/// An entry of the audit log. Its key is the moment in milliseconds and behind it a number that distinguishes entries
/// of one moment (``serial(at:_:)``): so the log lies in the order in which it is read, and a stretch of time is a
/// stretch of keys.
public struct AuditRecord: Record {
    /// Distinguishes entries of one moment: the later one has the higher number.
    public let serial: Int64
    public var entry: AuditEntry

    public init(serial: Int64, entry: AuditEntry) { (self.serial, self.entry) = (serial, entry) }

    /// How many entries of one millisecond there can be. 43 bits are left for the moment, enough until the year 2248.
    static let serialsPerMillisecond: Int64 = 1 << 20

    /// - Parameter number: below ``serialsPerMillisecond``; the later entry has the higher one.
    public static func serial(at moment: Timestamp, _ number: Int64) -> Int64 {
        let last = Int64.max / serialsPerMillisecond - 1
        let milliseconds = moment.milliseconds
        let clamped: Int64 = milliseconds < -last ? -last : min(milliseconds, last)
        return clamped * serialsPerMillisecond + number
    }

    public static let table = Table(
        "audit_entry",
        [
            .column("id", .integer), .column("at", .integer), .column("action", .text), .optional("owner", .text),
            .optional("address", .text), .optional("verification_id", .id("ver")), .optional("masked_number", .text),
            .optional("number_digest", .text), .optional("prefix_digest", .text), .optional("region", .text),
            .optional("verdict", .text), .column("reasons", .text), .optional("subject", .text),
            .optional("reason", .text),
            // Six numbers: sent, approved and budget of the prefix, then of the country.
            .optional("measure", .text), .optional("reference", .text), .optional("tags", .text),
        ],
        // Acts that are few have an index; those of each message are found by reading from the newest on.
        indexes: [("audit_entry_few", "(action, id) WHERE \(fewActions)")]
    )

    /// The condition of the index. Not with NOT IN: SQLite would make a table each time that an entry is written.
    static let fewActions = frequent.map { "action <> '\($0.rawValue)'" }.joined(separator: " AND ")

    /// The condition of what operators did. Nobody else gives a reason.
    static let operatorsActs: String = {
        let actions = AuditEntry.Action.allCases.filter(\.isOfOperators).map { "'\($0.rawValue)'" }
        return "(reason IS NOT NULL OR action IN (\(actions.joined(separator: ", "))))"
    }()

    static let frequent: [AuditEntry.Action] = [.begin, .resend, .suppress, .approve, .mismatch, .signUp]

    public var key: Int64 { serial }

    public func write(to row: inout some ColumnWriter) {
        row.append(serial, entry.at, entry.action.rawValue, entry.owner?.rawValue)
        row.append(entry.address?.description, entry.verificationID, entry.maskedNumber)
        row.append(entry.numberDigest?.description, entry.prefixDigest?.description, entry.region?.description)
        row.append(entry.verdict?.rawValue)
        switch entry.reasons.count {
        case 0: row.append("")
        case 1: row.append(entry.reasons[0].rawValue)
        default: row.append(entry.reasons.map(\.rawValue).joined(separator: " "))
        }
        row.append(entry.subject, entry.reason?.description)
        let parts = entry.measure.map { [$0.prefix, $0.country] } ?? []
        row.append(optionalNumbers: parts.flatMap { [Int64($0.sent), Int64($0.approved), Int64($0.budget)] })
        row.append(entry.labels)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        let serial = try row.integer()
        let at = try row.moment()
        self.init(
            serial: serial,
            entry: AuditEntry(
                at: at,
                action: try row.oneOf(),
                owner: try row.optionalParsed(Owner.init(rawValue:)),
                address: try row.optionalParsed(ClientAddress.init),
                verificationID: try row.optionalID(),
                maskedNumber: try row.optionalText(),
                numberDigest: try row.optionalText().map(NumberDigest.init(rawValue:)),
                prefixDigest: try row.optionalText().map(NumberDigest.init(rawValue:)),
                region: try row.optionalParsed(Region.init),
                verdict: try row.optionalOneOf(),
                reasons: try row.parsed(Self.reasons),
                subject: try row.optionalText(),
                reason: try row.optionalParsed(AuditReason.init),
                measure: try Self.measure(&row),
                labels: try row.labels()
            )
        )
    }

    private static func measure(_ row: inout some ColumnReader) throws(UnreadableRecord) -> GuardMeasure? {
        let numbers = try row.optionalNumbers().map { Int($0) }
        if numbers.isEmpty { return nil }
        guard numbers.count == 6 else { throw row.unreadable() }
        return GuardMeasure(
            prefix: .init(sent: numbers[0], approved: numbers[1], budget: numbers[2]),
            country: .init(sent: numbers[3], approved: numbers[4], budget: numbers[5])
        )
    }

    private static func reasons(_ text: String) -> [GuardVerdict.Reason]? {
        let names = text.split(separator: " ")
        let reasons = names.compactMap { GuardVerdict.Reason(rawValue: String($0)) }
        return reasons.count == names.count ? reasons : nil
    }
}
