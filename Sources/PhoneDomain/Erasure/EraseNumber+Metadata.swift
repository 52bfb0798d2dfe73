extension EraseNumber {
    /// The account without the number in its metadata, be it a person's earlier number or somebody else's; nil if it is not
    /// there. See ``erased(from:)``.
    public func redacted(_ account: Account) -> Account? {
        guard let metadata = erased(from: account.metadata) else { return nil }
        var account = account
        account.metadata = metadata
        return account
    }

    /// The metadata without the number: in a text or a member's name, `[erased 1]` and so on stands where the number stood,
    /// written in any way that ``PhoneNumber/init(parsing:region:plans:)`` reads in the number's own region; instead of a JSON
    /// number of its digits there is `null`. Nil if it is not there. What stands around it stays: it is the program's, and may be
    /// another person's.
    ///
    /// The marks are counted so that no two members of an object get one name.
    func erased(from metadata: AccountMetadata) -> AccountMetadata? {
        // Most metadata has too few digits, and there may be millions to look at.
        let digits = metadata.json.utf8.reduce(0) { $0 + (Self.isDigit($1) ? 1 : 0) }
        if digits < number.significantDigits.utf8.count, metadata.json.utf8.allSatisfy({ $0 < 0x80 }) { return nil }

        let scalars = Array(metadata.json.unicodeScalars)
        var result = String.UnicodeScalarView()
        var (index, isText, hasFound, marks) = (0, false, false, 0)
        while index < scalars.count {
            let run = Self.run(in: scalars, from: index, isText: isText)
            if run.isEmpty {
                // After a backslash stands one character, or `u` and four digits.
                let count = scalars[index] == "\\" ? (scalars[index + 1] == "u" ? 6 : 2) : 1
                if scalars[index] == "\"" { isText.toggle() }
                result.append(contentsOf: scalars[index..<index + count])
                index += count
                continue
            }
            for range in places(in: scalars[run], isText: isText) {
                hasFound = true
                result.append(contentsOf: scalars[index..<range.lowerBound])
                result.append(contentsOf: (isText ? Self.mark(&marks, in: metadata.json) : "null").unicodeScalars)
                index = range.upperBound
            }
            result.append(contentsOf: scalars[index..<run.upperBound])
            index = run.upperBound
        }
        return hasFound ? AccountMetadata(json: String(result)) : nil
    }

    /// The longest stretch from here on that may belong to numbers: empty where there is none.
    private static func run(in scalars: [Unicode.Scalar], from start: Int, isText: Bool) -> Range<Int> {
        let rest = scalars[start...]
        let end =
            isText
            ? rest.firstIndex { PhoneTextElement($0) == .foreign }
            // A number of JSON as a whole: neither the digits behind a point nor those of an exponent are a phone number.
            : rest.firstIndex {
                !$0.isASCII || !("0"..."9" ~= $0 || "a"..."z" ~= $0 || "-+.E".unicodeScalars.contains($0))
            }
        return start..<(end ?? scalars.endIndex)
    }

    /// Where the number stands in such a stretch. There may be several numbers in it, with nothing but a space or a slash between,
    /// so that every group of digits may begin one.
    private func places(in run: ArraySlice<Unicode.Scalar>, isText: Bool) -> [Range<Int>] {
        if !isText { return run.allSatisfy { "0"..."9" ~= $0 } && isNumber(run) ? [run.indices] : [] }
        var groups: [Range<Int>] = []
        for index in run.indices {
            guard case .digit = PhoneTextElement(run[index]) else { continue }
            if let last = groups.last, last.upperBound == index {
                groups[groups.count - 1] = last.lowerBound..<index + 1
            } else {
                groups.append(index..<index + 1)
            }
        }
        var places: [Range<Int>] = []
        var next = 0
        for last in groups.indices {
            // No number is written in more groups.
            for first in max(next, last - 9)..<last + 1 {
                var start = groups[first].lowerBound
                if start > run.startIndex, PhoneTextElement(run[start - 1]) == .plus { start -= 1 }
                let place = start..<groups[last].upperBound
                guard isNumber(run[place]) else { continue }
                places.append(place)
                next = last + 1
                break
            }
        }
        return places
    }

    private func isNumber(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let last = scalars.last, case .digit(let digit) = PhoneTextElement(last),
            digit == number.e164.unicodeScalars.last
        else { return false }
        let text = String(String.UnicodeScalarView(scalars))
        return (try? PhoneNumber(parsing: text, region: number.region, plans: plans)) == number
    }

    private static func mark(_ count: inout Int, in json: String) -> String {
        repeat { count += 1 } while json.contains("[erased \(count)]")
        return "[erased \(count)]"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
