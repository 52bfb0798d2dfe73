import PhoneNumbers
public import PhoneSignup
public import Reactive

/// The flow of a signup: what the person does goes in as ``Input``, what to show comes out as ``Output``.
///
/// The person types a number and asks for a code, then types the code and signs up. This is the only place that knows
/// that order: apps, the prompt in the terminal and the HTTP API all drive it.
public struct PhoneViewModel: Sendable {
    /// What the person does.
    public struct Input: Sendable {
        /// Call when the phone field was edited, with its whole text.
        public let phoneText: Observable<String>
        /// Call when the person asks for a code, the first time or again.
        public let sendTap: Observable<Void>
        /// Call when the code field was edited, with its whole text.
        public let codeText: Observable<String>
        /// Call when the code is complete and the person wants to sign up.
        public let signUpTap: Observable<Void>
        /// Call when the person picks how codes are to be sent from now on, nil for the order of the number's country.
        /// A tap on "call me instead" is this, and then ``sendTap``.
        public let channel: Observable<Channel?>

        public init(
            phoneText: Observable<String>,
            sendTap: Observable<Void>,
            codeText: Observable<String>,
            signUpTap: Observable<Void>,
            channel: Observable<Channel?> = Observable { _ in Disposable {} }
        ) {
            (self.phoneText, self.sendTap, self.codeText, self.signUpTap) = (phoneText, sendTap, codeText, signUpTap)
            self.channel = channel
        }
    }

    /// What to show. Except for ``signedUp``, each output emits its current value at subscription, and then only values
    /// that differ from the one before.
    public struct Output: Sendable {
        /// Emits all outputs as one value, at each change of any.
        public let state: Observable<PhoneViewState>
        let signUps: PublishRelay<SignedUpAccount>
        let busy: ActivityIndicator

        /// Each is documented at ``PhoneViewState``.
        public var phoneText: Observable<String> { part(\.phoneText) }
        public var isSendEnabled: Observable<Bool> { part(\.isSendEnabled) }
        public var resendableFrom: Observable<Timestamp?> { part(\.resendableFrom) }
        public var isCodeFieldHidden: Observable<Bool> { part(\.isCodeFieldHidden) }
        public var codeText: Observable<String> { part(\.codeText) }
        public var isSignUpEnabled: Observable<Bool> { part(\.isSignUpEnabled) }
        public var sentCode: Observable<SentCode?> { part(\.sentCode) }
        public var channels: Observable<[Channel]> { part(\.channels) }
        public var failure: Observable<SignupFailure?> { part(\.failure) }

        /// Emits the account each time the person has signed up.
        public var signedUp: Observable<SignedUpAccount> {
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

    private let useCase: any PhoneUseCase
    let initialState: PhoneViewState

    /// A view model that continues where the client left off: with these texts in the fields, the code that was sent
    /// before, if any, and the channel that was picked.
    public init(
        useCase: any PhoneUseCase,
        phoneText: String = "",
        codeText: String = "",
        sentCode: SentCode? = nil,
        channel: Channel? = nil
    ) {
        self.useCase = useCase
        initialState = PhoneViewState(
            phone: useCase.phoneText(phoneText),
            code: CodeField(codeText, where: useCase.isCode),
            sentCode: sentCode,
            channel: channel
        )
    }

    /// Connects the input to the output. Nothing happens before an output is subscribed to.
    ///
    /// A tap uses what the fields contain at that moment, and is ignored while an earlier tap of its kind is being
    /// handled.
    public func transform(_ input: Input) -> Output {
        let busy = ActivityIndicator()
        let signUps = PublishRelay<SignedUpAccount>()

        let states = Observable<PhoneViewState> { [self] observer in
            // Everything a tap needs is in this one relay: so it sees what was typed just before it, and the
            // code that an earlier tap has sent.
            let state = BehaviorRelay(value: initialState)
            let chains = [
                input.phoneText
                    .map(useCase.phoneText)
                    .subscribe { phone in state.update { $0.edit(phone) } },

                input.codeText
                    .map { CodeField($0, where: useCase.isCode) }
                    .subscribe { field in state.update { $0.edit(field) } },

                input.channel
                    .subscribe { channel in state.update { $0.channel = channel } },

                input.sendTap
                    .do { state.update { $0.failure = nil } }
                    .withLatestFrom(state.asObservable()) { CodeRequest(phone: $1.phone, channel: $1.channel) }
                    .flatMapFirst(trackingIn: busy, requestCode)
                    .subscribe { result in state.update { $0.apply(result) } },

                input.signUpTap
                    .do { state.update { $0.failure = nil } }
                    .withLatestFrom(state.asObservable()) { ($1.code.text, $1.sentCode) }
                    .flatMapFirst(trackingIn: busy, signUp)
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

    private func requestCode(_ request: CodeRequest) async -> TapResult<PhoneNumber?, SentCode> {
        await TapResult(of: request.phone.number) { () async throws(SignupFailure) in
            try await useCase.requestCode(request)
        }
    }

    private func signUp(codeText: String, sentCode: SentCode?) async -> TapResult<SentCode?, SignedUpAccount> {
        await TapResult(of: sentCode) { () async throws(SignupFailure) in
            guard let sentCode else { throw SignupFailure(.verificationNotFound) }
            return try await useCase.signUp(codeText, for: sentCode)
        }
    }
}
