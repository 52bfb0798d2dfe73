public import PhoneDomain
public import Reactive

/// The flow of a signup: what the person does goes in as ``Input``, what to show comes out as ``Output``.
///
/// The person types a number and asks for a code, then types the code and signs up. This is the only place that knows
/// that order; the prompt in the terminal and the HTTP API both drive it.
public struct PhoneViewModel: Sendable {
    /// What the person does.
    public struct Input: Sendable {
        /// Call when the phone field was edited, with its whole text.
        public let phoneText: Observable<String>
        /// Call when the person asks for a code, the first time or again.
        public let sendTap: Observable<Void>
        /// Call when the challenge of the state is solved (``PhoneViewState/challenge``), before asking again. The next
        /// tap uses the proof up.
        public let proof: Observable<ChallengeProof>
        /// Call when the code field was edited, with its whole text.
        public let codeText: Observable<String>
        /// Call when the code is complete and the person wants to sign up.
        public let signUpTap: Observable<Void>

        public init(
            phoneText: Observable<String>,
            sendTap: Observable<Void>,
            proof: Observable<ChallengeProof> = Observable { _ in Disposable() },
            codeText: Observable<String>,
            signUpTap: Observable<Void>
        ) {
            self.proof = proof
            (self.phoneText, self.sendTap, self.codeText, self.signUpTap) = (phoneText, sendTap, codeText, signUpTap)
        }
    }

    /// What to show. Except for ``signedUp``, each output emits its current value at subscription, and then only values
    /// that differ from the one before.
    public struct Output: Sendable {
        /// Emits all outputs as one value, at each change of any.
        public let state: Observable<PhoneViewState>
        let signUps: PublishRelay<SignedUp>
        let busy: ActivityIndicator

        /// Each is documented at ``PhoneViewState``.
        public var phoneText: Observable<String> { part(\.phoneText) }
        public var isSendEnabled: Observable<Bool> { part(\.isSendEnabled) }
        public var resendableFrom: Observable<Timestamp?> { part(\.resendableFrom) }
        public var isCodeFieldHidden: Observable<Bool> { part(\.isCodeFieldHidden) }
        public var codeText: Observable<String> { part(\.codeText) }
        public var isSignUpEnabled: Observable<Bool> { part(\.isSignUpEnabled) }
        public var verification: Observable<Verification?> { part(\.verification) }
        public var failure: Observable<PhoneFailure?> { part(\.failure) }

        /// Emits the account each time the person has signed up.
        public var signedUp: Observable<SignedUp> {
            Observable { observer in
                let chains = [signUps.asObservable().subscribe(observer), state.subscribe { _ in }]
                return Disposable { for chain in chains { chain.dispose() } }
            }
        }

        /// Emits whether a tap is being handled; it turns false after all other outputs have emitted the result.
        public var isBusy: Observable<Bool> { busy.asObservable() }

        private func part<Value: Equatable & Sendable>(
            _ value: @escaping @Sendable (PhoneViewState) -> Value
        ) -> Observable<Value> {
            state.map(value).distinctUntilChanged()
        }
    }

    private let actions: SignupActions
    private let phoneText: String
    private let codeText: String
    private let verification: Verification?

    /// A view model that continues where the client left off: with these texts in the fields, and with the verification
    /// begun before, if any.
    ///
    /// - Parameter fallbackRegion: where numbers are at home that begin with 0 and to which, read in the context's
    ///   region, no code can be sent.
    public init(
        useCase: any PhoneUseCase,
        context: RequestContext,
        fallbackRegion: Region? = nil,
        phoneText: String = "",
        codeText: String = "",
        verification: Verification? = nil
    ) {
        actions = SignupActions(useCase: useCase, context: context, fallbackRegion: fallbackRegion)
        self.phoneText = phoneText
        self.codeText = codeText
        self.verification = verification
    }

    /// Connects the input to the output. Nothing happens before an output is subscribed to.
    ///
    /// A tap uses what the fields contain at that moment, and is ignored while an earlier tap of its kind is being
    /// handled.
    public func transform(_ input: Input) -> Output {
        let busy = ActivityIndicator()
        let signUps = PublishRelay<SignedUp>()

        let states = Observable<PhoneViewState> { [self] observer in
            // Everything a tap needs is in this one relay: so it sees what was typed just before it, and the
            // verification that an earlier tap has begun.
            let state = BehaviorRelay(value: initialState)
            let chains = [
                input.phoneText
                    .map(actions.phoneField)
                    .subscribe { field in state.update { $0.edit(field) } },

                input.codeText
                    .map(actions.codeField)
                    .subscribe { field in state.update { $0.edit(field) } },

                input.proof
                    .subscribe { proof in state.update { $0.proof = proof } },

                input.sendTap
                    .do { state.update { $0.failure = nil } }
                    .withLatestFrom(state) { ($1.phone, $1.proof) }
                    .flatMapFirst(trackingIn: busy, actions.requestCode)
                    .subscribe { result in state.update { $0.apply(result) } },

                input.signUpTap
                    .do { state.update { $0.failure = nil } }
                    .withLatestFrom(state) { ($1.code.text, $1.verification) }
                    .flatMapFirst(trackingIn: busy, actions.signUp)
                    .subscribe { result in
                        state.update { $0.apply(result) }
                        if case .success(let signedUp) = result.result { signUps.accept(signedUp) }
                    },

                busy.asObservable()
                    .subscribe { isBusy in state.update { $0.isBusy = isBusy } },

                state.asObservable().subscribe(observer),
            ]
            return Disposable { for chain in chains { chain.dispose() } }
        }

        return Output(state: states.distinctUntilChanged().shareReplayingLatest(), signUps: signUps, busy: busy)
    }

    private var initialState: PhoneViewState {
        PhoneViewState(
            phone: actions.phoneField(phoneText),
            code: actions.codeField(codeText),
            verification: verification
        )
    }
}

/// The use case on behalf of one client. A class, so that each chain captures one reference.
private final class SignupActions: Sendable {
    private let useCase: any PhoneUseCase
    private let context: RequestContext
    private let fallbackRegion: Region?

    init(useCase: any PhoneUseCase, context: RequestContext, fallbackRegion: Region?) {
        (self.useCase, self.context, self.fallbackRegion) = (useCase, context, fallbackRegion)
    }

    func phoneField(_ text: String) -> PhoneField {
        let field = phoneField(text, in: context.region)
        guard let fallbackRegion, field.number == nil, field.text.utf8.first == UInt8(ascii: "0") else { return field }
        let other = phoneField(text, in: fallbackRegion)
        return other.number == nil ? field : other
    }

    private func phoneField(_ text: String, in region: Region) -> PhoneField {
        PhoneField(
            typed: text,
            text: useCase.format(text, region: region),
            number: try? useCase.phoneNumber(in: text, region: region)
        )
    }

    func codeField(_ text: String) -> CodeField {
        // A message may be pasted whole.
        let shown = VerificationCode.digits(inMessage: text, where: useCase.isCode) ?? VerificationCode.format(text)
        return CodeField(text: shown, isComplete: useCase.isCode(shown))
    }

    func requestCode(phone: PhoneField, proof: ChallengeProof?) async -> TapResult<PhoneNumber?, Verification> {
        var context = context
        context.proof = proof
        return await TapResult(of: phone.number) { () async throws(PhoneFailure) in
            // Where there is none, the text is parsed once more, for the reason.
            let number =
                if let number = phone.number { number } else {
                    try useCase.recipient(in: phone.typed, region: context.region)
                }
            return try await useCase.requestCode(to: number, context: context)
        }
    }

    func signUp(
        codeText: String,
        verification: Verification?
    ) async -> TapResult<Verification.ID?, SignedUp> {
        return await TapResult(of: verification?.id) { () async throws(PhoneFailure) in
            guard let verification else { throw .verificationNotFound }
            // A used verification gives its account again, but only to a client that has the code.
            if verification.consumedBy != nil, !useCase.isCode(codeText) { throw .verificationClosed }
            return try await useCase.signUp(codeText, for: verification.id, context: context)
        }
    }
}
