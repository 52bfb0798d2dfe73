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

    func verify(
        codeText: String,
        verification: Indirect<Verification>?
    ) async -> Attempt<Verification.ID?, Verification> {
        let verification = verification?.value
        return await Attempt(verification?.id) { () async throws(PhoneFailure) in
            guard let verification else { throw .verificationNotFound }
            // Approved by an earlier tap, after which signing up failed: the code has done its duty.
            if verification.recordedStatus == .approved { return verification }
            return try await useCase.verify(codeText, for: verification.id, context: context)
        }
    }

    func signUp(with id: Verification.ID) async -> Attempt<Verification.ID, SignedUp> {
        await Attempt(id) { () async throws(PhoneFailure) in
            try await useCase.signUp(with: id, context: context)
        }
    }
}
