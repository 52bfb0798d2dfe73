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

    /// Each part with its key.
    public func parts(of number: PhoneNumber) -> [(key: TrafficKey, traffic: Traffic)] {
        [(.prefix(number.prefix), prefix), (.country(number.region), country), (.service, service)]
    }

    mutating func recordSend(at now: Timestamp) {
        prefix.recordSend(at: now)
        country.recordSend(at: now)
        service.recordSend(at: now)
    }

    mutating func recordApproval(at now: Timestamp) {
        prefix.recordApproval(at: now)
        country.recordApproval(at: now)
        service.recordApproval(at: now)
    }
}
