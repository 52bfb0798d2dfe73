import PhoneNumbers
import PhoneSignup

/// A use case that knows the answer before it is asked, so that what remains is the view model's own work.
struct ImmediateUseCase: PhoneUseCase {
    private let sentCode: SentCode

    init() throws {
        let number = try PhoneNumber(parsing: "01012345678", region: .korea)
        sentCode = SentCode(id: "ver_1", number: number, resendableFrom: Timestamp(seconds: 30))
    }

    func phoneText(_ typed: String) -> PhoneText {
        PhoneText(typed: typed, text: typed, number: typed == "010-" ? nil : sentCode.number)
    }

    func requestCode(_ request: CodeRequest) async throws(SignupFailure) -> SentCode { sentCode }

    func signUp(_ codeText: String, for sentCode: SentCode) async throws(SignupFailure) -> SignedUpAccount {
        SignedUpAccount(id: "acc_7", isNew: true)
    }
}
