extension Timestamp {
    /// Reads a moment as RFC 3339 section 5.6 has it: `2026-11-21T09:00:00Z`, with or without parts of a second, in UTC or
    /// with an offset. What is smaller than a millisecond is cut off, and a leap second is the second after it.
    ///
    /// - Returns: nil if the text is anything else.
    public init?(rfc3339 text: String) {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), (1...12).contains(month), reader.skip("-"),
            let day = reader.number(digits: 2), (1...Self.days(inMonth: month, of: year)).contains(day),
            reader.skip("T") || reader.skip("t"),
            let hour = reader.number(digits: 2), hour < 24, reader.skip(":"),
            let minute = reader.number(digits: 2), minute < 60, reader.skip(":"),
            let second = reader.number(digits: 2), second <= 60,
            let millisecond = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty
        else { return nil }
        let minutes = (Self.days(year, month, day) * 24 + hour) * 60 + minute - offset
        self.init(milliseconds: (minutes * 60 + second) * 1000 + millisecond)
    }

    /// The days from 1970-01-01 to this one, counted as ``description`` does.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = (yearFromMarch >= 0 ? yearFromMarch : yearFromMarch - 399) / 400
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(digits count: Int) -> Int64? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
            rest.removeFirst(count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }

        /// The milliseconds of a fraction of a second, 0 where there is none; nil for a point without digits.
        mutating func fraction() -> Int64? {
            guard skip(".") else { return 0 }
            let digits = rest.prefix(while: Self.isDigit)
            guard !digits.isEmpty else { return nil }
            rest.removeFirst(digits.count)
            let padded = digits.prefix(3) + [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 3 - digits.count))
            return padded.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }

        /// The minutes that local time is ahead of UTC.
        mutating func offset() -> Int64? {
            if skip("Z") || skip("z") { return 0 }
            let sign: Int64 = skip("+") ? 1 : -1
            guard sign == 1 || skip("-"), let hours = number(digits: 2), hours < 24, skip(":"),
                let minutes = number(digits: 2), minutes < 60
            else { return nil }
            return sign * (hours * 60 + minutes)
        }

        private static func isDigit(_ byte: UInt8) -> Bool {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
    }
}
