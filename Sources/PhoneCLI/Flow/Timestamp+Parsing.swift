import FoundationEssentials
import PhoneDomain

extension Timestamp {
    /// Reads a moment as RFC 3339 has it, with or without parts of a second; nil if it is none.
    init?(rfc3339 text: String) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = try? Date(text, strategy: style) else { return nil }
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}
