import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PhoneDelivery

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

    /// How long the collector has for all of its answer: less than the service gives itself for its end.
    private static let timeout: Duration = .seconds(3)

    /// - Returns: nil if the collector took it, else why not.
    func send(_ json: String) async -> String? {
        // The client's own limit is for the head of the answer alone; a body may never end.
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
            // Read to its end, so that the connection can be used again; what it says is nobody's.
            for try await _ in response.body {}
            return (200...299).contains(status) ? nil : "status \(status)"
        } catch {
            return error is HTTPClientError ? "\(error)" : "it cannot be reached"
        }
    }

    func close() async {
        try? await client.shutdown()
    }
}
