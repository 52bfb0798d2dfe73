import PhoneDomain

/// What a signup's chains have done for them: the use case, asked on somebody's behalf. One object, for all of them to hold.
final class SignupWork: Sendable {
    private let useCase: any PhoneUseCase
    private let context: RequestContext

    init(useCase: any PhoneUseCase, context: RequestContext) {
        self.useCase = useCase
        self.context = context
    }

    func readPhone(_ text: String) -> Phone {
        let shown = useCase.format(text, region: context.region)
        return Phone(text: shown, number: try? useCase.phoneNumber(in: shown, region: context.region))
    }

    func readCode(_ text: String) -> Code {
        let digits = VerificationCode.clean(text)
        return Code(text: digits, isWhole: useCase.isCode(digits))
    }

    func requestCode(phone: Phone) async -> Attempt<PhoneNumber?, Verification> {
        await Attempt(phone.number) { () async throws(PhoneFailure) in
            try await useCase.requestCode(for: phone.text, context: context)
        }
    }

    func signUp(
        codeText: String,
        verification: Indirect<Verification>?
    ) async -> Attempt<Verification.ID?, SignUp.Outcome> {
        let verification = verification?.value
        return await Attempt(verification?.id) { () async throws(PhoneFailure) in
            guard let verification else { throw .verificationNotFound }
            // What it was used for is repeated only with the code, so without one there is nothing to ask.
            if verification.consumedBy != nil, !useCase.isCode(codeText) { throw .verificationClosed }
            return try await useCase.signUp(codeText, for: verification.id, context: context)
        }
    }
}
