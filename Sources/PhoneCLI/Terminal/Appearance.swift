/// What the prompt may do to the screen, as the environment has it.
public struct Appearance: Hashable, Sendable {
    /// Whether a line may be drawn anew while it is typed.
    public let redrawsLines: Bool
    /// Whether there may be colours.
    public let usesColour: Bool
    /// Whether there may be other characters than those of ASCII.
    public let usesUnicode: Bool

    /// An appearance of these.
    public init(redrawsLines: Bool, usesColour: Bool, usesUnicode: Bool = true) {
        self.redrawsLines = redrawsLines
        self.usesColour = usesColour
        self.usesUnicode = usesUnicode
    }

    /// What suits this terminal: lines are drawn anew where keys can be read one by one and the output is a terminal;
    /// colours are for terminals, and not where `NO_COLOR` is set (https://no-color.org); a `dumb` terminal gets
    /// neither.
    ///
    /// - Parameter environment: the variables of the process; `TERM`, `NO_COLOR` and those of the locale count.
    public init(terminal: any Terminal, environment: [String: String]) {
        let canDraw = terminal.isOutputTerminal && environment["TERM"] != "dumb"
        redrawsLines = canDraw && terminal.isInputTerminal
        usesColour = canDraw && environment["NO_COLOR", default: ""].isEmpty
        usesUnicode = Self.isUTF8(environment)
    }

    /// Whether texts are read and shown as UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set names the character
    /// set behind a dot (POSIX.1-2017, Base Definitions, section 8.2). Where it names none it is another one: EUC-KR for
    /// `ko_KR`, and ASCII for `C`.
    public static func isUTF8(_ environment: [String: String]) -> Bool {
        let value = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let characterSet = value.prefix { $0 != "@" }.drop { $0 != "." }.dropFirst()
        return ["utf8", "utf-8"].contains(characterSet.lowercased())
    }
}

extension Appearance {
    /// What a text is, which its colour tells (ECMA-48, 8.3.117).
    enum Role: String {
        /// It worked.
        case success = "32"
        /// It did not.
        case failure = "31"
        /// Not needed to go on.
        case aside = "2"
    }

    /// The text in the characters that there may be; for what has no likeness in ASCII there are question marks, so that a
    /// code in a message can still be read.
    func legible(_ text: String) -> String {
        if usesUnicode { return text }
        return text.reduce(into: "") { text, character in
            switch character {
            case "…": text += "..."
            case "·", "–", "—": text += "-"
            case "│": text += "|"
            case "’": text += "'"
            case _ where character.isASCII: text.append(character)
            default: text += "?"
            }
        }
    }

    func draw(_ text: String, as role: Role) -> String {
        usesColour && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }
}
