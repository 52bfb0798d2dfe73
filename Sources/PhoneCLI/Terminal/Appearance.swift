/// What the prompt may do to the screen, as the environment has it.
public struct Appearance: Hashable, Sendable {
    /// Whether a line may be drawn anew while it is typed.
    public let redrawsLines: Bool
    /// Whether there may be colours.
    public let usesColour: Bool

    /// An appearance of these two.
    public init(redrawsLines: Bool, usesColour: Bool) {
        self.redrawsLines = redrawsLines
        self.usesColour = usesColour
    }

    /// What suits this terminal: lines are drawn anew where keys can be read one by one and the output is a terminal;
    /// colours are for terminals, and not where `NO_COLOR` is set (https://no-color.org); a `dumb` terminal gets
    /// neither.
    ///
    /// - Parameter environment: the variables of the process; `TERM` and `NO_COLOR` count.
    public init(terminal: any Terminal, environment: [String: String]) {
        let canDraw = terminal.isOutputTerminal && environment["TERM"] != "dumb"
        redrawsLines = canDraw && terminal.isInputTerminal
        usesColour = canDraw && environment["NO_COLOR", default: ""].isEmpty
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

    func draw(_ text: String, as role: Role) -> String {
        usesColour && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }
}
