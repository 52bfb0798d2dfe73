extension String {
    /// The text with asterisks for the digits of all that may be a phone number in it, whole or mistyped: seven or more.
    package var withNumbersMasked: String { maskingDigits { count, _ in count >= 7 } }

    /// The text with asterisks for digits, of any script, that stand together, or have nothing but what people write
    /// between digits of a number. Dates and times as RFC 3339 has them stay. One pass over the Unicode scalars.
    ///
    /// - Parameter isMasked: gets how many digits there are, and whether a letter or an underscore is beside them.
    package func maskingDigits(where isMasked: (_ count: Int, _ isInWord: Bool) -> Bool) -> String {
        let scalars = Array(unicodeScalars)
        var masked = UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let moment = Self.lengthOfMoment(in: scalars, at: index)
            var end = index + max(moment, 1)
            var digits: [Int] = []
            if moment == 0, let isDigit = Self.isDigit(scalars[index]) {
                if isDigit { digits.append(index) }
                while end < scalars.count, let isDigit = Self.isDigit(scalars[end]),
                    !isDigit || Self.lengthOfMoment(in: scalars, at: end) == 0
                {
                    if isDigit { digits.append(end) }
                    end += 1
                }
            }
            var stretch = Array(scalars[index..<end])
            if let first = digits.first, let last = digits.last {
                let beside = [first - 1, last + 1].filter(scalars.indices.contains)
                let isInWord = beside.map { scalars[$0] }
                    .contains { $0 == "_" || $0.isASCII && $0.properties.isAlphabetic }
                if isMasked(digits.count, isInWord) { for digit in digits { stretch[digit - index] = "*" } }
            }
            masked.append(contentsOf: stretch)
            index = end
        }
        return String(masked)
    }

    /// Nil for what is never within a number.
    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool? {
        switch PhoneTextElement(scalar) {
        case .digit: true
        case .plus, .separator, .invisible: false
        case .space: scalar == "\n" || scalar == "\r" || scalar == "\t" ? nil : false
        case .foreign: nil
        }
    }

    /// How many scalars a date, with or without a time behind it, or the end of a time has here; 0 where none begins.
    private static func lengthOfMoment(in scalars: [Unicode.Scalar], at start: Int) -> Int {
        func isASCIIDigit(_ index: Int) -> Bool { index < scalars.count && ("0"..."9") ~= scalars[index] }
        func fits(_ pattern: String, at index: Int) -> Bool {
            zip(pattern.unicodeScalars, index...).allSatisfy { sign, index in
                sign == "0" ? isASCIIDigit(index) : index < scalars.count && scalars[index] == sign
            }
        }
        guard isASCIIDigit(start), start == 0 || !isASCIIDigit(start - 1) else { return 0 }
        var end = start
        if scalars[start...].prefix(2).elementsEqual(["2", "0"]), fits("0000-00-00", at: start) {
            end += 10
            if isASCIIDigit(end) || fits("-0", at: end) { return 0 }
            guard fits("T00:00:00", at: end) || fits(" 00:00:00", at: end) else { return end - start }
            end += 1
        }
        guard fits("00:00:00", at: end) else { return 0 }
        end += 8
        if fits(".0", at: end) || fits(",0", at: end) {
            end += 1
            while isASCIIDigit(end) { end += 1 }
        }
        return isASCIIDigit(end) ? 0 : end - start
    }
}
