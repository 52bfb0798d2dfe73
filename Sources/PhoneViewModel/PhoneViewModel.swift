public import PhoneDomain
public import Reactive

/// The flow of a signup: what a person does goes in, what there is to see comes out.
///
/// A number is typed and a code asked for; the code is typed, checked, and used to sign up. This is the only place
/// that knows that order. A prompt in a terminal and a request over HTTP drive it alike.
public struct PhoneViewModel: Sendable {
    /// What a person does.
    public struct Input: Sendable {
        /// Call when the phone field was edited, with all that it holds.
        public let phoneText: Observable<String>
        /// Call when a code is asked for, the first time or again.
        public let sendTap: Observable<Void>
        /// Call when the code field was edited, with all that it holds.
        public let codeText: Observable<String>
        /// Call when the code is complete and the person wants to be signed up.
        public let signUpTap: Observable<Void>

        /// The four streams of events.
        public init(
            phoneText: Observable<String>,
            sendTap: Observable<Void>,
            codeText: Observable<String>,
            signUpTap: Observable<Void>
        ) {
            self.phoneText = phoneText
            self.sendTap = sendTap
            self.codeText = codeText
            self.signUpTap = signUpTap
        }
    }

    private let work: SignupWork
    private let phoneText: String
    private let codeText: String
    private let verification: Indirect<Verification>?

    /// A view model for one who asks, where that one left off.
    ///
    /// - Parameters:
    ///   - useCase: what can be done with a number.
    ///   - context: who asks.
    ///   - phoneText: what the phone field holds to begin with.
    ///   - codeText: what the code field holds to begin with.
    ///   - verification: the verification that was begun before, if one was.
    public init(
        useCase: any PhoneUseCase,
        context: RequestContext,
        phoneText: String = "",
        codeText: String = "",
        verification: Verification? = nil
    ) {
        work = SignupWork(useCase: useCase, context: context)
        self.phoneText = phoneText
        self.codeText = codeText
        self.verification = verification.map(Indirect.init)
    }

    /// Wires the input to the output. Nothing happens before an output is subscribed to.
    ///
    /// Each chain has one duty. A tap takes what the fields hold at that moment along, and is ignored while the work of
    /// an earlier tap of its kind is under way.
    public func transform(_ input: Input) -> Output {
        let busy = ActivityIndicator()
        return Output(
            standing: .deferred { standing(input, trackingIn: busy) }.shareReplayingLatest(),
            busy: busy
        )
    }

    private func standing(_ input: Input, trackingIn busy: ActivityIndicator) -> Observable<Indirect<SignupStanding>> {
        // What a tap takes along is what was there to see just then: one relay has it all, so nothing comes between what
        // was typed and the tap after it, and a verification finds its way back to the next tap.
        let standing = BehaviorRelay(
            value: Indirect(
                SignupStanding(
                    phone: work.readPhone(phoneText),
                    code: work.readCode(codeText),
                    verification: verification
                )
            )
        )

        let phoneEdits = input.phoneText
            .map(work.readPhone)
            .folded(into: standing) { $0.value.edit($1) }

        let codeEdits = input.codeText
            .map(work.readCode)
            .folded(into: standing) { $0.value.edit($1) }

        let requests = input.sendTap
            .do { standing.update { $0.value.attempt() } }
            .withLatestFrom(standing) { $1.value.phone }
            .flatMapFirst(trackingIn: busy, work.requestCode)
            .folded(into: standing) { $0.value.take($1) }

        let signUps = input.signUpTap
            .do { standing.update { $0.value.attempt() } }
            .withLatestFrom(standing) { ($1.value.code.text, $1.value.verification) }
            .flatMapFirst(trackingIn: busy, work.signUp)
            .folded(into: standing) { $0.value.take($1) }

        let beginningsAndEnds = busy.asObservable()
            .folded(into: standing) { $0.value.turn(isBusy: $1) }

        return standing.asObservable().running(
            phoneEdits,
            codeEdits,
            requests,
            signUps,
            beginningsAndEnds
        )
    }
}
