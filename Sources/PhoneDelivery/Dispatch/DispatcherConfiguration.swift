/// The pace of an ``OutboxDispatcher``. The standard values are at each property.
public struct DispatcherConfiguration: Hashable, Sendable {
    /// Concurrent requests to gateways, 1 to 1000. Standard: 64, which for a gateway that responds within 200 ms makes some 300
    /// messages a second.
    public private(set) var maxConcurrentSends = 64
    /// The timeout of a gateway, 1 to 120 seconds. Standard: 10 seconds.
    public private(set) var sendTimeout: Duration = .seconds(10)
    /// How long no other dispatcher can claim a claimed message, longer than ``sendTimeout`` and at most an hour. No further gateway
    /// is asked whose ``sendTimeout`` would not end within the lease. After a crash it is the time until another attempt.
    /// Standard: 60 seconds.
    public private(set) var lease: Duration = .seconds(60)
    /// The longest wait after the first attempt that no gateway accepted, 1 millisecond to an hour; it doubles with every
    /// further one, and the wait is a random part of it. Standard: 1 second.
    public private(set) var firstRetry: Duration = .seconds(1)
    /// The limit of the doubled wait, at least ``firstRetry`` and at most an hour; also for the store, when it is down.
    /// Standard: 30 seconds.
    public private(set) var longestRetry: Duration = .seconds(30)
    /// The longest sleep, 10 milliseconds to an hour: a message that another process queued in the same store
    /// causes no wake-up. Standard: 5 seconds.
    public private(set) var pollInterval: Duration = .seconds(5)
    /// The attempts per message, 1 to 1000, within the life of its code, including repeats at an idempotent gateway that did not
    /// respond. A message that is claimed more often, because the process crashed during each attempt, fails
    /// without being sent. Waiting for an open circuit breaker does not count. Standard: 10.
    public private(set) var maxAttempts = 10
    /// The failures in a row, 1 to 1000, that open a gateway's circuit breaker: being down or silent is one, refusing a
    /// message or limiting the rate is not. Standard: 5.
    public private(set) var breakerFailures = 5
    /// How long it stays open before one message probes the gateway, 1 second to an hour; it doubles as long as that
    /// message fails. Standard: 30 seconds.
    public private(set) var breakerOpenTime: Duration = .seconds(30)
    /// The limit of that doubled time, at least ``breakerOpenTime`` and at most an hour: a code lives for minutes, so a gateway
    /// that has recovered should not wait for many. Standard: 2 minutes.
    public private(set) var longestBreakerOpenTime: Duration = .seconds(120)

    public static let standard = DispatcherConfiguration(standard: ())

    private init(standard: Void) {}

    /// A configuration of these values, each standard unless given.
    ///
    /// - Throws: ``DispatcherConfigurationError`` for a value out of its range, which each property names.
    public init(
        maxConcurrentSends: Int = standard.maxConcurrentSends,
        sendTimeout: Duration = standard.sendTimeout,
        lease: Duration = standard.lease,
        firstRetry: Duration = standard.firstRetry,
        longestRetry: Duration = standard.longestRetry,
        pollInterval: Duration = standard.pollInterval,
        maxAttempts: Int = standard.maxAttempts,
        breakerFailures: Int = standard.breakerFailures,
        breakerOpenTime: Duration = standard.breakerOpenTime,
        longestBreakerOpenTime: Duration = standard.longestBreakerOpenTime
    ) throws(DispatcherConfigurationError) {
        self.maxConcurrentSends = maxConcurrentSends
        self.sendTimeout = sendTimeout
        self.lease = lease
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
        self.pollInterval = pollInterval
        self.maxAttempts = maxAttempts
        self.breakerFailures = breakerFailures
        self.breakerOpenTime = breakerOpenTime
        self.longestBreakerOpenTime = longestBreakerOpenTime
        if let (name, range, _) = requirements.first(where: { !$0.isMet }) {
            throw DispatcherConfigurationError(name: name, range: range)
        }
    }

    private var requirements: [(name: String, range: String, isMet: Bool)] {
        let hour: Duration = .seconds(3600)
        return [
            ("maxConcurrentSends", "1 to 1000", 1...1000 ~= maxConcurrentSends),
            ("sendTimeout", "1 to 120 seconds", (.seconds(1) ... .seconds(120)).contains(sendTimeout)),
            ("lease", "longer than sendTimeout and at most an hour", lease > sendTimeout && lease <= hour),
            ("firstRetry", "1 millisecond to an hour", (.milliseconds(1)...hour).contains(firstRetry)),
            (
                "longestRetry", "at least firstRetry and at most an hour",
                longestRetry >= firstRetry && longestRetry <= hour
            ),
            ("pollInterval", "10 milliseconds to an hour", (.milliseconds(10)...hour).contains(pollInterval)),
            ("maxAttempts", "1 to 1000", 1...1000 ~= maxAttempts),
            ("breakerFailures", "1 to 1000", 1...1000 ~= breakerFailures),
            ("breakerOpenTime", "1 second to an hour", (.seconds(1)...hour).contains(breakerOpenTime)),
            (
                "longestBreakerOpenTime", "at least breakerOpenTime and at most an hour",
                longestBreakerOpenTime >= breakerOpenTime && longestBreakerOpenTime <= hour
            ),
        ]
    }

    /// How many messages may wait for concurrency. Even if every gateway takes its whole timeout, they are sent before their leases
    /// expire.
    var maxWaitingSends: Int { maxConcurrentSends * max(0, Int(lease / sendTimeout) - 1) }

    var backoff: Backoff { Backoff(first: firstRetry, longest: longestRetry) }

    /// A notice is useful for days, so it need not be given up after the few minutes in which a code is: with the standard values
    /// ten attempts take about an hour, and two at most.
    var noticeBackoff: Backoff { Backoff(first: min(firstRetry * 16, .seconds(3600)), longest: .seconds(3600)) }

    var breakerLimits: CircuitBreaker.Limits {
        CircuitBreaker.Limits(
            failures: breakerFailures,
            openTimes: Backoff(first: breakerOpenTime, longest: longestBreakerOpenTime),
            probeWait: firstRetry
        )
    }
}

/// A value of a ``DispatcherConfiguration`` that is out of its range.
public struct DispatcherConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    let name: String
    let range: String

    public var description: String { "\(name) must be \(range)" }
}
