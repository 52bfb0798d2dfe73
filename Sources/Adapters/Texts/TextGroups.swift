// The texts of a language by where a person reads them. What stands between braces, such as `{{number}}`, is filled in
// where the text is shown; it is the same in every language.

extension Texts {
    /// What went wrong. Each says what happened and what the person can do about it.
    public struct Failures: Sendable {
        public var sessionNotFound: String
        public var internalError: String
        public var numberEmpty: String
        public var numberMalformed: String
        public var numberTooLong: String
        public var numberTooShort: String
        public var numberNeedsCountry: String
        public var numberUnsupported: String
        public var numberUnknown: String
        public var kindLegacy: String
        public var kindLandline: String
        public var kindVoip: String
        public var kindPersonal: String
        public var kindCompany: String
        /// Any other kind that cannot receive a code.
        public var kindOther: String
        public var countryRefused: String
        /// The same where the country of the number is known.
        public var countryRefusedByName: String
        /// In place of ``countryRefused`` where few countries are accepted. It takes the form for their number.
        public var countriesAccepted: PluralForms
        public var countriesAcceptedByName: PluralForms
        /// What stands between the names of two of them.
        public var countrySeparator: String
        /// There is no way to send a code to this number.
        public var channelUnavailable: String
        /// There is another way.
        public var channelOther: String
        public var resendTooSoon: String
        public var tooManyCodes: String
        public var rateLimited: String
        public var challengeRequired: String
        public var challengeFailed: String
        public var sendDenied: String
        public var codeMalformed: String
        /// The code is wrong, and this many attempts are left.
        public var codeIncorrect: PluralForms
        public var codeIncorrectLast: String
        public var codeExpired: String
        public var maxChecksReached: String
        public var codeMissing: String
        public var signupExpired: String
        public var codeClosed: String
        public var notApproved: String
        public var accountDormant: String
        public var consentRequired: String
        public var accountSuspended: String
        public var numberTaken: String
        public var changeGone: String
        public var dataTooBig: String
        public var notSignedIn: String
        public var proofTooOld: String
        public var unavailable: String
        /// A wait, as it stands for `{{wait}}` in the sentences of failures.
        public var seconds: PluralForms
        public var minutes: PluralForms
        public var hours: PluralForms
    }

    /// The guided prompt in the terminal. What it has in common with the pages is in ``Pages``.
    public struct Prompt: Sendable {
        /// The question for a code, in the prompt by lines; explains the letters of the commands.
        public var codeQuestion: String
        /// The same where the code can be sent by another channel as well, which stands for `{{send}}`.
        public var codeQuestionOrChannel: String
        /// The question below ``Pages/consent``; explains the letters.
        public var consentQuestion: String
        public var sendHint: String
        public var signUpHint: String
        /// What stands beside a spinner until the first response of a server.
        public var connecting: String
        /// What to press after a request without a response.
        public var tryAgainHint: String
        public var resendHint: String
        /// How long until the code can be sent again; a wait in the prompt is such as `0:27`.
        public var resendWait: String
        /// What to do where the code that was sent is invalid by now.
        public var newCodeHint: String
        public var newCodeWait: String
        public var expiryWait: String
        public var expired: String
        public var otherNumberHint: String
        /// What is said after the last wrong code, until the number can have another one.
        public var anotherNumberWait: String
        /// What is shown before there is a whole number.
        public var phoneHint: String
        public var regionHint: String
        public var cancelHint: String
        /// The last lines after signing up in this process: the command that shows the account, and the one that runs
        /// the HTTP service.
        public var localNextSteps: [String]
        /// The last line after signing up on a server.
        public var remoteNextStep: String
        public var sent: String
        public var sentByCall: String
        public var sentByMessenger: String
        /// What stands before each line of a message that the SMS stub shows.
        public var stubLabel: String
        public var signedUp: String
        public var welcomeBack: String
        public var canceled: String
        public var inputEnded: String
        /// The reason is in English, for the operator of the server.
        public var serverUnreachable: String
        public var serverNotUnderstood: String
    }

    /// The report on a number.
    public struct Number: Sendable {
        public var input: String
        /// What a phone field shows for it.
        public var formatted: String
        public var isValid: String
        public var kind: String
        public var region: String
        public var national: String
        public var international: String
        public var receivesCode: String
        public var mobile: String
        public var legacyMobile: String
        public var fixedLine: String
        public var fixedLineOrMobile: String
        public var voip: String
        public var personal: String
        public var representative: String
        public var tollFree: String
        public var premium: String
        public var sharedCost: String
        public var pager: String
        public var voicemail: String
        public var machine: String
        public var yes: String
        public var no: String
    }

    /// The pages to sign in.
    public struct Pages: Sendable {
        /// The heading of the front page.
        public var startHeading: String
        public var startIntroduction: String
        public var startDocs: String
        /// What stands before the title of a page on which something is wrong.
        public var errorTitle: String
        public var signInHeading: String
        public var signInIntroduction: String
        /// The label without a colon, as ``codeLabel``.
        public var phoneLabel: String
        public var sendCode: String
        public var sending: String
        /// The links to the operator's rules.
        public var terms: String
        public var privacy: String
        /// What stands between the names of two of them.
        public var conjunction: String
        /// Says that going on accepts them.
        public var acceptance: String
        /// What stands beside the box that accepts them.
        public var consent: String
        public var sharesNumber: String
        public var keepsNumber: String
        public var codeHeading: String
        public var codeLabel: String
        public var codeSentBySms: String
        public var codeSentByCall: String
        public var codeSentByMessenger: String
        /// Nothing was sent: the person sends a message instead.
        public var codeSentInbound: String
        public var changeNumber: String
        public var signIn: String
        public var signingUp: String
        public var resendCode: String
        /// What the button reads until it can be pressed. The percent sign stands for the time, such as `0:27`.
        public var resendWait: String
        /// Confirms that it was sent once more.
        public var resent: String
        public var resendReady: String
        /// The buttons that send the code by another channel.
        public var sendBySms: String
        public var sendByCall: String
        public var sendByMessenger: String
        public var sendInbound: String
        public var noSendsLeft: String
        /// The heading of the page on which the person sends a message instead.
        public var inboundHeading: String
        /// What stands before the number, and before the text that is sent there.
        public var inboundRecipient: String
        public var inboundText: String
        public var inboundOpen: String
        /// The button of a person who has sent it.
        public var inboundSent: String
        public var inboundMissing: String
        public var inboundArrived: String
        public var dormantHeading: String
        public var dormantIntroduction: String
        /// The same where the page asks for the code once more.
        public var dormantWithCode: String
        public var newAccount: String
        public var signedInHeading: String
        public var signedInAs: String
        public var signedInNote: String
        public var signOut: String
        public var signOutHeading: String
        public var signedOutHeading: String
        public var signedOut: String
        public var countryLabel: String
        public var countrySearch: String
        public var countryNone: String
        public var codeExpiredHeading: String
        public var codeExpiredFor: String
        public var newCode: String
        public var sendingFailedHeading: String
        public var sendingFailed: String
        /// The page on which the browser solves a challenge.
        public var challengeHeading: String
        public var challengeIntroduction: String
        /// Says what to do with a captcha.
        public var captchaIntroduction: String
        public var challengeBusy: String
        /// What is shown without JavaScript. The percent sign stands for the number of seconds left.
        public var challengeWait: String
        public var challengeNeedsScript: String
        public var limitHeading: String
        /// During a lock. The percent sign stands for the time.
        public var retryWait: String
        public var anotherNumber: String
        public var tryAgain: String
        public var startAgain: String
        public var pageExpiredHeading: String
        /// Its cookies are gone.
        public var pageExpired: String
        /// The browser has cookies of another page.
        public var pageReplacedHeading: String
        public var pageReplaced: String
        public var pageOfOtherSite: String
        public var goOn: String
        /// A program has sent the browser here in a way that cannot be trusted.
        public var linkInvalidHeading: String
        public var linkInvalid: String
        /// What is shown instead of the browser's own page where a form cannot be sent.
        public var offline: String
        public var notFoundHeading: String
        public var notFound: String
        public var goToStart: String
    }

    /// The page on which operators sign in to the console.
    public struct Console: Sendable {
        public var key: String
        /// What stands before the command that makes a key.
        public var keyHint: String
        public var keyRefused: String
        /// The sign-in by number had no end.
        public var notSignedIn: String
        public var proofTooOld: String
        /// The number is not an operator's.
        public var refused: String
    }

    /// The pages for devices without a browser.
    public struct Devices: Sendable {
        public var heading: String
        public var introduction: String
        /// What stands before the code that the device shows.
        public var code: String
        public var unknown: String
        /// The heading over who asks.
        public var question: String
        public var request: String
        /// What stands before the address and the program that ask.
        public var place: String
        public var program: String
        /// Says when to refuse: a stranger may have sent the person here.
        public var warning: String
        public var approve: String
        public var refuse: String
        public var doneHeading: String
        public var done: String
        public var refusedHeading: String
        public var refused: String
    }

    public struct Passkeys: Sendable {
        public var signIn: String
        public var refused: String
        /// The heading of the page that offers one after a code.
        public var offerHeading: String
        public var offer: String
        public var create: String
        public var skip: String
        public var failed: String
        public var heading: String
        public var none: String
        public var used: String
        /// The label of the field with its name.
        public var name: String
        public var rename: String
        public var remove: String
        /// Asks whether a passkey is still the person's, and the button that says so.
        public var ask: String
        public var keep: String
    }

    /// The page to undo a change of number.
    public struct Undo: Sendable {
        public var heading: String
        public var offer: String
        public var advice: String
        public var button: String
        public var deadline: String
        public var undoneHeading: String
        public var undone: String
        /// The link was made up, used, or has expired.
        public var goneHeading: String
        public var gone: String
        public var takenHeading: String
        public var taken: String
        public var unavailableHeading: String
        public var unavailable: String
    }

    /// The inbox of the SMS stub.
    public struct Inbox: Sendable {
        public var heading: String
        public var note: String
        public var reload: String
        public var empty: String
        /// The button beside a code.
        public var copy: String
        public var copied: String
        public var filter: String
        public var clear: String
        public var key: String
        public var message: String
        public var call: String
        public var delivery: String
        public var failedDelivery: String
    }

    public struct Call: Sendable {
        /// What a voice says before the digits of a code, and before it repeats them.
        public var introduction: String
        public var repetition: String
    }

    /// What is sent, and phones show.
    public struct Messages: Sendable {
        /// The message with `{{code}}`, and perhaps `{{service}}` and `{{minutes}}`. The code is early, where a
        /// notification shows it. It must fit one SMS with a service name of 30 characters and a code of 10 digits, and
        /// leave room for the line for autofill: 160 units of GSM-7, 90 bytes of CP949, or 70 UTF-16 units.
        public var verification: String
        /// The message with `{{link}}`, last, where no letter or mark that follows can be taken for a part of it;
        /// perhaps with `{{service}}`.
        public var numberChange: String
        /// The line that warns against sharing the code, for clients that want one. As short as possible: with a
        /// message of the length of ``verification`` it still fits one SMS.
        public var sharingWarning: String
        /// The phrases, in lower case, of messages that have such a warning already.
        public var sharingWarningMarks: [String]
    }
}
