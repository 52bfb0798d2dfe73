public import PhoneDomain

/// The latest value of every output at once: what a driver draws, or answers with.
public struct PhoneViewState: Hashable, Sendable {
    /// The text of the phone field.
    public var phoneText: String
    /// Whether a code can be sent to the number in the phone field.
    public var isSendEnabled: Bool
    /// From when the code can be sent again; nil if none was sent, and once the person has signed up.
    public var resendableFrom: Timestamp?
    /// Whether there is no code to type yet.
    public var isCodeFieldHidden: Bool
    /// The text of the code field.
    public var codeText: String
    /// Whether the code field contains what may be the code.
    public var isSignUpEnabled: Bool
    /// Whether a tap is being handled; another of its kind is ignored meanwhile.
    public var isBusy: Bool
    /// The verification of the number in the phone field, or nil.
    public var verification: Verification?
    /// Why the last tap failed, or nil; typing and tapping clear it.
    public var failure: PhoneFailure?
    /// The account, once the person has signed up.
    public var signedUp: SignedUp?
}

extension PhoneViewState {
    /// Whether a tap would send the code again now, unless a limit on the number or the address refuses it.
    public func isResendEnabled(at now: Timestamp) -> Bool { resendableFrom.map { $0 <= now } ?? false }

    init(_ state: SignupState) {
        self.init(
            phoneText: state.phone.text,
            isSendEnabled: state.phone.number != nil,
            resendableFrom: state.verification?.resendableFrom,
            isCodeFieldHidden: state.verification == nil,
            codeText: state.code.text,
            isSignUpEnabled: state.isSignUpEnabled,
            isBusy: state.isBusy,
            verification: state.verification,
            failure: state.failure,
            signedUp: state.signedUp
        )
    }
}
