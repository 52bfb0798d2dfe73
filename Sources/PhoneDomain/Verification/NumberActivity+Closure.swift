extension NumberActivity {
    /// Why a number may have no message for some time, its wait between two messages aside.
    public struct Closure: Hashable, Sendable {
        /// The rule, as whoever is refused by it is told.
        public let policy: QuotaPolicy
        /// From when it may have one.
        public let until: Timestamp
    }

    /// What closes the number at this moment, or nil if nothing does.
    public func closure(at now: Timestamp, policy: VerificationPolicy) -> Closure? {
        var activity = self
        activity.prune(at: now, policy: policy)
        activity.endRun()
        guard case .rateLimited(let policies, let until) = activity.refusal(at: now, policy: policy),
            let first = policies.first
        else { return nil }
        return Closure(policy: first, until: until)
    }
}
