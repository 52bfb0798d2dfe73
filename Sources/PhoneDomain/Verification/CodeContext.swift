/// What a code is bound to: it proves nothing for another verification or another number.
public struct CodeContext: Hashable, Sendable {
    /// The verification that the code belongs to.
    public let verificationID: Verification.ID
    /// The number that it was sent to, in E.164 form.
    public let e164: String

    /// A context of these two.
    public init(verificationID: Verification.ID, e164: String) {
        self.verificationID = verificationID
        self.e164 = e164
    }
}
