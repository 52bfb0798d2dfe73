public import PhoneDomain

public struct EnglishPromptTexts: PromptTexts {
    public init() {}

    public let phoneLabel = "Phone number"
    public let codeLabel = "Code"
    public let codeQuestion = "Code (r sends it again, n asks for another number):"
    public let sendHint = "Enter sends a code"
    public let signUpHint = "Enter signs up"
    public let sending = "sending…"
    public let signingUp = "checking…"
    public let resendHint = "r sends it again"
    public let newCodeHint = "r sends a new code"
    public let expired = "expired"
    public let otherNumberHint = "Esc for another number"
    public let phoneHint = "+ for another country"
    public let cancelHint = "Ctrl-C cancels"
    public let localNextStep = "Next: phoneproof serve (the HTTP API), phoneproof accounts show ACCOUNT-ID"
    public let remoteNextStep = "Next: sign in to this account with the same number."
    public let stubLabel = "SMS stub"
    public let canceled = "The signup was canceled."
    public let inputEnded =
        "The input ended before the signup was done: enter a number, and then the code that was sent."

    public func resendHint(in wait: String) -> String { "resend in \(wait)" }

    public func newCodeHint(in wait: String) -> String { "new code in \(wait)" }

    public func expiryHint(in wait: String) -> String { "expires in \(wait)" }

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

    public func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "yes" : "no" }
}

extension EnglishPromptTexts {
    public func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(until moment: Timestamp) -> String { Countdown.text(moment - now) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(nil): "Codes are not sent to this country: use a number of another one."
        case .regionNotAllowed(let region?):
            "Codes are not sent to numbers of \(region): use a number of another country."
        case .resendTooSoon(let moment):
            "A code was sent to this number a moment ago: ask again in \(wait(until: moment))."
        case .maxSendsReached(let moment):
            "The code was sent as often as it can be: ask for a new one in \(wait(until: moment))."
        case .rateLimited(_, let moment): "Too many requests for now: try again in \(wait(until: moment))."
        case .invalidMetadata: "Too much is to be kept with the account: keep less."
        case .malformedCode(let length): "The code has \(length) digits: enter all of them."
        case .codeIncorrect(0): "This is not the code, and no tries are left: r tells when a new one can be sent."
        case .codeIncorrect(1): "This is not the code: 1 try left."
        case .codeIncorrect(let checksLeft): "This is not the code: \(checksLeft) tries left."
        case .codeExpired: "The code has expired: r asks for a new one."
        case .maxChecksReached(let moment):
            "Too many wrong codes: ask for a new one in \(wait(until: moment)), or start over with another number."
        case .verificationNotFound: "No code is out for this number: r asks for one."
        case .verificationClosed: "This code was used already: r asks for a new one."
        case .verificationNotApproved: "The number has not been confirmed yet: enter the code."
        case .accountDormant:
            "This number's account has been silent for long: whoever runs the service has to decide whether it is yours."
        case .numberTaken: "Another account has this number."
        case .numberChangeNotFound: "This change cannot be undone any more."
        case .notSignedIn: "You are not signed in."
        case .proofTooOld: "You signed in too long ago for this: sign in anew."
        case .unavailable: "The service is not available just now: try again in a moment."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "Enter a phone number, such as 010-1234-5678."
        case .notANumber: "This is not a phone number: enter digits, after a + for another country."
        case .tooLong: "This number has too many digits: remove the extra ones."
        case .tooShort: "This number is not complete: add the missing digits."
        case .unknownRegion(let region):
            "Numbers of \(region) are not known here: start with + and the calling code of the country."
        case .unsupportedCallingCode(let code):
            "Numbers of +\(code) are not supported: use a number of another country."
        case .noSuchNumber: "No number begins like this: check the first digits."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile:
            "Numbers beginning 011 and 016 to 019 were closed in 2021: use the 010 number that took its place."
        case .fixedLine: "This is a landline, which cannot receive SMS: use a mobile number."
        case .voip: "This is an internet phone number, which cannot be used to sign up: use a mobile number."
        case .personal: "This number forwards to another one: use that mobile number itself."
        case .representative: "This is a company's number, which cannot receive SMS: use a mobile number."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "This number cannot receive a code: use a mobile number."
        }
    }
}
