public import PhoneSignup

/// The history of a number over all owners: when messages went to it and how many wrong codes came back.
/// It paces messages and stops guessing across verifications and owners, so that starting over gains nothing.
public struct NumberActivity: Hashable, Sendable {
    /// When messages were sent within the last 24 hours, oldest first; at most
    /// ``VerificationPolicy/maxSendsPerNumberPerDay``.
    public private(set) var recentSends: [Timestamp]
    /// How many of ``recentSends``, counted from the newest, belong to the present run: an approval begins a new one.
    public private(set) var sendsInRun: Int
    /// For each of ``recentSends``, in the same order, the network (``ClientOrigin/init(networkOf:)``) from which a
    /// person without a key asked for it; nil for others, and for one that has proven the number since. Empty where
    /// none counts.
    public private(set) var senders: [ClientOrigin?]
    /// Wrong codes since the last right one.
    public private(set) var consecutiveFailures: Int
    public private(set) var lastFailureAt: Timestamp?
    public static let none = NumberActivity(recentSends: [], sendsInRun: 0, consecutiveFailures: 0, lastFailureAt: nil)
    public var silentSince: Timestamp? {
        recentSends.reduce(lastFailureAt) { latest, moment in latest.map { max($0, moment) } ?? moment }
    }

    public init(
        recentSends: [Timestamp],
        senders: [ClientOrigin?] = [],
        sendsInRun: Int,
        consecutiveFailures: Int,
        lastFailureAt: Timestamp?
    ) {
        self.recentSends = recentSends
        self.senders = senders.count == recentSends.count ? senders : []
        self.sendsInRun = min(sendsInRun, recentSends.count)
        (self.consecutiveFailures, self.lastFailureAt) = (consecutiveFailures, lastFailureAt)
    }

    private static let day: Duration = .seconds(86_400)

    /// Why a message may not be sent now, if it may not.
    ///
    /// - Parameters:
    ///   - sender: that of a person without a key.
    ///   - waits: whether the message keeps the distance from the last one; not if that one has failed.
    func refusal(
        at now: Timestamp,
        policy: VerificationPolicy,
        sender: ClientOrigin? = nil,
        waits: Bool = true
    ) -> PhoneFailure? {
        if let lockedUntil = lockedUntil(at: now, policy: policy) {
            return .rateLimited(policies: [policy.failureQuota], retryAt: lockedUntil)
        }
        // Without a cooldown, a request that is applied after a later one is not too early.
        if waits, policy.cooldown(after: sendsInRun) > .zero, let next = nextSendAt(policy: policy), next > now {
            return .resendTooSoon(nextSendAt: next)
        }
        func refusal(of sends: [Timestamp], _ quota: QuotaPolicy) -> PhoneFailure? {
            guard sends.count >= quota.quota else { return nil }
            return .rateLimited(policies: [quota], retryAt: sends[sends.count - quota.quota] + Self.day)
        }
        if let refusal = refusal(of: recentSends, policy.sendQuota) { return refusal }
        guard let sender else { return nil }
        return refusal(of: zip(recentSends, senders).filter { $1 == sender }.map(\.0), policy.senderQuota)
    }

    /// When the next message may go; nil if none went in this run.
    func nextSendAt(policy: VerificationPolicy) -> Timestamp? {
        guard sendsInRun > 0, let last = recentSends.last else { return nil }
        return last + policy.cooldown(after: sendsInRun)
    }

    func lockedUntil(at now: Timestamp, policy: VerificationPolicy) -> Timestamp? {
        guard consecutiveFailures >= policy.maxConsecutiveFailures, let lastFailureAt else { return nil }
        let end = lastFailureAt + policy.failureLockout
        return end > now ? end : nil
    }

    /// Drops what no rule looks at any more. A time in the future, left by a clock that ran ahead, becomes now:
    /// dropping it would allow a new try to anyone who can set a clock back, and keeping it would lock the number until
    /// then. A time within ``Swift/Duration/longestDelay`` may come from a request that arrived later, and stays.
    mutating func prune(at now: Timestamp, policy: VerificationPolicy) {
        func clamped(_ moment: Timestamp) -> Timestamp { moment > now + .longestDelay ? now : moment }
        let since = now - Self.day
        if recentSends.contains(where: { $0 <= since || $0 != clamped($0) }) {
            let kept = recentSends.indices.filter { recentSends[$0] > since }
            sendsInRun = min(sendsInRun, kept.count)
            if !senders.isEmpty { setSenders(kept.map { senders[$0] }) }
            recentSends = kept.map { clamped(recentSends[$0]) }
        }
        guard let last = lastFailureAt.map(clamped) else { return }
        lastFailureAt = last
        if consecutiveFailures >= policy.maxConsecutiveFailures && last + policy.failureLockout <= now {
            consecutiveFailures = 0
            lastFailureAt = nil
        }
    }

    mutating func recordSend(at now: Timestamp, by sender: ClientOrigin?) {
        if sender != nil || !senders.isEmpty {
            let earlier = senders.isEmpty ? recentSends.map { _ in nil } : senders
            senders = earlier + [sender]
        }
        recentSends.append(max(now, recentSends.last ?? now))
        sendsInRun += 1
    }

    /// One activity has one form, so that stores agree on what they keep.
    private mutating func setSenders(_ marks: [ClientOrigin?]) { senders = marks.allSatisfy { $0 == nil } ? [] : marks }

    mutating func recordFailure(at now: Timestamp) {
        consecutiveFailures += 1
        lastFailureAt = now
    }

    mutating func endRun() { sendsInRun = 0 }

    /// An approval clears the number's cooldown and its failures; today's messages still count, but not against the
    /// network that has shown to have the phone.
    mutating func recordApproval(by sender: ClientOrigin) {
        endRun()
        setSenders(senders.map { $0 == sender ? nil : $0 })
        consecutiveFailures = 0
        lastFailureAt = nil
    }

    /// ``senders`` as stores keep them: marks, none of which contains a comma, between commas.
    public var sendersText: String { senders.map { $0?.rawValue ?? "" }.joined(separator: ",") }

    public static func senders(_ text: String) -> [ClientOrigin?] {
        guard !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.isEmpty ? nil : ClientOrigin(rawValue: String($0))
        }
    }

    /// Why a number may receive no message for some time, apart from the cooldown between messages.
    public struct Closure: Hashable, Sendable {
        public let policy: QuotaPolicy
        public let until: Timestamp
    }

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

public struct ActiveNumber: Hashable, Sendable {
    /// The number in E.164; mask it before showing it.
    public let e164: String
    /// What the last request left: parts may have expired.
    public let activity: NumberActivity
    public init(e164: String, activity: NumberActivity) { (self.e164, self.activity) = (e164, activity) }
}

/// What distinguishes clients that claim to be the same owner: where the request comes from. The same client may ask
/// again for an answer that was lost; for any other a used code is a used code.
public struct ClientOrigin: Hashable, Sendable {
    /// The text form, as stores keep it.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    package init(_ address: ClientAddress?) { rawValue = address?.description ?? "-" }

    /// The widest of the client's networks: for what one client should not get twice by taking another /64.
    init(networkOf address: ClientAddress?) { rawValue = address?.networks.last?.description ?? "-" }
}
