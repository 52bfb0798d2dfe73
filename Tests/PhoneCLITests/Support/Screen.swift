/// What a person sees of a terminal that was written to: it knows carriage return, newline, "erase to the end of the
/// line", and that colours are not text. Anything else shows as `�`, so that no test overlooks it.
struct Screen {
    private var lines = [""]
    private var column = 0

    mutating func write(_ text: String) {
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n":
                lines.append("")
                column = 0
            case "\u{1B}": escape(&rest)
            case _ where scalar.properties.generalCategory == .control: put("�")
            default: put(Character(scalar))
            }
        }
    }

    /// All lines; the cursor is a bar.
    var shown: String {
        var lines = lines
        let line = lines.removeLast()
        return (lines + ["\(line.prefix(column))▏\(line.dropFirst(column))"]).joined(separator: "\n")
    }

    private mutating func put(_ character: Character) {
        var line = Array(lines.removeLast())
        if column < line.count { line[column] = character } else { line.append(character) }
        lines.append(String(line))
        column += 1
    }

    private mutating func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
        guard rest.first == "[", let end = rest.firstIndex(where: \.properties.isAlphabetic) else { return put("�") }
        let sequence = String(String.UnicodeScalarView(rest[...end]))
        rest = rest[(end + 1)...]
        switch sequence.last {
        case "K": lines.append(String(lines.removeLast().prefix(column)))
        case "m": break
        default: put("�")
        }
    }
}
