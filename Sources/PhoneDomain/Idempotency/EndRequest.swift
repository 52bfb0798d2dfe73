/// Records what came of a request that ``BeginRequest`` took up.
public struct EndRequest: Sendable {
    /// By what it is known.
    public let name: IdempotentRequest.Name
    /// Which attempt has ended.
    public let attempt: Int
    /// What to answer from now on; nil where trying again may give another answer, so that it is done when it comes again.
    public let answer: KeptAnswer?

    /// The end of an attempt.
    public init(name: IdempotentRequest.Name, attempt: Int, answer: KeptAnswer?) {
        self.name = name
        self.attempt = attempt
        self.answer = answer
    }

    /// Keeps the answer, or waits no longer for one; an attempt that another has taken over from has no word in it.
    ///
    /// The request stays known even without an answer, so that no later attempt of it has the number of this one.
    ///
    /// - Parameter isErased: whether the verification that the answer tells of is gone: its number was erased meanwhile, and
    ///   must not come back by the answer.
    public func apply(to request: inout IdempotentRequest?, isErased: Bool) {
        guard request?.attempt == attempt, request?.answer == nil else { return }
        request?.answer = isErased ? nil : answer
        request?.leaseEndsAt = Timestamp(milliseconds: 0)
    }
}
