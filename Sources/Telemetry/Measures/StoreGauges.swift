public import CoreMetrics
public import PhoneDomain
import Synchronization

/// What the store knows and nobody counts: how much the outbox owes, and what share of messages leads to an approval.
///
/// It is read when somebody wants to see it. A store that is slow keeps nobody waiting for longer than a moment: what it
/// said last is shown then, and nothing any more once that is old.
public final class StoreGauges: Sendable {
    private struct State {
        /// Whether the store is being asked.
        var isReading = false
        var readAt: Timestamp?
    }

    private let backlog: @Sendable () async throws -> OutboxBacklog
    private let traffic: @Sendable () async throws -> Traffic
    private let clock: any WallClock
    private let patience: Duration
    private let maxAge: Duration
    private let depth: Meter
    private let age: Meter
    private let lastHour: Meter
    private let lastDay: Meter
    private let state = Mutex(State())

    /// - Parameters:
    ///   - factory: keeps the gauges.
    ///   - clock: says what time it is.
    ///   - patience: how long a reader waits for the store. Standard: a quarter of a second.
    ///   - maxAge: how long what was read is shown. Standard: a minute.
    ///   - backlog: what the outbox owes (``OutboxStore/backlog()``).
    ///   - traffic: all traffic (``GuardStore/traffic(of:)``).
    public init(
        metrics factory: any MetricsFactory,
        clock: any WallClock,
        patience: Duration = .milliseconds(250),
        maxAge: Duration = .seconds(60),
        backlog: @escaping @Sendable () async throws -> OutboxBacklog,
        traffic: @escaping @Sendable () async throws -> Traffic
    ) {
        self.backlog = backlog
        self.traffic = traffic
        self.clock = clock
        self.patience = patience
        self.maxAge = maxAge
        depth = Meter(label: "phoneproof_outbox_messages", factory: factory)
        age = Meter(label: "phoneproof_outbox_oldest_seconds", factory: factory)
        func conversion(_ window: String) -> Meter {
            Meter(label: "phoneproof_conversion_ratio", dimensions: [("window", window)], factory: factory)
        }
        lastHour = conversion("1h")
        lastDay = conversion("24h")
    }

    /// Brings the gauges up to date, as far as the store lets it.
    public func refresh() async {
        let isMine = state.withLock { state in
            defer { state.isReading = true }
            return !state.isReading
        }
        // One at a time: readers who come while the store hangs must not pile up questions.
        if isMine { await Moment.waiting(atMost: patience) { await self.read() } }
        let now = clock.now()
        let isOld = state.withLock { state in state.readAt.map { now - $0 > maxAge } ?? true }
        if isOld { for gauge in [depth, age, lastHour, lastDay] { gauge.set(Double.nan) } }
    }

    private func read() async {
        let reading: (backlog: OutboxBacklog, traffic: Traffic)?
        do {
            reading = (try await backlog(), try await traffic())
        } catch {
            // The store's own measures tell of it.
            reading = nil
        }
        let now = clock.now()
        if let reading {
            depth.set(reading.backlog.count)
            age.set(reading.backlog.oldest.map { Double(max(0, (now - $0).wholeMilliseconds)) / 1000 } ?? 0)
            lastHour.set(reading.traffic.lastHour(at: now).ratio)
            lastDay.set(reading.traffic.lastDay(at: now).ratio)
        }
        state.withLock { state in
            state.isReading = false
            if reading != nil { state.readAt = now }
        }
    }
}

extension Traffic.Sample {
    /// No number where nothing was sent.
    fileprivate var ratio: Double {
        sent > 0 ? Double(approved) / Double(sent) : .nan
    }
}
