import PhoneDelivery
import PhoneDomain

/// Fails, and quotes the code or the secret as it does.
struct TalkativeRenderer: MessageRendering {
    struct Refusal: Error {
        let quoted: String
    }

    func body(for code: VerificationCode, language: LanguageTag, remaining: Duration) throws -> String {
        throw Refusal(quoted: code.digits)
    }

    func notice(undoneBy token: SecretToken, language: LanguageTag) throws -> String {
        throw Refusal(quoted: token.text)
    }
}
