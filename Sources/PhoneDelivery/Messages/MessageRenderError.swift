/// Why a message was not rendered. It bears neither the code nor the secret.
public enum MessageRenderError: Error, Sendable, Equatable {
    /// The code is not 4 to 10 ASCII digits.
    case malformedCode

    /// The minutes are not from 1 to 99.
    case minutesOutOfRange(Int)

    /// The secret of a link is not 22 characters of base64url.
    case malformedSecret

    /// It is not known where a change of number is undone.
    case noUndoAddress
}
