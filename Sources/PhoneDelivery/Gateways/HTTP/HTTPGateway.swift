import NIOHTTP1

/// Sends by whatever takes messages over HTTP, as a configuration says.
public struct HTTPGateway: MessageGateway {
    public let name = "http"

    private let configuration: HTTPGatewayConfiguration
    private let client: GatewayClient

    /// A gateway with connections of its own.
    ///
    /// - Parameters:
    ///   - configuration: what is sent where.
    ///   - connectTimeout: how long to wait for a connection, the handshake of TLS among it. Shorter than the time that a
    ///     message has at a gateway, so that what is not there is told from what does not answer.
    public init(configuration: HTTPGatewayConfiguration, connectTimeout: Duration) {
        self.configuration = configuration
        client = GatewayClient(connectTimeout: connectTimeout)
    }

    public var isIdempotent: Bool { configuration.isIdempotent }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        func value(_ variable: RequestVariable) -> String {
            variable.value(in: message, sender: configuration.sender, secret: configuration.secret)
        }
        let body = configuration.body.filled { configuration.format.escaped(value($0)) }
        let headers = configuration.headers.map { $0.filled(value) }
        let isContentType = { (header: GatewayClient.Header) in header.name.lowercased() == "content-type" }
        let answer = try await client.post(
            Array(body.utf8),
            contentType: headers.first(where: isContentType)?.value ?? configuration.format.contentType,
            to: configuration.endpoint.description,
            method: HTTPMethod(rawValue: configuration.method.rawValue),
            headers: headers.filter { !isContentType($0) }
        )
        return try HTTPGatewayAnswer(answer: answer, verdicts: configuration.verdicts).receipt(for: message.dedupeKey)
    }
}
