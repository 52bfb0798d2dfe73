public import PhoneAdministration
public import PhoneDomain
public import PhoneNumbers
import PhoneSignup

/// The gateway `sms`, which accepts every test but those of numbers that end with 0000.
public struct PlainGatewayDesk: GatewayDesk {
    public init() {}

    public var health: [String: GatewayHealth] {
        var trouble = GatewayHealth.Trouble(since: Timestamp(seconds: 1_767_225_000))
        for _ in 0..<7 { trouble.record("busy (503)", isFault: true, at: trouble.since) }
        return ["sms": GatewayHealth(breaker: .open, requests: 9, accepted: 4, trouble: trouble)]
    }

    public func sendTest(
        to number: PhoneNumber,
        by gateway: String,
        _ language: LanguageTag,
        key: String
    ) async -> TestResult {
        number.e164.hasSuffix("0000") ? .rejected("no credit (402)") : .accepted(id: "SM1", after: .milliseconds(120))
    }
}
