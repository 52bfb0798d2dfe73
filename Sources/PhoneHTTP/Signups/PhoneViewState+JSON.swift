import PhoneDomain
import PhoneViewModel

extension PhoneViewState {
    /// What the fields and buttons of a signup are like: the view model's outputs, but for those with a place of
    /// their own in the answer.
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
    /// The problem without what is of HTTP only.
    fileprivate var summary: JSON {
        .object(
            [JSON.Member("code", .string(code.rawValue)), JSON.Member("detail", .string(detail))] + members
        )
    }
}
