/// Where the person is: a terminal, or a program at the other end of a pipe.
public protocol Terminal: Sendable {
    /// Whether the input is a terminal rather than a pipe or a file.
    var isInputTerminal: Bool { get }

    /// Whether the output is a terminal, which supports colours and redrawing a line.
    var isOutputTerminal: Bool { get }

    /// The columns of a line at this moment, or nil if unknown.
    var width: Int? { get }

    /// The next bytes, in portions of any size; nil at the end of the input.
    ///
    /// One read at a time. When its task is cancelled it returns nil, and so does every later one.
    func read() async -> [UInt8]?

    func write(_ text: String)

    func writeError(_ text: String)

    /// From now on every key arrives at once, unechoed and without its usual effect (Ctrl-C is byte 3), and a paste
    /// comes between `ESC[200~` and `ESC[201~`.
    ///
    /// - Returns: whether the terminal can do that.
    func enterRawMode() -> Bool

    /// Restores the terminal; does nothing if it is not in raw mode.
    func leaveRawMode()

    /// Whether the process was stopped in raw mode and goes on since the last call: what it has drawn is gone.
    func hasContinued() -> Bool
}

extension Terminal {
    var input: AsyncStream<[UInt8]> { AsyncStream { await read() } }

    public func hasContinued() -> Bool { false }
}

public struct Appearance: Hashable, Sendable {
    let redrawsLines: Bool
    let usesColour: Bool
    var usesUnicode = true
}

extension Appearance {
    /// What suits this terminal: lines are redrawn where input and output are terminals; colours are for terminals,
    /// unless `NO_COLOR` is set (https://no-color.org); a `dumb` terminal gets neither.
    ///
    /// - Parameter environment: the process's; `TERM`, `NO_COLOR` and the variables of the locale are read.
    public init(terminal: any Terminal, environment: [String: String]) {
        let canDraw = terminal.isOutputTerminal && environment["TERM"] != "dumb"
        self.init(
            redrawsLines: canDraw && terminal.isInputTerminal,
            usesColour: canDraw && environment["NO_COLOR", default: ""].isEmpty,
            usesUnicode: Self.isUTF8(environment)
        )
    }

    /// Whether texts are read and shown as UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set names the
    /// character set behind a dot (POSIX.1-2017, Base Definitions, section 8.2). Where it names none it is another one:
    /// EUC-KR for `ko_KR`, and ASCII for `C`.
    public static func isUTF8(_ environment: [String: String]) -> Bool {
        let value = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let characterSet = value.prefix { $0 != "@" }.drop { $0 != "." }.dropFirst()
        return ["utf8", "utf-8"].contains(characterSet.lowercased())
    }

    /// The meaning of a text, shown by its colour: parameters of SGR (ECMA-48, 8.3.117).
    enum Role: String {
        case success = "32"
        case failure = "31"
        case mark = "1;32"
        case question = "1"
        case aside = "2"
        case alert = "1;33"
    }

    /// What a line is about, shown at its beginning.
    enum Mark {
        case success
        case failure
    }

    func draw(_ mark: Mark) -> String {
        switch mark {
        case .success: draw(legible("✔"), as: .success)
        case .failure: draw(legible("✗"), as: .failure)
        }
    }

    /// The pictures of something in progress, one after another.
    var spinner: [String] {
        usesUnicode ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["|", "/", "-", "\\"]
    }

    /// The text in the characters that may be used. What has no equivalent in ASCII becomes question marks, so that a
    /// code in a message can still be read.
    func legible(_ text: String) -> String {
        if usesUnicode { return text }
        return text.reduce(into: "") { text, character in
            switch character {
            case "…": text += "..."
            case "·", "–", "—": text += "-"
            case "│": text += "|"
            case "’": text += "'"
            case "✔": text += "+"
            case "✗": text += "x"
            case _ where character.isASCII || character == "\u{A0}": text.append(character)
            default: text += "?"
            }
        }
    }

    func draw(_ text: String, as role: Role) -> String {
        usesColour && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }
}
