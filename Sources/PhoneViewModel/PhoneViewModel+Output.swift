public import PhoneDomain
public import Reactive

extension PhoneViewModel {
    /// What there is to see. Each output emits its present value at subscription, but for ``signedUp``, and from then on
    /// only what differs from the one before.
    public struct Output: Sendable {
        /// Emits what the phone field shows: the number with its hyphens, as far as it is typed.
        public let phoneText: Observable<String>
        /// Emits whether a code can be sent to what the phone field says.
        public let isSendEnabled: Observable<Bool>
        /// Emits whether there is no code to be typed yet.
        public let isCodeFieldHidden: Observable<Bool>
        /// Emits what the code field shows: digits.
        public let codeText: Observable<String>
        /// Emits whether the code field holds what may be the code.
        public let isSignUpEnabled: Observable<Bool>
        /// Emits the verification of the number that the phone field says, or nil.
        public let verification: Observable<Verification?>
        /// Emits why the last tap came to nothing, or nil once that is past.
        public let failure: Observable<PhoneFailure?>
        /// Emits what the signup came to, once it has.
        public let signedUp: Observable<SignedUp>
        /// Emits whether a tap is being seen to; it turns false after everything that came of the tap was emitted.
        public let isBusy: Observable<Bool>

        /// Emits all of them as one value, at each change of any.
        public var state: Observable<PhoneViewState> {
            let changes: [Observable<Change>] = [
                phoneText.map { value in Change { $0.phoneText = value } },
                isSendEnabled.map { value in Change { $0.isSendEnabled = value } },
                verification.map { value in Change { $0.verification = value } },
                isCodeFieldHidden.map { value in Change { $0.isCodeFieldHidden = value } },
                codeText.map { value in Change { $0.codeText = value } },
                isSignUpEnabled.map { value in Change { $0.isSignUpEnabled = value } },
                signedUp.map { value in Change { $0.signedUp = value } },
                failure.map { value in Change { $0.failure = value } },
                isBusy.map { value in Change { $0.isBusy = value } },
            ]
            return Observable.merge(changes).scan(into: .empty) { state, change in change.apply(&state) }
        }

        /// What one output makes of the state.
        private struct Change: Sendable {
            let apply: @Sendable (inout PhoneViewState) -> Void
        }
    }
}

extension PhoneViewState {
    /// A state of which nothing is known yet.
    static let empty = PhoneViewState(
        phoneText: "",
        isSendEnabled: false,
        isCodeFieldHidden: true,
        codeText: "",
        isSignUpEnabled: false,
        isBusy: false,
        verification: nil,
        failure: nil,
        signedUp: nil
    )
}
