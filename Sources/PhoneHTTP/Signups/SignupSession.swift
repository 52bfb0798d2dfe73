import PhoneDomain
import PhoneViewModel
import TextEncodings

/// A signup with its view model, restored for one request: takes what the person did, and shows everything there is to
/// draw, whatever was requested and however it went.
struct SignupSession: Sendable {
    let id: Signup.ID
    /// Of the messages for the person.
    let language: LanguageTag
    let view: PhoneViewSession
    /// The account, if the person had signed up before this request.
    let signedUp: SignedUp?

    /// - Parameters:
    ///   - useCase: what the person can do, with `context`.
    ///   - verification: the one that the signup has begun; nil if it is not shown.
    init(
        _ signup: Signup,
        useCase: any PhoneUseCase,
        context: RequestContext,
        verification: Verification? = nil,
        signedUp: SignedUp? = nil
    ) {
        (id, language) = (signup.id, signup.language)
        view = PhoneViewSession(
            PhoneViewModel(
                useCase: useCase,
                context: context,
                phoneText: signup.phoneText,
                codeText: signup.codeText,
                verification: verification
            )
        )
        self.signedUp = signedUp
    }

    /// - Parameters:
    ///   - failure: of the request; null if it succeeded.
    ///   - token: the signup's own, only in the response to its beginning.
    ///   - tokens: the account's, only in the response to signing up.
    func json(
        failure: JSON = .null,
        token: SecretToken? = nil,
        tokens: JSON? = nil,
        at now: Timestamp
    ) -> JSON {
        let state = view.state
        var members = [JSON.Member("id", .string(id.description))]
        if let token { members.append(JSON.Member("token", .string(token.text))) }
        members.append(JSON.Member("state", state.json(failure, at: now)))
        members.append(JSON.Member("verification", state.verification?.json(at: now) ?? .null))
        members.append(JSON.Member("account", (state.signedUp ?? signedUp)?.json ?? .null))
        if let tokens { members.append(JSON.Member("tokens", tokens)) }
        return .object(members)
    }
}

extension PhoneViewState {
    /// The view model's outputs, except for those with a place of their own in the response.
    func json(_ failure: JSON, at now: Timestamp) -> JSON {
        [
            "phone_text": .string(phoneText),
            "is_send_enabled": .bool(isSendEnabled),
            "is_resend_enabled": .bool(isResendEnabled(at: now)),
            "is_code_field_hidden": .bool(isCodeFieldHidden),
            "code_text": .string(codeText),
            "is_sign_up_enabled": .bool(isSignUpEnabled),
            "is_busy": .bool(isBusy),
            "failure": failure,
        ]
    }
}

extension SignedUp {
    var json: JSON {
        [
            "id": .string(account.id.description),
            "phone_number": .string(account.phoneNumber?.e164),
            "created_at": .string(account.createdAt.description),
            "is_new": .bool(isNew),
        ]
    }
}
