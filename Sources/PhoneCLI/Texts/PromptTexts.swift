public import PhoneDomain

/// What the command line says to a person, in one language.
public protocol PromptTexts: Sendable {
    /// Before the phone field, without a colon.
    var phoneLabel: String { get }
    /// Before the code field, without a colon.
    var codeLabel: String { get }
    /// The question for a number, where it is asked in plain lines.
    var phoneQuestion: String { get }
    /// The question for a code, where it is asked in plain lines; says which letters mean what.
    var codeQuestion: String { get }
    /// That Enter sends the code.
    var sendHint: String { get }
    /// That Enter signs up.
    var signUpHint: String { get }
    /// That a code is being sent.
    var sending: String { get }
    /// That a code is being checked.
    var signingUp: String { get }
    /// How to have the code sent again.
    var resendHint: String { get }
    /// When the code can be sent again: after this wait, such as `0:27`.
    func resendHint(in wait: String) -> String
    /// How to go back to the number.
    var otherNumberHint: String { get }
    /// That a code is on its way to this number.
    func sent(to maskedNumber: String) -> String
    /// Before each line of a message that the SMS stub shows.
    var stubLabel: String { get }
    /// That the signup is done.
    func welcome(to account: SignupView.Account, with phoneText: String) -> String
    /// That the person called it off.
    var canceled: String { get }
    /// That the input ended before the signup was done.
    var inputEnded: String { get }
    /// Why something was not done, and what to do about it.
    func explanation(of failure: PhoneFailure, at now: Timestamp) -> String
    /// Why a signup cannot go on, and what to do about it.
    func explanation(of error: SignupFlowError) -> String
    /// What a line of a ``NumberReport`` is about.
    func label(of field: NumberReport.Field) -> String
    /// What a number is for.
    func name(of kind: NumberKind) -> String
    /// Yes or no.
    func answer(_ isSo: Bool) -> String
}

extension PromptTexts {
    /// Why a tap came to nothing: in these words, or in those of the server that said so.
    func explanation(of failure: SignupFailure, at now: Timestamp) -> String {
        switch failure {
        case .phone(let failure): explanation(of: failure, at: now)
        case .told(_, let detail, _): detail
        }
    }

    /// A message of the SMS stub, marked as such line by line.
    func lines(ofNote note: String) -> [String] {
        note.split(whereSeparator: \.isNewline).map { "\(stubLabel) │ \($0)" }
    }
}
