import PhoneDomain

extension Timestamp {
    /// The moment as e-mail has it (RFC 2822 section 3.3), in UTC and whole seconds:
    /// `Thu, 24 Aug 2023 05:01:45 +0000`. Twilio's 2010 API writes its dates so.
    var rfc2822: String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = description.split { $0 == "-" || $0 == "T" || $0 == "." }
        let month = Int(parts[1]).map { months[$0 - 1] } ?? ""
        return "\(weekday), \(parts[2]) \(month) \(parts[0]) \(parts[3]) +0000"
    }

    private var weekday: String {
        // 1970-01-01 was a Thursday.
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let daysBegun = rest < 0 ? days - 1 : days
        return weekdays[Int((daysBegun % 7 + 7) % 7)]
    }
}
