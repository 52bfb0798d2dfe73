extension Timestamp: CustomStringConvertible {
    /// The moment as RFC 3339 has it, in UTC with milliseconds: `2026-11-21T09:00:00.000Z`.
    ///
    /// The calendar is counted in 400-year eras that begin on the first of March, so that a leap day is the last of
    /// its year (the proleptic Gregorian calendar, as ISO 8601 wants it).
    public var description: String {
        let (days, millisecondOfDay) = milliseconds.quotientAndRemainderRoundingDown(dividingBy: 86_400_000)
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainderRoundingDown(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)

        var text = ASCIIText()
        text.append(year, width: 4)
        text.append("-")
        text.append(month, width: 2)
        text.append("-")
        text.append(day, width: 2)
        text.append("T")
        text.append(millisecondOfDay / 3_600_000, width: 2)
        text.append(":")
        text.append(millisecondOfDay / 60_000 % 60, width: 2)
        text.append(":")
        text.append(millisecondOfDay / 1000 % 60, width: 2)
        text.append(".")
        text.append(millisecondOfDay % 1000, width: 3)
        text.append("Z")
        return text.string
    }
}

extension Int64 {
    fileprivate func quotientAndRemainderRoundingDown(dividingBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// A text that is written byte by byte: every answer bears several moments, and characters cost ten times as much.
private struct ASCIIText {
    private var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(24)
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ character: Unicode.Scalar) {
        bytes.append(UInt8(ascii: character))
    }

    /// Appends the number with zeros in front up to this width, and a minus sign in front of those.
    mutating func append(_ number: Int64, width: Int) {
        if number < 0 { append("-") }
        var digits = number.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(digits % 10))
            digits /= 10
        } while digits > 0
        while bytes.count - start < width { append("0") }
        bytes[start...].reverse()
    }
}
