import PhoneNumbers
import PhoneSignup
import PhoneViewModel
import Reactive
import Synchronization

/// Plays a signup event by event and draws every output as a line of marbles.
///
/// A line has one mark an event, the first for the subscription: what the output emitted in answer, several joined by
/// `,`, or `-` for nothing. So a line is the output's whole history, and nothing that it emits goes unseen.
final class FlowMarbles: Sendable {
    enum Line: CaseIterable {
        case phoneText, send, codeField, codeText, signUp, sentCode, channels, failure, signedUp, busy
    }

    let useCase: HeldUseCase
    private let phoneText = PublishRelay<String>()
    private let sendTap = PublishRelay<Void>()
    private let codeText = PublishRelay<String>()
    private let signUpTap = PublishRelay<Void>()
    private let channel = PublishRelay<Channel?>()
    private let frames = Mutex<[[Line: [String]]]>([[:]])
    private let isBusy = BehaviorRelay(value: false)
    private let bag = DisposeBag()

    init(
        phoneText initial: String = "010-",
        codeText initialCode: String = "",
        sentCode: SentCode? = nil
    ) {
        useCase = HeldUseCase()
        let viewModel = PhoneViewModel(
            useCase: useCase,
            phoneText: initial,
            codeText: initialCode,
            sentCode: sentCode
        )
        let output = viewModel.transform(
            PhoneViewModel.Input(
                phoneText: phoneText.asObservable(),
                sendTap: sendTap.asObservable(),
                codeText: codeText.asObservable(),
                signUpTap: signUpTap.asObservable(),
                channel: channel.asObservable()
            )
        )
        record(output.phoneText.map { $0.isEmpty ? "''" : $0.replacing(" ", with: "_") }, as: .phoneText)
        record(output.isSendEnabled.map { $0 ? "on" : "off" }, as: .send)
        record(output.isCodeFieldHidden.map { $0 ? "hidden" : "shown" }, as: .codeField)
        record(output.codeText.map { $0.isEmpty ? "''" : $0 }, as: .codeText)
        record(output.isSignUpEnabled.map { $0 ? "on" : "off" }, as: .signUp)
        record(
            output.sentCode.map { $0.map { "\($0.number.nationalFormat)/\($0.isOpen ? "open" : "closed")" } ?? "none" },
            as: .sentCode
        )
        record(
            output.channels.map { $0.isEmpty ? "''" : $0.map(\.rawValue).joined(separator: ",") },
            as: .channels
        )
        record(output.failure.map { $0?.code.rawValue ?? "none" }, as: .failure)
        record(output.signedUp.map { $0.isNew ? "new" : "known" }, as: .signedUp)
        record(output.isBusy.map { $0 ? "busy" : "idle" }, as: .busy)
        output.isBusy.bind(to: isBusy).disposed(by: bag)
    }

    private func record(_ stream: Observable<String>, as line: Line) {
        stream.subscribe { mark in
            self.frames.withLock { $0[$0.count - 1][line, default: []].append(mark) }
        }.disposed(by: bag)
    }

    /// The history of one output.
    func draw(_ line: Line) -> String {
        frames.withLock { frames in
            frames.map { $0[line]?.joined(separator: ",") ?? "-" }.joined(separator: " ")
        }
    }

    private func beginFrame() {
        frames.withLock { $0.append([:]) }
    }

    func type(_ text: String) {
        beginFrame()
        phoneText.accept(text)
    }

    func typeCode(_ text: String) {
        beginFrame()
        codeText.accept(text)
    }

    /// A tap that reaches the use case: returns when it has.
    func send() async {
        tapSend()
        await useCase.arrival()
    }

    /// A tap that may be ignored.
    func tapSend() {
        beginFrame()
        sendTap.accept(())
    }

    func pick(_ picked: Channel?) {
        beginFrame()
        channel.accept(picked)
    }

    /// A tap that reaches the use case: returns when it has.
    func signUp() async {
        tapSignUp()
        await useCase.arrival()
    }

    /// A tap that may be ignored.
    func tapSignUp() {
        beginFrame()
        signUpTap.accept(())
    }

    /// Answers the call that waits, and returns when nothing is under way any more.
    func answer(_ result: Result<SentCode, SignupFailure>) async {
        beginFrame()
        useCase.answer(result)
        await settled()
    }

    /// Answers a call to sign up, and returns when nothing is under way any more.
    func answerSignUp(_ result: Result<SignedUpAccount, SignupFailure>) async {
        beginFrame()
        useCase.answerSignUp(result)
        await settled()
    }

    /// Returns when nothing is under way any more.
    func settled() async {
        for await isBusy in isBusy.asObservable().values where !isBusy { return }
    }
}
