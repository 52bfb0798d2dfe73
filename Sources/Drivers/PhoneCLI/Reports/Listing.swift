public import CoreEncodings
import PhoneDomain
import PhoneNumbers
public import PhoneSignup

/// How values are written for people.
public enum ListingStyle: Hashable, Sendable {
    /// Whole IDs, and times in RFC 3339: for files and pipes.
    case full
    /// Short IDs, and ages: for a terminal. Columns without any value are left out.
    case short(now: Timestamp)

    public func text(of value: String) -> String {
        guard case .short(let now) = self else { return value }
        if let moment = Timestamp(rfc3339: value) { return moment.age(at: now) }
        return value.split(separator: " ", omittingEmptySubsequences: false).map(ShortName.shortened)
            .joined(separator: " ")
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

/// An ID as a person writes it: whole, or shortened as lists in a terminal show it.
public struct ShortName: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    /// What is before the digits, such as `msg_`.
    public let prefix: String
    public var isWhole: Bool { description.utf8.count == prefix.utf8.count + 32 }

    /// Nil unless the text ends with `_` and 8 to 32 lower-case hexadecimal digits.
    public init?(_ text: String) {
        guard let end = text.lastIndex(of: "_") else { return nil }
        let digits = text[end...].utf8.dropFirst()
        guard (8...32).contains(digits.count),
            digits.allSatisfy({
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            })
        else { return nil }
        (description, prefix) = (text, String(text[...end]))
    }

    public func matches(_ id: String) -> Bool {
        id.hasPrefix(prefix) && id.hasSuffix(description.dropFirst(prefix.count))
    }

    /// A whole ID by its prefix and its last eight digits, which are random; any other word as it is.
    static func shortened(_ word: Substring) -> String {
        if let name = ShortName(String(word)), name.isWhole { return name.prefix + word.suffix(8) }
        if case .client(let api, _, let id)? = Owner(rawValue: String(word)) { return "\(api):\(id.suffix(8))" }
        return String(word)
    }
}

/// Objects of JSON as a table for people.
public struct Listing {
    public let rows: [JSON]
    private let columns: [Column]

    public init(_ rows: [JSON], _ columns: [Column]) { (self.rows, self.columns) = (rows, columns) }

    /// The items of a page.
    public init(page: JSON, _ columns: [Column]) { self.init(page["items"]?.array ?? [], columns) }

    public struct Column {
        fileprivate let title: String
        /// Nil if the row has no value.
        fileprivate let cell: (JSON) -> String?
        fileprivate let missing: String

        /// A column of what several members make.
        ///
        /// - Parameter missing: what the table has for nil.
        public init(_ title: String, missing: String = "-", _ cell: @escaping (JSON) -> String?) {
            (self.title, self.missing, self.cell) = (title, missing, cell)
        }

        /// A column of one member.
        ///
        /// - Parameters:
        ///   - path: its name, or the names on the way to one of an inner object: `sent.p50`.
        ///   - text: what the table has for a value that is not null.
        public init(
            _ title: String,
            _ path: String,
            missing: String = "-",
            as text: @escaping (JSON) -> String = \.cellText
        ) {
            self.init(title, missing: missing) { row -> String? in
                let value = row[path: path]
                return value == .null ? nil : text(value)
            }
        }

        fileprivate func text(_ row: JSON, _ style: ListingStyle) -> String { cell(row).map(style.text) ?? missing }

        /// Whether a table in this style has the column.
        fileprivate func isShown(for rows: [JSON], in style: ListingStyle) -> Bool {
            style == .full || missing != "-" || rows.contains { cell($0) != nil }
        }
    }

    /// A line of titles and one for each row, in aligned columns without trailing blanks; control characters are
    /// escaped.
    ///
    /// - Parameter none: what it is without rows.
    public func table(_ style: ListingStyle = .full, ifEmpty none: String? = nil) -> String {
        if let none, rows.isEmpty { return none }
        let shown = columns.filter { $0.isShown(for: rows, in: style) }
        let lines = [shown.map(\.title)] + rows.map { row in shown.map { $0.text(row, style).escaped } }
        let widths = shown.indices.map { column in lines.map { $0[column].columns }.max() ?? 0 }
        return lines.map { line in
            let text = zip(line, widths).map { $0.padded(toColumns: $1) }.joined(separator: "  ")
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
        .joined(separator: "\n")
    }

    /// A line for each column of a row: the title and the value.
    public func details(of row: JSON) -> String { aligned(columns.map { ($0.title, $0.text(row, .full)) }) }
}

extension JSON {
    /// The member of an inner object, by the names on the way there: `sent.p50`.
    public subscript(path path: String) -> JSON {
        path.split(separator: ".").reduce(self) { $0[String($1)] ?? .null }
    }

    /// What tables have for a member.
    public func cell(_ path: String) -> String { self[path: path].cellText }

    /// The value as tables have it.
    public var cellText: String {
        switch self {
        case .bool(let flag): flag ? "yes" : "no"
        case .array(let values): values.map(\.cellText).joined(separator: " ")
        default: scalarText ?? ""
        }
    }

    /// A number in E.164, masked.
    public var maskedNumber: String {
        string.flatMap { try? PhoneNumber(e164: $0) }?.masked ?? "a number of no known plan"
    }
}

/// A line for each label and its value, aligned.
public func aligned(_ values: [(label: String, value: String)]) -> String {
    let width = values.map(\.label.columns).max() ?? 0
    return values.map { "\($0.label.padded(toColumns: width))  \($0.value)" }.joined(separator: "\n")
}
