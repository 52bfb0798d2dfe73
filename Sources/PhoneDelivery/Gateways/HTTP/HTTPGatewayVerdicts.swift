/// How a vendor's answers are read.
public struct HTTPGatewayVerdicts: Hashable, Sendable {
    /// Where an answer of 2xx says whether the message was taken; nil if 2xx says it all.
    public let successPointer: JSONPointer?
    /// What stands there then.
    public let successValues: Set<String>
    /// Where the vendor's name for the message stands; nil if it is of no interest.
    public let idPointer: JSONPointer?
    /// Where a refusal has its code.
    public let codePointer: JSONPointer?
    /// Codes after which the message may be taken later.
    public let retryCodes: Set<String>
    /// Codes after which nobody will take it: the number or the text is bad.
    public let refuseCodes: Set<String>
    /// Statuses after which the message may be taken later, besides 408, 425, 429 and 5xx.
    public let retryStatuses: Set<Int>
    /// Statuses after which another gateway may take it, besides 3xx and 4xx.
    public let failoverStatuses: Set<Int>
    /// Statuses after which nobody will take it.
    public let refuseStatuses: Set<Int>

    /// Verdicts of these parts; nil unless there are success values where there is a success pointer and nowhere else,
    /// codes only where there is a pointer to either, no code and no status in two places, and statuses from 300 to 599.
    ///
    /// - Parameter codePointer: nil if the code stands where success does.
    public init?(
        successPointer: JSONPointer? = nil,
        successValues: Set<String> = [],
        idPointer: JSONPointer? = nil,
        codePointer: JSONPointer? = nil,
        retryCodes: Set<String> = [],
        refuseCodes: Set<String> = [],
        retryStatuses: Set<Int> = [],
        failoverStatuses: Set<Int> = [],
        refuseStatuses: Set<Int> = []
    ) {
        let codes = codePointer ?? successPointer
        guard (successPointer == nil) == successValues.isEmpty,
            codes != nil || (retryCodes.isEmpty && refuseCodes.isEmpty), retryCodes.isDisjoint(with: refuseCodes),
            codePointer != nil || successValues.isDisjoint(with: retryCodes.union(refuseCodes)),
            retryStatuses.isDisjoint(with: failoverStatuses), refuseStatuses.isDisjoint(with: retryStatuses),
            refuseStatuses.isDisjoint(with: failoverStatuses),
            retryStatuses.union(failoverStatuses).union(refuseStatuses).allSatisfy({ 300..<600 ~= $0 })
        else { return nil }
        self.successPointer = successPointer
        self.successValues = successValues
        self.idPointer = idPointer
        self.codePointer = codes
        self.retryCodes = retryCodes
        self.refuseCodes = refuseCodes
        self.retryStatuses = retryStatuses
        self.failoverStatuses = failoverStatuses
        self.refuseStatuses = refuseStatuses
    }
}
