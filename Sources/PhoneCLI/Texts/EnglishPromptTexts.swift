public import PhoneDomain

/// English.
public struct EnglishPromptTexts: PromptTexts {
    /// The English texts.
    public init() {}

    public let phoneLabel = "Phone number"
    public let codeLabel = "Code"
    public let phoneQuestion = "Phone number:"
    public let codeQuestion = "Code (r sends it again, n asks for another number):"
    public let sendHint = "Enter sends a code"
    public let signUpHint = "Enter signs up"
    public let sending = "sending…"
    public let signingUp = "checking…"
    public let resendHint = "r sends it again"
    public let otherNumberHint = "n for another number"
    public let stubLabel = "SMS stub"
    public let canceled = "The signup was canceled."
    public let inputEnded =
        "The input ended before the signup was done: enter a number, and then the code that was sent."

    public func resendHint(in wait: String) -> String { "resend in \(wait)" }

    public func sent(to maskedNumber: String) -> String { "A code is on its way to \(maskedNumber)." }

    public func welcome(to account: SignupView.Account, with phoneText: String) -> String {
        account.isNew
            ? "Signed up: \(phoneText) · account \(account.id) (new)"
            : "Welcome back: \(phoneText) · account \(account.id)"
    }

    public func explanation(of error: SignupFlowError) -> String {
        switch error {
        case .unreachable(let server, let reason):
            "No answer from \(server): see that it is running and the address is right (\(reason))."
        case .notUnderstood(let server, let status):
            "\(server) does not answer as PhoneProof does (status \(status)): check the address given with --server."
        case .refused(_, let detail): detail
        }
    }

    public func label(of field: NumberReport.Field) -> String {
        switch field {
        case .input: "Input"
        case .formatted: "Shown as"
        case .isValid: "Valid"
        case .kind: "Kind"
        case .region: "Region"
        case .national: "National"
        case .international: "International"
        case .e164: "E.164"
        case .receivesCode: "Receives a code"
        }
    }

    public func name(of kind: NumberKind) -> String {
        switch kind {
        case .mobile: "mobile"
        case .legacyMobile: "mobile, out of service"
        case .fixedLine: "landline"
        case .fixedLineOrMobile: "landline or mobile"
        case .voip: "internet phone"
        case .personal: "forwarding number"
        case .representative: "company number"
        case .tollFree: "toll-free"
        case .premium: "premium rate"
        case .sharedCost: "shared cost"
        case .pager: "pager"
        case .voicemail: "voicemail"
        case .machine: "machine"
        }
    }

    public func answer(_ isSo: Bool) -> String { isSo ? "yes" : "no" }
}
