import FoundationEssentials

public enum JSON: Encodable, Equatable, Sendable {
    case null
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    /// A text, unless JSON has a type for it.
    public init(_ value: (some CustomStringConvertible)?) {
        switch value {
        case nil: self = .null
        case let flag as Bool: self = .flag(flag)
        case let number as Int: self = .number(number)
        case let texts as [String]: self = .list(texts.map(JSON.text))
        case let text?: self = .text(text.description)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    public func document(onOneLine: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !onOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// Rows as a table for people, and as JSON for programs.
public struct Listing<Row> {
    public let rows: [Row]
    private let columns: [Column]
    private let hasNulls: Bool

    /// - Parameter hasNulls: whether JSON has null for a value that is missing, so that each object has each member.
    public init(_ rows: [Row], hasNulls: Bool = true, columns: [Column]) {
        self.rows = rows
        self.columns = columns
        self.hasNulls = hasNulls
    }

    public struct Column {
        fileprivate let title: String?
        fileprivate let member: String?
        fileprivate let cell: (Row) -> String
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
            (self.title, self.member) = (title, member)
            cell = { value($0)?.description ?? missing }
            json = { JSON(value($0)) }
        }

        /// A column whose cells and members differ.
        public init(_ title: String, _ member: String, cell: @escaping (Row) -> String, json: @escaping (Row) -> JSON) {
            (self.title, self.member, self.cell, self.json) = (title, member, cell, json)
        }
    }

    /// A line of titles and one for each row, in aligned columns without trailing blanks; control characters are escaped.
    public var table: String {
        let shown = columns.filter { $0.title != nil }
        let lines = [shown.compactMap(\.title)] + rows.map { row in shown.map { $0.cell(row).escaped } }
        let widths = shown.indices.map { column in lines.map { $0[column].columns }.max() ?? 0 }
        return lines.map { line in
            let text = zip(line, widths).map { $0.padded(toColumns: $1) }.joined(separator: "  ")
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
        .joined(separator: "\n")
    }

    /// A line for each column of a row: the title and the value.
    public func details(of row: Row) -> String {
        aligned(columns.compactMap { column in column.title.map { ($0, column.cell(row)) } })
    }

    /// The row as the members of an object.
    public func members(of row: Row) -> [String: JSON] {
        let members = columns.compactMap { column in column.member.map { ($0, column.json(row)) } }
        return Dictionary(members) { $1 }.filter { hasNulls || $0.value != .null }
    }

    public var json: JSON { .list(rows.map { .object(members(of: $0)) }) }

    /// - Parameter name: the member of the JSON object that has the rows.
    public func text(json isJSON: Bool, _ name: String, ifEmpty: String) throws -> String {
        if isJSON { return try JSON.object([name: json]).document() }
        return rows.isEmpty ? ifEmpty : table
    }
}

/// A line for each label and its value, aligned.
func aligned(_ values: [(label: String, value: String)]) -> String {
    let width = values.map(\.label.columns).max() ?? 0
    return values.map { "\($0.label.padded(toColumns: width))  \($0.value)" }.joined(separator: "\n")
}
