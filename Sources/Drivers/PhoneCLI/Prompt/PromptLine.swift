/// The line of the cursor with its field, and below it a line of hints. Both are redrawn whenever they change.
///
/// It needs a carriage return, "erase to the end of the screen" (ED), "cursor up" (CUU) and "cursor forward" (CUF; all
/// in ECMA-48, 8.3). The line of hints is the last one, so there is nothing below that could be lost.
struct PromptLine {
    private static let eraseBelow = "\u{1B}[J"
    private static let up = "\u{1B}[A"

    let appearance: Appearance
    var width: Int?
    private var drawn = ""

    init(appearance: Appearance) { self.appearance = appearance }

    /// What to write so that a field and hints are shown; nothing if they already are. A wrapped line could not be
    /// redrawn, so what does not fit is left out: the last hints, the label, and what is far from the cursor.
    ///
    /// - Parameter hints: the most important first.
    mutating func draw(
        _ label: String,
        _ field: LineEditor,
        hints: [String],
        as role: Appearance.Role = .aside
    ) -> String {
        let (label, left, right) = fitting(label, field)
        var drawing = "\r"
        if !label.isEmpty {
            drawing += appearance.draw("?", as: .mark) + " " + appearance.draw(label, as: .question) + " "
        }
        drawing += left + right + Self.eraseBelow
        let hint = fitting(hints)
        if !hint.isEmpty { drawing += "\n" + appearance.draw(hint, as: role) + Self.up }
        if !hint.isEmpty || !right.isEmpty {
            let column = (label.isEmpty ? 0 : label.columns + 3) + left.columns
            drawing += column > 0 ? "\r\u{1B}[\(column)C" : "\r"
        }
        guard drawing != drawn else { return "" }
        drawn = drawing
        return drawing
    }

    /// The last column stays free: many terminals wrap the line as soon as it is written to.
    private func fitting(_ label: String, _ field: LineEditor) -> (label: String, left: String, right: String) {
        let label = appearance.legible(label) + ":"
        var (left, right) = (appearance.legible(field.left.printable), appearance.legible(field.right.printable))
        guard let width, label.columns + 3 + left.columns + right.columns >= width else { return (label, left, right) }
        guard left.columns + right.columns >= width else { return ("", left, right) }
        if left.columns >= width {
            while !left.isEmpty, left.columns + 1 >= width { left.removeFirst() }
            left = "<" + left
        }
        while !right.isEmpty, left.columns + right.columns >= width { right.removeLast() }
        return ("", left, right)
    }

    private func fitting(_ hints: [String]) -> String {
        for count in stride(from: hints.count, to: 0, by: -1) {
            let hint = appearance.legible(hints.prefix(count).joined(separator: " · "))
            if width.map({ hint.columns < $0 }) ?? true { return hint }
        }
        return ""
    }

    /// Call when what was drawn is gone.
    mutating func forget() { drawn = "" }

    /// What to write so that the lines are empty.
    mutating func clear() -> String {
        defer { drawn = "" }
        return drawn.isEmpty ? "" : "\r" + Self.eraseBelow
    }

    /// What to write so that the field stays as it is, without hints, and the next line begins; nothing if there is
    /// none.
    mutating func end(_ label: String, _ text: String) -> String {
        if drawn.isEmpty { return "" }
        defer { drawn = "" }
        return draw(label, LineEditor(text), hints: []) + "\n"
    }

    /// What to write so that this text takes the place of the lines, and the next line begins.
    ///
    /// - Parameters:
    ///   - beginning: before each line, such as the name of who is speaking.
    ///   - mark: takes the place of the beginning in the first line.
    mutating func print(_ text: String, beginning: String = "", mark: Appearance.Mark? = nil) -> String {
        clear() + paragraph(text, beginning: beginning, mark: mark)
    }

    /// A text in lines that fit, without a word broken. No-break spaces join words.
    func paragraph(_ text: String, beginning: String = "", mark: Appearance.Mark? = nil) -> String {
        let beginning = mark == nil ? appearance.legible(beginning) : "  "
        let lines = appearance.legible(text).wrapped(toColumns: width.map { $0 - 1 - beginning.columns })
        return lines.enumerated().reduce(into: "") { text, line in
            let mark = line.offset == 0 ? mark.map { appearance.draw($0) + " " } : nil
            text += (mark ?? beginning) + line.element.replacing("\u{A0}", with: " ") + "\n"
        }
    }
}
