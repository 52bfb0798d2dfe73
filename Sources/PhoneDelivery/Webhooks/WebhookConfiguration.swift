/// How a ``WebhookDispatcher`` paces itself. The standard values are at each property.
public struct WebhookConfiguration: Hashable, Sendable {
    /// How many events are on their way at the same time. Standard: 16.
    public var maxConcurrentPosts = 16
    /// How long the receiver may take to answer. Standard: 15 seconds, the least that Standard Webhooks recommends.
    public var timeout: Duration = .seconds(15)
    /// How often an event is tried, 1 or more times. Standard: 20, which with the waits between is about two days.
    public var maxAttempts = 20
    /// The longest wait after the first attempt that failed; it doubles with every further one, and the wait is between the
    /// half and the whole of it. Standard: 5 seconds.
    public var firstRetry: Duration = .seconds(5)
    /// What the doubled wait is at most. Standard: 8 hours.
    public var longestRetry: Duration = .seconds(8 * 3600)
    /// How long an event waits at most because the receiver asks for it: it may be well long before. Standard: 1 hour.
    public var longestRetryAfter: Duration = .seconds(3600)
    /// How long to sleep at most: an event that another program announced in the same store wakes nobody here. Standard:
    /// 2 seconds.
    public var pollInterval: Duration = .seconds(2)
    /// After how many failures in a row the receiver is left alone: being down, silent or overrun is one, and a 500 for an
    /// event is none. Standard: 5.
    public var breakerFailures = 5
    /// How long it is left alone before one event is tried; it doubles as long as that fails. Standard: 10 seconds.
    public var breakerOpenTime: Duration = .seconds(10)
    /// What that doubled time is at most. Standard: 5 minutes.
    public var longestBreakerOpenTime: Duration = .seconds(300)

    /// The standard configuration.
    public init() {}

    /// How long nobody else takes an event that one has claimed: as long as an answer may take, and to record it.
    var lease: Duration { timeout + .seconds(5) }

    /// The waits between attempts.
    var backOff: BackOff { BackOff(first: firstRetry, longest: longestRetry) }

    /// The waits for a store that is down.
    var storeBackOff: BackOff { BackOff(first: .seconds(1), longest: .seconds(30)) }

    /// When the receiver is left alone.
    var breakerLimits: CircuitBreaker.Limits {
        CircuitBreaker.Limits(
            failures: breakerFailures,
            openTimes: BackOff(first: breakerOpenTime, longest: longestBreakerOpenTime),
            probeWait: pollInterval
        )
    }
}
