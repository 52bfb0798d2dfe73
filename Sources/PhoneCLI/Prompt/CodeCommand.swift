/// What a person can ask for where a code is expected, by a letter, since codes have none.
enum CodeCommand: Hashable, Sendable {
    /// Send the code again.
    case resend
    /// Go back to the number.
    case otherNumber

    /// Reads `r` or `n`, in either case or as the same key writes on a Korean keyboard; nil for anything else.
    init?(_ text: String) {
        switch text {
        case "r", "R", "ㄱ": self = .resend
        case "n", "N", "ㅜ": self = .otherNumber
        default: return nil
        }
    }
}
