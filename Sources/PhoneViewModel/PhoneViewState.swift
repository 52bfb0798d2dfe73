public import PhoneDomain

/// The latest value of every output at once: what a driver draws, or answers with.
public struct PhoneViewState: Hashable, Sendable {
    /// The text of the phone field.
    public var phoneText: String
    /// Whether a code can be sent to the number in the phone field.
    public var isSendEnabled: Bool
    /// Whether there is no code to type yet.
    public var isCodeFieldHidden: Bool
    /// The text of the code field.
    public var codeText: String
    /// Whether the code field contains what may be the code.
    public var isSignUpEnabled: Bool
    /// Whether a tap is being handled; another of its kind is ignored meanwhile.
    public var isBusy: Bool
    /// The verification of the number in the phone field, or nil.
    public var verification: Verification? {
        get { boxedVerification?.value }
        set { boxedVerification = newValue.map(Box.init) }
    }
    /// Why the last tap failed, or nil; typing and tapping clear it.
    public var failure: PhoneFailure?
    /// The account, once the person has signed up.
    public var signedUp: SignedUp? {
        get { boxedSignedUp?.value }
        set { boxedSignedUp = newValue.map(Box.init) }
    }

    private var boxedVerification: Box<Verification>?
    private var boxedSignedUp: Box<SignedUp>?

    /// A state of these values.
    public init(
        phoneText: String,
        isSendEnabled: Bool,
        isCodeFieldHidden: Bool,
        codeText: String,
        isSignUpEnabled: Bool,
        isBusy: Bool,
        verification: Verification?,
        failure: PhoneFailure?,
        signedUp: SignedUp?
    ) {
        self.phoneText = phoneText
        self.isSendEnabled = isSendEnabled
        self.isCodeFieldHidden = isCodeFieldHidden
        self.codeText = codeText
        self.isSignUpEnabled = isSignUpEnabled
        self.isBusy = isBusy
        boxedVerification = verification.map(Box.init)
        self.failure = failure
        boxedSignedUp = signedUp.map(Box.init)
    }

    init(_ state: SignupState) {
        phoneText = state.phone.text
        isSendEnabled = state.phone.number != nil
        isCodeFieldHidden = state.verification == nil
        codeText = state.code.text
        isSignUpEnabled = state.isSignUpEnabled
        isBusy = state.isBusy
        boxedVerification = state.verification
        failure = state.failure
        boxedSignedUp = state.signedUp.last
    }
}
