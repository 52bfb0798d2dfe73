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
    case signUp
}

/// What to draw of a signup, wherever its view model is.
public struct SignupView: Hashable, Sendable {
    public struct SentCode: Hashable, Sendable {
        public let e164: String
        /// When it can be sent again, or another one can; nil if the server did not say.
        public let nextSendAt: Timestamp?
        /// Nil if it cannot be entered any more.
        public let expiresAt: Timestamp?
        var hasChecksLeft = true
    }

    public struct Account: Hashable, Sendable {
        public let id: String
        /// Whether this signup made the account rather than found it.
        public let isNew: Bool
    }

    /// What the person is to accept before anything else; nil for nothing.
    public struct Consent: Hashable, Sendable {
        let version: String
        let isRequired: Bool
        let terms, privacy: String?
    }

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
    /// What a server wants solved before it sends the code.
    var challenge: ProofOfWork?
    public var account: Account?
    public var consent: Consent?
}

extension SignupView {
    /// Whether there is a code to type: after the last wrong one there is none.
    var takesCode: Bool { !isCodeFieldHidden && sentCode?.hasChecksLeft != false }

    init(_ state: PhoneViewState, _ consent: ConsentPolicy?) {
        self.init(
            phoneText: state.phoneText,
            isSendEnabled: state.isSendEnabled,
            isCodeFieldHidden: state.isCodeFieldHidden,
            codeText: state.codeText,
            isSignUpEnabled: state.isSignUpEnabled,
            sentCode: state.verification.map {
                SentCode(
                    e164: $0.phoneNumber.e164,
                    nextSendAt: $0.nextSendAt,
                    expiresAt: $0.expiresAt,
                    sendsLeft: $0.sendsLeft,
                    checksLeft: $0.checksLeft
                )
            },
            failure: state.failure.map(SignupFailure.phone),
            account: state.signedUp.map { Account(id: $0.account.id.description, isNew: $0.isNew) },
            consent: consent.map {
                Consent(
                    version: $0.version,
                    isRequired: $0.isRequired,
                    terms: $0.terms?.description,
                    privacy: $0.privacy?.description
                )
            }
        )
    }
}

extension SignupView.SentCode {
    /// Without sends left, nothing is sent before the code expires, whatever the cooldown is; without checks left the
    /// code is not valid any more.
    init(e164: String, nextSendAt: Timestamp?, expiresAt: Timestamp?, sendsLeft: Int, checksLeft: Int) {
        let isUsedUp = sendsLeft <= 0 || checksLeft <= 0
        self.e164 = e164
        self.nextSendAt = isUsedUp ? [nextSendAt, expiresAt].compactMap { $0 }.max() : nextSendAt
        self.expiresAt = checksLeft <= 0 ? nil : expiresAt
        hasChecksLeft = checksLeft > 0
    }

    /// The number as a screen shows it that others may see.
    var maskedNumber: String { (try? PhoneNumber(e164: e164))?.masked ?? e164.printable }
}

/// Why a call failed. The signup can go on.
public enum SignupFailure: Hashable, Sendable {
    /// A failure of a view model in this process.
    case phone(PhoneFailure)
    /// A failure of a server, with its text for the person.
    case server(code: String, message: String, retryAt: Timestamp?)

    public var code: String {
        switch self {
        case .phone(let failure): failure.code
        case .server(let code, _, _): code
        }
    }

    /// Nil if waiting does not help or the time is not known.
    public var retryAt: Timestamp? {
        switch self {
        case .phone(let failure): failure.retryAt
        case .server(_, _, let retryAt): retryAt
        }
    }

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

/// A signup whose view model is in this process.
public struct EmbeddedSignupFlow: SignupFlow {
    private let session: PhoneViewSession
    private let consent: ConsentPolicy?
    private let solver: (any ChallengeSolver)?

    /// - Parameters:
    ///   - consent: what the prompt asks for before it sends anything.
    ///   - solver: of the challenges that the guard asks for.
    public init(_ viewModel: PhoneViewModel, consent: ConsentPolicy? = nil, solver: (any ChallengeSolver)? = nil) {
        (session, self.consent, self.solver) = (PhoneViewSession(viewModel), consent, solver)
    }

    public func perform(_ request: SignupRequest) async -> SignupView {
        let state =
            switch request {
            case .begin: session.state
            case .changePhoneText(let text): session.changePhoneText(text)
            case .changeCodeText(let text): session.changeCodeText(text)
            case .send: await send()
            case .signUp: await session.tapSignUp()
            }
        return SignupView(state, consent)
    }

    private func send() async -> PhoneViewState {
        let state = await session.tapSend()
        guard let work = state.challenge?.work, let solution = try? await solver?.solve(work) else { return state }
        session.bring(.work(solution))
        return await session.tapSend()
    }
}
