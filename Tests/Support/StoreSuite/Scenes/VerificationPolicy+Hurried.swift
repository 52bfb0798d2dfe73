import PhoneDomain

extension VerificationPolicy {
    /// The standard policy without a wait between messages.
    static func hurried(
        maxChecks: Int = 5,
        sendsPerDay: Int = 100,
        maxConsecutiveFailures: Int = 100
    ) throws(PolicyError) -> VerificationPolicy {
        try VerificationPolicy(
            maxChecks: maxChecks,
            resendCooldowns: [.zero],
            maxSendsPerNumberPerDay: sendsPerDay,
            maxConsecutiveFailures: maxConsecutiveFailures
        )
    }
}
