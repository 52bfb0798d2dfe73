public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

/// A verification of a Korean number, as the use case returns it.
public func sampleVerification(
    _ number: String = "010-1234-5678",
    bits: UInt64 = 1,
    channel: Channel = .sms,
    at moment: Timestamp = Timestamp(seconds: 0),
    isTest: Bool = false,
    status: VerificationStatus = .pending,
    checksLeft: Int = 5,
    usedFor account: Account.ID? = nil,
    labels: Labels = .none
) throws -> Verification {
    Verification(
        id: Verification.ID(bits: 0, bits),
        phoneNumber: try PhoneNumber(parsing: number, region: .korea),
        owner: .local,
        channel: channel,
        language: .korean,
        code: SealedCode(keyID: "test", mac: [], ciphertext: []),
        createdAt: moment,
        isTest: isTest,
        expiresAt: moment + .seconds(600),
        nextSendAt: moment + .seconds(30),
        sendsLeft: 4,
        checksLeft: checksLeft,
        recordedStatus: status,
        updatedAt: moment,
        consumedBy: account,
        labels: labels
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
