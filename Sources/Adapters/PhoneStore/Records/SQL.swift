public import PhoneSignup

/// A value for a parameter of a statement.
public enum SQLValue: ColumnValue, Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    public static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
    public static func moment(_ moment: Timestamp) -> SQLValue { .integer(moment.milliseconds) }
    public static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }

    public func write(to row: inout some ColumnWriter) {
        switch self {
        case .null: row.appendNull()
        case .integer(let number): row.append(number)
        case .text(let text): row.append(text)
        case .bytes(let bytes): row.append(bytes)
        }
    }

    /// Whether a key comes before another of its type, in the order of every store.
    public func precedes(_ other: SQLValue) -> Bool {
        switch (self, other) {
        case (.integer(let one), .integer(let two)): one < two
        case (.text(let one), .text(let two)): one.utf8.lexicographicallyPrecedes(two.utf8)
        case (.bytes(let one), .bytes(let two)): one.lexicographicallyPrecedes(two)
        default: false
        }
    }
}

/// A statement or a part of one. What is interpolated is a parameter and never text, unless it is a table, another
/// part, or `raw`: `"SELECT id FROM \(Session.table) WHERE account_id = \(id) LIMIT \(limit: 10)"`.
public struct SQL: ExpressibleByStringInterpolation, Sendable {
    /// The text before, between and after the parameters.
    private var texts: [String]
    public private(set) var arguments: [SQLValue] = []

    public init(raw text: String) { texts = [text] }
    public init(stringLiteral text: String) { self.init(raw: text) }
    public init(stringInterpolation: Interpolation) { self = stringInterpolation.sql }

    /// The statement, with `$1` for the first parameter.
    public var text: String { texts.indices.dropFirst().reduce(into: texts[0]) { $0 += "$\($1)\(texts[$1])" } }

    public static func += (sql: inout SQL, part: SQL) {
        sql.texts[sql.texts.count - 1] += part.texts[0]
        sql.texts += part.texts.dropFirst()
        sql.arguments += part.arguments
    }

    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var sql = SQL(raw: "")

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ text: String) { sql.texts[sql.texts.count - 1] += text }
        public mutating func appendInterpolation(raw text: String) { appendLiteral(text) }
        public mutating func appendInterpolation(_ table: Table) { appendLiteral(table.name) }
        public mutating func appendInterpolation(_ part: SQL) { sql += part }

        public mutating func appendInterpolation(_ value: SQLValue) {
            sql.arguments.append(value)
            sql.texts.append("")
        }

        public mutating func appendInterpolation(_ key: some RecordKey) { appendInterpolation(key.value) }
        public mutating func appendInterpolation(_ moment: Timestamp) { appendInterpolation(.moment(moment)) }
        /// None, if it is negative.
        public mutating func appendInterpolation(limit: Int) { appendInterpolation(.integer(max(0, limit))) }
    }
}

/// Where the two engines use other words.
public protocol SQLDialect: Sendable {
    /// Whether others may change rows between two statements of a transaction, unless they are locked.
    var isShared: Bool { get }
    /// Joins in the order that is written, where the engine would otherwise choose a worse one.
    var orderedJoin: SQL { get }
    /// `IN (…)` a subselect of keys, which are locked, and read once.
    func inKeys(_ subselect: SQL) -> SQL
    /// Names the index that a table is to be searched by, where the engine would choose another.
    func indexedBy(_ index: String) -> SQL
    /// What comes before a condition on a verification's number, to search by its index: every day that there is,
    /// `AND` included.
    var everyDay: SQL { get }
    /// One row: the version of the tables, and the bytes of the database.
    var facts: SQL { get }
    /// The database's clock, in milliseconds since 1970.
    var now: SQL { get }
}

extension SQLDialect {
    /// Ends a SELECT whose rows are about to change: passes over what another instance works on.
    var skippingLocked: SQL { isShared ? " FOR UPDATE SKIP LOCKED" : "" }
    /// Ends a SELECT whose rows are about to change: waits for the transactions that work on them.
    var forUpdate: SQL { isShared ? " FOR UPDATE" : "" }
}

/// The index of verifications by number, which has the day in front.
///
/// Numbers lie anywhere: by them alone, each new row would change a page anywhere in an index of millions, which must
/// be fetched first, and which PostgreSQL logs as a whole. With the day in front new rows lie in the newest part, which
/// is small and in memory. A search goes through the days one by one. An engine uses the index for the very expression
/// that it is made of.
public enum DayIndex {
    private static let millisecondsPerDay: Int64 = 86_400_000

    public static let definition =
        "CREATE INDEX verification_live ON verification ((\(day(of: "created_at"))), e164)"

    /// The day of a moment: since 1970, and toward it if it is before, as both engines divide.
    public static func day(of moment: Timestamp) -> Int64 { moment.milliseconds / millisecondsPerDay }

    /// The day of a moment, as every statement writes it that is to use the index.
    public static func day(of column: String) -> String { "\(column) / \(millisecondsPerDay)" }

    /// What comes before a condition on the number, to search in the days between two moments.
    public static func days(_ first: Timestamp, _ last: Timestamp) -> SQL {
        let days = (day(of: first)...max(day(of: first), day(of: last))).map(String.init)
        return SQL(raw: "\(day(of: "verification.created_at")) IN (\(days.joined(separator: ", "))) AND ")
    }

    /// What comes before a condition on the number, to search in every day that there is. An engine would search with
    /// the rest of the index only where the day is given; so every one is listed.
    ///
    /// - Parameter isArray: whether the list is an array, which PostgreSQL computes once.
    static func everyDay(isArray: Bool) -> SQL {
        let day = day(of: "verification.created_at")
        let days = """
            WITH RECURSIVE days(known) AS (
                SELECT max(\(day)) FROM verification
                UNION ALL SELECT (SELECT max(\(day)) FROM verification WHERE \(day) < known) FROM days
                WHERE known IS NOT NULL
            )
            SELECT known FROM days WHERE known IS NOT NULL
            """
        return SQL(raw: isArray ? "\(day) = ANY(ARRAY(\(days))) AND " : "\(day) IN (\(days)) AND ")
    }
}
