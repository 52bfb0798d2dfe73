public import PhoneDomain

/// The latest value of every output at once: what a driver draws, or answers with.
public struct PhoneViewState: Hashable, Sendable {
    /// What the phone field shows.
    public var phoneText: String
    /// Whether a code can be sent to what the phone field says.
    public var isSendEnabled: Bool
    /// Whether there is no code to be typed yet.
    public var isCodeFieldHidden: Bool
    /// What the code field shows.
    public var codeText: String
    /// Whether the code field holds what may be the code.
    public var isSignUpEnabled: Bool
    /// Whether a tap is being seen to; another is ignored meanwhile.
    public var isBusy: Bool
    /// The verification of the number that the phone field says, or nil.
    public var verification: Verification? {
        get { keptVerification?.value }
        set { keptVerification = newValue.map(Indirect.init) }
    }
    /// Why the last tap came to nothing, or nil; typing and tapping clear it.
    public var failure: PhoneFailure?
    /// What the signup came to, or nil.
    public var signedUp: SignedUp? {
        get { keptSignedUp?.value }
        set { keptSignedUp = newValue.map(Indirect.init) }
    }

    private var keptVerification: Indirect<Verification>?
    private var keptSignedUp: Indirect<SignedUp>?

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
        keptVerification = verification.map(Indirect.init)
        self.failure = failure
        keptSignedUp = signedUp.map(Indirect.init)
    }

    /// What there is to see of a signup that stands like this.
    init(_ standing: SignupStanding) {
        phoneText = standing.phone.text
        isSendEnabled = standing.phone.number != nil
        isCodeFieldHidden = standing.verification == nil
        codeText = standing.code.text
        isSignUpEnabled = standing.isSignUpEnabled
        isBusy = standing.isBusy
        keptVerification = standing.verification
        failure = standing.failure
        keptSignedUp = standing.signedUp.last
    }
}
