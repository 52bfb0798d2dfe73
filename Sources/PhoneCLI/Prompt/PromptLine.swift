/// The line of the cursor, redrawn whenever its field changes.
///
/// It needs only a carriage return and "erase to the end of the line" (EL, ECMA-48, 8.3.41): the hint after the field
/// is written first, and then the field once more, so that the cursor stays at the field's end.
struct PromptLine {
    private static let eraseToEnd = "\u{1B}[K"

    let appearance: Appearance
    var width: Int?
    private var drawn = ""

    init(appearance: Appearance) { self.appearance = appearance }

    var isEmpty: Bool { drawn.isEmpty }

    /// What to write so that the line shows a field and a hint after it; nothing if it already does. A wrapped line could not
    /// be redrawn, so what does not fit is left out: the hint first, then the label, then the beginning of the text.
    mutating func draw(_ label: String, _ text: String, hint: String) -> String {
        let (text, hint) = (appearance.legible(text), appearance.legible(hint))
        let field = fitting("\(appearance.legible(label)): ", text)
        let fits = width.map { field.columns + 3 + hint.columns < $0 } ?? true
        let shown = hint.isEmpty || !fits ? "" : "   " + appearance.draw(hint, as: .aside)
        let drawing = "\r\(field)\(shown)\(Self.eraseToEnd)" + (shown.isEmpty ? "" : "\r\(field)")
        guard drawing != drawn else { return "" }
        drawn = drawing
        return drawing
    }

    /// The last column stays free: many terminals wrap the line as soon as it is written to.
    private func fitting(_ label: String, _ text: String) -> String {
        guard let width, label.columns + text.columns >= width else { return label + text }
        if text.columns < width { return text }
        var rest = text[...]
        while !rest.isEmpty, String(rest).columns + 1 >= width { rest.removeFirst() }
        return "<" + rest
    }

    /// What to write so that the line is empty.
    mutating func clear() -> String {
        defer { drawn = "" }
        return drawn.isEmpty ? "" : "\r\(Self.eraseToEnd)"
    }

    /// What to write so that the line stays and the next one begins; nothing if it is empty.
    mutating func end() -> String {
        defer { drawn = "" }
        return drawn.isEmpty ? "" : "\n"
    }

    /// What to write so that this text takes the place of the line, and the next line begins.
    mutating func print(_ text: String, as role: Appearance.Role?) -> String {
        let text = appearance.legible(text)
        return clear() + (role.map { appearance.draw(text, as: $0) } ?? text) + "\n"
    }
}
