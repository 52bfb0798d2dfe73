public import PhoneDomain

extension VerificationUseCase {
    /// Requests a code for a number as it is typed.
    public func requestCode(for text: String, context: RequestContext) async throws(PhoneFailure) -> Verification {
        try await begin(text, context: context).verification
    }

    public func begin(
        _ text: String,
        context: RequestContext
    ) async throws(PhoneFailure) -> BeginVerification.Answer {
        try await begin(recipient(in: text, region: context.region), context: context)
    }
}
