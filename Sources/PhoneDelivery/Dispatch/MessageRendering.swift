public import PhoneDomain

/// Makes the texts of messages.
public protocol MessageRendering: Sendable {
    /// The text that bears a code.
    ///
    /// - Parameters:
    ///   - code: the code it bears.
    ///   - language: the language asked for; where there is no text in it, one in another is better than none.
    ///   - remaining: how long the code still holds, more than 0.
    ///   - wording: how it is worded, if not as all are. Where it cannot be worded so any more, other words are better than
    ///     none; the message tells (``RenderedMessage/fault``).
    /// - Throws: if no text can be made; the message then fails.
    func message(
        bearing code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) throws -> RenderedMessage

    /// What that text bears, one by one, for gateways that have a template of their own; nil, the standard, if they have to
    /// do with the text.
    func variables(
        for code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) -> MessageVariables?

    /// The text that tells of a change of number, with the link that undoes it.
    ///
    /// - Parameters:
    ///   - token: the secret of the link.
    ///   - language: the language of whoever asked for the change; where there is no text in it, one in another is better
    ///     than none.
    /// - Throws: if no text can be made; the message then fails.
    func notice(undoneBy token: SecretToken, language: LanguageTag) throws -> String
}

extension MessageRendering {
    /// Nothing.
    public func variables(
        for code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) -> MessageVariables? {
        nil
    }
}
