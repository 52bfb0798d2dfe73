import PhoneDomain

/// A signup as the service writes it. What the prompt has no use for is not read.
struct SignupBody: Decodable {
    struct State: Decodable {
        var phoneText: String
        var isSendEnabled: Bool
        var isCodeFieldHidden: Bool
        var codeText: String
        var isSignUpEnabled: Bool

        enum CodingKeys: String, CodingKey {
            case phoneText = "phone_text"
            case isSendEnabled = "is_send_enabled"
            case isCodeFieldHidden = "is_code_field_hidden"
            case codeText = "code_text"
            case isSignUpEnabled = "is_sign_up_enabled"
        }
    }

    struct Verification: Decodable {
        var phoneNumber: String
        var nextSendAt: String?

        enum CodingKeys: String, CodingKey {
            case phoneNumber = "phone_number"
            case nextSendAt = "next_send_at"
        }
    }

    struct Account: Decodable {
        var id: String
        var isNew: Bool

        enum CodingKeys: String, CodingKey {
            case id
            case isNew = "is_new"
        }
    }

    var id: String
    var token: String?
    var state: State
    var verification: Verification?
    var account: Account?
}

extension SignupView {
    init(_ body: SignupBody) {
        self.init(
            phoneText: body.state.phoneText,
            isSendEnabled: body.state.isSendEnabled,
            isCodeFieldHidden: body.state.isCodeFieldHidden,
            codeText: body.state.codeText,
            isSignUpEnabled: body.state.isSignUpEnabled,
            sentCode: body.verification.map {
                SentCode(e164: $0.phoneNumber, nextSendAt: $0.nextSendAt.flatMap(Timestamp.init(rfc3339:)))
            },
            account: body.account.map { Account(id: $0.id, isNew: $0.isNew) }
        )
    }
}
