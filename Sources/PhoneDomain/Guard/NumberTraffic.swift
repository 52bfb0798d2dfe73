/// All traffic that a number is part of.
public struct NumberTraffic: Hashable, Sendable {
    /// Of the numbers around it.
    public var prefix: Traffic
    /// Of its country.
    public var country: Traffic
    /// Of the whole service.
    public var service: Traffic

    /// The traffic around a number as a store has it.
    public init(of number: PhoneNumber, _ find: (TrafficKey) throws -> Traffic?) rethrows {
        prefix = try find(.prefix(number.prefix)) ?? .none
        country = try find(.country(number.region)) ?? .none
        service = try find(.service) ?? .none
    }

    /// Traffic of these parts.
    public init(prefix: Traffic, country: Traffic, service: Traffic) {
        self.prefix = prefix
        self.country = country
        self.service = service
    }

    /// Each part with its key.
    public func parts(of number: PhoneNumber) -> [(key: TrafficKey, traffic: Traffic)] {
        [(.prefix(number.prefix), prefix), (.country(number.region), country), (.service, service)]
    }

    /// Mends what a clock that was ahead left behind (``Traffic/prune(at:blockTime:)``).
    mutating func prune(at now: Timestamp, blockTime: Duration) {
        prefix.prune(at: now, blockTime: blockTime)
        country.prune(at: now, blockTime: blockTime)
        service.prune(at: now, blockTime: blockTime)
    }

    mutating func recordSend(at now: Timestamp) {
        prefix.recordSend(at: now)
        country.recordSend(at: now)
        service.recordSend(at: now)
    }

    /// Takes back that a message was sent when it turns out that none was, or counts it again when it is tried once more:
    /// an outage of the gateways must not be taken for fraud.
    ///
    /// - Parameters:
    ///   - message: as it is now.
    ///   - loaded: as it was.
    public mutating func follow(_ message: OutboxMessage, from loaded: OutboxMessage) {
        let change = (message.countsAsSent ? 1 : 0) - (loaded.countsAsSent ? 1 : 0)
        guard change != 0 else { return }
        prefix.changeSends(by: change, at: message.createdAt)
        country.changeSends(by: change, at: message.createdAt)
        service.changeSends(by: change, at: message.createdAt)
    }

    mutating func recordHeldBack(at now: Timestamp) {
        prefix.recordHeldBack(at: now)
        country.recordHeldBack(at: now)
        service.recordHeldBack(at: now)
    }

    mutating func recordApproval(at now: Timestamp) {
        prefix.recordApproval(at: now)
        country.recordApproval(at: now)
        service.recordApproval(at: now)
    }
}
