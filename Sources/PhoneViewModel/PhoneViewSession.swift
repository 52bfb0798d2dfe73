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
    private let latest = BehaviorRelay(value: Indirect(SignupStanding.empty))
    private let busy: ActivityIndicator
    private let subscription: Disposable

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
        busy = output.busy
        subscription = output.standing.bind(to: latest)
    }

    deinit {
        // Without work under way there is nothing to cancel, and nobody to leave: the relays go with the session, and the
        // chains with the relays.
        if busy.isActive {
            subscription.dispose()
        }
    }

    /// The state at this moment.
    public var state: PhoneViewState {
        PhoneViewState(latest.value.value)
    }

    /// The state at this moment, and every one after it; none is lost.
    public var states: AsyncStream<PhoneViewState> {
        latest.asObservable().map { PhoneViewState($0.value) }.distinctUntilChanged().values
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
        await tap(sendTap)
    }

    /// Call when the person wants to be signed up. Returns when that has been seen to.
    @discardableResult
    public func tapSignUp() async -> PhoneViewState {
        await tap(signUpTap)
    }

    /// Taps, and waits for the beginning and the end of being busy.
    ///
    /// The end is heard from a subscription of its own, younger than that of the state: when it tells of the end, all
    /// that came of the tap has been through, and the way is free for the driver's next event. And the beginning must
    /// have been seen: right after the tap it may still be on its way.
    private func tap(_ relay: PublishRelay<Void>) async -> PhoneViewState {
        _ =
            await busy.asObservable()
            .scan((before: false, now: false)) { ($0.now, $1) }
            .first {
                $0.before && !$0.now
            } after: {
                relay.accept(())
            }
        return state
    }
}
