public import PhoneDomain
import Synchronization

/// Every text that a person reads, in one language: prompts, error messages, pages and SMS.
///
/// A language is one file with a conforming type, and an entry in ``Languages/all``. No text has a default, so one that
/// is missing does not compile. Texts are plain: pages escape them.
public protocol Texts: Sendable {
    var language: LanguageTag { get }
    /// The language's name for operators, in English: `Korean`.
    var englishName: String { get }

    var regionNames: RegionNames { get }

    // MARK: Failures. Each says what happened and what the person can do about it.

    /// What only a program could do about it is no text for a person.
    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String
    /// A wait, as it stands in the sentences of failures.
    var seconds: PluralForms { get }
    var minutes: PluralForms { get }
    var hours: PluralForms { get }
    var sessionNotFound: String { get }
    var internalError: String { get }

    // MARK: Prompt

    /// The label without a colon, as the next one.
    var phoneLabel: String { get }
    var codeLabel: String { get }
    /// The question for a code, in the prompt by lines; explains the letters of the commands.
    ///
    /// - Parameter channel: by which the code can be sent as well.
    func codeQuestion(or channel: Channel?) -> String
    /// The question of the prompt below ``consent(to:)``; explains the letters.
    var consentQuestion: String { get }
    var sendHint: String { get }
    var signUpHint: String { get }
    /// Beside a spinner, until the first response of a server.
    var connecting: String { get }
    /// After a request without a response.
    var tryAgainHint: String { get }
    var sending: String { get }
    var signingUp: String { get }
    var resendHint: String { get }
    /// - Parameter wait: until the code can be sent again, such as `0:27`.
    func resendHint(in wait: String) -> String
    /// Where the code that was sent is invalid by now.
    var newCodeHint: String { get }
    func newCodeHint(in wait: String) -> String
    func expiryHint(in wait: String) -> String
    var expired: String { get }
    var otherNumberHint: String { get }
    /// What is said after the last wrong code.
    ///
    /// - Parameter wait: until the number can have another code.
    func anotherNumberHint(orCodeIn wait: String) -> String
    /// What is shown before there is a whole number.
    var phoneHint: String { get }
    func regionHint(_ region: Region) -> String
    var cancelHint: String { get }
    /// The last lines after signing up in this process.
    ///
    /// - Parameters:
    ///   - show: the command that shows the account.
    ///   - serve: the one that runs the HTTP service.
    func localNextSteps(show: String, serve: String) -> [String]
    /// The last line after signing up on a server.
    var remoteNextStep: String { get }
    /// - Parameter channel: nil if it is not known.
    func sent(to maskedNumber: String, by channel: Channel?) -> String
    /// What stands before each line of a message that the SMS stub shows.
    var stubLabel: String { get }
    func signedUp(_ phoneText: String, account: String) -> String
    func welcomeBack(_ phoneText: String, account: String) -> String
    var canceled: String { get }
    var inputEnded: String { get }
    /// - Parameter reason: in English, for the operator of the server.
    func serverUnreachable(_ server: String, reason: String) -> String
    func serverNotUnderstood(_ server: String, status: Int) -> String

    // MARK: Call

    /// What a voice says before the digits of a code, and before it repeats them.
    func callIntroduction(service: String) -> String
    var callRepetition: String { get }

    // MARK: Report on a number

    var numberInput: String { get }
    /// What a phone field shows for it.
    var numberFormatted: String { get }
    var numberIsValid: String { get }
    var numberKind: String { get }
    var numberRegion: String { get }
    var numberNational: String { get }
    var numberInternational: String { get }
    var numberReceivesCode: String { get }
    func name(of kind: NumberKind) -> String
    func yesOrNo(_ isTrue: Bool) -> String

    // MARK: Pages to sign in

    /// The heading of the front page.
    var startHeading: String { get }
    var startIntroduction: String { get }
    var startDocs: String { get }

    /// What stands before the title of a page on which something is wrong.
    var errorTitle: String { get }
    var signInHeading: String { get }
    var signInIntroduction: String { get }
    var sendCode: String { get }
    /// The links to the operator's rules.
    var terms: String { get }
    var privacy: String { get }
    /// What stands between the names of two of them.
    var conjunction: String { get }
    /// Says that going on accepts them.
    func acceptance(of rules: String) -> String
    /// What stands beside the box that accepts them.
    func consent(to rules: String) -> String
    func signInConsent(_ client: String, sharesNumber: Bool) -> String
    var codeHeading: String { get }
    func codeSent(to number: String, by channel: Channel) -> String
    var changeNumber: String { get }
    var signIn: String { get }
    var resendCode: String { get }
    /// What the button reads until it can be pressed. The percent sign stands for the time, such as `0:27`.
    var resendWait: String { get }
    /// Confirms that it was sent once more.
    var resent: String { get }
    var resendReady: String { get }
    /// The button that sends the code by another channel.
    func send(by channel: Channel) -> String
    var noSendsLeft: String { get }
    /// The heading of the page on which the person sends a message instead.
    var inboundHeading: String { get }
    /// Before the number, and before the text that is sent there.
    var inboundRecipient: String { get }
    var inboundText: String { get }
    var inboundOpen: String { get }
    /// The button of a person who has sent it.
    var inboundSent: String { get }
    var inboundMissing: String { get }
    var inboundArrived: String { get }
    var dormantHeading: String { get }
    func dormantIntroduction(hasCode: Bool) -> String
    var newAccount: String { get }
    var signedInHeading: String { get }
    func signedIn(as maskedNumber: String) -> String
    var signedInNote: String { get }
    var signOut: String { get }
    var signOutHeading: String { get }
    var signedOutHeading: String { get }
    var signedOut: String { get }
    var countryLabel: String { get }
    var countrySearch: String { get }
    var countryNone: String { get }
    var codeExpiredHeading: String { get }
    func codeExpired(number: String) -> String
    var newCode: String { get }
    var sendingFailedHeading: String { get }
    func sendingFailed(number: String) -> String
    /// The page on which the browser solves a challenge.
    var challengeHeading: String { get }
    var challengeIntroduction: String { get }
    /// Says what to do with a captcha.
    var captchaIntroduction: String { get }
    var challengeBusy: String { get }
    /// What is shown without JavaScript. The percent sign stands for the number of seconds left.
    var challengeWait: String { get }
    var challengeNeedsScript: String { get }
    var limitHeading: String { get }
    /// During a lock. The percent sign stands for the time.
    var retryWait: String { get }
    var anotherNumber: String { get }
    var tryAgain: String { get }
    var startAgain: String { get }
    var pageExpiredHeading: String { get }
    /// Its cookies are gone.
    var pageExpired: String { get }
    /// The browser has cookies of another page.
    var pageReplacedHeading: String { get }
    var pageReplaced: String { get }
    var pageOfOtherSite: String { get }
    var goOn: String { get }
    /// A program has sent the browser here in a way that cannot be trusted.
    var linkInvalidHeading: String { get }
    var linkInvalid: String { get }
    /// What is shown instead of the browser's own page where a form cannot be sent.
    var offline: String { get }
    var notFoundHeading: String { get }
    var notFound: String { get }
    var goToStart: String { get }

    // MARK: Page on which operators sign in to the console

    var consoleKey: String { get }
    /// What stands before the command that makes a key.
    var consoleKeyHint: String { get }
    var consoleKeyRefused: String { get }
    /// The sign-in by number had no end.
    var consoleNotSignedIn: String { get }
    var consoleProofTooOld: String { get }
    /// The number is not an operator's.
    var consoleRefused: String { get }

    // MARK: Pages for devices without a browser

    var deviceHeading: String { get }
    var deviceIntroduction: String { get }
    /// Before the code that the device shows.
    var deviceCode: String { get }
    var deviceUnknown: String { get }
    /// The heading over who asks.
    var deviceQuestion: String { get }
    /// Before the address and the program that ask.
    var devicePlace: String { get }
    var deviceProgram: String { get }
    /// Says when to refuse: a stranger may have sent the person here.
    var deviceWarning: String { get }
    var deviceApprove: String { get }
    var deviceRefuse: String { get }
    var deviceDoneHeading: String { get }
    var deviceDone: String { get }
    var deviceRefusedHeading: String { get }
    var deviceRefused: String { get }
    func deviceRequest(client: String) -> String

    // MARK: Page to undo a change of number

    var undoHeading: String { get }
    func undoOffer(number: String, changedAt moment: String) -> String
    func undoAdvice(number: String) -> String
    var undoButton: String { get }
    func undoDeadline(_ moment: String) -> String
    var undoneHeading: String { get }
    func undone(number: String) -> String
    /// The link was made up, used, or has expired.
    var undoGoneHeading: String { get }
    var undoGone: String { get }
    var undoTakenHeading: String { get }
    var undoTaken: String { get }
    var undoUnavailableHeading: String { get }
    var undoUnavailable: String { get }

    // MARK: Inbox of the SMS stub

    var inboxHeading: String { get }
    var inboxNote: String { get }
    var inboxReload: String { get }
    var inboxEmpty: String { get }
    /// The button beside a code.
    var inboxCopy: String { get }
    var inboxCopied: String { get }
    var inboxFilter: String { get }
    var inboxClear: String { get }
    var inboxKey: String { get }
    func inboxMessage(to number: String) -> String
    func inboxCall(to number: String) -> String
    /// - Parameter status: one of Twilio's, such as `delivered`.
    func inboxDelivery(from sender: String, status: String, errorCode: Int?) -> String

    // MARK: SMS

    /// The message with `{{code}}`, and perhaps `{{service}}` and `{{minutes}}`. The code is early, where a
    /// notification shows it. It must fit one SMS with a service name of 30 characters and a code of 10 digits, and
    /// leave room for the line for autofill: 160 units of GSM-7, 90 bytes of CP949, or 70 UTF-16 units.
    var verificationMessage: String { get }
    /// The message with `{{link}}`, last, where no letter or mark that follows can be taken for a part of it; perhaps
    /// with `{{service}}`.
    var numberChangeMessage: String { get }
    /// The line that warns against sharing the code, for clients that want one. As short as possible: with a message of
    /// the length of ``verificationMessage`` it still fits one SMS.
    var sharingWarning: String { get }
    /// The phrases, in lower case, of messages that have such a warning already.
    var sharingWarningMarks: [String] { get }

    // MARK: Passkeys

    var passkeySignIn: String { get }
    var passkeyRefused: String { get }
    /// The heading of the page that offers one after a code.
    var passkeyOfferHeading: String { get }
    var passkeyOffer: String { get }
    var passkeyCreate: String { get }
    var passkeySkip: String { get }
    var passkeyFailed: String { get }
    var passkeysHeading: String { get }
    var passkeysNone: String { get }
    func passkeyUsed(_ moment: String) -> String
    /// The label of the field with its name.
    var passkeyName: String { get }
    var passkeyRename: String { get }
    var passkeyRemove: String { get }
    /// Asks whether a passkey is still the person's, and the button that says so.
    var passkeyAsk: String { get }
    var passkeyKeep: String { get }
}

extension Texts {
    /// All regions that have a name, in alphabetical order.
    public var regions: [(region: Region, name: String)] { regionNames.all }
    /// The code of a region that has none.
    public func name(of region: Region) -> String { regionNames.name(of: region) }
}

/// The languages that there are texts in.
public enum Languages {
    public static let english: any Texts = EnglishTexts()
    /// English is first.
    public static let builtIn: [any Texts] = [
        english, KoreanTexts(), ArabicTexts(), BrazilianPortugueseTexts(), FrenchTexts(), GermanTexts(), HindiTexts(),
        IndonesianTexts(), JapaneseTexts(), SimplifiedChineseTexts(), SpanishTexts(), VietnameseTexts(),
    ]
    private static let known = Mutex(builtIn)

    /// Those that are compiled in, and what operators have added or changed. English is first.
    public static var all: [any Texts] { known.withLock { $0 } }

    /// Takes the texts of operators, in place of those that were taken before. It is for the start of a process and for
    /// a reload.
    public static func take(_ files: [TextsFile]) {
        known.withLock { texts in
            texts = builtIn.map { text in files.first { $0.language == text.language } ?? text }
            texts += files.filter { file in !builtIn.contains { $0.language == file.language } } as [any Texts]
        }
    }

    /// The languages as help lists them: `en, ko or ja`.
    public static var list: String {
        let tags = all.map(\.language.description)
        return tags.dropLast().joined(separator: ", ") + " or " + (tags.last ?? "")
    }

    /// The texts of the longest tag that this one begins with (lookup, RFC 4647 section 3.4); nil if there are none.
    public static func texts(in language: LanguageTag) -> (any Texts)? {
        let all = all
        return all.first { $0.language == language } ?? texts(for: language.description, among: all)
    }

    /// - Parameter range: in any case.
    public static func texts(for range: String, among texts: [any Texts]) -> (any Texts)? {
        var tag = Substring(likely(range.lowercased()))
        while true {
            if let found = texts.first(where: { $0.language.description.lowercased() == tag }) { return found }
            guard let hyphen = tag.lastIndex(of: "-") else { return nil }
            tag = tag[..<hyphen]
        }
    }

    /// What a tag leaves to be known: who reads Chinese reads one of two scripts (likely subtags of CLDR), texts in
    /// Portuguese are Brazil's, and old systems have `in` for Indonesian (RFC 5646, deprecated subtags).
    ///
    /// - Parameter tag: in lower case.
    public static func likely(_ tag: String) -> String {
        let parts = tag.split(separator: "-")
        switch parts.first {
        case "zh":
            let isTraditional =
                parts.contains("hant")
                || !parts.contains("hans") && parts.contains { ["tw", "hk", "mo"].contains($0) }
            return isTraditional ? "zh-hant" : "zh-hans"
        case "pt": return "pt-br"
        case "in": return "id"
        default: return tag
        }
    }
}

extension LanguageTag {
    /// A moment to the minute, as the language writes it in figures: `2026-01-01 00:00 UTC`, which all can read, where
    /// its order of day and month is not the same everywhere. The reader's time zone is unknown.
    public func text(of moment: Timestamp) -> String {
        let (date, time) = (
            moment.description.prefix(10).split(separator: "-"), moment.description.dropFirst(11).prefix(5)
        )
        let (year, month, day) = (date[0], date[1], date[2])
        func plain(_ text: Substring) -> Substring { text.drop { $0 == "0" } }
        return switch language {
        case "ja", "zh": "\(year)年\(plain(month))月\(plain(day))日 \(time) (UTC)"
        case "ko": "\(year)년 \(plain(month))월 \(plain(day))일 \(time)(UTC)"
        case "de": "\(day).\(month).\(year), \(time) Uhr (UTC)"
        case "es", "fr", "pt", "vi", "hi", "ar": "\(day)/\(month)/\(year), \(time) (UTC)"
        case "id": "\(day)/\(month)/\(year), \(time.replacing(":", with: ".")) (UTC)"
        default: "\(year)-\(month)-\(day) \(time) UTC"
        }
    }
}

/// A wait in the unit that a person would use, rounded up, so that nobody comes back too early.
enum Wait {
    case seconds(Int64), minutes(Int64), hours(Int64)

    init(until moment: Timestamp, from now: Timestamp) {
        let seconds = max(1, (moment - now).wholeSecondsRoundedUp)
        self =
            switch seconds {
            case ...90: .seconds(seconds)
            case ...5400: .minutes((seconds + 59) / 60)
            default: .hours((seconds + 3599) / 3600)
            }
    }
}
