import CoreEncodings
public import PhoneAdministration
public import PhoneDomain
import PhoneNumbers
import PhoneSignup

// What upkeep counts for operators, and who runs.

extension DailyFigure: Record {
    public static let table = Table(
        "daily_figure",
        [
            .column("key", .text), .column("requested", .integer),
            .column("suppressed", .integer), .column("sent", .integer), .column("delivered", .integer),
            .column("checked", .integer), .column("approved", .integer), .column("signed_up", .integer),
            // How many within each bound.
            .column("seconds_to_approval", .text), .column("cost", .integer), .column("expires_at", .integer),
        ],
        // It has the days in order as well, for the figures of some of them.
        indexes: [("daily_figure_expires_at", "(expires_at, key)")],
        expiry: "expires_at"
    )

    public func write(to row: inout some ColumnWriter) {
        row.append(key.description, requested, suppressed)
        row.append(sent, delivered, checked, approved)
        row.append(signedUp)
        row.append(numbers: secondsToApproval.count) { Int64(secondsToApproval[$0]) }
        row.append(cost, expiresAt)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(try row.parsed(Key.init))
        (requested, suppressed) = (try row.count(), try row.count())
        (sent, delivered) = (try row.count(), try row.count())
        (checked, approved) = (try row.count(), try row.count())
        signedUp = try row.count()
        let counts = try row.numbers().map { Int($0) }
        guard counts.count == secondsToApproval.count else { throw row.unreadable() }
        secondsToApproval = counts
        cost = try row.count()
        _ = try row.moment()
    }
}

extension DailyFigure.Key: TextKey {
    public init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let day = Int64(parts[0]), let region = Region(parts[1]) else { return nil }
        let channel = parts[2] == "-" ? nil : Channel(rawValue: parts[2])
        self.init(
            day: day,
            region: region,
            channel: channel,
            gateway: parts[3] == "-" ? nil : parts[3],
            caller: parts[4] == "-" ? nil : parts[4]
        )
        guard description == text else { return nil }
    }
}

/// How far the daily figures have been counted.
public struct FigureProgress: Record {
    public let name: String
    /// The last verification that was counted, or the hour up to which suppressed messages were, in 16 bytes.
    public let position: Verification.ID

    public init(_ name: String, _ position: Verification.ID) { (self.name, self.position) = (name, position) }

    public static let table = Table("figure_progress", [.column("name", .text), .column("position", .id("ver"))])

    static let (verifications, hours) = ("verifications", "suppressed_hours")

    public var key: String { name }

    public func write(to row: inout some ColumnWriter) { row.append(name, position) }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) { self.init(try row.text(), try row.id()) }
}

/// A row is rewritten every ``Instance/interval``, and deleted when the instance stops.
extension Instance: IdentifiedRecord {
    public static let table = Table(
        "instance",
        [
            .column("id", .id("ins")), .column("host", .text), .column("process", .integer), .column("version", .text),
            .column("started_at", .integer), .column("seen_at", .integer), .column("findings", .text),
        ]
    )

    /// Neither is one that was seen in the future: the database's clock was set back since.
    static func isLive(_ dialect: any SQLDialect) -> SQL {
        let patience = SQL(raw: "\(Self.patience.wholeMilliseconds)")
        return "seen_at BETWEEN \(dialect.now) - \(patience) AND \(dialect.now) + \(patience)"
    }

    public func write(to row: inout some ColumnWriter) {
        row.append(id, host, process)
        row.append(version, startedAt, seenAt)
        row.append(JSON.array(findings.map(\.json)).text)
    }

    public init(from row: inout some ColumnReader) throws(UnreadableRecord) {
        self.init(
            id: try row.id(),
            host: try row.text(),
            process: try row.count(),
            version: try row.text(),
            startedAt: try row.moment(),
            seenAt: try row.moment(),
            // What a newer version says in other words is left out.
            findings: (JSON(parsing: try row.text())?.array ?? []).compactMap(Finding.init)
        )
    }
}
