public import PhoneDomain
public import PhoneViewModel

/// A signup as the prompt drives it. It has no rules of its own: a view model decides, in this process or on a server.
public protocol SignupFlow: Sendable {
    /// One request at a time, ``SignupRequest/begin`` first. Returns when it has been handled, and throws if the signup
    /// cannot go on.
    func perform(_ request: SignupRequest) async throws(SignupFlowError) -> SignupView
}

public enum SignupRequest: Hashable, Sendable {
    case begin
    /// A field was edited, and this is its whole text.
    case changePhoneText(String)
    case changeCodeText(String)
    case send
    /// Send the code this way.
    case sendBy(Channel)
    case signUp
}

/// What to draw of a signup, wherever its view model is.
public struct SignupView: Hashable, Sendable {
    public var phoneText = ""
    /// Whether a code can be sent to the number in the phone field.
    public var isSendEnabled = false
    /// Whether there is no code to type yet.
    public var isCodeFieldHidden = true
    public var codeText = ""
    /// Whether the code field contains what may be the code.
    public var isSignUpEnabled = false
    /// The code that was sent to the number in the phone field.
    public var sentCode: SentCode?
    public var failure: SignupFailure?
    public var account: SignedUpAccount?
    /// What the person is to accept before anything else; nil for nothing.
    public var consent: ConsentPolicy?
}

extension SignupView {
    /// Whether there is a code to type: after the last wrong one there is none.
    var takesCode: Bool { !isCodeFieldHidden && sentCode?.checksLeft != 0 }

    init(_ state: PhoneViewState, _ consent: ConsentPolicy?) {
        self.init(
            phoneText: state.phoneText,
            isSendEnabled: state.isSendEnabled,
            isCodeFieldHidden: state.isCodeFieldHidden,
            codeText: state.codeText,
            isSignUpEnabled: state.isSignUpEnabled,
            sentCode: state.sentCode,
            failure: state.failure,
            account: state.signedUp,
            consent: consent
        )
    }
}

extension SentCode {
    /// When it expires; nil if it cannot be entered any more.
    var enterableUntil: Timestamp? { checksLeft == 0 ? nil : expiresAt }

    /// The channel after the one in use; nil if there is no other.
    var otherChannel: Channel? {
        // The prompt has no place for what the person would send.
        let channels = channels.filter { $0 != .inbound }
        guard let channel, let index = channels.firstIndex(of: channel) else { return channels.first { $0 != channel } }
        let next = channels[(index + 1) % channels.count]
        return next == channel ? nil : next
    }
}

extension SignupFailure {
    /// Whether another code is needed, so that the field is cleared for it.
    var needsAnotherCode: Bool { !["invalid_request", "unavailable", "account_dormant"].contains(code) }
}

/// Why a signup cannot go on at all.
public enum SignupFlowError: Error, Hashable, Sendable {
    /// There is no response. The reason is for the operator of the server.
    case unreachable(server: String, reason: String)
    /// The response is not one of PhoneProof's.
    case notUnderstood(server: String, status: Int)
    case refused(status: Int, message: String)

    public var exitStatus: ExitStatus {
        switch self {
        case .unreachable, .notUnderstood: .unreachable
        case .refused(let status, _): status >= 500 ? .unreachable : .failed
        }
    }
}

/// A signup over the rules of this process.
public struct EmbeddedSignupFlow: SignupFlow {
    private let session: PhoneViewSession
    private let consent: ConsentPolicy?

    /// - Parameter consent: what the prompt asks for before it sends anything.
    public init(_ viewModel: PhoneViewModel, consent: ConsentPolicy? = nil) {
        (session, self.consent) = (PhoneViewSession(viewModel), consent)
    }

    public func perform(_ request: SignupRequest) async -> SignupView {
        let state =
            switch request {
            case .begin: session.state
            case .changePhoneText(let text): session.changePhoneText(text)
            case .changeCodeText(let text): session.changeCodeText(text)
            case .send: await session.tapSend()
            case .sendBy(let channel): await sendBy(channel)
            case .signUp: await session.tapSignUp()
            }
        return SignupView(state, consent)
    }

    private func sendBy(_ channel: Channel) async -> PhoneViewState {
        session.changeChannel(channel)
        return await session.tapSend()
    }
}
