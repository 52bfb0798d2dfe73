public import PhoneDomain

/// Makes texts from ``MessageTemplates``.
public struct TemplateRenderer: MessageRendering {
    private let templates: MessageTemplates
    private let context: MessageContext

    /// A renderer of these templates.
    ///
    /// - Parameters:
    ///   - templates: the texts.
    ///   - context: the one that the templates were loaded with.
    public init(templates: MessageTemplates, context: MessageContext) {
        self.templates = templates
        self.context = context
    }

    /// The text that bears a code. Of the time that remains it tells the nearest whole minute, 1 at least and 99 at most.
    ///
    /// - Throws: ``MessageRenderError``.
    public func message(
        bearing code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) throws -> RenderedMessage {
        try templates.render(
            code: code.digits,
            locale: language.description,
            minutes: Self.minutes(remaining),
            context: context,
            wording: wording
        )
    }

    public func variables(
        for code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) -> MessageVariables? {
        let locale = templates.locale(nearest: language.description)
        return MessageVariables(
            code: code.digits,
            service: wording?.service ?? context.service(in: locale).description,
            minutes: Self.minutes(remaining)
        )
    }

    private static func minutes(_ remaining: Duration) -> Int {
        Int(min(max((remaining + .seconds(30)) / .seconds(60), 1), 99))
    }

    /// The text that tells of a change of number.
    ///
    /// - Throws: ``MessageRenderError``.
    public func notice(undoneBy token: SecretToken, language: LanguageTag) throws -> String {
        try templates.render(secret: token.text, locale: language.description, context: context).body
    }
}
