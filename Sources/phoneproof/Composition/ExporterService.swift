import ServiceLifecycle
import Telemetry

/// Spans, brought to the collector for as long as the service runs, and what is left at its end.
struct ExporterService: Service {
    let exporter: SpanExporter
    let client: CollectorClient

    func run() async {
        await cancelWhenGracefulShutdown { await exporter.run() }
        await exporter.flush()
        await client.close()
    }
}
