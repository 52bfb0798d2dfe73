public import PhoneDomain

extension VerificationUseCase {
    /// Requests a code for a number as it is typed.
    public func requestCode(
        for text: String,
        _ options: VerificationOptions = VerificationOptions(),
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification {
        try await begin(text, options, context: context).verification
    }

    public func begin(
        _ text: String,
        _ options: VerificationOptions = VerificationOptions(),
        context: RequestContext
    ) async throws(PhoneFailure) -> BeginVerification.Answer {
        try await begin(recipient(in: text, region: context.region), options, context: context)
    }
}
