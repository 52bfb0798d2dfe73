public import PhoneSignup
import Reactive

/// A view model with relays connected to its input: a driver calls methods and reads the state.
///
/// It has one driver, which waits for each event before the next: only then does a returned state belong to its event.
public final class PhoneViewSession: Sendable {
    private let phoneText = PublishRelay<String>()
    private let sendTap = PublishRelay<Void>()
    private let codeText = PublishRelay<String>()
    private let signUpTap = PublishRelay<Void>()
    private let channel = PublishRelay<Channel?>()
    private let latest: BehaviorRelay<PhoneViewState>
    private let isBusy: Observable<Bool>
    private let subscription: Disposable

    /// Connects the view model and subscribes to it.
    public init(_ viewModel: PhoneViewModel) {
        let output = viewModel.transform(
            PhoneViewModel.Input(
                phoneText: phoneText.asObservable(),
                sendTap: sendTap.asObservable(),
                codeText: codeText.asObservable(),
                signUpTap: signUpTap.asObservable(),
                channel: channel.asObservable()
            )
        )
        latest = BehaviorRelay(value: viewModel.initialState)
        isBusy = output.isBusy
        subscription = output.state.bind(to: latest)
    }

    deinit {
        // Only work in progress needs cancelling. Otherwise everything is released with the relays, at a lower cost.
        if state.isBusy { subscription.dispose() }
    }

    /// The current state.
    public var state: PhoneViewState { latest.value }

    /// The current state and every later one; none is lost.
    public var states: AsyncStream<PhoneViewState> { latest.asObservable().values }

    /// Calls `change` on the main actor after each change, until the result is released.
    func observeOnMainActor(_ change: @escaping @MainActor @Sendable () -> Void) -> any AnyObject & Sendable {
        let bag = DisposeBag()
        latest.asObservable().subscribeOnMainActor { _ in change() }.disposed(by: bag)
        return bag
    }

    /// Call when the phone field was edited, with its whole text.
    @discardableResult
    public func changePhoneText(_ text: String) -> PhoneViewState {
        phoneText.accept(text)
        return state
    }

    /// Call when the code field was edited, with its whole text.
    @discardableResult
    public func changeCodeText(_ text: String) -> PhoneViewState {
        codeText.accept(text)
        return state
    }

    /// Call when the person picks how codes are to be sent, nil for the order of the number's country.
    @discardableResult
    public func changeChannel(_ channel: Channel?) -> PhoneViewState {
        self.channel.accept(channel)
        return state
    }

    /// Call when the person asks for a code. Returns when the request has been handled, or the calling task is
    /// cancelled.
    @discardableResult
    public func tapSend() async -> PhoneViewState { await tap(sendTap) }

    /// Call when the person wants to sign up. Returns when that has been handled, or the calling task is cancelled.
    @discardableResult
    public func tapSignUp() async -> PhoneViewState { await tap(signUpTap) }

    private func tap(_ relay: PublishRelay<Void>) async -> PhoneViewState {
        // This subscription is younger than that of the state: when it reports the end of being busy, the state has all
        // results of the tap.
        let busyChanges = isBusy.values
        relay.accept(())
        // The beginning may come late, while another thread is still delivering the end of the tap before.
        var hasBegun = false
        for await isBusy in busyChanges {
            if hasBegun, !isBusy { break }
            hasBegun = isBusy
        }
        return state
    }
}
