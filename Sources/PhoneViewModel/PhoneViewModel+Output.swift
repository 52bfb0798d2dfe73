public import PhoneDomain
public import Reactive

extension PhoneViewModel {
    /// What there is to see. Each output emits its present value at subscription, but for ``signedUp``, and from then on
    /// only what differs from the one before.
    public struct Output: Sendable {
        let standing: Observable<Indirect<SignupStanding>>

        let busy: ActivityIndicator

        /// Emits what the phone field shows: the number with its hyphens, as far as it is typed.
        public var phoneText: Observable<String> {
            standing.map(\.value.phone.text).distinctUntilChanged()
        }

        /// Emits whether a code can be sent to what the phone field says.
        public var isSendEnabled: Observable<Bool> {
            standing.map { $0.value.phone.number != nil }.distinctUntilChanged()
        }

        /// Emits whether there is no code to be typed yet.
        public var isCodeFieldHidden: Observable<Bool> {
            standing.map { $0.value.verification == nil }.distinctUntilChanged()
        }

        /// Emits what the code field shows: digits.
        public var codeText: Observable<String> {
            standing.map(\.value.code.text).distinctUntilChanged()
        }

        /// Emits whether the code field holds what may be the code.
        public var isSignUpEnabled: Observable<Bool> {
            standing.map(\.value.isSignUpEnabled).distinctUntilChanged()
        }

        /// Emits the verification of the number that the phone field says, or nil.
        public var verification: Observable<Verification?> {
            standing.map(\.value.verification).distinctUntilChanged().map { $0?.value }
        }

        /// Emits why the last tap came to nothing, or nil once that is past.
        public var failure: Observable<PhoneFailure?> {
            standing.map(\.value.failure).distinctUntilChanged()
        }

        /// Emits what the signup came to, once it has.
        public var signedUp: Observable<SignedUp> {
            standing
                .map(\.value.signedUp)
                .scan((count: Int.max, new: Indirect<SignedUp>?.none)) { before, signedUp in
                    (signedUp.count, signedUp.count > before.count ? signedUp.last : nil)
                }
                .compactMap { $0.new?.value }
        }

        /// Emits whether a tap is being seen to; it turns false after everything that came of the tap was emitted.
        public var isBusy: Observable<Bool> {
            busy.asObservable()
        }

        /// Emits all of them as one value, at each change of any.
        public var state: Observable<PhoneViewState> {
            standing.map { PhoneViewState($0.value) }.distinctUntilChanged()
        }
    }
}
