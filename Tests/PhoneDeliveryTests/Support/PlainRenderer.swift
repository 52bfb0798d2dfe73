import PhoneDelivery
import PhoneDomain

/// Texts that say all they were made from.
struct PlainRenderer: MessageRendering {
    func message(
        bearing code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) -> RenderedMessage {
        let body = "\(code.digits) in \(language), valid for \(remaining)"
        return RenderedMessage(body: body, locale: language.description)
    }

    func notice(undoneBy token: SecretToken, language: LanguageTag) -> String {
        "changed; undo by \(token.text) in \(language)"
    }
}
