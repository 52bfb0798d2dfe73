public import PhoneDomain
import PhoneSignup
public import PhoneViewModel

/// A signup that has begun, as a prompt drives it. It has no rules of its own: its view model decides, in this process or
/// on a server.
public struct SignupFlow: Sendable {
    enum Tap: Hashable, Sendable { case send, signUp }

    let session: PhoneViewSession
    /// What the person is to accept before anything else; nil for nothing.
    let consent: ConsentPolicy?
    private let end: @Sendable (PhoneViewState) -> SignupFlowError?

    /// - Parameter end: called with the state after each tap; why the signup cannot go on, or nil if it can.
    public init(
        _ viewModel: PhoneViewModel,
        consent: ConsentPolicy? = nil,
        end: @escaping @Sendable (PhoneViewState) -> SignupFlowError? = { _ in nil }
    ) {
        (session, self.consent, self.end) = (PhoneViewSession(viewModel), consent, end)
    }

    /// Returns when it has been handled, and throws if the signup cannot go on.
    func tap(_ tap: Tap) async throws(SignupFlowError) -> PhoneViewState {
        let state =
            switch tap {
            case .send: await session.tapSend()
            case .signUp: await session.tapSignUp()
            }
        if let error = end(state) { throw error }
        return state
    }
}

extension PhoneViewState {
    /// Whether there is a code to type: after the last wrong one there is none.
    var takesCode: Bool { !isCodeFieldHidden && sentCode?.checksLeft != 0 }
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

    /// Whether another try may succeed: the connection was lost, or the server is being restarted.
    var mayPass: Bool {
        switch self {
        case .unreachable: true
        case .notUnderstood(_, let status), .refused(let status, _): status >= 500
        }
    }

    public var exitStatus: ExitStatus {
        switch self {
        case .unreachable, .notUnderstood: .unreachable
        case .refused(let status, _): status >= 500 ? .unreachable : .failed
        }
    }
}
