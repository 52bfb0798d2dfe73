/// Writes JSON (RFC 8259) token by token. The caller is responsible for their order.
struct JSONText {
    private(set) var text = ""
    private var needsComma = false

    mutating func beginObject() { begin("{") }
    mutating func endObject() { end("}") }
    mutating func beginArray() { begin("[") }
    mutating func endArray() { end("]") }

    mutating func name(_ name: String) {
        string(name)
        text += ":"
        needsComma = false
    }

    mutating func member(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }

    mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        raw("\(value)")
    }

    mutating func string(_ value: String) {
        separate()
        text += "\""
        if value.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            for scalar in value.unicodeScalars {
                switch scalar {
                case "\"": text += #"\""#
                case "\\": text += #"\\"#
                case "\n": text += #"\n"#
                case _ where scalar.value < 0x20:
                    text += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
                default: text.unicodeScalars.append(scalar)
                }
            }
        } else {
            text += value
        }
        text += "\""
    }

    /// A number or a literal.
    mutating func raw(_ value: String) {
        separate()
        text += value
    }

    private mutating func begin(_ mark: String) {
        separate()
        text += mark
        needsComma = false
    }

    private mutating func end(_ mark: String) {
        text += mark
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { text += "," }
        needsComma = true
    }
}
