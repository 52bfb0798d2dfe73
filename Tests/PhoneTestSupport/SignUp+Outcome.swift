public import PhoneDomain

extension SignUp.Outcome {
    /// A refusal is thrown.
    public func get() throws(PhoneFailure) -> SignedUp {
        switch self {
        case .signedUp(let signedUp, _): return signedUp
        case .refused(let failure, _): throw failure
        }
    }
}
