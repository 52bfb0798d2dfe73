extension Timestamp {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads a moment as `Date` of HTTP has it, in the one form that senders may use (IMF-fixdate, RFC 9110 section 5.6.7):
    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Returns: nil if the text is anything else.
    public init?(httpDate text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
            let month = Self.months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
        self.init(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}
