import PhoneDelivery
import PhoneDomain

/// A text that says all it was made from.
struct PlainRenderer: MessageRendering {
    func body(for code: VerificationCode, language: LanguageTag, remaining: Duration) -> String {
        "\(code.digits) in \(language), valid for \(remaining)"
    }
}
