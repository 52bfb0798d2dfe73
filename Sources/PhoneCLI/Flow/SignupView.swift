public import PhoneDomain

/// What there is to draw of a signup, wherever its view model lives.
public struct SignupView: Hashable, Sendable {
    /// A code that is out.
    public struct SentCode: Hashable, Sendable {
        /// The number that it was sent to, in E.164 form.
        public let e164: String
        /// From when it can be sent again, or nil if that was not told.
        public let nextSendAt: Timestamp?

        /// A code of these.
        public init(e164: String, nextSendAt: Timestamp?) {
            self.e164 = e164
            self.nextSendAt = nextSendAt
        }
    }

    /// What the signup came to.
    public struct Account: Hashable, Sendable {
        /// The account's identifier.
        public let id: String
        /// Whether it was made by this signup rather than found.
        public let isNew: Bool

        /// An account of these.
        public init(id: String, isNew: Bool) {
            self.id = id
            self.isNew = isNew
        }
    }

    /// What the phone field shows.
    public var phoneText: String
    /// Whether a code can be sent to it.
    public var isSendEnabled: Bool
    /// Whether there is no code to be typed yet.
    public var isCodeFieldHidden: Bool
    /// What the code field shows.
    public var codeText: String
    /// Whether the code field holds what may be the code.
    public var isSignUpEnabled: Bool
    /// The code that is out for the number in the phone field, or nil.
    public var sentCode: SentCode?
    /// Why the last tap came to nothing, or nil.
    public var failure: SignupFailure?
    /// What the signup came to, or nil.
    public var account: Account?

    /// A view of these values.
    public init(
        phoneText: String,
        isSendEnabled: Bool,
        isCodeFieldHidden: Bool,
        codeText: String,
        isSignUpEnabled: Bool,
        sentCode: SentCode? = nil,
        failure: SignupFailure? = nil,
        account: Account? = nil
    ) {
        self.phoneText = phoneText
        self.isSendEnabled = isSendEnabled
        self.isCodeFieldHidden = isCodeFieldHidden
        self.codeText = codeText
        self.isSignUpEnabled = isSignUpEnabled
        self.sentCode = sentCode
        self.failure = failure
        self.account = account
    }
}

extension SignupView.SentCode {
    /// The number as it may be shown to whoever looks over a shoulder.
    var maskedNumber: String {
        (try? PhoneNumber(e164: e164))?.masked ?? e164.printable
    }
}
