import PhoneDomain
import Reactive

/// A view model with its strings in hand: a driver pushes events by calling methods and reads the state.
///
/// One driver, one event after another: that is what makes the returned state the one that came of the event.
public final class PhoneViewSession: Sendable {
    private let phoneText = PublishRelay<String>()
    private let sendTap = PublishRelay<Void>()
    private let codeText = PublishRelay<String>()
    private let signUpTap = PublishRelay<Void>()
    private let latest = BehaviorRelay(value: PhoneViewState.empty)
    private let bag = DisposeBag()

    /// Wires the view model and begins.
    public init(_ viewModel: PhoneViewModel) {
        let output = viewModel.transform(
            PhoneViewModel.Input(
                phoneText: phoneText.asObservable(),
                sendTap: sendTap.asObservable(),
                codeText: codeText.asObservable(),
                signUpTap: signUpTap.asObservable()
            )
        )
        output.state.bind(to: latest).disposed(by: bag)
    }

    /// The state at this moment.
    public var state: PhoneViewState {
        latest.value
    }

    /// The state at this moment, and every one after it; none is lost.
    public var states: AsyncStream<PhoneViewState> {
        latest.asObservable().values
    }

    /// Call when the phone field was edited, with all that it holds.
    @discardableResult
    public func changePhoneText(_ text: String) -> PhoneViewState {
        phoneText.accept(text)
        return state
    }

    /// Call when the code field was edited, with all that it holds.
    @discardableResult
    public func changeCodeText(_ text: String) -> PhoneViewState {
        codeText.accept(text)
        return state
    }

    /// Call when a code is asked for. Returns when that has been seen to.
    @discardableResult
    public func tapSend() async -> PhoneViewState {
        sendTap.accept(())
        return await settled()
    }

    /// Call when the person wants to be signed up. Returns when that has been seen to.
    @discardableResult
    public func tapSignUp() async -> PhoneViewState {
        signUpTap.accept(())
        return await settled()
    }

    private func settled() async -> PhoneViewState {
        for await state in states where !state.isBusy {
            return state
        }
        return state
    }
}
