import PhoneDomain
public import PhoneViewModel

/// A signup whose view model is in this process.
public struct EmbeddedSignupFlow: SignupFlow {
    private let session: PhoneViewSession

    /// A signup with this view model.
    public init(_ viewModel: PhoneViewModel) {
        session = PhoneViewSession(viewModel)
    }

    public func begin() -> SignupView {
        SignupView(session.state)
    }

    public func changePhoneText(_ text: String) -> SignupView {
        SignupView(session.changePhoneText(text))
    }

    public func changeCodeText(_ text: String) -> SignupView {
        SignupView(session.changeCodeText(text))
    }

    public func send() async -> SignupView {
        SignupView(await session.tapSend())
    }

    public func signUp() async -> SignupView {
        SignupView(await session.tapSignUp())
    }
}

extension SignupView {
    init(_ state: PhoneViewState) {
        self.init(
            phoneText: state.phoneText,
            isSendEnabled: state.isSendEnabled,
            isCodeFieldHidden: state.isCodeFieldHidden,
            codeText: state.codeText,
            isSignUpEnabled: state.isSignUpEnabled,
            sentCode: state.verification.map { SentCode(e164: $0.phoneNumber.e164, nextSendAt: $0.nextSendAt) },
            failure: state.failure.map(SignupFailure.phone),
            account: state.signedUp.map { Account(id: $0.account.id.description, isNew: $0.isNew) }
        )
    }
}
