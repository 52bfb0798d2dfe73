/// How typed text joins what a phone field holds already; what the field then shows is the view model's affair.
struct PhoneField {
    /// What the field holds before anything is typed, such as `010-`.
    let startText: String

    /// The text after this was typed at its end.
    ///
    /// The field starts with what most would type anyway. Whoever types it all the same means it once, and whoever
    /// begins with a plus sign means another beginning.
    func text(_ text: String, typing typed: String) -> String {
        if text == startText, let first = typed.first, first == "+" || first == "＋" { return typed }
        let whole = text + typed
        guard startText.first != "+", whole.hasPrefix(startText) else { return whole }
        let rest = whole.dropFirst(startText.count)
        let start = startText.filter(\.isASCIIDigit)
        return !start.isEmpty && rest.hasPrefix(start) ? String(rest) : whole
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
