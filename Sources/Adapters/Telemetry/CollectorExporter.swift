public import CoreEncodings
public import CoreMetrics
public import Logging
import PhoneAdministration
public import PhoneDomain
import PhoneSignup
import Synchronization
import Tracing

/// Sends spans, or entries of the audit log, to a collector in batches.
///
/// It never blocks: what is beyond the limit of the queue is dropped and counted. So are the spans of a failed request:
/// they would be worth less later, and more keep coming. Entries wait for the next request in their order.
public final class CollectorExporter<Item: Sendable>: Sendable {
    /// Sends a request and returns nil if the collector has accepted it, else the reason, which must not quote the
    /// response.
    public typealias Send = @Sendable (_ request: JSON) async -> String?

    private struct State {
        var waiting: [Item] = []
        var loggedAt: Timestamp?
        /// Failures since then.
        var unloggedFailures = 0
    }

    /// What distinguishes the two kinds.
    fileprivate struct Plan: Sendable {
        /// What they are, in the log.
        let name: String
        /// What they are, in the names of the metrics.
        let metric: String
        let keepsFailed: Bool
        /// How many may wait.
        let queueLimit: Int
        /// How many are sent in a request.
        let batchLimit: Int
        /// How long one waits at most.
        let interval: Duration
        let request: @Sendable ([Item]) -> JSON
    }

    private let plan: Plan
    private let send: Send
    private let clock: any WallClock
    private let logger: Logger
    private let exported: Counter
    private let dropped: Counter
    private let state = Mutex(State())

    /// - Parameters:
    ///   - logger: for failures, once a minute at most.
    ///   - send: must return within a few seconds.
    fileprivate init(
        _ plan: Plan,
        metrics: any MetricsFactory,
        clock: any WallClock,
        logger: Logger,
        send: @escaping Send
    ) {
        (self.plan, self.clock, self.logger, self.send) = (plan, clock, logger, send)
        exported = Counter(label: "phoneproof_\(plan.metric)_exported_total", factory: metrics)
        dropped = Counter(label: "phoneproof_\(plan.metric)_dropped_total", factory: metrics)
    }

    public func take(_ item: Item) {
        let isTaken = state.withLock { state in
            guard state.waiting.count < plan.queueLimit else { return false }
            state.waiting.append(item)
            return true
        }
        if !isTaken { dropped.increment() }
    }

    /// Sends what comes until the task is cancelled. Call ``flush()`` afterwards.
    public func run() async {
        while (try? await Task.sleep(for: plan.interval)) != nil { await flush() }
    }

    /// Sends what is in the queue now.
    public func flush() async {
        // Those that are added meanwhile wait for the next call, so that this one ends.
        var left = state.withLock { $0.waiting.count }
        while left > 0 {
            let batch = state.withLock { state in
                let batch = Array(state.waiting.prefix(min(left, plan.batchLimit)))
                state.waiting.removeFirst(batch.count)
                return batch
            }
            guard !batch.isEmpty else { return }
            left -= batch.count
            let request = plan.request(batch)
            // A task of its own: cancellation at the end of the program must not abort the request.
            if let failure = await Task(operation: { await send(request) }).value {
                if plan.keepsFailed {
                    state.withLock { $0.waiting.insert(contentsOf: batch, at: 0) }
                } else {
                    dropped.increment(by: batch.count)
                }
                log(failure)
                // The next request would hardly succeed, and the end of the program waits for this.
                return
            }
            exported.increment(by: batch.count)
        }
    }

    private func log(_ failure: String) {
        let now = clock.now()
        let unlogged = state.withLock { state -> Int? in
            if let last = state.loggedAt, now - last < .seconds(60), now >= last {
                state.unloggedFailures += 1
                return nil
            }
            defer { (state.loggedAt, state.unloggedFailures) = (now, 0) }
            return state.unloggedFailures
        }
        guard let unlogged else { return }
        logger.warning(
            "The collector rejects \(plan.name)",
            metadata: ["failure.reason": "\(failure)", "failure.repeated": "\(unlogged)"]
        )
    }
}

public typealias SpanExporter = CollectorExporter<FinishedSpan>
public typealias AuditExporter = CollectorExporter<AuditEntry>

extension CollectorExporter where Item == FinishedSpan {
    /// The limits and the interval are OpenTelemetry's
    /// (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#batch-span-processor).
    ///
    /// - Parameter resource: the attributes of the service, by OpenTelemetry's names, such as `service.name`.
    public convenience init(
        resource: [(name: String, value: String)],
        queueLimit: Int = 2048,
        batchLimit: Int = 512,
        metrics: any MetricsFactory,
        clock: any WallClock,
        logger: Logger,
        send: @escaping Send
    ) {
        let plan = Plan(
            name: "spans",
            metric: "spans",
            keepsFailed: false,
            queueLimit: queueLimit,
            batchLimit: batchLimit,
            interval: .seconds(5)
        ) { traceRequest(resource, $0) }
        self.init(plan, metrics: metrics, clock: clock, logger: logger, send: send)
    }
}

extension CollectorExporter where Item == AuditEntry {
    /// - Parameter resource: the attributes of the service, as those of spans. The queue has room for the entries of some
    ///   minutes in which the collector is away.
    public convenience init(
        resource: [(name: String, value: String)],
        metrics: any MetricsFactory,
        clock: any WallClock,
        logger: Logger,
        send: @escaping Send
    ) {
        let plan = Plan(
            name: "the audit log",
            metric: "audit_entries",
            keepsFailed: true,
            queueLimit: 16_384,
            batchLimit: 512,
            interval: .seconds(1)
        ) { logRequest(resource, $0, at: clock.now()) }
        self.init(plan, metrics: metrics, clock: clock, logger: logger, send: send)
    }
}

/// An `ExportLogsServiceRequest`
/// (https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/logs/v1/logs.proto). What an entry
/// does not have has no attribute.
private func logRequest(
    _ resource: [(name: String, value: String)],
    _ entries: [AuditEntry],
    at now: Timestamp
) -> JSON {
    let records = entries.map { entry -> JSON in
        let members = entry.json.members.compactMap { member -> JSON? in
            switch member.value {
            case .string(let text) where member.name != "at": .attribute("audit.\(member.name)", .string(text))
            case .array(let texts) where !texts.isEmpty:
                .attribute("audit.\(member.name)", .string(texts.compactMap(\.string).joined(separator: " ")))
            default: nil
            }
        }
        return [
            "timeUnixNano": .string("\(entry.at.milliseconds)000000"),
            "observedTimeUnixNano": .string("\(now.milliseconds)000000"), "severityNumber": 9, "severityText": "INFO",
            "eventName": "audit.recorded", "body": ["stringValue": .string(entry.action.title)],
            "attributes": .array(members),
        ]
    }
    return [
        "resourceLogs": [
            [
                "resource": ["attributes": .array(resource.map { .attribute($0.name, .string($0.value)) })],
                "scopeLogs": [["scope": ["name": "phoneproof"], "logRecords": .array(records)]],
            ]
        ]
    ]
}

/// The body of a request: an `ExportTraceServiceRequest` of OTLP/HTTP in JSON
/// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): IDs of traces and spans in hexadecimal, 64-bit
/// numbers as strings, enumerations as numbers, keys in lowerCamelCase.
private func traceRequest(_ resource: [(name: String, value: String)], _ spans: [FinishedSpan]) -> JSON {
    [
        "resourceSpans": [
            [
                "resource": ["attributes": .array(resource.map { .attribute($0.name, .string($0.value)) })],
                "scopeSpans": [["scope": ["name": "phoneproof"], "spans": .array(spans.map(\.json))]],
            ]
        ]
    ]
}

extension FinishedSpan {
    fileprivate var json: JSON {
        var members: [JSON.Member] = []
        func add(_ name: String, _ value: JSON) { members.append(JSON.Member(name, value)) }
        add("traceId", .string(place.traceID))
        add("spanId", .string(place.spanID.paddedHexadecimal))
        if let parentID { add("parentSpanId", .string(parentID.paddedHexadecimal)) }
        add("flags", .integer(place.flags))
        add("name", .string(name))
        add("kind", .integer(kind.number))
        add("startTimeUnixNano", .string(String(startedAt)))
        add("endTimeUnixNano", .string(String(endedAt)))
        add("attributes", attributes.json)
        if !events.isEmpty { add("events", .array(events.map(\.json))) }
        if let status {
            let code = JSON.Member("code", status.code == .ok ? 1 : 2)
            add("status", .object([code] + (status.message.map { [JSON.Member("message", .string($0))] } ?? [])))
        }
        return .object(members)
    }
}

extension FinishedSpan.Event {
    fileprivate var json: JSON {
        ["timeUnixNano": .string(String(at)), "name": .string(name), "attributes": attributes.json]
    }
}

extension SpanAttributes {
    fileprivate var json: JSON {
        var all: [(String, SpanAttribute)] = []
        forEach { all.append(($0, $1)) }
        return .array(all.sorted { $0.0 < $1.0 }.map(JSON.attribute))
    }
}

extension JSON {
    fileprivate static func attribute(_ key: String, _ value: SpanAttribute) -> JSON {
        let value: JSON =
            switch value {
            case .int32(let number): ["intValue": .string(String(number))]
            case .int64(let number): ["intValue": .string(String(number))]
            case .double(let number) where number.isFinite: ["doubleValue": .number("\(number)")]
            case .double(let number):
                ["doubleValue": .string(number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity")]
            case .bool(let flag): ["boolValue": .bool(flag)]
            case .string(let text): ["stringValue": .string(text)]
            default: ["stringValue": .string("\(value)")]
            }
        return ["key": .string(key), "value": value]
    }
}

extension SpanKind {
    /// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
    fileprivate var number: Int {
        switch self {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }
}
