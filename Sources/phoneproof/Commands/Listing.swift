import Foundation
import PhoneCLI

/// A value in JSON.
enum JSON: Encodable, Equatable {
    case null
    case number(Int)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    /// - Parameter text: nil for null.
    init(_ text: (some CustomStringConvertible)?) { self = text.map { .text($0.description) } ?? .null }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// The value as commands print it with `--json`.
    func document() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// Rows as a table for people, and as JSON for programs.
struct Listing<Row> {
    let rows: [Row]
    let columns: [Column]
    /// Whether JSON has null for a value that is missing, so that each object has each member.
    var hasNulls = true

    struct Column {
        fileprivate let title: String?
        fileprivate let member: String?
        fileprivate let cell: (Row) -> String
        fileprivate let json: (Row) -> JSON

        /// - Parameters:
        ///   - title: nil for JSON only.
        ///   - member: nil for the table only.
        ///   - missing: what the table has for nil.
        init<Value: CustomStringConvertible>(
            _ title: String?,
            _ member: String?,
            missing: String = "-",
            _ value: @escaping (Row) -> Value?
        ) {
            self.title = title
            self.member = member
            cell = { value($0)?.description ?? missing }
            json = { row in (value(row) as? Int).map(JSON.number) ?? JSON(value(row)) }
        }

        /// A column whose cells and members differ.
        init(_ title: String, _ member: String, cell: @escaping (Row) -> String, json: @escaping (Row) -> JSON) {
            (self.title, self.member, self.cell, self.json) = (title, member, cell, json)
        }
    }

    var table: String {
        let shown = columns.filter { $0.title != nil }
        return TextTable(shown.compactMap(\.title), rows.map { row in shown.map { $0.cell(row) } }).text
    }

    /// What a command prints.
    ///
    /// - Parameter name: the member of the JSON object that has the rows.
    func text(json isJSON: Bool, _ name: String, ifEmpty: String) throws -> String {
        if isJSON { return try JSON.object([name: json]).document() }
        return rows.isEmpty ? ifEmpty : table
    }

    var json: JSON {
        .list(
            rows.map { row in
                let members = columns.compactMap { column in column.member.map { ($0, column.json(row)) } }
                return .object(Dictionary(members) { $1 }.filter { hasNulls || $0.value != .null })
            }
        )
    }
}
