import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PhoneDelivery

/// Sends spans to an OpenTelemetry collector (https://opentelemetry.io/docs/specs/otlp/#otlphttp).
final class CollectorClient: Sendable {
    private let url: String
    private let client: HTTPClient

    init(_ address: GatewayAddress) {
        url = "\(address)/v1/traces"
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(2)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// - Returns: nil if the collector took it, else why not.
    func send(_ json: String) async -> String? {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: json))
        do {
            // Shorter than what the service gives itself for its end.
            let response = try await client.execute(request, timeout: .seconds(3))
            let status = response.status.code
            // Read to its end, so that the connection can be used again; what it says is nobody's.
            _ = try? await response.body.collect(upTo: 65_536)
            return (200...299).contains(status) ? nil : "status \(status)"
        } catch {
            return error is HTTPClientError ? "\(error)" : "it cannot be reached"
        }
    }

    func close() async {
        try? await client.shutdown()
    }
}
