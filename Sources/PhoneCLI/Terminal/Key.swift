/// What a person did at the keyboard.
enum Key: Hashable, Sendable {
    /// Typed text, without control characters.
    case text(String)
    /// Pasted text; line breaks and other control characters in it are spaces.
    case paste(String)
    /// Enter.
    case enter
    /// Took the last character back.
    case backspace
    /// Emptied the field: Ctrl-U, or Ctrl-W, as a field is one word.
    case clear
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D, or the terminal has gone away.
    case endOfInput
}
