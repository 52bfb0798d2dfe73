import AsyncHTTPClient
package import CoreEncodings
package import CoreMetrics
import FoundationEssentials
import Glibc
package import Logging
import NIOCore
import NIOHTTP1
package import PhoneAdministration
import PhoneCLI
import PhoneDelivery
package import PhoneDomain
package import PhoneHTTP
import PhoneStore
package import ServiceLifecycle
package import Telemetry
package import Tracing

/// Metrics and traces, by the settings.
package struct Observation {
    private let registry = PrometheusRegistry(MetricFamily.all)
    private let process: ProcessGauges
    package var metrics: any MetricsFactory { registry }
    /// Nil without a collector.
    package let tracer: (any Tracer)?
    package let store: any StoreObserver
    /// What goes to a collector. They must stop last, so that what the others do at their end is exported too.
    package let exporting: [any Service]
    /// Verifications that nobody approved in time.
    package let expired: Counter

    package init(_ all: Settings, clock: any WallClock, logger: Logger) {
        let settings = all.observability
        registry.beginAtZero(of: all)
        process = ProcessGauges(registry, version: PhoneAPI.version)
        expired = Counter(label: "phoneproof_verifications_expired_total", factory: registry)
        let resource = Self.resource(settings.collector?.attributes ?? [])
        let spans = settings.collector.map { [registry] collector in
            let client = CollectorClient(collector.url, collector.headers, collector.encoding)
            let exporter = SpanExporter(resource: resource, metrics: registry, clock: clock, logger: logger) {
                await client.send($0)
            }
            return ExporterService(exporter: exporter, client: client)
        }
        let entries = settings.collector.flatMap { [registry] collector in
            collector.logsURL.map { url in
                let client = CollectorClient(url, collector.headers, collector.encoding)
                let exporter = AuditExporter(resource: resource, metrics: registry, clock: clock, logger: logger) {
                    await client.send($0)
                }
                return ExporterService(exporter: exporter, client: client)
            }
        }
        store = StoreLog(measures: StoreMeasures(registry), entries: entries?.exporter, logger: logger)
        let exporters: [(any Service)?] = [spans, entries]
        exporting = exporters.compactMap(\.self)
        tracer = (spans?.exporter).map { exporter in SpanTracer(ratio: settings.sampleRatio) { exporter.take($0) } }
    }

    private typealias Pair = Settings.Observability.Collector.Pair

    /// The resource of spans (https://opentelemetry.io/docs/specs/semconv/resource/#service). Settings have precedence;
    /// without a set ID each start is an instance of its own.
    private static func resource(_ attributes: [Pair]) -> [Pair] {
        let own: [Pair] = [
            ("service.name", "phoneproof"), ("service.version", PhoneAPI.version),
            ("service.instance.id", UUID().uuidString.lowercased()),
        ]
        let set = Dictionary(attributes.map { ($0.name, $0.value) }) { $1 }
        return own.filter { set[$0.name] == nil } + set.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    package var instruments: Instruments { Instruments(metrics: metrics, tracer: tracer) }

    package var useCase: any UseCaseObserver { UseCaseMeasures(metrics: registry, tracer: tracer) }

    package func page(
        over store: any OutboxStore & GuardStore,
        clock: any WallClock,
        findings: @escaping @Sendable () async throws -> [Finding]
    ) -> MetricsPage {
        let gauges = StoreGauges(
            metrics: registry,
            clock: clock,
            backlog: { try await store.backlog() },
            traffic: { try await store.traffic(of: .service) },
            findings: findings
        )
        return MetricsPage { [process, registry] accept in
            await gauges.refresh()
            process.refresh()
            let format = ExpositionFormat(accept: accept)
            return (format.contentType, registry.text(format))
        }
    }
}

/// Logs what an operator must know of a store, and measures the rest.
package struct StoreLog: StoreObserver {
    package var measures: StoreMeasures?
    /// What sends entries of the audit log to a collector; nil without one.
    var entries: AuditExporter?
    package let logger: Logger

    package func observe(_ batch: StoreBatch) { measures?.observe(batch) }

    package func observe(_ entry: AuditEntry) {
        measures?.observe(entry)
        entries?.take(entry)
    }

    package func observe(_ row: UnreadableRow) {
        measures?.observe(row)
        logger.error(
            "A database row is unreadable and was skipped",
            metadata: ["row.table": "\(row.table)", "row.key": "\(row.key)"]
        )
    }
}

/// Sends to an OpenTelemetry collector (https://opentelemetry.io/docs/specs/otlp/#otlphttp).
package final class CollectorClient: Sendable {
    private let url: String
    private let headers: HTTPHeaders
    private let encoding: CollectorEncoding
    private let client: HTTPClient

    package init(_ url: EndpointURL, _ headers: [(name: String, value: String)], _ encoding: CollectorEncoding) {
        (self.url, self.encoding) = (url.description, encoding)
        self.headers = HTTPHeaders(headers.map { ($0.name, $0.value) })
        // Kept from one export to the next, and a span that is sent twice does no harm.
        client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: .outgoing(.seconds(2), idleTime: .seconds(60))
        )
    }

    /// The time for the whole response: less than the service has to shut down.
    private static let timeout: Duration = .seconds(3)

    /// - Returns: the reason if the collector did not take it.
    package func send(_ request: JSON) async -> String? {
        let body = encoding.bytes(of: request)
        // The client's own timeout is for the head of the response only; a body may never end.
        return await withTimeout(Self.timeout, on: ContinuousClock()) { await self.post(body) } ?? "no response in time"
    }

    private func post(_ body: [UInt8]) async -> String? {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = headers
        request.headers.replaceOrAdd(name: "Content-Type", value: encoding.contentType)
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await client.execute(request, timeout: TimeAmount(Self.timeout))
            let status = response.status.code
            // Read to its end, so that the connection can be used again.
            for try await _ in response.body {}
            return (200...299).contains(status) ? nil : "status \(status)"
        } catch {
            return error is HTTPClientError ? "\(error)" : "it cannot be reached"
        }
    }

    package func close() async { try? await client.shutdown() }
}

/// Sends to the collector while the service runs, and the rest at its end.
package struct ExporterService<Item: Sendable>: Service {
    package let exporter: CollectorExporter<Item>
    package let client: CollectorClient

    package func run() async {
        await cancelWhenGracefulShutdown { await exporter.run() }
        await exporter.flush()
        await client.close()
    }
}

extension PrometheusRegistry {
    fileprivate func beginAtZero(of settings: Settings) {
        let allowed = settings.policy.allowedRegions
        let limits = settings.abusePolicy.limits.names.union([
            "number-day", "address-number-day", "number-failures", "guard-block", "guard-challenge",
        ])
        beginAtZero(
            // Where many regions are allowed, most never have anybody.
            regions: allowed.count > 20 ? [settings.region] : Array(allowed),
            policies: Array(limits),
            tables: settings.records.tables.map(\.name)
        )
        _ = WebhookMetrics(self)
        for result in SettingsReloader.results {
            Counter(label: SettingsReloader.metric, dimensions: [("result", result)], factory: self).increment(by: 0)
        }
    }
}
