package import PhoneNumbers

/// A generator that makes the same numbers from the same seed (Steele, Lea and Flood, "Fast Splittable Pseudorandom
/// Number Generators", OOPSLA 2014).
public struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// A generator of this seed.
    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SplitMix64 {
    package mutating func digits(_ count: Int) -> String {
        String((0..<count).map { _ in "0123456789".randomElement(using: &self) ?? "0" })
    }

    /// A number as dialled in Korea, and its kind, from a table of its own: independent of the plan under test.
    package mutating func koreanNumber() -> (digits: String, kind: NumberKind) {
        let classes: [(prefixes: [String], lengths: ClosedRange<Int>, kind: NumberKind)] = [
            (["010"], 8...8, .mobile),
            (["011", "016", "017", "018", "019"], 7...8, .legacyMobile),
            (["070"], 8...8, .voip),
            (["0502", "0503", "0504", "0505", "0506", "0507", "0508"], 7...8, .personal),
            (["1544", "1588", "1661", "1666", "1800", "1899"], 4...4, .representative),
            (["080", "030"], 7...7, .tollFree),
            (["015"], 7...8, .pager),
            (["012"], 7...8, .machine),
            (["0602", "0607", "0609"], 6...6, .premium),
            (["022", "029", "0312", "0339", "0414", "0442", "0515", "0559", "0617", "0648"], 6...7, .fixedLine),
        ]
        let index = Int.random(in: classes.indices, using: &self)
        let prefix = classes[index].prefixes.randomElement(using: &self) ?? ""
        return (prefix + digits(Int.random(in: classes[index].lengths, using: &self)), classes[index].kind)
    }

    /// Digits that match a pattern; empty if they are hard to find.
    package mutating func number(of pattern: DigitPattern) -> String {
        for _ in 0..<100 {
            var digits = ""
            while digits.utf8.count < 20 {
                if pattern.match(digits) == .whole, Bool.random(using: &self) { return digits }
                let following = "0123456789".filter { pattern.match(digits + String($0)) >= .partial }
                guard let digit = following.randomElement(using: &self) else { break }
                digits.append(digit)
            }
            if pattern.match(digits) == .whole { return digits }
        }
        return ""
    }

    /// Anything that may stand in a text field, phone numbers not seldom among it.
    package mutating func text() -> String {
        let pieces = [
            "0", "1", "2", "3", "5", "8", "010", "82", "+82", "+", "00", "-", "-", " ", ".", "/", "(", ")", "１", "٣",
            "१",
            "\u{200B}", "\u{200F}", "\u{A0}", "\u{FEFF}", "a", "가", "😀", "1\u{FE0F}\u{20E3}", "👨‍👩‍👧", "e\u{301}", "\n",
            "\0", "＋",
            "\u{10FFFF}", "𝟘", "０",
        ]
        var text = ""
        if Bool.random(using: &self) { text += koreanNumber().digits.prefix(Int.random(in: 0...12, using: &self)) }
        for _ in 0..<Int.random(in: 0...10, using: &self) { text += pieces.randomElement(using: &self) ?? "" }
        return text
    }
}
