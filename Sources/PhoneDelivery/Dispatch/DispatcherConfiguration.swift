/// How an ``OutboxDispatcher`` paces itself. The standard values are at each property.
public struct DispatcherConfiguration: Hashable, Sendable {
    /// How many messages are on their way to gateways at the same time, 1 to 1000. Standard: 64, which for a gateway that
    /// answers within 200 ms makes some 300 messages a second.
    public let maxConcurrentSends: Int
    /// How long a gateway may take to answer, 1 to 120 seconds. Standard: 10 seconds.
    public let sendTimeout: Duration
    /// How long nobody else takes a message that one has claimed, longer than ``sendTimeout`` and at most an hour. A
    /// message is handed to no further gateway whose ``sendTimeout`` would not end within the lease. After a crash it
    /// is the time until another tries. Standard: 60 seconds.
    public let lease: Duration
    /// The longest wait after the first attempt that no gateway took, 1 millisecond to an hour; it doubles with every
    /// further one, and the wait is a random part of it. Standard: 1 second.
    public let firstRetry: Duration
    /// What the doubled wait is at most, at least ``firstRetry`` and at most an hour; the store, when it is down, is
    /// asked again in the same rhythm. Standard: 30 seconds.
    public let longestRetry: Duration
    /// How long to sleep at most, 10 milliseconds to an hour: a message that another program queued in the same store
    /// wakes nobody here. Standard: 5 seconds.
    public let pollInterval: Duration
    /// How often a message is tried, 1 to 1000 times, within the life of its code; repeats at an idempotent gateway that gave
    /// no answer count as well. One that is claimed more often, because the program ended during each attempt, fails
    /// without being sent. Waiting for a gateway that is left alone does not count.
    /// Standard: 10.
    public let maxAttempts: Int
    /// After how many failures in a row, 1 to 1000, a gateway is left alone: being down or silent is one, refusing a
    /// message or wanting fewer is not. Standard: 5.
    public let breakerFailures: Int
    /// How long it is left alone before one message is tried with it, 1 second to an hour; it doubles as long as that
    /// message fails. Standard: 30 seconds.
    public let breakerOpenTime: Duration
    /// What that doubled time is at most, at least ``breakerOpenTime`` and at most an hour: a code lives for minutes, so a gateway
    /// that is well again should not wait for many. Standard: 2 minutes.
    public let longestBreakerOpenTime: Duration

    /// The standard configuration.
    public static let standard = DispatcherConfiguration(
        validatedMaxConcurrentSends: 64,
        sendTimeout: .seconds(10),
        lease: .seconds(60),
        firstRetry: .seconds(1),
        longestRetry: .seconds(30),
        pollInterval: .seconds(5),
        maxAttempts: 10,
        breakerFailures: 5,
        breakerOpenTime: .seconds(30),
        longestBreakerOpenTime: .seconds(120)
    )

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
        let hour: Duration = .seconds(3600)
        try Self.require((1...1000).contains(maxConcurrentSends), "maxConcurrentSends", "1 to 1000")
        try Self.require((.seconds(1) ... .seconds(120)).contains(sendTimeout), "sendTimeout", "1 to 120 seconds")
        try Self.require(lease > sendTimeout && lease <= hour, "lease", "longer than sendTimeout and at most an hour")
        try Self.require((.milliseconds(1)...hour).contains(firstRetry), "firstRetry", "1 millisecond to an hour")
        try Self.require(
            longestRetry >= firstRetry && longestRetry <= hour,
            "longestRetry",
            "at least firstRetry and at most an hour"
        )
        try Self.require(
            (.milliseconds(10)...hour).contains(pollInterval),
            "pollInterval",
            "10 milliseconds to an hour"
        )
        try Self.require((1...1000).contains(maxAttempts), "maxAttempts", "1 to 1000")
        try Self.require((1...1000).contains(breakerFailures), "breakerFailures", "1 to 1000")
        try Self.require((.seconds(1)...hour).contains(breakerOpenTime), "breakerOpenTime", "1 second to an hour")
        try Self.require(
            longestBreakerOpenTime >= breakerOpenTime && longestBreakerOpenTime <= hour,
            "longestBreakerOpenTime",
            "at least breakerOpenTime and at most an hour"
        )
        self.init(
            validatedMaxConcurrentSends: maxConcurrentSends,
            sendTimeout: sendTimeout,
            lease: lease,
            firstRetry: firstRetry,
            longestRetry: longestRetry,
            pollInterval: pollInterval,
            maxAttempts: maxAttempts,
            breakerFailures: breakerFailures,
            breakerOpenTime: breakerOpenTime,
            longestBreakerOpenTime: longestBreakerOpenTime
        )
    }

    private init(
        validatedMaxConcurrentSends maxConcurrentSends: Int,
        sendTimeout: Duration,
        lease: Duration,
        firstRetry: Duration,
        longestRetry: Duration,
        pollInterval: Duration,
        maxAttempts: Int,
        breakerFailures: Int,
        breakerOpenTime: Duration,
        longestBreakerOpenTime: Duration
    ) {
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
    }

    private static func require(
        _ holds: Bool,
        _ name: String,
        _ range: String
    ) throws(DispatcherConfigurationError) {
        guard holds else { throw DispatcherConfigurationError(name: name, range: range) }
    }

    /// How many messages may wait for one under way to end, beside those. Even if every gateway takes as long as it may, so many
    /// are handed over before their leases end.
    var maxWaitingSends: Int { maxConcurrentSends * max(0, Int(lease / sendTimeout) - 1) }

    /// The waits between attempts.
    var backOff: BackOff { BackOff(first: firstRetry, longest: longestRetry) }

    /// The waits between attempts to send a notice. It is of use for days, so it need not be given up after the few minutes in
    /// which a code is: with the standard values ten attempts take about an hour, and two at most.
    var noticeBackOff: BackOff { BackOff(first: min(firstRetry * 16, .seconds(3600)), longest: .seconds(3600)) }

    /// When a gateway is left alone.
    var breakerLimits: CircuitBreaker.Limits {
        CircuitBreaker.Limits(
            failures: breakerFailures,
            openTimes: BackOff(first: breakerOpenTime, longest: longestBreakerOpenTime),
            probeWait: firstRetry
        )
    }
}
