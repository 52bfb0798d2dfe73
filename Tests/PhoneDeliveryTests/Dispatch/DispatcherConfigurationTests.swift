import Testing

@testable import PhoneDelivery

@Suite("The dispatcher's configuration")
struct DispatcherConfigurationTests {
    @Test("the standard values are within their ranges")
    func standard() throws {
        #expect(try DispatcherConfiguration() == .standard)
    }

    static let bounds: [(isValid: Bool, make: @Sendable () throws -> DispatcherConfiguration, message: String)] = [
        (true, { try .init(maxConcurrentSends: 1) }, ""),
        (true, { try .init(maxConcurrentSends: 1000) }, ""),
        (false, { try .init(maxConcurrentSends: 0) }, "maxConcurrentSends must be 1 to 1000"),
        (false, { try .init(maxConcurrentSends: 1001) }, "maxConcurrentSends must be 1 to 1000"),
        (true, { try .init(sendTimeout: .seconds(1)) }, ""),
        (true, { try .init(sendTimeout: .seconds(120), lease: .seconds(121)) }, ""),
        (false, { try .init(sendTimeout: .milliseconds(999)) }, "sendTimeout must be 1 to 120 seconds"),
        (false, { try .init(sendTimeout: .seconds(121)) }, "sendTimeout must be 1 to 120 seconds"),
        (true, { try .init(lease: .seconds(3600)) }, ""),
        (false, { try .init(lease: .seconds(10)) }, "lease must be longer than sendTimeout and at most an hour"),
        (false, { try .init(lease: .seconds(3601)) }, "lease must be longer than sendTimeout and at most an hour"),
        (true, { try .init(firstRetry: .milliseconds(1)) }, ""),
        (false, { try .init(firstRetry: .zero) }, "firstRetry must be 1 millisecond to an hour"),
        (true, { try .init(longestRetry: .seconds(1)) }, ""),
        (false, { try .init(longestRetry: .zero) }, "longestRetry must be at least firstRetry and at most an hour"),
        (
            false, { try .init(longestRetry: .seconds(3601)) },
            "longestRetry must be at least firstRetry and at most an hour"
        ),
        (true, { try .init(pollInterval: .milliseconds(10)) }, ""),
        (false, { try .init(pollInterval: .zero) }, "pollInterval must be 10 milliseconds to an hour"),
        (false, { try .init(pollInterval: .seconds(3601)) }, "pollInterval must be 10 milliseconds to an hour"),
        (true, { try .init(maxAttempts: 1000) }, ""),
        (false, { try .init(maxAttempts: 0) }, "maxAttempts must be 1 to 1000"),
        (true, { try .init(breakerFailures: 1) }, ""),
        (false, { try .init(breakerFailures: 1001) }, "breakerFailures must be 1 to 1000"),
        (true, { try .init(breakerOpenTime: .seconds(120)) }, ""),
        (false, { try .init(breakerOpenTime: .milliseconds(999)) }, "breakerOpenTime must be 1 second to an hour"),
        (
            false, { try .init(breakerOpenTime: .seconds(121)) },
            "longestBreakerOpenTime must be at least breakerOpenTime and at most an hour"
        ),
        (
            false, { try .init(longestBreakerOpenTime: .seconds(3601)) },
            "longestBreakerOpenTime must be at least breakerOpenTime and at most an hour"
        ),
    ]

    @Test("a value out of its range is refused by name", arguments: bounds)
    func range(isValid: Bool, make: @Sendable () throws -> DispatcherConfiguration, message: String) throws {
        if isValid {
            _ = try make()
        } else {
            let error = #expect(throws: DispatcherConfigurationError.self) { try make() }
            #expect(error?.description == message)
        }
    }
}
