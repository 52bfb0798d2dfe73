import AsyncHTTPClient
import CoreMetrics
import FoundationEssentials
import Glibc
import Logging
import NIOCore
import NIOHTTP1
import PhoneCLI
import PhoneDelivery
import PhoneDomain
import PhoneHTTP
import ServiceLifecycle
import Telemetry
import TextEncodings
import Tracing

/// Metrics and traces, by the settings.
struct Observation {
    /// Nil without metrics.
    private let registry: PrometheusRegistry?
    private let process: ProcessGauges?
    let metrics: any MetricsFactory
    /// Nil without a collector.
    let tracer: (any Tracer)?
    let store: (any StoreObserver)?
    /// Nil without a collector. It must stop last, so that spans of the others' end are exported too.
    let exporting: ExporterService?
    /// Verifications that nobody approved in time.
    let expired: Counter

    static let none = Observation()

    private init() {
        (registry, process, tracer, store, exporting) = (nil, nil, nil, nil, nil)
        metrics = NOOPMetricsHandler.instance
        expired = Counter(label: "", factory: metrics)
    }

    init(_ settings: Settings.Observability, clock: any WallClock, logger: Logger) {
        let registry = settings.measures ? PrometheusRegistry(MetricFamily.all) : nil
        self.registry = registry
        let metrics: any MetricsFactory = registry ?? NOOPMetricsHandler.instance
        self.metrics = metrics
        process = registry.map { ProcessGauges($0, version: PhoneAPI.version) }
        store = StoreLog(measures: registry.map { StoreMeasures($0) }, logger: logger)
        expired = Counter(label: "phoneproof_verifications_expired_total", factory: metrics)
        exporting = settings.collector.map { collector in
            let (client, resource) = (CollectorClient(collector), Self.resource(collector.attributes))
            let exporter = SpanExporter(resource: resource, metrics: metrics, clock: clock, logger: logger) {
                await client.send($0)
            }
            return ExporterService(exporter: exporter, client: client)
        }
        tracer = (exporting?.exporter).map { exporter in SpanTracer(ratio: settings.sampleRatio) { exporter.take($0) } }
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

    var instruments: Instruments { Instruments(metrics: metrics, tracer: tracer) }

    func observing(_ useCase: any VerificationUseCase) -> any VerificationUseCase {
        registry == nil && tracer == nil ? useCase : ObservedUseCase(useCase, metrics: metrics, tracer: tracer)
    }

    /// - Returns: nil without metrics.
    func page(over store: any OutboxStore & GuardStore, clock: any WallClock) -> MetricsPage? {
        guard let registry else { return nil }
        let gauges = StoreGauges(
            metrics: registry,
            clock: clock,
            backlog: { try await store.backlog() },
            traffic: { try await store.traffic(of: .service) }
        )
        return MetricsPage { [process] accept in
            await gauges.refresh()
            process?.refresh()
            let format = ExpositionFormat(accept: accept)
            return (format.contentType, registry.text(format))
        }
    }
}

/// Logs what an operator must know of a store, and measures the rest.
struct StoreLog: StoreObserver {
    var measures: StoreMeasures?
    let logger: Logger

    func observe(_ batch: StoreBatch) { measures?.observe(batch) }

    func observe(_ entry: AuditEntry) { measures?.observe(entry) }

    func observe(_ row: UnreadableRow) {
        measures?.observe(row)
        logger.error(
            "A database row is unreadable and was skipped",
            metadata: ["row.table": "\(row.table)", "row.key": "\(row.key)"]
        )
    }
}

/// Sends spans to an OpenTelemetry collector (https://opentelemetry.io/docs/specs/otlp/#otlphttp).
final class CollectorClient: Sendable {
    private let url: String
    private let headers: HTTPHeaders
    private let client: HTTPClient

    init(_ collector: Settings.Observability.Collector) {
        url = collector.url.description
        headers = HTTPHeaders(collector.headers.map { ($0.name, $0.value) })
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(2)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// For the whole response: less than the service has to shut down.
    private static let timeout: Duration = .seconds(3)

    /// - Returns: the reason if the collector did not take it.
    func send(_ json: String) async -> String? {
        // The client's own timeout is for the head of the response only; a body may never end.
        let sending = Task { await post(json) }
        let limit = Task {
            try await Task.sleep(for: Self.timeout)
            sending.cancel()
        }
        defer { limit.cancel() }
        return await sending.value
    }

    private func post(_ json: String) async -> String? {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = headers
        request.headers.replaceOrAdd(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: json))
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

    func close() async { try? await client.shutdown() }
}

/// Sends spans to the collector while the service runs, and the rest at its end.
struct ExporterService: Service {
    let exporter: SpanExporter
    let client: CollectorClient

    func run() async {
        await cancelWhenGracefulShutdown { await exporter.run() }
        await exporter.flush()
        await client.close()
    }
}

/// The metrics on a listener of their own.
struct MetricsServer: Service {
    let page: MetricsPage
    let listener: Settings.Observability.Listener
    let clock: any WallClock
    let logger: Logger

    func run() async throws {
        let server = HTTPService(
            serving: page.makeRouter(),
            host: listener.host,
            port: listener.port,
            clock: clock,
            logger: logger,
            onServerRunning: { [logger] in logger.info("metrics are served", metadata: ["metrics.port": "\($0)"]) }
        )
        do {
            try await server.run()
        } catch let error as IOError {
            let address = "\(listener.host):\(listener.port)"
            throw Failure.cannotListen(on: address, error, choose: "metrics.host and metrics.port")
        }
    }
}
