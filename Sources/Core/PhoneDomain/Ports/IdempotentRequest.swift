public import PhoneSignup

/// A request with an ``IdempotencyKey``, stored so that it is done once however often it comes.
public struct IdempotentRequest: Hashable, Sendable {
    /// What a request is found by. Two clients may use the same key without seeing each other's requests.
    public struct Name: Hashable, Sendable {
        public let owner: Owner
        public let key: IdempotencyKey
        public init(owner: Owner, key: IdempotencyKey) { (self.owner, self.key) = (owner, key) }

        /// The text form, as it is stored. Neither an owner nor a key contains a line break.
        public var rawValue: String { owner.rawValue + "\n" + key.description }

        public init?(rawValue: String) {
            let parts = rawValue.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let owner = Owner(rawValue: String(parts[0])),
                let key = IdempotencyKey(String(parts[1]))
            else { return nil }
            self.init(owner: owner, key: key)
        }
    }

    public let name: Name
    /// The keyed digest of the method, the path and the body. A plain one would reveal the code in a check, which has
    /// only a million values.
    public let fingerprint: NumberDigest
    /// The number of the attempt, from 1. An attempt whose lease expired is superseded by the next.
    public internal(set) var attempt: Int
    /// When the lease of the current attempt expires; meaningless once there is an answer.
    public internal(set) var leaseEndsAt: Timestamp
    public internal(set) var expiresAt: Timestamp
    /// Nil while it is in progress.
    public internal(set) var answer: StoredResponse?

    public init(
        name: Name,
        fingerprint: NumberDigest,
        attempt: Int,
        leaseEndsAt: Timestamp,
        expiresAt: Timestamp,
        answer: StoredResponse?
    ) {
        (self.name, self.fingerprint, self.attempt, self.leaseEndsAt) = (name, fingerprint, attempt, leaseEndsAt)
        (self.expiresAt, self.answer) = (expiresAt, answer)
    }
}

/// A client's key for a request that it may have to send again (draft-ietf-httpapi-idempotency-key-header-07): 1 to 255
/// printable ASCII characters, the same for every retry and never for another request.
public struct IdempotencyKey: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    public init?(_ description: String) {
        guard (1...255).contains(description.utf8.count), description.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        self.description = description
    }
}

public struct StoredResponse: Hashable, Sendable {
    public let status: Int
    public let contentType: String
    public let location: String?
    /// It contains no code.
    public let body: String
    /// The verification that it is about: when that one's number is erased, the answer is deleted with it.
    public let verificationID: Verification.ID?

    public init(status: Int, contentType: String, location: String?, body: String, verificationID: Verification.ID?) {
        (self.status, self.contentType, self.location, self.body) = (status, contentType, location, body)
        self.verificationID = verificationID
    }
}

public struct BeginRequest: Command {
    public enum Outcome: Hashable, Sendable {
        /// Do the work, as this attempt.
        case begun(attempt: Int)
        case answered(StoredResponse)
        /// Another works on it, and has a lease until this moment.
        case inFlight(until: Timestamp)
        /// The key belongs to another request.
        case mismatch
    }

    /// The lease of an attempt: longer than most work takes, and shorter than ``Verification/repeatTime``, so that a
    /// client whose right code was consumed by a process that crashed then still gets the answer. After that the next
    /// attempt does the work, perhaps once more, under the rules that apply to it anyway.
    public static let lease: Duration = .seconds(8)
    public static let retention: Duration = .seconds(86_400)
    public let name: IdempotentRequest.Name
    /// The digests of the request under every key (``NumberDigester/digests(of:)``), the newest first; never empty.
    public let fingerprints: [NumberDigest]
    public let now: Timestamp
    private let lifetime: Duration

    /// Nil without a fingerprint. `lifetime` is how long the answer is repeated.
    public init?(
        name: IdempotentRequest.Name,
        fingerprints: [NumberDigest],
        now: Timestamp,
        keeping lifetime: Duration = retention
    ) {
        guard !fingerprints.isEmpty else { return nil }
        (self.name, self.fingerprints, self.now, self.lifetime) = (name, fingerprints, now, lifetime)
    }

    public func apply(to request: inout IdempotentRequest?) -> Result<Outcome, Never> {
        guard var known = request, now < known.expiresAt else {
            request = IdempotentRequest(
                name: name,
                fingerprint: fingerprints[0],
                // An expired one may still be at work.
                attempt: (request?.attempt ?? 0) + 1,
                leaseEndsAt: now + Self.lease,
                expiresAt: now + lifetime,
                answer: nil
            )
            return .success(.begun(attempt: request?.attempt ?? 1))
        }
        guard fingerprints.contains(known.fingerprint) else { return .success(.mismatch) }
        if let answer = known.answer { return .success(.answered(answer)) }
        // Of two at once the later one may be here first, and two instances' clocks differ: such a lease counts. One
        // that ends too far ahead was given by a clock that ran ahead.
        guard known.leaseEndsAt <= now || known.leaseEndsAt > now + Self.lease * 2
        else { return .success(.inFlight(until: known.leaseEndsAt)) }
        known.attempt += 1
        known.leaseEndsAt = now + Self.lease
        request = known
        return .success(.begun(attempt: known.attempt))
    }
}

public struct EndRequest: Command {
    public struct State: Sendable {
        public var request: IdempotentRequest?
        /// Whether the verification that the answer is about is gone: its number was erased meanwhile, and must not
        /// come back in the answer.
        public let isErased: Bool

        public init(request: IdempotentRequest?, isErased: Bool) {
            (self.request, self.isErased) = (request, isErased)
        }
    }

    public let name: IdempotentRequest.Name
    public let attempt: Int
    /// What to answer from now on; nil where a retry may give another answer, so that it is done again.
    public let answer: StoredResponse?

    public init(name: IdempotentRequest.Name, attempt: Int, answer: StoredResponse?) {
        (self.name, self.attempt, self.answer) = (name, attempt, answer)
    }

    /// Saves the answer, or ends the lease; an attempt whose lease another has taken over changes nothing.
    ///
    /// The request is stored even without an answer, so that no later attempt of it has the number of this one.
    public func apply(to state: inout State) -> Result<Void, Never> {
        guard state.request?.attempt == attempt, state.request?.answer == nil else { return .success(()) }
        state.request?.answer = state.isErased ? nil : answer
        state.request?.leaseEndsAt = Timestamp(milliseconds: 0)
        return .success(())
    }
}
