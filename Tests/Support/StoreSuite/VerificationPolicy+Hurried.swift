import PhoneDomain

extension VerificationPolicy {
    /// The standard policy without a wait between messages.
    static func hurried(
        sendsPerDay: Int = 100,
        maxConsecutiveFailures: Int = 100
    ) throws(PolicyError) -> VerificationPolicy {
        try VerificationPolicy(
            resendCooldowns: [.zero],
            maxSendsPerNumberPerDay: sendsPerDay,
            maxConsecutiveFailures: maxConsecutiveFailures
        )
    }
}
