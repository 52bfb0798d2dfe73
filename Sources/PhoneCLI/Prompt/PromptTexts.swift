public import PhoneDomain

/// The texts of the command line in one language. Explanations say what failed and what to do about it.
public protocol PromptTexts: Sendable {
    /// Without a colon, as the next one.
    var phoneLabel: String { get }
    var codeLabel: String { get }
    /// The question for a code, in the prompt by lines; explains the letters of the commands.
    var codeQuestion: String { get }
    var sendHint: String { get }
    var signUpHint: String { get }
    var sending: String { get }
    var signingUp: String { get }
    var resendHint: String { get }
    /// - Parameter wait: until the code can be sent again, such as `0:27`.
    func resendHint(in wait: String) -> String
    /// Where the code that was sent is worth nothing any more.
    var newCodeHint: String { get }
    func newCodeHint(in wait: String) -> String
    func expiryHint(in wait: String) -> String
    var expired: String { get }
    var otherNumberHint: String { get }
    /// Before there is a whole number.
    var phoneHint: String { get }
    var cancelHint: String { get }
    /// The last line after signing up in this process.
    var localNextStep: String { get }
    /// The last line after signing up on a server.
    var remoteNextStep: String { get }
    func sent(to maskedNumber: String) -> String
    /// Before each line of a message that the SMS stub shows.
    var stubLabel: String { get }
    func welcome(to account: SignupView.Account, with phoneText: String) -> String
    var canceled: String { get }
    var inputEnded: String { get }
    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String
    func explanation(of error: SignupFlowError) -> String
    func label(of field: NumberReport.Field) -> String
    func name(of kind: NumberKind) -> String
    func yesOrNo(_ isTrue: Bool) -> String
}

extension PromptTexts {
    func explanation(of failure: SignupFailure, at now: Timestamp) -> String {
        switch failure {
        case .phone(let failure): explanation(of: failure, at: now)
        case .server(_, let detail, _): detail
        }
    }

    /// A message of the SMS stub, each line marked as such.
    func lines(ofStubMessage message: String) -> [String] {
        message.split(whereSeparator: \.isNewline).map { "\(stubLabel) │ \($0)" }
    }
}

enum Countdown {
    /// `0:27`, `10:00`, `23:59:59`; rounded up, so that a person who waits that long has waited long enough.
    static func text(_ duration: Duration) -> String {
        let seconds = duration.wholeSecondsRoundedUp
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let clock = hours > 0 ? "\(hours):\(twoDigits(minutes))" : "\(minutes)"
        return "\(clock):\(twoDigits(seconds % 60))"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
