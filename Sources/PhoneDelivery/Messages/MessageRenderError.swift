/// Why a message was not rendered. It never bears the code.
public enum MessageRenderError: Error, Sendable, Equatable {
    /// The code is not 4 to 10 ASCII digits.
    case malformedCode

    /// The minutes are not from 1 to 99.
    case minutesOutOfRange(Int)
}
