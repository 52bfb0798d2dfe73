public import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// A verification of a Korean number, as the use case returns it.
public func sampleVerification(
    _ number: String = "010-1234-5678",
    bits: UInt64 = 1,
    status: VerificationStatus = .pending,
    checksLeft: Int = 5
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
        checksLeft: checksLeft,
        recordedStatus: status,
        updatedAt: Timestamp(seconds: 0),
        consumedBy: nil
    )
}

extension PhoneFailure {
    /// The refusal of a wrong code, of some verification.
    public static func codeIncorrect(checksLeft: Int) throws -> PhoneFailure {
        .codeIncorrect(try sampleVerification(checksLeft: checksLeft))
    }

    /// How many checks a wrong code has left; nil of another refusal.
    public var checksLeft: Int? {
        if case .codeIncorrect(let verification) = self { verification.checksLeft } else { nil }
    }
}

extension Result where Failure == PhoneFailure {
    public var refusal: PhoneFailure? { if case .failure(let failure) = self { failure } else { nil } }
}
