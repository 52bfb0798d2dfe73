import CoreEncodings
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneViewModel

/// Everything there is to draw, whatever was requested and however it went.
extension HostedSignup.Answer {
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
        var members = [JSON.Member("id", .string(signup.id.description))]
        if let token { members.append(JSON.Member("token", .string(token.text))) }
        members.append(JSON.Member("state", state.json(failure, challenge, at: now)))
        members.append(JSON.Member("verification", verification?.json(instruction, at: now) ?? .null))
        members.append(JSON.Member("account", signedUp?.json ?? .null))
        if let tokens { members.append(JSON.Member("tokens", tokens)) }
        if let consent { members.append(JSON.Member("consent", consent.json)) }
        members += signup.labels.members
        return .object(members)
    }

    private var challenge: Challenge? {
        if case .challengeRequired(let challenge)? = self.failure { challenge } else { nil }
    }
}

extension PhoneViewState {
    /// The view model's outputs, except for those with a place of their own in the response.
    func json(_ failure: JSON, _ challenge: Challenge?, at now: Timestamp) -> JSON {
        [
            "phone_text": .string(phoneText),
            "is_send_enabled": .bool(isSendEnabled),
            "is_resend_enabled": .bool(isResendEnabled(at: now)),
            "is_code_field_hidden": .bool(isCodeFieldHidden),
            "code_text": .string(codeText),
            "is_sign_up_enabled": .bool(isSignUpEnabled),
            "is_busy": .bool(isBusy),
            "channels": .array(channels.map { .string($0.rawValue) }),
            "challenge": challenge?.json(at: now) ?? .null,
            "failure": failure,
        ]
    }
}

extension ConsentPolicy {
    fileprivate var json: JSON {
        [
            "version": .string(version),
            "is_required": .bool(isRequired),
            "terms_url": .string(terms?.description),
            "privacy_url": .string(privacy?.description),
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
