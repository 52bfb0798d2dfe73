import PhoneDomain

struct EnglishTexts: Texts {
    let language = LanguageTag.english
    let englishName = "English"
    var regionNames: RegionNames { .english }
}

// Failures.
extension EnglishTexts {
    var sessionNotFound: String { "This device is already signed out." }
    var internalError: String { "Something went wrong. Try again." }

    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        func wait(_ moment: Timestamp) -> String { text(Wait(until: moment, from: now)) }
        return switch failure {
        case .invalidPhoneNumber(let error): explanation(of: error)
        case .kindNotAccepted(let kind): explanation(of: kind)
        case .regionNotAllowed(let region, let allowed): explanation(ofRefused: region, allowed)
        case .channelUnavailable(_, let offered) where offered.isEmpty: "We can't send a code to this number right now."
        case .channelUnavailable: "We can't send a code that way. Choose another option."
        case .resendTooSoon(let moment): "We just sent you a code. You can request another one in \(wait(moment))."
        case .maxSendsReached(let moment): "You've requested too many codes. Try again in \(wait(moment))."
        case .rateLimited(_, let moment): "Too many requests. Try again in \(wait(moment))."
        case .challengeRequired: "We need to check that you're not a bot. Try again."
        case .challengeFailed: "We couldn't confirm that you're not a bot. Try again."
        case .sendDenied: "We can't send a code to this number. Use another number."
        case .malformedCode(let length): "Enter the \(length)-digit code."
        case .codeIncorrect(let checked) where checked.checksLeft == 0: "Wrong code. No attempts left."
        case .codeIncorrect(let checked) where checked.checksLeft == 1: "Wrong code. 1 attempt left."
        case .codeIncorrect(let checked): "Wrong code. \(checked.checksLeft) attempts left."
        case .codeExpired: "Your code has expired. Request a new one."
        case .maxChecksReached(let moment): "Too many wrong codes. Try again in \(wait(moment))."
        case .verificationNotFound: "Request a code for this number first."
        case .signupNotFound: "Your session has expired. Start again."
        case .verificationClosed: "This code is no longer valid. Request a new one."
        case .verificationNotApproved: "This number isn't verified yet. Enter the code first."
        case .accountDormant:
            "The account with this number hasn't been used for a long time. Contact support to continue."
        case .consentRequired: "Agree to the terms to continue."
        case .accountSuspended: "This account is suspended. Contact support."
        case .numberTaken: "This number is already used by another account."
        case .numberChangeNotFound: "This change can no longer be undone."
        case .invalidMetadata: "There is too much data to save. Remove some of it."
        case .notSignedIn, .keyInvalid: "You're signed out. Sign in again."
        case .proofTooOld: "For your security, sign in again to continue."
        case .unavailable: "The service is temporarily unavailable. Try again in a moment."
        }
    }

    private func explanation(of error: PhoneNumberError) -> String {
        switch error {
        case .empty: "Enter your phone number."
        case .notANumber:
            "That's not a phone number. Enter digits only, no extension. For another country, start with +."
        case .tooLong: "This number has too many digits."
        case .tooShort: "This number is incomplete."
        case .unknownRegion: "Start the number with + and the country code."
        case .unsupportedCallingCode(let code): "Numbers that start with +\(code) are not supported."
        case .noSuchNumber: "This number doesn't exist. Check the digits."
        }
    }

    private func explanation(of kind: NumberKind) -> String {
        switch kind {
        case .legacyMobile: "011 and 016–019 numbers are out of service. Use your 010 number."
        case .fixedLine: "This is a landline. Use a mobile number."
        case .voip: "This is an internet phone number. Use a mobile number."
        case .personal: "This is a forwarding number. Use your own mobile number."
        case .representative: "This is a company number. Use a mobile number."
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine:
            "This number cannot receive codes. Use a mobile number."
        }
    }

    private func explanation(ofRefused region: Region?, _ allowed: [Region]) -> String {
        let reason =
            "Numbers from \(region.map { "this country (\(name(of: $0)))" } ?? "this country") aren't supported."
        guard (1...5).contains(allowed.count) else { return reason + " Use another number." }
        return reason + " Use a number from: \(allowed.map(name(of:)).joined(separator: ", "))."
    }

    var seconds: PluralForms { [.one: "{{count}} second", .other: "{{count}} seconds"] }
    var minutes: PluralForms { "{{count}} minutes" }
    var hours: PluralForms { "{{count}} hours" }
}

// Prompt.
extension EnglishTexts {
    var phoneLabel: String { "Phone number" }
    var codeLabel: String { "Code" }
    func codeQuestion(or channel: Channel?) -> String {
        "Code (r: resend\(channel.map { ", c: " + send(by: $0) } ?? ""), n: change number):"
    }
    var consentQuestion: String { "Agree? (y: yes, n: no)" }
    var sendHint: String { "Enter: send code" }
    var signUpHint: String { "Enter: sign up" }
    var connecting: String { "connecting…" }
    var tryAgainHint: String { "Enter: try again" }
    var sending: String { "sending…" }
    var signingUp: String { "checking…" }
    var resendHint: String { "r: resend" }
    var newCodeHint: String { "r: new code" }
    var expired: String { "expired" }
    var otherNumberHint: String { "Esc: change number" }
    var phoneHint: String { "+ for another country" }
    func regionHint(_ region: Region) -> String { "region \(region) (--region changes it)" }
    var cancelHint: String { "Ctrl-C: cancel" }
    var remoteNextStep: String { "Next: sign in to this account with the same number." }
    var stubLabel: String { "SMS stub" }
    var canceled: String { "Signup canceled." }
    var inputEnded: String { "The input ended before the signup was complete. Enter a phone number, then the code." }

    func localNextSteps(show: String, serve: String) -> [String] { ["Next: \(show)", "or:   \(serve)"] }
    func anotherNumberHint(orCodeIn wait: String) -> String { "another number, or a new code in \(wait)" }
    func resendHint(in wait: String) -> String { "resend in \(wait)" }
    func newCodeHint(in wait: String) -> String { "new code in \(wait)" }
    func expiryHint(in wait: String) -> String { "expires in \(wait)" }
    func sent(to maskedNumber: String, by channel: Channel?) -> String {
        switch channel {
        case .call: "Calling \(maskedNumber) with your code."
        case .whatsapp: "Code sent to \(maskedNumber) on WhatsApp."
        case .kakaotalk: "Code sent to \(maskedNumber) on KakaoTalk."
        case .sms, .inbound, .sim, nil: "Code sent to \(maskedNumber)."
        }
    }
    func signedUp(_ phoneText: String, account: String) -> String {
        "Signed up: \(phoneText) · account \(account) (new)"
    }
    func welcomeBack(_ phoneText: String, account: String) -> String {
        "Welcome back: \(phoneText) · account \(account)"
    }
    func serverUnreachable(_ server: String, reason: String) -> String {
        "Cannot reach \(server). Check that it is running and that the address is correct. (\(reason))"
    }
    func serverNotUnderstood(_ server: String, status: Int) -> String {
        "\(server) is not a PhoneProof server (status \(status)). Check the address given with --server."
    }
}

// Report on a number.
extension EnglishTexts {
    var numberInput: String { "Input" }
    var numberFormatted: String { "Shown as" }
    var numberIsValid: String { "Valid" }
    var numberKind: String { "Kind" }
    var numberRegion: String { "Region" }
    var numberNational: String { "National" }
    var numberInternational: String { "International" }
    var numberReceivesCode: String { "Receives a code" }

    func name(of kind: NumberKind) -> String {
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

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? "yes" : "no" }
}

// Pages.
extension EnglishTexts {
    var undoHeading: String { "Your phone number was changed" }
    func undoOffer(number: String, changedAt moment: String) -> String {
        "On \(moment), the phone number on your account was changed from \(number) to another number."
    }
    func undoAdvice(number: String) -> String {
        "If this was you, you can close this page. If not, change it back. Your number will be \(number) again, "
            + "and all devices will be signed out."
    }
    var undoButton: String { "Change it back" }
    func undoDeadline(_ moment: String) -> String { "You can change it back until \(moment)." }
    var undoneHeading: String { "Your number was restored" }
    func undone(number: String) -> String {
        "Your account has the number \(number) again. All devices were signed out. Sign in again with this number."
    }
    var undoGoneHeading: String { "This link has expired" }
    var undoGone: String {
        "It has already been used, or it is too old. If you just pressed the button, the change was undone."
    }
    var undoTakenHeading: String { "This change can't be undone" }
    var undoTaken: String { "Another account now uses your previous number. Contact support." }
    var undoUnavailableHeading: String { "Something went wrong" }
    var undoUnavailable: String { "Wait a moment, then open the link from the message again." }

    var inboxHeading: String { "SMS stub inbox" }
    var inboxNote: String { "These messages were not sent to any phone. Newest first." }
    var inboxReload: String { "Reload the page to see new messages." }
    var inboxEmpty: String { "No messages yet." }
    var inboxCopy: String { "Copy" }
    var inboxCopied: String { "Copied" }
    var inboxFilter: String { "Filter by number" }
    var inboxClear: String { "Clear" }
    var inboxKey: String { "Press C to copy the newest code." }
    func inboxMessage(to number: String) -> String { "To \(number)" }
    func inboxCall(to number: String) -> String { "Call to \(number)" }
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        "From \(sender), \(status)" + (errorCode.map { ", error \($0)" } ?? "")
    }
}

// SMS.
extension EnglishTexts {
    var verificationMessage: String {
        "{{code}} is your {{service}} code. It expires in {{minutes}} min. Do not share it."
    }
    var numberChangeMessage: String {
        "Your {{service}} phone number was changed. If this wasn't you, undo it: {{link}}"
    }
    /// With a plain apostrophe, since GSM-7 lacks the typographic one.
    var sharingWarning: String { "Don't share it with anyone." }
    var sharingWarningMarks: [String] { ["not share", "n't share", "n’t share", "never share"] }
}

// Pages to sign in.
extension EnglishTexts {
    var errorTitle: String { "Error" }
    var startHeading: String { "Sign in by phone" }
    var startIntroduction: String { "This service verifies phone numbers and signs people in with them." }
    var startDocs: String { "For developers: the API" }
    var signInHeading: String { "Sign in with your phone number" }
    var signInIntroduction: String { "We'll send you a code to sign in or create your account." }
    var sendCode: String { "Send code" }
    var terms: String { "Terms of Service" }
    var privacy: String { "Privacy Policy" }
    var conjunction: String { " and " }
    func acceptance(of rules: String) -> String { "By continuing, you agree to the \(rules)." }
    func consent(to rules: String) -> String { "I agree to the \(rules)." }
    func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        sharesNumber
            ? "\(client) will receive your phone number."
            : "\(client) won't receive your phone number."
    }
    var codeHeading: String { "Enter the code" }
    func codeSent(to number: String, by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "We texted a code to \(number)."
        case .call: "We're calling \(number) with your code."
        case .whatsapp: "We sent a code to \(number) on WhatsApp."
        case .kakaotalk: "We sent a code to \(number) on KakaoTalk."
        case .inbound: "Send us a text from \(number)."
        }
    }
    var changeNumber: String { "Change number" }
    var signIn: String { "Sign in" }
    var resendCode: String { "Resend code" }
    var resendWait: String { "Resend code in %" }
    var resent: String { "Sent again." }
    func send(by channel: Channel) -> String {
        switch channel {
        case .sms, .sim: "Text me instead"
        case .call: "Call me instead"
        case .whatsapp: "Use WhatsApp"
        case .kakaotalk: "Use KakaoTalk"
        case .inbound: "I'll text you instead"
        }
    }

    var inboundHeading: String { "Send us a text" }
    var inboundRecipient: String { "To" }
    var inboundText: String { "Message" }
    var inboundOpen: String { "Open messaging app" }
    var inboundSent: String { "I sent it" }
    var inboundMissing: String { "We haven't received your text yet. It can take a minute." }
    var inboundArrived: String { "We received your text." }

    func callIntroduction(service: String) -> String { "Hello. Your code for \(service) is:" }
    var callRepetition: String { "Once more, your code is:" }
    var resendReady: String { "Didn't get a code?" }
    var noSendsLeft: String { "We can't resend the code right now." }
    var dormantHeading: String { "This number is linked to an old account" }
    func dormantIntroduction(hasCode: Bool) -> String {
        "The account hasn't been used for a long time and may belong to someone else. "
            + (hasCode ? "Enter the code again to create a new account. " : "You can create a new account. ")
            + "To sign in to the old account, contact support."
    }
    var newAccount: String { "Create a new account" }
    var signedInHeading: String { "You're signed in" }
    func signedIn(as maskedNumber: String) -> String { "Signed in as \(maskedNumber)." }
    var signedInNote: String { "You can close this page. Next time you won't need a code in this browser." }
    var signOut: String { "Sign out" }
    var signOutHeading: String { "Sign out?" }
    var signedOutHeading: String { "You're signed out" }
    var signedOut: String { "You can close this page." }
    var countryLabel: String { "Country" }
    var countrySearch: String { "Search by name or code" }
    var countryNone: String { "No country found" }
    var codeExpiredHeading: String { "Your code has expired" }
    func codeExpired(number: String) -> String {
        "Codes only work for a few minutes. We can send a new one to \(number)."
    }
    var newCode: String { "Send new code" }
    var sendingFailedHeading: String { "We couldn't send the code" }
    func sendingFailed(number: String) -> String {
        "Your code didn't reach \(number). Check the number, or try again in a moment."
    }
    var challengeHeading: String { "One moment" }
    var challengeIntroduction: String { "We're checking that you're not a bot. This takes a few seconds." }
    var captchaIntroduction: String { "Confirm that you're not a bot to get your code." }
    var challengeBusy: String { "Checking…" }
    var challengeWait: String { "JavaScript is off, so please wait. You can send the code in % s." }
    var challengeNeedsScript: String { "JavaScript is off in your browser. Turn it on, then reload this page." }
    var limitHeading: String { "Too many attempts" }
    var retryWait: String { "Try again in %" }
    var offline: String { "You're offline. Check your connection and try again." }
    var anotherNumber: String { "Use another number" }
    var tryAgain: String { "Try again" }
    var startAgain: String { "Start again" }
    var pageExpiredHeading: String { "This page has expired" }
    var pageExpired: String {
        "It was open for too long, you signed in or out in another tab, or your browser blocks cookies."
    }
    var pageReplacedHeading: String { "This page is out of date" }
    var pageReplaced: String { "You've continued in another tab or window. Nothing was sent from this one." }
    var pageOfOtherSite: String { "This form came from another website, so nothing was done." }
    var goOn: String { "Continue" }
    var linkInvalidHeading: String { "This link isn't valid" }
    var linkInvalid: String {
        "The app that sent you here made a request that can't be trusted. Nothing was shared with it."
    }
    var notFoundHeading: String { "Page not found" }
    var notFound: String { "There is no page at this address." }
    var goToStart: String { "Go to the start page" }
    var consoleKey: String { "API key" }
    var consoleKeyHint: String { "A key of the scope viewer, support or admin:" }
    var consoleKeyRefused: String { "This key is invalid, was revoked, or is not for the console." }
    var consoleNotSignedIn: String { "The sign-in was not completed. Try again." }
    var consoleProofTooOld: String { "The number was proven before this sign-in began. Try again, with a new code." }
    var consoleRefused: String { "This number is not an operator's." }
}

// Pages for devices without a browser.
extension EnglishTexts {
    var deviceHeading: String { "Sign in on a device" }
    var deviceIntroduction: String { "Enter the code that your own device shows." }
    var deviceCode: String { "Code on the device" }
    var deviceUnknown: String {
        "No device is waiting with this code. Check the letters, or have your device show a new code."
    }
    var deviceQuestion: String { "Is this you?" }
    var devicePlace: String { "IP address" }
    var deviceProgram: String { "Program" }
    var deviceWarning: String {
        "Continue only if you started this yourself just now and your device shows this code. If somebody sent you the code or a link, it is fraud: choose No."
    }
    var deviceApprove: String { "Yes, sign in" }
    var deviceRefuse: String { "No" }
    var deviceDoneHeading: String { "Your device is signed in" }
    var deviceDone: String { "You can close this page and go back to your device." }
    var deviceRefusedHeading: String { "Refused" }
    var deviceRefused: String { "Nobody was signed in. If somebody sent you the code, do not reply to them." }
    func deviceRequest(client: String) -> String { "\(client) on another device is asking to be signed in as you." }
}

// Passkeys.
extension EnglishTexts {
    var passkeySignIn: String { "Sign in with a passkey" }
    var passkeyRefused: String { "That passkey doesn't work here. Sign in with your phone number." }
    var passkeyOfferHeading: String { "Skip the code next time" }
    var passkeyOffer: String {
        "With a passkey you sign in with your fingerprint, face or screen lock. Your phone number keeps working too."
    }
    var passkeyCreate: String { "Create a passkey" }
    var passkeySkip: String { "Not now" }
    var passkeyFailed: String { "The passkey wasn't created. You can try again." }
    var passkeysHeading: String { "Passkeys" }
    var passkeysNone: String { "You have no passkeys yet." }
    func passkeyUsed(_ moment: String) -> String { "Last used: \(moment)" }
    var passkeyName: String { "Name" }
    var passkeyRename: String { "Rename" }
    var passkeyRemove: String { "Remove" }
    var passkeyAsk: String {
        "Your phone number has changed, or this passkey hasn't been used for a long time. Is it still yours?"
    }
    var passkeyKeep: String { "It's mine" }
}
