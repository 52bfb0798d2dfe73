public import CoreEncodings
public import PhoneDomain

extension JSON {
    /// A string, unless JSON has a type for the value.
    public init(_ value: (some CustomStringConvertible)?) {
        switch value {
        case nil: self = .null
        case let flag as Bool: self = .bool(flag)
        case let number as Int: self = .integer(number)
        case let texts as [String]: self = .array(texts.map { .string($0) })
        case let text?: self = .string(text.description)
        }
    }
}

/// How values are written for people.
public enum ListingStyle: Hashable, Sendable {
    /// Whole IDs, and times in RFC 3339: for files and pipes.
    case full
    /// Short IDs, and ages: for a terminal. Columns without any value are left out.
    case short(now: Timestamp)

    func text(of value: some CustomStringConvertible) -> String {
        guard case .short(let now) = self else { return value.description }
        return switch value {
        case let moment as Timestamp: moment.age(at: now)
        case let id as any ShortNamed: id.shortName
        default: value.description
        }
    }
}

extension Timestamp {
    /// `3m ago` or `in 11h`, in the largest unit that makes it 1 or more.
    func age(at now: Timestamp) -> String {
        let seconds = (self - now).wholeMilliseconds / 1000
        let text =
            switch abs(seconds) {
            case ..<60: "\(abs(seconds))s"
            case ..<3600: "\(abs(seconds) / 60)m"
            case ..<86_400: "\(abs(seconds) / 3600)h"
            default: "\(abs(seconds) / 86_400)d"
            }
        return seconds > 0 ? "in \(text)" : "\(text) ago"
    }
}

/// What has a short name besides its whole one, as commits have.
public protocol ShortNamed: CustomStringConvertible {
    /// The prefix and the last eight digits, which are random.
    var shortName: String { get }
}

extension Identifier: ShortNamed {
    public var shortName: String { "\(Subject.identifierPrefix)_\(hexadecimal.suffix(8))" }
}

extension EventID: ShortNamed {
    /// The kind and the last eight digits of what it is about; the whole ID of what happens more than once.
    public var shortName: String {
        guard let end = description.lastIndex(of: "_"), description[end...].utf8.count == 33 else { return description }
        return "\(description[...end])\(description.suffix(8))"
    }
}

/// An ID as a person writes it: whole, or shortened as lists in a terminal show it (``ShortNamed``).
public struct ShortName: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    private let prefix: String

    /// Nil unless the text is the prefix and 8 to 32 lower-case hexadecimal digits.
    public init?(_ text: String, prefix: String) {
        let digits = text.utf8.dropFirst(prefix.utf8.count)
        guard text.hasPrefix(prefix), (8...32).contains(digits.count),
            digits.allSatisfy({
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            })
        else { return nil }
        (description, self.prefix) = (text, prefix)
    }

    public func matches(_ id: String) -> Bool {
        id.hasPrefix(prefix) && id.hasSuffix(description.dropFirst(prefix.count))
    }
}

/// Rows as a table for people, and as JSON for programs.
public struct Listing<Row> {
    public let rows: [Row]
    private let columns: [Column]
    private let hasNulls: Bool

    /// - Parameter hasNulls: whether JSON has null for a value that is missing, so that each object has each member.
    public init(_ rows: [Row], hasNulls: Bool = true, columns: [Column]) {
        (self.rows, self.columns, self.hasNulls) = (rows, columns, hasNulls)
    }

    public struct Column {
        fileprivate let title: String?
        fileprivate let member: String?
        /// Nil if the row has no value.
        fileprivate let cell: (Row, ListingStyle) -> String?
        fileprivate let missing: String
        fileprivate let json: (Row) -> JSON

        /// - Parameters:
        ///   - title: nil for JSON only.
        ///   - member: nil for the table only.
        ///   - missing: what the table has for nil.
        public init<Value: CustomStringConvertible>(
            _ title: String?,
            _ member: String?,
            missing: String = "-",
            _ value: @escaping (Row) -> Value?
        ) {
            (self.title, self.member, self.missing) = (title, member, missing)
            cell = { row, style in value(row).map(style.text) }
            json = { JSON(value($0)) }
        }

        /// A column whose cells and members differ.
        public init(_ title: String, _ member: String, cell: @escaping (Row) -> String, json: @escaping (Row) -> JSON) {
            (self.title, self.member, missing, self.json) = (title, member, "-", json)
            self.cell = { row, _ in cell(row) }
        }

        /// Whether a table in this style has the column.
        fileprivate func isShown(for rows: [Row], in style: ListingStyle) -> Bool {
            guard title != nil else { return false }
            return style == .full || missing != "-" || rows.contains { cell($0, style) != nil }
        }
    }

    /// A line of titles and one for each row, in aligned columns without trailing blanks; control characters are
    /// escaped.
    public func table(_ style: ListingStyle = .full) -> String {
        let shown = columns.filter { $0.isShown(for: rows, in: style) }
        let lines =
            [shown.compactMap(\.title)] + rows.map { row in shown.map { ($0.cell(row, style) ?? $0.missing).escaped } }
        let widths = shown.indices.map { column in lines.map { $0[column].columns }.max() ?? 0 }
        return lines.map { line in
            let text = zip(line, widths).map { $0.padded(toColumns: $1) }.joined(separator: "  ")
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
        .joined(separator: "\n")
    }

    /// A line for each column of a row: the title and the value.
    public func details(of row: Row, _ style: ListingStyle = .full) -> String {
        aligned(columns.compactMap { column in column.title.map { ($0, column.cell(row, style) ?? column.missing) } })
    }

    /// The row as the members of an object, in the order of the columns.
    public func members(of row: Row) -> [JSON.Member] {
        columns.compactMap { column in column.member.map { JSON.Member($0, column.json(row)) } }
            .filter { hasNulls || $0.value != .null }
    }

    public var json: JSON { .array(rows.map { .object(members(of: $0)) }) }

    /// - Parameter name: the member of the JSON object that has the rows.
    public func text(
        json isJSON: Bool,
        _ name: String,
        ifEmpty: String,
        _ style: ListingStyle = .full
    ) -> String {
        if isJSON { return JSON.object([.init(name, json)]).indentedText }
        return rows.isEmpty ? ifEmpty : table(style)
    }
}

/// A line for each label and its value, aligned.
func aligned(_ values: [(label: String, value: String)]) -> String {
    let width = values.map(\.label.columns).max() ?? 0
    return values.map { "\($0.label.padded(toColumns: width))  \($0.value)" }.joined(separator: "\n")
}
