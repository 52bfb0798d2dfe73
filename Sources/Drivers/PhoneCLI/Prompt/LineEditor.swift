import PhoneSignup

/// The text of a field and the cursor in it.
///
/// Keys move over digits and delete digits: the hyphens and spaces between them are the view model's, which puts them
/// where they belong after each edit. At the end of the text a hyphen can be deleted, as it was typed there.
struct LineEditor: Hashable, Sendable {
    /// The most characters of a line. No number is that long, but someone may paste a whole message.
    static let longestText = VerificationCode.longestMessage

    /// The text left of the cursor.
    private(set) var left: String
    private(set) var right = ""

    /// The cursor is at the end.
    init(_ text: String) { left = text }

    var text: String { left + right }

    /// Applies a key.
    ///
    /// - Returns: false if it is none for a field.
    mutating func apply(_ key: Key) -> Bool {
        switch key {
        case .text(let typed): insert(typed)
        case .left: moveLeft()
        case .right: moveRight()
        case .home: (left, right) = ("", text)
        case .end: (left, right) = (text, "")
        case .backspace: deleteLeft()
        case .delete: deleteRight()
        case .deleteWord: deleteWord()
        case .deleteToStart: left = ""
        case .deleteToEnd: right = ""
        case .paste, .enter, .escape, .interrupt, .endOfInput: return false
        }
        return true
    }

    mutating func insert(_ typed: String) {
        left = String((left + typed).prefix(max(0, Self.longestText - right.count)))
    }

    /// Replaces the text with what the view model made of it. The cursor stays before the same digit.
    mutating func replace(with formatted: String) {
        if formatted == text { return }
        var digits = right.count { !$0.isSeparator }
        var start = formatted.endIndex
        while digits > 0, start > formatted.startIndex {
            formatted.formIndex(before: &start)
            if !formatted[start].isSeparator { digits -= 1 }
        }
        (left, right) = (String(formatted[..<start]), String(formatted[start...]))
    }

    private mutating func moveLeft() {
        while let last = left.popLast() {
            right.insert(last, at: right.startIndex)
            if !last.isSeparator { return }
        }
    }

    private mutating func moveRight() {
        if !right.isEmpty { left.append(right.removeFirst()) }
        while right.first?.isSeparator == true { left.append(right.removeFirst()) }
    }

    private mutating func deleteLeft() {
        if !right.isEmpty { dropSeparators() }
        _ = left.popLast()
    }

    private mutating func deleteRight() {
        right = String(right.drop(while: \.isSeparator).dropFirst())
    }

    /// Digits up to a separator are a word.
    private mutating func deleteWord() {
        dropSeparators()
        while left.last?.isSeparator == false { left.removeLast() }
    }

    private mutating func dropSeparators() {
        while left.last?.isSeparator == true { left.removeLast() }
    }
}

extension Character {
    fileprivate var isSeparator: Bool { !isLetter && !isNumber && self != "+" && self != "＋" }
}
