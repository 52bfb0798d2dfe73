#if canImport(Observation)
public import Observation
public import PhoneSignup

/// A signup for SwiftUI, or whatever else observes: the view model's state on the main actor, and a method for each
/// thing that a person can do.
///
/// ```swift
/// TextField("Phone number", text: $model.phoneText)
/// Button("Send code") { Task { await model.send() } }.disabled(!model.state.isSendEnabled)
/// ```
@MainActor @Observable
public final class SignupModel {
    /// What to show.
    public private(set) var state: PhoneViewState
    @ObservationIgnored private let session: PhoneViewSession
    @ObservationIgnored private var observation: (any AnyObject & Sendable)?

    public init(_ viewModel: PhoneViewModel) {
        let session = PhoneViewSession(viewModel)
        (self.session, state) = (session, session.state)
        // A state may come late, after a newer one was shown: the session has the newest.
        observation = session.observeOnMainActor { [weak self] in self?.show(session.state) }
    }

    private func show(_ new: PhoneViewState) {
        // A text field keeps its cursor where nothing has changed.
        if new != state { state = new }
    }

    /// The text of the phone field. Setting it formats it.
    public var phoneText: String {
        get { state.phoneText }
        set { show(session.changePhoneText(newValue)) }
    }

    /// For a text field of `.textContentType(.oneTimeCode)`: a message that is pasted whole yields its code.
    public var codeText: String {
        get { state.codeText }
        set { show(session.changeCodeText(newValue)) }
    }

    /// Sends the code, the first time or again. Returns when that has been handled.
    ///
    /// - Parameter channel: how it is sent from now on, one of the state's ``PhoneViewState/channels``; nil changes
    ///   nothing.
    public func send(by channel: Channel? = nil) async {
        if let channel { session.changeChannel(channel) }
        show(await session.tapSend())
    }

    /// Signs up with the code in the field. Returns when that has been handled.
    public func signUp() async { show(await session.tapSignUp()) }
}
#endif
