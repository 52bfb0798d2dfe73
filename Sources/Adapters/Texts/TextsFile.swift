public import PhoneDomain

/// Texts that an operator has written into a file: a language of their own, or other words for one that there are texts
/// in. What the file lacks is taken from the texts below it.
///
/// It has what people read on the pages, in errors and hear in a call. Messages are files of their own
/// (`messages.directory`); the terminal, the console and the stub's inbox, which operators and developers see, stay as they are.
public struct TextsFile: Texts {
    public let language: LanguageTag
    public let base: any Texts
    private let entries: [Key: Entry]

    /// A text, or one for each category of plural.
    public enum Entry: Hashable, Sendable {
        case text(String)
        case plural([PluralCategory: String])
    }

    /// What a file may have; its names there are in lower case with underscores: `send_code`.
    public enum Key: String, CaseIterable, Sendable {
        case sessionNotFound, internalError, phoneLabel, codeLabel, sending, signingUp, callRepetition, startHeading,
            startIntroduction, startDocs, errorTitle, signInHeading, signInIntroduction, sendCode, terms, privacy,
            conjunction, codeHeading, changeNumber, signIn, resendCode, resendWait, resent, resendReady, noSendsLeft,
            inboundHeading, inboundRecipient, inboundText, inboundOpen, inboundSent, inboundMissing, inboundArrived,
            dormantHeading, newAccount, signedInHeading, signedInNote, signOut, signOutHeading, signedOutHeading,
            signedOut, countryLabel, countrySearch, countryNone, codeExpiredHeading, newCode, sendingFailedHeading,
            challengeHeading, challengeIntroduction, captchaIntroduction, challengeBusy, challengeWait,
            challengeNeedsScript, limitHeading, retryWait, anotherNumber, tryAgain, startAgain, pageExpiredHeading,
            pageExpired, pageReplacedHeading, pageReplaced, pageOfOtherSite, goOn, linkInvalidHeading, linkInvalid,
            offline, notFoundHeading, notFound, goToStart, undoHeading, undoButton, undoneHeading, undoGoneHeading,
            undoGone, undoTakenHeading, undoTaken, undoUnavailableHeading, undoUnavailable, acceptance, consent,
            sharesNumber, keepsNumber, codeSentBySms, codeSentByCall, codeSentByWhatsapp, codeSentByKakaotalk,
            codeSentInbound, sendBySms, sendByCall, sendByWhatsapp, sendByKakaotalk, sendInbound, dormantIntroduction,
            dormantWithCode, signedInAs, codeExpiredFor, sendingFailed, undoOffer, undoAdvice, undoDeadline, undone,
            callIntroduction, numberEmpty, numberMalformed, numberTooLong, numberTooShort, numberNeedsCountry,
            numberUnsupported, numberUnknown, kindLegacy, kindLandline, kindVoip, kindPersonal, kindCompany,
            kindOther, countryRefused, countriesAccepted, channelUnavailable, channelOther, resendTooSoon,
            tooManyCodes, rateLimited, challengeRequired, challengeFailed, sendDenied, codeMalformed, codeIncorrect,
            codeIncorrectLast, codeExpired, maxChecksReached, codeMissing, signupExpired, codeClosed, notApproved,
            accountDormant, consentRequired, accountSuspended, numberTaken, changeGone, dataTooBig, notSignedIn,
            proofTooOld, unavailable, seconds, minutes, hours, deviceHeading, deviceIntroduction, deviceCode,
            deviceUnknown,
            deviceQuestion, devicePlace, deviceProgram, deviceWarning, deviceApprove, deviceRefuse, deviceDoneHeading,
            deviceDone, deviceRefusedHeading, deviceRefused, deviceRequest,
            passkeySignIn, passkeyRefused, passkeyOfferHeading, passkeyOffer, passkeyCreate,
            passkeySkip, passkeyFailed, passkeysHeading, passkeysNone, passkeyUsed, passkeyName,
            passkeyRename, passkeyRemove, passkeyAsk, passkeyKeep

        /// `send_code`.
        public var name: String {
            rawValue.reduce(into: "") { name, letter in
                name += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
            }
        }

        /// What its text may have between braces.
        public var variables: [String] {
            switch self {
            case .acceptance, .consent: ["rules"]
            case .sharesNumber, .keepsNumber, .deviceRequest: ["client"]
            case .codeSentBySms, .codeSentByCall, .codeSentByWhatsapp, .codeSentByKakaotalk, .codeSentInbound,
                .signedInAs, .codeExpiredFor, .sendingFailed, .undoAdvice, .undone:
                ["number"]
            case .undoOffer: ["number", "moment"]
            case .undoDeadline, .passkeyUsed: ["moment"]
            case .callIntroduction: ["service"]
            case .numberUnsupported: ["code"]
            case .countriesAccepted: ["countries"]
            case .resendTooSoon, .tooManyCodes, .rateLimited, .maxChecksReached: ["wait"]
            case .codeMalformed: ["length"]
            case .codeIncorrect, .seconds, .minutes, .hours: ["count"]
            default: []
            }
        }
    }

    /// - Parameter base: has what the entries lack.
    public init(_ entries: [Key: Entry], in language: LanguageTag, over base: any Texts) {
        (self.entries, self.language, self.base) = (entries, language, base)
    }

    /// The same over other texts.
    public func over(_ base: any Texts) -> TextsFile { TextsFile(entries, in: language, over: base) }

    /// What it lacks, in the order of ``Key``.
    public var missing: [Key] { Key.allCases.filter { entries[$0] == nil } }

    public var englishName: String { language.description }
    public var regionNames: RegionNames { base.regionNames }

    private subscript(_ key: Key) -> String? { if case .text(let text) = entries[key] { text } else { nil } }

    /// A text with what stands for its variables: `{{number}}`.
    private func text(_ key: Key, _ name: String, _ value: String) -> String? {
        self[key]?.replacing("{{\(name)}}", with: value)
    }

    /// The forms of a text that depends on a number.
    private func forms(_ key: Key) -> PluralForms? {
        switch entries[key] {
        case .text(let text): PluralForms([.other: text])
        case .plural(let texts): PluralForms(texts)
        case nil: nil
        }
    }

    /// None unless the file has it: no sentence is of two languages.
    private func own(_ wait: Wait) -> String? {
        switch wait {
        case .seconds(let count): forms(.seconds).map { counted(count, $0) }
        case .minutes(let count): forms(.minutes).map { counted(count, $0) }
        case .hours(let count): forms(.hours).map { counted(count, $0) }
        }
    }
}

// What has no variables.
extension TextsFile {
    public var seconds: PluralForms { forms(.seconds) ?? base.seconds }
    public var minutes: PluralForms { forms(.minutes) ?? base.minutes }
    public var hours: PluralForms { forms(.hours) ?? base.hours }
    public var sessionNotFound: String { self[.sessionNotFound] ?? base.sessionNotFound }
    public var internalError: String { self[.internalError] ?? base.internalError }
    public var phoneLabel: String { self[.phoneLabel] ?? base.phoneLabel }
    public var codeLabel: String { self[.codeLabel] ?? base.codeLabel }
    public var sending: String { self[.sending] ?? base.sending }
    public var signingUp: String { self[.signingUp] ?? base.signingUp }
    public var callRepetition: String { self[.callRepetition] ?? base.callRepetition }
    public var startHeading: String { self[.startHeading] ?? base.startHeading }
    public var startIntroduction: String { self[.startIntroduction] ?? base.startIntroduction }
    public var startDocs: String { self[.startDocs] ?? base.startDocs }
    public var errorTitle: String { self[.errorTitle] ?? base.errorTitle }
    public var signInHeading: String { self[.signInHeading] ?? base.signInHeading }
    public var signInIntroduction: String { self[.signInIntroduction] ?? base.signInIntroduction }
    public var sendCode: String { self[.sendCode] ?? base.sendCode }
    public var terms: String { self[.terms] ?? base.terms }
    public var privacy: String { self[.privacy] ?? base.privacy }
    public var conjunction: String { self[.conjunction] ?? base.conjunction }
    public var codeHeading: String { self[.codeHeading] ?? base.codeHeading }
    public var changeNumber: String { self[.changeNumber] ?? base.changeNumber }
    public var signIn: String { self[.signIn] ?? base.signIn }
    public var resendCode: String { self[.resendCode] ?? base.resendCode }
    public var resendWait: String { self[.resendWait] ?? base.resendWait }
    public var resent: String { self[.resent] ?? base.resent }
    public var resendReady: String { self[.resendReady] ?? base.resendReady }
    public var noSendsLeft: String { self[.noSendsLeft] ?? base.noSendsLeft }
    public var inboundHeading: String { self[.inboundHeading] ?? base.inboundHeading }
    public var inboundRecipient: String { self[.inboundRecipient] ?? base.inboundRecipient }
    public var inboundText: String { self[.inboundText] ?? base.inboundText }
    public var inboundOpen: String { self[.inboundOpen] ?? base.inboundOpen }
    public var inboundSent: String { self[.inboundSent] ?? base.inboundSent }
    public var inboundMissing: String { self[.inboundMissing] ?? base.inboundMissing }
    public var inboundArrived: String { self[.inboundArrived] ?? base.inboundArrived }
    public var dormantHeading: String { self[.dormantHeading] ?? base.dormantHeading }
    public var newAccount: String { self[.newAccount] ?? base.newAccount }
    public var signedInHeading: String { self[.signedInHeading] ?? base.signedInHeading }
    public var signedInNote: String { self[.signedInNote] ?? base.signedInNote }
    public var signOut: String { self[.signOut] ?? base.signOut }
    public var signOutHeading: String { self[.signOutHeading] ?? base.signOutHeading }
    public var signedOutHeading: String { self[.signedOutHeading] ?? base.signedOutHeading }
    public var signedOut: String { self[.signedOut] ?? base.signedOut }
    public var countryLabel: String { self[.countryLabel] ?? base.countryLabel }
    public var countrySearch: String { self[.countrySearch] ?? base.countrySearch }
    public var countryNone: String { self[.countryNone] ?? base.countryNone }
    public var codeExpiredHeading: String { self[.codeExpiredHeading] ?? base.codeExpiredHeading }
    public var newCode: String { self[.newCode] ?? base.newCode }
    public var sendingFailedHeading: String { self[.sendingFailedHeading] ?? base.sendingFailedHeading }
    public var challengeHeading: String { self[.challengeHeading] ?? base.challengeHeading }
    public var challengeIntroduction: String { self[.challengeIntroduction] ?? base.challengeIntroduction }
    public var captchaIntroduction: String { self[.captchaIntroduction] ?? base.captchaIntroduction }
    public var challengeBusy: String { self[.challengeBusy] ?? base.challengeBusy }
    public var challengeWait: String { self[.challengeWait] ?? base.challengeWait }
    public var challengeNeedsScript: String { self[.challengeNeedsScript] ?? base.challengeNeedsScript }
    public var limitHeading: String { self[.limitHeading] ?? base.limitHeading }
    public var retryWait: String { self[.retryWait] ?? base.retryWait }
    public var anotherNumber: String { self[.anotherNumber] ?? base.anotherNumber }
    public var tryAgain: String { self[.tryAgain] ?? base.tryAgain }
    public var startAgain: String { self[.startAgain] ?? base.startAgain }
    public var pageExpiredHeading: String { self[.pageExpiredHeading] ?? base.pageExpiredHeading }
    public var pageExpired: String { self[.pageExpired] ?? base.pageExpired }
    public var pageReplacedHeading: String { self[.pageReplacedHeading] ?? base.pageReplacedHeading }
    public var pageReplaced: String { self[.pageReplaced] ?? base.pageReplaced }
    public var pageOfOtherSite: String { self[.pageOfOtherSite] ?? base.pageOfOtherSite }
    public var goOn: String { self[.goOn] ?? base.goOn }
    public var linkInvalidHeading: String { self[.linkInvalidHeading] ?? base.linkInvalidHeading }
    public var linkInvalid: String { self[.linkInvalid] ?? base.linkInvalid }
    public var offline: String { self[.offline] ?? base.offline }
    public var notFoundHeading: String { self[.notFoundHeading] ?? base.notFoundHeading }
    public var notFound: String { self[.notFound] ?? base.notFound }
    public var goToStart: String { self[.goToStart] ?? base.goToStart }
    public var undoHeading: String { self[.undoHeading] ?? base.undoHeading }
    public var undoButton: String { self[.undoButton] ?? base.undoButton }
    public var undoneHeading: String { self[.undoneHeading] ?? base.undoneHeading }
    public var undoGoneHeading: String { self[.undoGoneHeading] ?? base.undoGoneHeading }
    public var undoGone: String { self[.undoGone] ?? base.undoGone }
    public var undoTakenHeading: String { self[.undoTakenHeading] ?? base.undoTakenHeading }
    public var undoTaken: String { self[.undoTaken] ?? base.undoTaken }
    public var undoUnavailableHeading: String { self[.undoUnavailableHeading] ?? base.undoUnavailableHeading }
    public var undoUnavailable: String { self[.undoUnavailable] ?? base.undoUnavailable }
}

// Pages.
extension TextsFile {
    public func acceptance(of rules: String) -> String {
        text(.acceptance, "rules", rules) ?? base.acceptance(of: rules)
    }
    public func consent(to rules: String) -> String { text(.consent, "rules", rules) ?? base.consent(to: rules) }
    public func signInConsent(_ client: String, sharesNumber: Bool) -> String {
        text(sharesNumber ? .sharesNumber : .keepsNumber, "client", client)
            ?? base.signInConsent(client, sharesNumber: sharesNumber)
    }
    public func codeSent(to number: String, by channel: Channel) -> String {
        let key: Key =
            switch channel {
            case .sms, .sim: .codeSentBySms
            case .call: .codeSentByCall
            case .whatsapp: .codeSentByWhatsapp
            case .kakaotalk: .codeSentByKakaotalk
            case .inbound: .codeSentInbound
            }
        return text(key, "number", number) ?? base.codeSent(to: number, by: channel)
    }
    public func send(by channel: Channel) -> String {
        let key: Key =
            switch channel {
            case .sms, .sim: .sendBySms
            case .call: .sendByCall
            case .whatsapp: .sendByWhatsapp
            case .kakaotalk: .sendByKakaotalk
            case .inbound: .sendInbound
            }
        return self[key] ?? base.send(by: channel)
    }
    public func dormantIntroduction(hasCode: Bool) -> String {
        self[hasCode ? .dormantWithCode : .dormantIntroduction] ?? base.dormantIntroduction(hasCode: hasCode)
    }
    public func signedIn(as maskedNumber: String) -> String {
        text(.signedInAs, "number", maskedNumber) ?? base.signedIn(as: maskedNumber)
    }
    public func codeExpired(number: String) -> String {
        text(.codeExpiredFor, "number", number) ?? base.codeExpired(number: number)
    }
    public func sendingFailed(number: String) -> String {
        text(.sendingFailed, "number", number) ?? base.sendingFailed(number: number)
    }
    public func undoOffer(number: String, changedAt moment: String) -> String {
        text(.undoOffer, "number", number)?.replacing("{{moment}}", with: moment)
            ?? base.undoOffer(number: number, changedAt: moment)
    }
    public func undoAdvice(number: String) -> String {
        text(.undoAdvice, "number", number) ?? base.undoAdvice(number: number)
    }
    public func undoDeadline(_ moment: String) -> String {
        text(.undoDeadline, "moment", moment) ?? base.undoDeadline(moment)
    }
    public func undone(number: String) -> String { text(.undone, "number", number) ?? base.undone(number: number) }
    public func callIntroduction(service: String) -> String {
        text(.callIntroduction, "service", service) ?? base.callIntroduction(service: service)
    }
}

// Failures.
extension TextsFile {
    public func explanation(of failure: PhoneFailure, at now: Timestamp) -> String {
        own(failure, at: now) ?? base.explanation(of: failure, at: now)
    }

    private func own(_ failure: PhoneFailure, at now: Timestamp) -> String? {
        func text(_ key: Key, until moment: Timestamp) -> String? {
            own(Wait(until: moment, from: now)).flatMap { self.text(key, "wait", $0) }
        }
        return switch failure {
        case .invalidPhoneNumber(let error): own(error)
        case .kindNotAccepted(let kind): self[key(of: kind)]
        case .regionNotAllowed(_, let allowed): own(allowed)
        case .channelUnavailable(_, let offered): self[offered.isEmpty ? .channelUnavailable : .channelOther]
        case .resendTooSoon(let moment): text(.resendTooSoon, until: moment)
        case .maxSendsReached(let moment): text(.tooManyCodes, until: moment)
        case .rateLimited(_, let moment): text(.rateLimited, until: moment)
        case .challengeRequired: self[.challengeRequired]
        case .challengeFailed: self[.challengeFailed]
        case .sendDenied: self[.sendDenied]
        case .malformedCode(let length): self.text(.codeMalformed, "length", "\(length)")
        case .codeIncorrect(let checked) where checked.checksLeft == 0: self[.codeIncorrectLast]
        case .codeIncorrect(let checked): forms(.codeIncorrect).map { counted(Int64(checked.checksLeft), $0) }
        case .codeExpired: self[.codeExpired]
        case .maxChecksReached(let moment): text(.maxChecksReached, until: moment)
        case .verificationNotFound: self[.codeMissing]
        case .signupNotFound: self[.signupExpired]
        case .verificationClosed: self[.codeClosed]
        case .verificationNotApproved: self[.notApproved]
        case .accountDormant: self[.accountDormant]
        case .consentRequired: self[.consentRequired]
        case .accountSuspended: self[.accountSuspended]
        case .numberTaken: self[.numberTaken]
        case .numberChangeNotFound: self[.changeGone]
        case .invalidMetadata: self[.dataTooBig]
        case .notSignedIn, .keyInvalid: self[.notSignedIn]
        case .proofTooOld: self[.proofTooOld]
        case .unavailable: self[.unavailable]
        }
    }

    private func own(_ error: PhoneNumberError) -> String? {
        switch error {
        case .empty: self[.numberEmpty]
        case .notANumber: self[.numberMalformed]
        case .tooLong: self[.numberTooLong]
        case .tooShort: self[.numberTooShort]
        case .unknownRegion: self[.numberNeedsCountry]
        case .unsupportedCallingCode(let code): text(.numberUnsupported, "code", code)
        case .noSuchNumber: self[.numberUnknown]
        }
    }

    private func key(of kind: NumberKind) -> Key {
        switch kind {
        case .legacyMobile: .kindLegacy
        case .fixedLine: .kindLandline
        case .voip: .kindVoip
        case .personal: .kindPersonal
        case .representative: .kindCompany
        case .mobile, .fixedLineOrMobile, .tollFree, .premium, .sharedCost, .pager, .voicemail, .machine: .kindOther
        }
    }

    private func own(_ allowed: [Region]) -> String? {
        if (1...5).contains(allowed.count) {
            return text(.countriesAccepted, "countries", allowed.map(name(of:)).joined(separator: ", "))
        }
        return self[.countryRefused]
    }
}

// For operators and developers, and messages, which have files of their own.
extension TextsFile {
    public var consentQuestion: String { base.consentQuestion }
    public var sendHint: String { base.sendHint }
    public var signUpHint: String { base.signUpHint }
    public var connecting: String { base.connecting }
    public var tryAgainHint: String { base.tryAgainHint }
    public var resendHint: String { base.resendHint }
    public var newCodeHint: String { base.newCodeHint }
    public var expired: String { base.expired }
    public var otherNumberHint: String { base.otherNumberHint }
    public var phoneHint: String { base.phoneHint }
    public var cancelHint: String { base.cancelHint }
    public var remoteNextStep: String { base.remoteNextStep }
    public var stubLabel: String { base.stubLabel }
    public var canceled: String { base.canceled }
    public var inputEnded: String { base.inputEnded }
    public var numberInput: String { base.numberInput }
    public var numberFormatted: String { base.numberFormatted }
    public var numberIsValid: String { base.numberIsValid }
    public var numberKind: String { base.numberKind }
    public var numberRegion: String { base.numberRegion }
    public var numberNational: String { base.numberNational }
    public var numberInternational: String { base.numberInternational }
    public var numberReceivesCode: String { base.numberReceivesCode }
    public var consoleKey: String { base.consoleKey }
    public var consoleKeyHint: String { base.consoleKeyHint }
    public var consoleKeyRefused: String { base.consoleKeyRefused }
    public var consoleNotSignedIn: String { base.consoleNotSignedIn }
    public var consoleProofTooOld: String { base.consoleProofTooOld }
    public var consoleRefused: String { base.consoleRefused }
    public var inboxHeading: String { base.inboxHeading }
    public var inboxNote: String { base.inboxNote }
    public var inboxReload: String { base.inboxReload }
    public var inboxEmpty: String { base.inboxEmpty }
    public var inboxCopy: String { base.inboxCopy }
    public var inboxCopied: String { base.inboxCopied }
    public var inboxFilter: String { base.inboxFilter }
    public var inboxClear: String { base.inboxClear }
    public var inboxKey: String { base.inboxKey }
    public var verificationMessage: String { base.verificationMessage }
    public var numberChangeMessage: String { base.numberChangeMessage }
    public var sharingWarning: String { base.sharingWarning }
    public var sharingWarningMarks: [String] { base.sharingWarningMarks }
    public func codeQuestion(or channel: Channel?) -> String { base.codeQuestion(or: channel) }
    public func resendHint(in wait: String) -> String { base.resendHint(in: wait) }
    public func newCodeHint(in wait: String) -> String { base.newCodeHint(in: wait) }
    public func expiryHint(in wait: String) -> String { base.expiryHint(in: wait) }
    public func anotherNumberHint(orCodeIn wait: String) -> String { base.anotherNumberHint(orCodeIn: wait) }
    public func regionHint(_ region: Region) -> String { base.regionHint(region) }
    public func localNextSteps(show: String, serve: String) -> [String] {
        base.localNextSteps(show: show, serve: serve)
    }
    public func sent(to maskedNumber: String, by channel: Channel?) -> String {
        base.sent(to: maskedNumber, by: channel)
    }
    public func signedUp(_ phoneText: String, account: String) -> String { base.signedUp(phoneText, account: account) }
    public func welcomeBack(_ phoneText: String, account: String) -> String {
        base.welcomeBack(phoneText, account: account)
    }
    public func serverUnreachable(_ server: String, reason: String) -> String {
        base.serverUnreachable(server, reason: reason)
    }
    public func serverNotUnderstood(_ server: String, status: Int) -> String {
        base.serverNotUnderstood(server, status: status)
    }
    public func name(of kind: NumberKind) -> String { base.name(of: kind) }
    public func yesOrNo(_ isTrue: Bool) -> String { base.yesOrNo(isTrue) }
    public func inboxMessage(to number: String) -> String { base.inboxMessage(to: number) }
    public func inboxCall(to number: String) -> String { base.inboxCall(to: number) }
    public func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String {
        base.inboxDelivery(from: sender, status: status, errorCode: errorCode)
    }
}

// Pages for devices without a browser.
extension TextsFile {
    public var deviceHeading: String { self[.deviceHeading] ?? base.deviceHeading }
    public var deviceIntroduction: String { self[.deviceIntroduction] ?? base.deviceIntroduction }
    public var deviceCode: String { self[.deviceCode] ?? base.deviceCode }
    public var deviceUnknown: String { self[.deviceUnknown] ?? base.deviceUnknown }
    public var deviceQuestion: String { self[.deviceQuestion] ?? base.deviceQuestion }
    public var devicePlace: String { self[.devicePlace] ?? base.devicePlace }
    public var deviceProgram: String { self[.deviceProgram] ?? base.deviceProgram }
    public var deviceWarning: String { self[.deviceWarning] ?? base.deviceWarning }
    public var deviceApprove: String { self[.deviceApprove] ?? base.deviceApprove }
    public var deviceRefuse: String { self[.deviceRefuse] ?? base.deviceRefuse }
    public var deviceDoneHeading: String { self[.deviceDoneHeading] ?? base.deviceDoneHeading }
    public var deviceDone: String { self[.deviceDone] ?? base.deviceDone }
    public var deviceRefusedHeading: String { self[.deviceRefusedHeading] ?? base.deviceRefusedHeading }
    public var deviceRefused: String { self[.deviceRefused] ?? base.deviceRefused }
    public func deviceRequest(client: String) -> String {
        text(.deviceRequest, "client", client) ?? base.deviceRequest(client: client)
    }
}

// Passkeys.
extension TextsFile {
    public var passkeySignIn: String { self[.passkeySignIn] ?? base.passkeySignIn }
    public var passkeyRefused: String { self[.passkeyRefused] ?? base.passkeyRefused }
    public var passkeyOfferHeading: String { self[.passkeyOfferHeading] ?? base.passkeyOfferHeading }
    public var passkeyOffer: String { self[.passkeyOffer] ?? base.passkeyOffer }
    public var passkeyCreate: String { self[.passkeyCreate] ?? base.passkeyCreate }
    public var passkeySkip: String { self[.passkeySkip] ?? base.passkeySkip }
    public var passkeyFailed: String { self[.passkeyFailed] ?? base.passkeyFailed }
    public var passkeysHeading: String { self[.passkeysHeading] ?? base.passkeysHeading }
    public var passkeysNone: String { self[.passkeysNone] ?? base.passkeysNone }
    public var passkeyName: String { self[.passkeyName] ?? base.passkeyName }
    public var passkeyRename: String { self[.passkeyRename] ?? base.passkeyRename }
    public var passkeyRemove: String { self[.passkeyRemove] ?? base.passkeyRemove }
    public var passkeyAsk: String { self[.passkeyAsk] ?? base.passkeyAsk }
    public var passkeyKeep: String { self[.passkeyKeep] ?? base.passkeyKeep }
    public func passkeyUsed(_ moment: String) -> String {
        text(.passkeyUsed, "moment", moment) ?? base.passkeyUsed(moment)
    }
}
