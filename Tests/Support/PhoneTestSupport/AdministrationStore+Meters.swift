public import PhoneAdministration
public import PhoneDomain
public import PhoneSignup

extension AdministrationStore {
    /// The meters of all policies, those that fill last first.
    public func metersInUse(at now: Timestamp, limit: Int) async throws -> [MeterInUse] {
        var meters: [MeterInUse] = []
        for key in try await limitPolicies() {
            meters += try await metersInUse(of: key.policyName, at: now, after: nil, limit: limit)
        }
        meters.sort { ($1.meter.fullAt, $0.key.description) < ($0.meter.fullAt, $1.key.description) }
        return Array(meters.prefix(max(0, limit)))
    }
}
