public import PhoneDomain

/// Makes the text that bears a code.
public protocol MessageRendering: Sendable {
    /// The text to send.
    ///
    /// - Parameters:
    ///   - code: the code it bears.
    ///   - language: the language asked for; where there is no text in it, one in another is better than none.
    ///   - remaining: how long the code still holds, more than 0.
    /// - Throws: if no text can be made; the message then fails.
    func body(for code: VerificationCode, language: LanguageTag, remaining: Duration) throws -> String
}
