import PhoneDomain

/// A verification of a Korean number, as the use case returns it.
func sampleVerification(
    _ number: String = "010-1234-5678",
    bits: UInt64 = 1,
    status: VerificationStatus = .pending
) throws -> Verification {
    Verification(
        id: Verification.ID(bits: 0, bits),
        phoneNumber: try PhoneNumber(parsing: number, region: .korea),
        owner: .local,
        channel: .sms,
        language: .korean,
        code: SealedCode(keyID: "test", mac: [], ciphertext: []),
        createdAt: Timestamp(seconds: 0),
        expiresAt: Timestamp(seconds: 600),
        nextSendAt: Timestamp(seconds: 30),
        sendsLeft: 4,
        checksLeft: 5,
        recordedStatus: status,
        updatedAt: Timestamp(seconds: 0),
        consumedBy: nil
    )
}

/// What signing up with a verification comes to, when it makes the account.
func sampleSignedUp(_ verification: Verification) throws -> SignUp.Outcome {
    .signedUp(
        SignedUp(
            account: Account(
                id: Account.ID(bits: 0, 7),
                phoneNumber: verification.phoneNumber,
                createdAt: Timestamp(seconds: 1),
                createdBy: verification.id
            ),
            verificationID: verification.id
        ),
        try sampleVerification(status: .approved)
    )
}
