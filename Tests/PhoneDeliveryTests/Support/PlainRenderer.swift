import PhoneDelivery
import PhoneDomain

/// Texts that say all they were made from.
struct PlainRenderer: MessageRendering {
    func body(for code: VerificationCode, language: LanguageTag, remaining: Duration) -> String {
        "\(code.digits) in \(language), valid for \(remaining)"
    }

    func notice(undoneBy token: SecretToken, language: LanguageTag) -> String {
        "changed; undo by \(token.text) in \(language)"
    }
}
