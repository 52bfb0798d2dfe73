/// What a number has been through, whoever asked: when messages went to it and how many wrong codes came back.
///
/// It paces messages and stops guessing across verifications and owners, so that starting over gains nothing.
public struct NumberActivity: Hashable, Sendable {
    /// When messages were sent within the last 24 hours, oldest first; at most
    /// ``VerificationPolicy/maxSendsPerNumberPerDay`` of them.
    public private(set) var recentSends: [Timestamp]
    /// How many of ``recentSends``, counted from the newest, belong to the present run: an approval begins a new one.
    public private(set) var sendsInRun: Int
    /// Wrong codes since the last right one.
    public private(set) var consecutiveFailures: Int
    /// When the last of them came.
    public private(set) var lastFailureAt: Timestamp?

    /// A number that nothing is known of.
    public static let none = NumberActivity(recentSends: [], sendsInRun: 0, consecutiveFailures: 0, lastFailureAt: nil)

    /// The last time that something came of or to the number, or nil if nothing is known of it.
    public var silentSince: Timestamp? {
        (recentSends + [lastFailureAt].compactMap(\.self)).max()
    }

    /// An activity as a store kept it.
    public init(recentSends: [Timestamp], sendsInRun: Int, consecutiveFailures: Int, lastFailureAt: Timestamp?) {
        self.recentSends = recentSends
        self.sendsInRun = min(sendsInRun, recentSends.count)
        self.consecutiveFailures = consecutiveFailures
        self.lastFailureAt = lastFailureAt
    }

    private static let day: Duration = .seconds(86_400)

    /// Why a message may not be sent now, or nil if it may.
    func refusal(at now: Timestamp, policy: VerificationPolicy) -> PhoneFailure? {
        if let lockedUntil = lockedUntil(at: now, policy: policy) {
            return .rateLimited(policies: [policy.failureQuota], retryAt: lockedUntil)
        }
        // Where there is no wait, one who comes after the next is not too early.
        if policy.cooldown(after: sendsInRun) > .zero, let next = nextSendAt(policy: policy), next > now {
            return .resendTooSoon(nextSendAt: next)
        }
        if recentSends.count >= policy.maxSendsPerNumberPerDay {
            let oldestThatCounts = recentSends[recentSends.count - policy.maxSendsPerNumberPerDay]
            return .rateLimited(policies: [policy.sendQuota], retryAt: oldestThatCounts + Self.day)
        }
        return nil
    }

    /// When the next message may go, or nil if none went in this run.
    func nextSendAt(policy: VerificationPolicy) -> Timestamp? {
        guard sendsInRun > 0, let last = recentSends.last else { return nil }
        return last + policy.cooldown(after: sendsInRun)
    }

    /// Until when the number is closed for too many wrong codes, or nil if it is open.
    func lockedUntil(at now: Timestamp, policy: VerificationPolicy) -> Timestamp? {
        guard consecutiveFailures >= policy.maxConsecutiveFailures, let lastFailureAt else { return nil }
        let end = lastFailureAt + policy.failureLockout
        return end > now ? end : nil
    }

    /// Forgets what no rule looks at any more. A moment still to come, which a clock that was ahead left behind, is taken
    /// for now: forgotten it would give a new try to whoever can set a clock back, and kept it would close the number
    /// until then. One that a request may have left which came later stays, or it would count from too early.
    mutating func prune(at now: Timestamp, policy: VerificationPolicy) {
        func mended(_ moment: Timestamp) -> Timestamp { moment > now + .longestDelay ? now : moment }
        let kept = recentSends.filter { $0 > now - Self.day }.map(mended)
        sendsInRun = min(sendsInRun, kept.count)
        recentSends = kept
        guard let last = lastFailureAt.map(mended) else { return }
        lastFailureAt = last
        if consecutiveFailures >= policy.maxConsecutiveFailures && last + policy.failureLockout <= now {
            consecutiveFailures = 0
            lastFailureAt = nil
        }
    }

    mutating func recordSend(at now: Timestamp) {
        recentSends.append(max(now, recentSends.last ?? now))
        sendsInRun += 1
    }

    mutating func recordFailure(at now: Timestamp) {
        consecutiveFailures += 1
        lastFailureAt = now
    }

    /// Ends the wait for the next message.
    mutating func endRun() {
        sendsInRun = 0
    }

    /// An approval clears the number's wait and its failures; what it has had today still counts.
    mutating func recordApproval() {
        endRun()
        consecutiveFailures = 0
        lastFailureAt = nil
    }
}
