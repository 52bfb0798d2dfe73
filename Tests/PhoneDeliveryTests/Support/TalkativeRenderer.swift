import PhoneDelivery
import PhoneDomain

/// Fails, and quotes the code as it does.
struct TalkativeRenderer: MessageRendering {
    struct Refusal: Error {
        let quoted: String
    }

    func body(for code: VerificationCode, language: LanguageTag, remaining: Duration) throws -> String {
        throw Refusal(quoted: code.digits)
    }
}
