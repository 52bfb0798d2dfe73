import PhoneDomain

/// A signup of this number.
func sampleSignup(_ number: Int, phoneText: String = "") -> Signup {
    Signup(
        id: Signup.ID(bits: 0, UInt64(number)),
        tokenDigest: [1],
        region: .korea,
        language: .korean,
        createdAt: Timestamp(seconds: 0),
        expiresAt: Timestamp(seconds: 3600),
        phoneText: phoneText,
        codeText: "",
        verificationID: nil
    )
}
