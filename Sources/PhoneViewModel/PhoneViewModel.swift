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

    private let useCase: any PhoneUseCase
    private let context: RequestContext
    private let phoneText: String
    private let codeText: String
    private let verification: Indirect<Verification>

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
        self.useCase = useCase
        self.context = context
        self.phoneText = phoneText
        self.codeText = codeText
        self.verification = Indirect(verification)
    }

    /// Wires the input to the output. Nothing happens before an output is subscribed to.
    ///
    /// Each chain has one duty. A tap takes what the fields hold at that moment along, and is ignored while the work of
    /// an earlier tap of its kind is under way.
    public func transform(_ input: Input) -> Output {
        let busy = ActivityIndicator()
        let signingUp = ActivityIndicator(partOf: busy)
        // Closes the circle from an approval back to the verification that the next tap takes along.
        let approvals = PublishRelay<Verification>()
        // Tells of a tap before its work begins: work may fail faster than a tap reaches its other subscribers, and what
        // is cleared by a tap must not be its own failure.
        let attempts = PublishRelay<Void>()

        let phone = input.phoneText
            .startWith(phoneText)
            .map(read)
            .shareReplayingLatest()

        let requested = input.sendTap
            .do(onNext: attempts.accept)
            .withLatestFrom(phone)
            .flatMapFirst(trackingIn: busy, requestCode)
            .share()

        let begun = requested.compactMap(\.success)

        // One that belongs to another number than the field now says is out of sight, and comes back with its number.
        let restored = restored
        let known = begun.merge(with: approvals.asObservable())
            .scan(into: restored) { known, verification in known[verification.phoneNumber] = Indirect(verification) }
            .startWith(restored)
        let verification = Observable.combineLatest(known, phone)
            .map { known, phone in phone.number.flatMap { known[$0] } ?? .none }
            .distinctUntilChanged()
            .shareReplayingLatest()

        let codeText = input.codeText
            .startWith(codeText)
            .map(VerificationCode.clean)
            .merge(with: begun.map { _ in "" })
            .distinctUntilChanged()
            .shareReplayingLatest()

        let verified = input.signUpTap
            // From the check to the account it is one piece of work, though each step of it would take another tap.
            .filter { !signingUp.isActive }
            .do(onNext: attempts.accept)
            .withLatestFrom(codeText, verification) { _, codeText, verification in (codeText, verification.value) }
            .flatMapFirst(trackingIn: signingUp, verify)
            .share()

        // Whoever has gone on to another number meanwhile does not want to be signed up with the old one.
        let signedUp = verified.compactMap(\.success)
            .do(onNext: approvals.accept)
            .withLatestFrom(verification) { approved, current in approved.id == current.value?.id ? approved : nil }
            .compactMap { $0 }
            .flatMapFirst(trackingIn: signingUp, signUp)
            .share()

        let requestFailure =
            requested
            .withLatestFrom(phone) { request, phone in request.subject == phone.number ? request.failure : nil }
        let checkFailure =
            verified
            .withLatestFrom(verification) { check, current in check.subject == current.value?.id ? check.failure : nil }

        let failure = Observable<PhoneFailure?>.merge(
            input.phoneText.map { _ in nil },
            input.codeText.map { _ in nil },
            attempts.asObservable().map { nil },
            requestFailure.filter { $0 != nil },
            checkFailure.filter { $0 != nil },
            signedUp.compactMap(\.failure).map(Optional.some)
        )
        .startWith(nil)
        .distinctUntilChanged()

        return Output(
            phoneText: phone.map(\.text).distinctUntilChanged(),
            isSendEnabled: phone.map { $0.number != nil }.distinctUntilChanged(),
            isCodeFieldHidden: verification.map { $0.value == nil }.distinctUntilChanged(),
            codeText: codeText,
            isSignUpEnabled: Observable.combineLatest(
                codeText,
                verification,
                signedUp.compactMap(\.success).map { _ in true }.startWith(false)
            )
            .map { codeText, verification, isDone in !isDone && isSignUpEnabled(codeText, verification.value) }
            .distinctUntilChanged(),
            verification: verification.map(\.value),
            failure: failure,
            signedUp: signedUp.compactMap(\.success),
            isBusy: busy.asObservable()
        )
    }

    /// What the phone field holds: what it shows of the text, and the number in it if a code can be sent there. It goes to
    /// many at each key, by reference.
    private final class Phone: Sendable {
        let text: String
        let number: PhoneNumber?

        init(text: String, number: PhoneNumber?) {
            self.text = text
            self.number = number
        }
    }

    private var restored: [PhoneNumber: Indirect<Verification>] {
        verification.value.map { [$0.phoneNumber: verification] } ?? [:]
    }

    private func read(_ text: String) -> Phone {
        let shown = useCase.format(text, region: context.region)
        return Phone(text: shown, number: try? useCase.phoneNumber(in: shown, region: context.region))
    }

    private func isSignUpEnabled(_ codeText: String, _ verification: Verification?) -> Bool {
        guard let verification, verification.consumedBy == nil else { return false }
        return switch verification.recordedStatus {
        case .approved: true
        case .pending: useCase.isCode(codeText)
        case .canceled, .expired, .maxAttemptsReached, .failed: false
        }
    }

    private func requestCode(phone: Phone) async -> Attempt<PhoneNumber?, Verification> {
        await Attempt(phone.number) { () async throws(PhoneFailure) in
            try await useCase.requestCode(for: phone.text, context: context)
        }
    }

    private func verify(
        codeText: String,
        verification: Verification?
    ) async -> Attempt<Verification.ID?, Verification> {
        await Attempt(verification?.id) { () async throws(PhoneFailure) in
            guard let verification else { throw .verificationNotFound }
            // Approved by an earlier tap, after which signing up failed: the code has done its duty.
            if verification.recordedStatus == .approved { return verification }
            return try await useCase.verify(codeText, for: verification.id, context: context)
        }
    }

    private func signUp(verification: Verification) async -> Attempt<Verification.ID, SignedUp> {
        await Attempt(verification.id) { () async throws(PhoneFailure) in
            try await useCase.signUp(with: verification.id, context: context)
        }
    }
}
