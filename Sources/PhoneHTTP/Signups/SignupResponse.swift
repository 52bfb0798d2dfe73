import PhoneDomain
import PhoneViewModel
import TextEncodings

/// A signup as its client sees it: everything to draw, whatever was requested and however it went.
struct SignupResponse {
    let id: Signup.ID
    var state: PhoneViewState
    let signedUp: SignedUp?

    /// - Parameters:
    ///   - token: the signup's own, only in the response to its beginning.
    ///   - tokens: the account's, only in the response to signing up.
    func json(token: SecretToken? = nil, tokens: JSON? = nil, at now: Timestamp) -> JSON {
        var members = [JSON.Member("id", .string(id.description))]
        if let token { members.append(JSON.Member("token", .string(token.text))) }
        members.append(JSON.Member("state", state.json(at: now)))
        members.append(JSON.Member("verification", state.verification?.json(at: now) ?? .null))
        members.append(JSON.Member("account", signedUp?.json ?? .null))
        if let tokens { members.append(JSON.Member("tokens", tokens)) }
        return .object(members)
    }
}

extension PhoneViewState {
    /// The view model's outputs, except for those with a place of their own in the response.
    func json(at now: Timestamp) -> JSON {
        [
            "phone_text": .string(phoneText),
            "is_send_enabled": .bool(isSendEnabled),
            "is_code_field_hidden": .bool(isCodeFieldHidden),
            "code_text": .string(codeText),
            "is_sign_up_enabled": .bool(isSignUpEnabled),
            "is_busy": .bool(isBusy),
            "failure": failure.map { Problem($0, at: now).summary } ?? .null,
        ]
    }
}

extension Problem {
    /// The problem without its HTTP members.
    fileprivate var summary: JSON {
        .object(
            [JSON.Member("code", .string(code.rawValue)), JSON.Member("detail", .string(detail))] + members
        )
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

/// A signup with its view model, restored for one request.
struct RestoredSignup: Sendable {
    let id: Signup.ID
    /// Takes the events of this request.
    let session: PhoneViewSession
    /// The result, if there is one.
    let signedUp: SignedUp?

    /// - Parameter context: the client, and the session to open by signing up.
    /// - Throws: ``PhoneFailure/unavailable(cause:)``.
    init(
        _ signup: Signup,
        useCase: any VerificationUseCase,
        context: RequestContext
    ) async throws(PhoneFailure) {
        var verification: Verification?
        if let verificationID = signup.verificationID {
            do {
                verification = try await useCase.verification(verificationID, owner: signup.owner)
            } catch .verificationNotFound {
                // Purged, as all are in the end: the signup continues without.
                verification = nil
            }
        }
        id = signup.id
        session = PhoneViewSession(
            PhoneViewModel(
                useCase: useCase,
                context: context,
                phoneText: signup.phoneText,
                codeText: signup.codeText,
                verification: verification
            )
        )
        signedUp = if let verification { try await useCase.signedUp(with: verification) } else { nil }
    }

    var response: SignupResponse { SignupResponse(id: id, state: session.state, signedUp: signedUp) }
}
