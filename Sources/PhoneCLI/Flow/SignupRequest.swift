/// A call of a ``SignupFlow``, as a value.
enum SignupRequest: Hashable, Sendable {
    case begin
    case changePhoneText(String)
    case changeCodeText(String)
    case send
    case signUp
}

extension SignupFlow {
    /// Makes the call.
    func answer(to request: SignupRequest) async throws(SignupFlowError) -> SignupView {
        switch request {
        case .begin: try await begin()
        case .changePhoneText(let text): try await changePhoneText(text)
        case .changeCodeText(let text): try await changeCodeText(text)
        case .send: try await send()
        case .signUp: try await signUp()
        }
    }
}
