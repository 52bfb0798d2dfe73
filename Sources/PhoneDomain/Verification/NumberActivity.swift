/// What a number has been through, whoever asked: when messages went to it and how many wrong codes came back.
///
/// It paces messages and stops guessing across verifications and owners, so that starting over gains nothing.
public struct NumberActivity: Hashable, Sendable {
    /// When messages were sent within the last 24 hours, oldest first; at most
    /// ``VerificationPolicy/maxSendsPerNumberPerDay`` of them.
    public private(set) var recentSends: [Timestamp]
    /// How many of ``recentSends``, counted from the newest, belong to the present run: an approval begins a new one.
    public private(set) var sendsInRun: Int
    /// From where each of ``recentSends`` was asked for by a person without a key, in the same order; nil for others, and for
    /// those of an address that has proven the number since. Empty where none of them counts.
    public private(set) var senders: [CallerMark?]
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
    public init(
        recentSends: [Timestamp],
        senders: [CallerMark?] = [],
        sendsInRun: Int,
        consecutiveFailures: Int,
        lastFailureAt: Timestamp?
    ) {
        self.recentSends = recentSends
        self.senders = senders.count == recentSends.count ? senders : []
        self.sendsInRun = min(sendsInRun, recentSends.count)
        self.consecutiveFailures = consecutiveFailures
        self.lastFailureAt = lastFailureAt
    }

    private static let day: Duration = .seconds(86_400)

    /// Why a message may not be sent now, or nil if it may.
    ///
    /// - Parameter sender: from where a person without a key asks; nil for others.
    func refusal(at now: Timestamp, policy: VerificationPolicy, sender: CallerMark? = nil) -> PhoneFailure? {
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
        if let sender {
            let mine = zip(recentSends, senders).filter { $1 == sender }.map(\.0)
            if mine.count >= policy.senderQuota.quota {
                let oldestThatCounts = mine[mine.count - policy.senderQuota.quota]
                return .rateLimited(policies: [policy.senderQuota], retryAt: oldestThatCounts + Self.day)
            }
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
        let kept = recentSends.indices.filter { recentSends[$0] > now - Self.day }
        sendsInRun = min(sendsInRun, kept.count)
        if !senders.isEmpty { setSenders(kept.map { senders[$0] }) }
        recentSends = kept.map { mended(recentSends[$0]) }
        guard let last = lastFailureAt.map(mended) else { return }
        lastFailureAt = last
        if consecutiveFailures >= policy.maxConsecutiveFailures && last + policy.failureLockout <= now {
            consecutiveFailures = 0
            lastFailureAt = nil
        }
    }

    mutating func recordSend(at now: Timestamp, by sender: CallerMark? = nil) {
        if sender != nil || !senders.isEmpty {
            let earlier = senders.isEmpty ? recentSends.map { _ in nil } : senders
            senders = earlier + [sender]
        }
        recentSends.append(max(now, recentSends.last ?? now))
        sendsInRun += 1
    }

    /// One activity has one form, so that stores agree on what they keep.
    private mutating func setSenders(_ marks: [CallerMark?]) {
        senders = marks.allSatisfy { $0 == nil } ? [] : marks
    }

    mutating func recordFailure(at now: Timestamp) {
        consecutiveFailures += 1
        lastFailureAt = now
    }

    /// Ends the wait for the next message.
    mutating func endRun() {
        sendsInRun = 0
    }

    /// An approval clears the number's wait and its failures; what it has had today still counts, but not against the address
    /// that has shown to have the phone.
    mutating func recordApproval(by sender: CallerMark) {
        endRun()
        setSenders(senders.map { $0 == sender ? nil : $0 })
        consecutiveFailures = 0
        lastFailureAt = nil
    }

    /// ``senders`` as stores keep them: the marks, of which none has a comma in it, between commas.
    public var sendersText: String {
        senders.map { $0?.rawValue ?? "" }.joined(separator: ",")
    }

    /// The senders of such a text.
    public static func senders(_ text: String) -> [CallerMark?] {
        guard !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.isEmpty ? nil : CallerMark(rawValue: String($0))
        }
    }
}
