import CoreMetrics
import Foundation
import Logging
import PhoneDomain
import PhoneHTTP
import Telemetry
import Tracing

/// What measures and traces the service, as the settings have it.
struct Observation {
    /// nil where nothing is counted.
    private let registry: PrometheusRegistry?
    private let exporter: SpanExporter?
    private let client: CollectorClient?
    private let process: ProcessGauges?
    /// Keeps what is counted.
    let metrics: any MetricsFactory
    /// Keeps spans, or nil for none.
    let tracer: (any Tracer)?
    /// Is told what the store does, or nil.
    let store: (any StoreObserver)?
    /// Counts verifications that nobody approved in time.
    let expired: Counter

    /// Nothing is measured and nothing traced.
    static let none = Observation()

    private init() {
        (registry, exporter, client, process, tracer, store) = (nil, nil, nil, nil, nil, nil)
        metrics = NOOPMetricsHandler.instance
        expired = Counter(label: "", factory: metrics)
    }

    init(_ settings: Settings.Observability, clock: any WallClock, logger: Logger) {
        let version = PhoneAPI.version
        let registry = settings.measures ? PrometheusRegistry(MetricFamily.all) : nil
        self.registry = registry
        let metrics: any MetricsFactory = registry ?? NOOPMetricsHandler.instance
        self.metrics = metrics
        process = registry.map { ProcessGauges($0, version: version) }
        store = StoreLog(measures: registry.map { StoreMeasures($0) }, logger: logger)
        expired = Counter(label: "phoneproof_verifications_expired_total", factory: metrics)
        let client = settings.collector.map { CollectorClient($0) }
        self.client = client
        let resource = Self.resource(version: version, settings.collector?.attributes ?? [])
        let exporter = client.map { client in
            SpanExporter(
                resource: resource,
                metrics: metrics,
                clock: clock,
                logger: logger,
                send: { await client.send($0) }
            )
        }
        self.exporter = exporter
        tracer = exporter.map { exporter in
            SpanTracer(ratio: settings.sampleRatio) { exporter.take($0) }
        }
    }

    /// What spans come from (https://opentelemetry.io/docs/specs/semconv/resource/#service). What is set goes before what the
    /// program knows itself; without a name of its own each start is an instance by itself.
    private static func resource(
        version: String,
        _ attributes: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        let own = [
            ("service.name", "phoneproof"), ("service.version", version),
            ("service.instance.id", UUID().uuidString.lowercased()),
        ]
        let set = Dictionary(attributes.map { ($0.name, $0.value) }) { $1 }
        return own.filter { set[$0.0] == nil }.map { (name: $0.0, value: $0.1) }
            + set.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    var instruments: Instruments { Instruments(metrics: metrics, tracer: tracer) }

    /// The use case, observed; as it is where nothing is.
    func observing(_ useCase: any VerificationUseCase) -> any VerificationUseCase {
        registry == nil && tracer == nil ? useCase : ObservedUseCase(useCase, metrics: metrics, tracer: tracer)
    }

    /// The metrics to show, or nil where nothing is counted.
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
            return MetricsPage.Content(type: format.contentType, text: registry.text(format))
        }
    }

    /// Brings spans away for as long as the service runs, or nil where there are none. To be the last to stop, so that what
    /// the others do at their end is told too.
    var exporting: ExporterService? {
        guard let exporter, let client else { return nil }
        return ExporterService(exporter: exporter, client: client)
    }
}

/// Logs what an operator must know of a store, and passes everything on to what measures it.
struct StoreLog: StoreObserver {
    var measures: StoreMeasures?
    let logger: Logger

    func observe(_ batch: StoreBatch) { measures?.observe(batch) }

    func observe(_ entry: AuditEntry) { measures?.observe(entry) }

    func observe(_ row: UnreadableRow) {
        measures?.observe(row)
        logger.error(
            "A row of the database cannot be read and was passed over",
            metadata: ["row.table": "\(row.table)", "row.key": "\(row.key)"]
        )
    }
}
