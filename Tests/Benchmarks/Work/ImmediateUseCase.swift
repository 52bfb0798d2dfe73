import PhoneDomain

/// A use case that knows the answer before it is asked, so that what remains is the view model's own work.
struct ImmediateUseCase: PhoneUseCase {
    private let verification: Verification
    private let signedUp: SignedUp

    init() throws {
        verification = Verification(
            id: Verification.ID(bits: 0, 1),
            phoneNumber: try PhoneNumber(parsing: "01012345678", region: .korea),
            owner: .local,
            channel: .sms,
            language: .korean,
            code: SealedCode(keyID: "none", mac: [], ciphertext: []),
            createdAt: Timestamp(seconds: 0),
            expiresAt: Timestamp(seconds: 600),
            nextSendAt: Timestamp(seconds: 30),
            sendsLeft: 4,
            checksLeft: 5,
            recordedStatus: .pending,
            updatedAt: Timestamp(seconds: 0),
            consumedBy: nil
        )
        signedUp = SignedUp(
            account: Account(
                id: Account.ID(bits: 0, 7),
                phoneNumber: verification.phoneNumber,
                createdAt: Timestamp(seconds: 1),
                createdBy: verification.id
            ),
            verification: verification
        )
    }

    func format(_ phoneText: String, region: Region) -> String { phoneText }

    func phoneNumber(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        guard phoneText != "010-" else { throw .invalidPhoneNumber(.tooShort) }
        return verification.phoneNumber
    }

    func isCode(_ codeText: String) -> Bool { !codeText.isEmpty }

    func requestCode(to number: PhoneNumber, context: RequestContext) async throws(PhoneFailure) -> Verification {
        verification
    }

    func signUp(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> SignedUp {
        signedUp
    }
}
