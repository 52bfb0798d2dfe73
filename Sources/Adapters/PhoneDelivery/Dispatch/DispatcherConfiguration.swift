public import CoreMetrics
public import Logging
public import PhoneDomain
public import Tracing

/// The settings of an ``OutboxDispatcher``.
public struct DispatcherConfiguration: Hashable, Sendable {
    /// The slots: concurrent requests to gateways. With one that responds within 200 ms, the standard makes some 300
    /// messages a second.
    public var maxConcurrentSends = 64
    /// The timeout of a gateway.
    public var sendTimeout: Duration = .seconds(10)
    /// How long no other dispatcher can claim a claimed message, longer than ``sendTimeout``. No further gateway is
    /// asked whose ``sendTimeout`` would not end within the lease. After a crash it is the time until another attempt.
    public var lease: Duration = .seconds(60)
    /// The longest wait after the first attempt that no gateway accepted; it doubles with every further one, and the
    /// wait is a random part of it.
    var firstRetry: Duration = .seconds(1)
    /// The limit of the doubled wait; also for the store, when it is down.
    var longestRetry: Duration = .seconds(30)
    /// The longest sleep: a message that another process queued in the same store causes no wake-up.
    var pollInterval: Duration = .seconds(5)
    /// The attempts per message within the life of its code, including repeats at an idempotent gateway that did not
    /// respond. A message that is claimed more often, because the process crashed during each attempt, fails without
    /// being sent. Waiting for an open circuit breaker does not count.
    public var maxAttempts = 10
    /// The failures in a row that open a gateway's circuit breaker: being down or silent is one, refusing a message or
    /// limiting the rate is not.
    public var breakerFailures = 5
    /// How long it stays open before one message probes the gateway; it doubles as long as that message fails.
    public var breakerOpenTime: Duration = .seconds(30)
    /// The limit of that doubled time: a code lives for minutes, so a gateway that has recovered should not wait for
    /// many.
    public var longestBreakerOpenTime: Duration = .seconds(120)

    /// How many messages of this process may wait for a slot in memory, some 1.5 KiB each; the others wait in the
    /// outbox. A second's work of a machine that starts some thousand verifications a second.
    var maxMessagesInMemory = 8192
    /// Whether nothing is claimed from the store, so that only messages are sent that this process queues: for one that
    /// shares its store with a service of other gateways.
    public var sendsOwnMessagesOnly = false
    /// When gateways that push no receipts are polled; nil for never.
    public var receiptSchedule: ReceiptSchedule? = .standard
    /// The limits in which messages were counted, to which one that was not sent is given back.
    public var limits = LimitPolicy.none
    /// Nothing is sent to these.
    public var testNumbers = TestNumbers.none

    public static let standard = DispatcherConfiguration()

    var backoff: Backoff { Backoff(first: firstRetry, longest: longestRetry) }

    /// A notice is useful for days, so it need not be given up after the few minutes in which a code is: with the
    /// standard values ten attempts take about an hour, and two at most.
    var noticeBackoff: Backoff {
        Backoff(first: min(firstRetry * 16, OutboxMessage.longestWait), longest: OutboxMessage.longestWait)
    }

    var breakerLimits: CircuitBreaker.Limits {
        CircuitBreaker.Limits(
            failures: breakerFailures,
            openTimes: Backoff(first: breakerOpenTime, longest: longestBreakerOpenTime),
            probeWait: firstRetry
        )
    }
}

/// What every part of the delivery gets: time, randomness, and where it reports to.
public struct DeliveryEnvironment: Sendable {
    let wallClock: any WallClock
    package let clock: any Clock<Duration>
    /// A random number of 0 to 1 for each wait.
    let jitter: @Sendable () -> Double
    let metrics: any MetricsFactory
    let tracer: (any Tracer)?
    package let logger: Logger

    /// - Parameter logger: gets no code, no secret, no text, and numbers only masked.
    public init(
        wallClock: any WallClock,
        clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        tracer: (any Tracer)? = nil,
        logger: Logger = Logger(label: "") { _ in SwiftLogNoOpLogHandler() }
    ) {
        (self.wallClock, self.clock, self.jitter) = (wallClock, clock, jitter)
        (self.metrics, self.tracer, self.logger) = (metrics, tracer, logger)
    }
}
