public import CoreMetrics
public import Logging
public import PhoneDomain
public import Tracing

/// What every part of the delivery gets: time, randomness, and where it reports to.
public struct DeliveryEnvironment: Sendable {
    let wallClock: any WallClock
    let clock: any Clock<Duration>
    /// A random number of 0 to 1 for each wait.
    let jitter: @Sendable () -> Double
    let metrics: any MetricsFactory
    let tracer: (any Tracer)?
    let logger: Logger

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
