public import PhoneDomain

/// Texts that an operator has written into a file: a language of their own, or other words for one that there are texts
/// in. What the file lacks is taken from the texts below it.
///
/// It has what people read on the pages, in errors and hear in a call. Messages are files of their own
/// (`messages.directory`); the terminal, the console and the stub's inbox, which operators and developers see, stay as
/// they are.
public struct TextsFile: Sendable {
    public let language: LanguageTag
    /// Whether there are built-in texts in its language, of which it changes some.
    public let isOverBuiltIn: Bool
    /// What is shown: the texts of the file and, where it lacks one, of its base.
    public let texts: Texts
    private let entries: [String: PluralForms]

    /// - Parameters:
    ///   - entries: by their names in the file.
    ///   - base: has what the entries lack.
    public init(_ entries: [String: PluralForms], in language: LanguageTag, over base: Texts) {
        (self.entries, self.language) = (entries, language)
        isOverBuiltIn = base.language.language == language.language
        // No sentence is of two languages: those with a wait count together with what names it, or not at all.
        let isWhole = isOverBuiltIn || Self.waits.allSatisfy { entries[$0] != nil }
        let entries = isWhole ? entries : entries.filter { !Self.waits.contains($0.key) }
        let groups = Groups(base)
        for (name, path) in Self.plain {
            if let entry = entries[name] { groups[keyPath: path] = entry.other }
        }
        for (name, path) in Self.counted {
            if let entry = entries[name] {
                groups[keyPath: path] = entry
            } else {
                groups[keyPath: path].language = base.language
            }
        }
        texts = Texts(
            language: language,
            englishName: language.description,
            regionNames: base.regionNames,
            messengers: base.messengers,
            failures: groups.failures,
            prompt: base.prompt,
            number: base.number,
            pages: groups.pages,
            console: base.console,
            devices: groups.devices,
            passkeys: groups.passkeys,
            undo: groups.undo,
            inbox: base.inbox,
            call: groups.call,
            messages: base.messages
        )
    }

    /// The same entries over other texts.
    public func over(_ base: Texts) -> TextsFile { TextsFile(entries, in: language, over: base) }

    /// The names of what it lacks.
    public var missing: [String] { Self.names.filter { entries[$0] == nil } }

    /// What a file may have: `send_code`.
    public static let names: [String] = plain.map(\.key) + counted.map(\.key)

    /// By name, what a text may have between braces: what the English one has.
    public static let variables: [String: [String]] = {
        let english = Groups(.english)
        var variables: [String: [String]] = [:]
        for (name, path) in plain { variables[name] = english[keyPath: path].variables }
        for (name, path) in counted { variables[name] = english[keyPath: path].other.variables }
        return variables
    }()

    /// Whether the text of this name may have a form for each plural.
    public static func isCounted(_ name: String) -> Bool { counted.contains { $0.key == name } }

    /// The groups of which a file may change texts. It is a class since code to copy it would be larger than the rest.
    private final class Groups {
        var failures: Texts.Failures
        var pages: Texts.Pages
        var devices: Texts.Devices
        var passkeys: Texts.Passkeys
        var undo: Texts.Undo
        var call: Texts.Call

        init(_ texts: Texts) {
            (failures, pages, devices) = (texts.failures, texts.pages, texts.devices)
            (passkeys, undo, call) = (texts.passkeys, texts.undo, texts.call)
        }
    }

    /// Those with `{{wait}}`, and what stands for it.
    private static let waits: Set<String> = [
        "seconds", "minutes", "hours", "resend_too_soon", "too_many_codes", "rate_limited", "max_checks_reached",
    ]

    private static let counted: KeyValuePairs<String, any ReferenceWritableKeyPath<Groups, PluralForms> & Sendable> = [
        "countries_accepted": \.failures.countriesAccepted,
        "countries_accepted_by_name": \.failures.countriesAcceptedByName,
        "code_incorrect": \.failures.codeIncorrect,
        "seconds": \.failures.seconds,
        "minutes": \.failures.minutes,
        "hours": \.failures.hours,
    ]

    private static let plain: KeyValuePairs<String, any ReferenceWritableKeyPath<Groups, String> & Sendable> = [
        "session_not_found": \.failures.sessionNotFound,
        "internal_error": \.failures.internalError,
        "number_empty": \.failures.numberEmpty,
        "number_malformed": \.failures.numberMalformed,
        "number_too_long": \.failures.numberTooLong,
        "number_too_short": \.failures.numberTooShort,
        "number_needs_country": \.failures.numberNeedsCountry,
        "number_unsupported": \.failures.numberUnsupported,
        "number_unknown": \.failures.numberUnknown,
        "kind_legacy": \.failures.kindLegacy,
        "kind_landline": \.failures.kindLandline,
        "kind_voip": \.failures.kindVoip,
        "kind_personal": \.failures.kindPersonal,
        "kind_company": \.failures.kindCompany,
        "kind_other": \.failures.kindOther,
        "country_refused": \.failures.countryRefused,
        "country_refused_by_name": \.failures.countryRefusedByName,
        "channel_unavailable": \.failures.channelUnavailable,
        "channel_other": \.failures.channelOther,
        "resend_too_soon": \.failures.resendTooSoon,
        "too_many_codes": \.failures.tooManyCodes,
        "rate_limited": \.failures.rateLimited,
        "challenge_required": \.failures.challengeRequired,
        "challenge_failed": \.failures.challengeFailed,
        "send_denied": \.failures.sendDenied,
        "code_malformed": \.failures.codeMalformed,
        "code_incorrect_last": \.failures.codeIncorrectLast,
        "code_expired": \.failures.codeExpired,
        "max_checks_reached": \.failures.maxChecksReached,
        "code_missing": \.failures.codeMissing,
        "signup_expired": \.failures.signupExpired,
        "code_closed": \.failures.codeClosed,
        "not_approved": \.failures.notApproved,
        "account_dormant": \.failures.accountDormant,
        "consent_required": \.failures.consentRequired,
        "account_suspended": \.failures.accountSuspended,
        "number_taken": \.failures.numberTaken,
        "change_gone": \.failures.changeGone,
        "data_too_big": \.failures.dataTooBig,
        "not_signed_in": \.failures.notSignedIn,
        "proof_too_old": \.failures.proofTooOld,
        "unavailable": \.failures.unavailable,
        "start_heading": \.pages.startHeading,
        "start_introduction": \.pages.startIntroduction,
        "start_docs": \.pages.startDocs,
        "error_title": \.pages.errorTitle,
        "sign_in_heading": \.pages.signInHeading,
        "sign_in_introduction": \.pages.signInIntroduction,
        "phone_label": \.pages.phoneLabel,
        "send_code": \.pages.sendCode,
        "sending": \.pages.sending,
        "terms": \.pages.terms,
        "privacy": \.pages.privacy,
        "conjunction": \.pages.conjunction,
        "acceptance": \.pages.acceptance,
        "consent": \.pages.consent,
        "shares_number": \.pages.sharesNumber,
        "keeps_number": \.pages.keepsNumber,
        "code_heading": \.pages.codeHeading,
        "code_label": \.pages.codeLabel,
        "code_sent_by_sms": \.pages.codeSentBySms,
        "code_sent_by_call": \.pages.codeSentByCall,
        "code_sent_by_messenger": \.pages.codeSentByMessenger,
        "code_sent_inbound": \.pages.codeSentInbound,
        "change_number": \.pages.changeNumber,
        "sign_in": \.pages.signIn,
        "signing_up": \.pages.signingUp,
        "resend_code": \.pages.resendCode,
        "resend_wait": \.pages.resendWait,
        "resent": \.pages.resent,
        "resend_ready": \.pages.resendReady,
        "send_by_sms": \.pages.sendBySms,
        "send_by_call": \.pages.sendByCall,
        "send_by_messenger": \.pages.sendByMessenger,
        "send_inbound": \.pages.sendInbound,
        "no_sends_left": \.pages.noSendsLeft,
        "inbound_heading": \.pages.inboundHeading,
        "inbound_recipient": \.pages.inboundRecipient,
        "inbound_text": \.pages.inboundText,
        "inbound_open": \.pages.inboundOpen,
        "inbound_sent": \.pages.inboundSent,
        "inbound_missing": \.pages.inboundMissing,
        "inbound_arrived": \.pages.inboundArrived,
        "dormant_heading": \.pages.dormantHeading,
        "dormant_introduction": \.pages.dormantIntroduction,
        "dormant_with_code": \.pages.dormantWithCode,
        "new_account": \.pages.newAccount,
        "signed_in_heading": \.pages.signedInHeading,
        "signed_in_as": \.pages.signedInAs,
        "signed_in_note": \.pages.signedInNote,
        "sign_out": \.pages.signOut,
        "sign_out_heading": \.pages.signOutHeading,
        "signed_out_heading": \.pages.signedOutHeading,
        "signed_out": \.pages.signedOut,
        "country_label": \.pages.countryLabel,
        "country_search": \.pages.countrySearch,
        "country_none": \.pages.countryNone,
        "code_expired_heading": \.pages.codeExpiredHeading,
        "code_expired_for": \.pages.codeExpiredFor,
        "new_code": \.pages.newCode,
        "sending_failed_heading": \.pages.sendingFailedHeading,
        "sending_failed": \.pages.sendingFailed,
        "challenge_heading": \.pages.challengeHeading,
        "challenge_introduction": \.pages.challengeIntroduction,
        "captcha_introduction": \.pages.captchaIntroduction,
        "challenge_busy": \.pages.challengeBusy,
        "challenge_wait": \.pages.challengeWait,
        "challenge_needs_script": \.pages.challengeNeedsScript,
        "limit_heading": \.pages.limitHeading,
        "retry_wait": \.pages.retryWait,
        "another_number": \.pages.anotherNumber,
        "try_again": \.pages.tryAgain,
        "start_again": \.pages.startAgain,
        "page_expired_heading": \.pages.pageExpiredHeading,
        "page_expired": \.pages.pageExpired,
        "page_replaced_heading": \.pages.pageReplacedHeading,
        "page_replaced": \.pages.pageReplaced,
        "page_of_other_site": \.pages.pageOfOtherSite,
        "go_on": \.pages.goOn,
        "link_invalid_heading": \.pages.linkInvalidHeading,
        "link_invalid": \.pages.linkInvalid,
        "offline": \.pages.offline,
        "not_found_heading": \.pages.notFoundHeading,
        "not_found": \.pages.notFound,
        "go_to_start": \.pages.goToStart,
        "device_heading": \.devices.heading,
        "device_introduction": \.devices.introduction,
        "device_code": \.devices.code,
        "device_unknown": \.devices.unknown,
        "device_question": \.devices.question,
        "device_request": \.devices.request,
        "device_place": \.devices.place,
        "device_program": \.devices.program,
        "device_warning": \.devices.warning,
        "device_approve": \.devices.approve,
        "device_refuse": \.devices.refuse,
        "device_done_heading": \.devices.doneHeading,
        "device_done": \.devices.done,
        "device_refused_heading": \.devices.refusedHeading,
        "device_refused": \.devices.refused,
        "passkey_sign_in": \.passkeys.signIn,
        "passkey_refused": \.passkeys.refused,
        "passkey_offer_heading": \.passkeys.offerHeading,
        "passkey_offer": \.passkeys.offer,
        "passkey_create": \.passkeys.create,
        "passkey_skip": \.passkeys.skip,
        "passkey_failed": \.passkeys.failed,
        "passkeys_heading": \.passkeys.heading,
        "passkeys_none": \.passkeys.none,
        "passkey_used": \.passkeys.used,
        "passkey_name": \.passkeys.name,
        "passkey_rename": \.passkeys.rename,
        "passkey_remove": \.passkeys.remove,
        "passkey_ask": \.passkeys.ask,
        "passkey_keep": \.passkeys.keep,
        "undo_heading": \.undo.heading,
        "undo_offer": \.undo.offer,
        "undo_advice": \.undo.advice,
        "undo_button": \.undo.button,
        "undo_deadline": \.undo.deadline,
        "undone_heading": \.undo.undoneHeading,
        "undone": \.undo.undone,
        "undo_gone_heading": \.undo.goneHeading,
        "undo_gone": \.undo.gone,
        "undo_taken_heading": \.undo.takenHeading,
        "undo_taken": \.undo.taken,
        "undo_unavailable_heading": \.undo.unavailableHeading,
        "undo_unavailable": \.undo.unavailable,
        "call_introduction": \.call.introduction,
        "call_repetition": \.call.repetition,
    ]
}

extension String {
    /// The names between its braces, in their order.
    var variables: [String] {
        matches(of: /{{(.*?)}}/).reduce(into: []) { names, match in
            if !names.contains(String(match.1)) { names.append(String(match.1)) }
        }
    }
}
