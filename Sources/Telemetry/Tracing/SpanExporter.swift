public import CoreMetrics
public import Logging
public import PhoneDomain
import Synchronization

/// Brings spans to a collector, some at a time.
///
/// It never holds up what it tells of: so many spans wait, whatever comes beyond is dropped and counted. What the collector
/// does not take is dropped too: it would be of no more use later, and there is always more.
public final class SpanExporter: Sendable {
    /// What the collector said: nil if it took the spans, else why not, in words that quote nothing.
    public typealias Send = @Sendable (_ json: String) async -> String?

    private struct State {
        var waiting: [FinishedSpan] = []
        var complainedAt: Timestamp?
        /// Failures that nobody was told of.
        var silentFailures = 0
    }

    private let resource: [(name: String, value: String)]
    private let queueLimit: Int
    private let batchLimit: Int
    private let interval: Duration
    private let send: Send
    private let clock: any WallClock
    private let logger: Logger
    private let exported: Counter
    private let dropped: Counter
    private let state = Mutex(State())

    /// - Parameters:
    ///   - resource: what the spans come from, by OpenTelemetry's names, such as `service.name`.
    ///   - queueLimit: the most spans that wait. Standard: 2048.
    ///   - batchLimit: the most that are sent at once. Standard: 512.
    ///   - interval: how long spans wait at most to be sent. Standard: 5 seconds. These are OpenTelemetry's
    ///     (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#batch-span-processor).
    ///   - metrics: counts spans.
    ///   - clock: says what time it is.
    ///   - logger: is told of failures, once a minute at most.
    ///   - send: sends a request, and returns within a few seconds.
    public init(
        resource: [(name: String, value: String)],
        queueLimit: Int = 2048,
        batchLimit: Int = 512,
        interval: Duration = .seconds(5),
        metrics: any MetricsFactory,
        clock: any WallClock,
        logger: Logger,
        send: @escaping Send
    ) {
        self.resource = resource
        self.queueLimit = queueLimit
        self.batchLimit = batchLimit
        self.interval = interval
        self.clock = clock
        self.logger = logger
        self.send = send
        exported = Counter(label: "phoneproof_spans_exported_total", factory: metrics)
        dropped = Counter(label: "phoneproof_spans_dropped_total", factory: metrics)
    }

    /// Takes a span that has ended. From any thread.
    public func take(_ span: FinishedSpan) {
        let isTaken = state.withLock { state in
            guard state.waiting.count < queueLimit else { return false }
            state.waiting.append(span)
            return true
        }
        if !isTaken { dropped.increment() }
    }

    /// Sends what there is, whenever there is any, until the task is cancelled. What waits then is for whoever cancelled it
    /// to ``flush()``.
    public func run() async {
        while (try? await Task.sleep(for: interval)) != nil { await flush() }
    }

    /// Sends what waits at this moment.
    public func flush() async {
        // What comes meanwhile is for the next time, so that this ends.
        var left = state.withLock { $0.waiting.count }
        while left > 0 {
            let batch = state.withLock { state in
                let batch = Array(state.waiting.prefix(min(left, batchLimit)))
                state.waiting.removeFirst(batch.count)
                return batch
            }
            guard !batch.isEmpty else { return }
            left -= batch.count
            let json = TraceRequest(resource: resource, spans: batch).json
            // A task of its own: what is on its way when the program ends is seen to its end.
            if let failure = await Task(operation: { await send(json) }).value {
                dropped.increment(by: batch.count)
                complain(failure)
                // The next would fare no better, and the end of the program waits for this.
                return
            } else {
                exported.increment(by: batch.count)
            }
        }
    }

    private func complain(_ failure: String) {
        let now = clock.now()
        let silent = state.withLock { state -> Int? in
            if let last = state.complainedAt, now - last < .seconds(60), now >= last {
                state.silentFailures += 1
                return nil
            }
            defer { (state.complainedAt, state.silentFailures) = (now, 0) }
            return state.silentFailures
        }
        guard let silent else { return }
        logger.warning(
            "The collector takes no spans",
            metadata: ["failure.reason": "\(failure)", "failure.repeated": "\(silent)"]
        )
    }
}
