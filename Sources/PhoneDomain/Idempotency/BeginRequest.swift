/// Takes up a request that its caller has given an ``IdempotencyKey``: once, however often and wherever it comes.
public struct BeginRequest: Sendable {
    /// What to do now.
    public enum Outcome: Hashable, Sendable {
        /// The work, as this attempt of it.
        case begun(attempt: Int)
        /// Give the answer of before once more.
        case answered(KeptAnswer)
        /// Nothing: another is at work on it, and is waited for until this moment.
        case inFlight(until: Timestamp)
        /// Nothing: the key stands for another request.
        case mismatch
    }

    /// How long the one who works on a request is waited for: longer than work takes, mostly, and shorter than
    /// ``Verification/repeatTime``, so that one whose right code was taken by somebody who died then still hears of it. After
    /// that the next does the work, once more perhaps, under the rules that hold for it anyway.
    public static let lease: Duration = .seconds(8)
    /// How long an answer is kept.
    public static let retention: Duration = .seconds(86_400)

    /// By what it is known.
    public let name: IdempotentRequest.Name
    /// The digests of what is asked for under every key (``NumberDigester/digests(of:)``), the newest first and never none.
    public let fingerprints: [NumberDigest]
    /// The moment.
    public let now: Timestamp

    /// A request of these parts, or nil without a fingerprint.
    public init?(name: IdempotentRequest.Name, fingerprints: [NumberDigest], now: Timestamp) {
        guard !fingerprints.isEmpty else { return nil }
        self.name = name
        self.fingerprints = fingerprints
        self.now = now
    }

    /// Takes it up, or says why not.
    public func apply(to request: inout IdempotentRequest?) -> Outcome {
        guard var known = request, now < known.expiresAt else {
            request = IdempotentRequest(
                name: name,
                fingerprint: fingerprints[0],
                // One of before whose time is over may still be at work.
                attempt: (request?.attempt ?? 0) + 1,
                leaseEndsAt: now + Self.lease,
                expiresAt: now + Self.retention,
                answer: nil
            )
            return .begun(attempt: request?.attempt ?? 1)
        }
        guard fingerprints.contains(known.fingerprint) else { return .mismatch }
        if let answer = known.answer { return .answered(answer) }
        // Of two at once the later one may be here first, and two instances' clocks differ: such a lease holds. One that ends
        // far beyond what can be was given by a clock that was ahead.
        guard known.leaseEndsAt <= now || known.leaseEndsAt > now + Self.lease * 2 else {
            return .inFlight(until: known.leaseEndsAt)
        }
        known.attempt += 1
        known.leaseEndsAt = now + Self.lease
        request = known
        return .begun(attempt: known.attempt)
    }
}
