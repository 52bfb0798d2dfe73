import PhoneDelivery
import PhoneDomain

/// Fails, and quotes the code or the secret as it does.
struct TalkativeRenderer: MessageRendering {
    struct Refusal: Error {
        let quoted: String
    }

    func message(
        bearing code: VerificationCode,
        language: LanguageTag,
        remaining: Duration,
        wording: MessageWording?
    ) throws -> RenderedMessage {
        throw Refusal(quoted: code.digits)
    }

    func notice(undoneBy token: SecretToken, language: LanguageTag) throws -> String {
        throw Refusal(quoted: token.text)
    }
}
