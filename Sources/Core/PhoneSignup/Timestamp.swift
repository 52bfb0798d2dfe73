import PhoneNumbers

#if canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(WASILibc)
import WASILibc
#endif

/// Whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time).
/// The domain never asks for the time: every rule takes it as a parameter, from a `WallClock`.
public struct Timestamp: Hashable, Comparable, Sendable {
    public let milliseconds: Int64
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }
    public init(seconds: Int64) { self.milliseconds = seconds * 1000 }
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.milliseconds < rhs.milliseconds }

    /// A fraction of a millisecond is dropped.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds + duration.wholeMilliseconds)
    }

    /// A fraction of a millisecond is dropped.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds - duration.wholeMilliseconds)
    }

    /// Negative if this moment is before `earlier`.
    public static func - (moment: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(moment.milliseconds - earlier.milliseconds)
    }
}

extension Duration {
    /// Rounded towards zero.
    public var wholeMilliseconds: Int64 {
        // 10¹⁵ is 2¹⁵ · 5¹⁵: a week or less, as nearly every duration is, can be divided in 64 bits, which takes a
        // tenth of the time that 128 take. Each rule that adds a duration to a moment does it.
        let all = attoseconds
        if let rest = UInt64(exactly: all.magnitude >> 15) {
            let milliseconds = Int64(rest / 30_517_578_125)
            return all < 0 ? -milliseconds : milliseconds
        }
        return Int64(all / 1_000_000_000_000_000)
    }

    /// Rounded up, so that a client that waits this long has waited long enough (`Retry-After`, RFC 9110 section
    /// 10.2.3, is in whole seconds); never negative.
    public var wholeSecondsRoundedUp: Int64 {
        let (seconds, attoseconds) = components
        return max(0, attoseconds > 0 ? seconds + 1 : seconds)
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds: `2026-11-21T09:00:00.000Z`.
    ///
    /// The calendar is counted in 400-year eras that begin on the first of March, so that a leap day is the last of its
    /// year (the proleptic Gregorian calendar of ISO 8601).
    public var description: String {
        let (days, millisecondOfDay) = milliseconds.quotientAndRemainderRoundingDown(dividingBy: 86_400_000)
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainderRoundingDown(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        // Every response contains several times: written byte by byte into the string itself.
        return String(unsafeUninitializedCapacity: 40) { buffer in
            var text = DigitWriter(buffer: buffer)
            text.append(year, width: 4, then: "-")
            text.append(month, width: 2, then: "-")
            text.append(day, width: 2, then: "T")
            text.append(millisecondOfDay / 3_600_000, width: 2, then: ":")
            text.append(millisecondOfDay / 60_000 % 60, width: 2, then: ":")
            text.append(millisecondOfDay / 1000 % 60, width: 2, then: ".")
            text.append(millisecondOfDay % 1000, width: 3, then: "Z")
            return text.count
        }
    }
}

extension Int64 {
    fileprivate func quotientAndRemainderRoundingDown(dividingBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

private struct DigitWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    /// Pads the number with zeros to this width, after a minus sign if there is one.
    mutating func append(_ number: Int64, width: Int, then separator: Unicode.Scalar) {
        if number < 0 { append("-") }
        var (rest, limit, length) = (number.magnitude, 10 as UInt64, 1)
        while length < width || rest >= limit { (limit, length) = (limit * 10, length + 1) }
        for index in (count..<count + length).reversed() {
            buffer[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += length
        append(separator)
    }

    private mutating func append(_ character: Unicode.Scalar) {
        buffer[count] = UInt8(ascii: character)
        count += 1
    }
}

extension Timestamp {
    /// Parses RFC 3339 section 5.6: `2026-11-21T09:00:00Z`, with or without fractions of a second, in UTC or with an
    /// offset; nil for anything else. Fractions of a millisecond are dropped, and a leap second is the second after it.
    public init?(rfc3339 text: String) {
        // Fractions of a second may be written with any number of digits, but nobody needs so many.
        guard text.utf8.count <= 100 else { return nil }
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

    /// The days from 1970-01-01, counted as in ``description``.
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
            guard digits.count == count, digits.allSatisfy({ $0.isASCIIDigit }) else { return nil }
            rest.removeFirst(count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }

        /// The milliseconds of a fraction of a second, 0 where there is none; nil for a point without digits.
        mutating func fraction() -> Int64? {
            guard skip(".") else { return 0 }
            let digits = rest.prefix(while: { $0.isASCIIDigit })
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
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Parses an HTTP date in any of its three forms (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, which
    /// is the one that senders may use, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. The day of the
    /// week is not read, and a year of two digits is of 1970 to 2069. Nil for anything else.
    public init?(httpDate text: String) {
        guard text.utf8.count <= 33 else { return nil }
        var parts = text.split { $0 == " " || $0 == "," || $0 == "-" }
        if parts.count == 5 { parts = [parts[0], parts[2], parts[1], parts[4], parts[3], "GMT"] }
        guard parts.count == 6, parts[5] == "GMT", let month = Self.months.firstIndex(of: String(parts[2]))
        else { return nil }
        func padded(_ number: some StringProtocol) -> String { number.utf8.count == 1 ? "0\(number)" : "\(number)" }
        let century = parts[3].utf8.count != 2 ? "" : parts[3] < "70" ? "20" : "19"
        self.init(rfc3339: "\(century)\(parts[3])-\(padded("\(month + 1)"))-\(padded(parts[1]))T\(parts[4])Z")
    }
}

extension Timestamp {
    /// The time of the system's clock, for apps and adapters: every rule takes it as a parameter.
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
