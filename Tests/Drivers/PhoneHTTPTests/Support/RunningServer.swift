import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import PhoneDomain
import PhoneHTTP
import PhoneTestSupport
import Testing

extension ConnectionLimits {
    /// Those without deadlines, since a busy machine may hold up a test for longer than any client should be.
    static var patient: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.firstByteTimeout = .seconds(3600)
        limits.headerTimeout = .seconds(3600)
        limits.bodyTimeout = .seconds(3600)
        limits.writeTimeout = .seconds(3600)
        limits.idleTimeout = .seconds(3600)
        return limits
    }
}

/// A server on a port of its own, with a client.
struct RunningServer: Sendable {
    let port: Int
    /// What every exchange is compared with; nil for routes that are not ours.
    let contract: Contract?

    /// Runs a server for the duration of the closure.
    static func run<Result: Sendable>(
        _ router: APIRouter,
        limits: ConnectionLimits = .patient,
        origins: CrossOrigins = .none,
        clock: any WallClock,
        instruments: Instruments = .none,
        logger: Logger,
        contract: Contract? = .native,
        _ work: @escaping @Sendable (RunningServer) async throws -> Result
    ) async throws -> Result {
        let (ports, port) = AsyncStream<Int>.makeStream()
        var options = ServerOptions(host: "127.0.0.1", port: 0)
        (options.limits, options.origins) = (limits, origins)
        let service = HTTPService(
            serving: router,
            options,
            clock: clock,
            instruments: instruments,
            logger: logger,
            onServerRunning: { port.yield($0) }
        )
        return try await withThrowingTaskGroup { group in
            group.addTask {
                try await service.run()
                throw CancellationError()
            }
            for await port in ports {
                let result = try await work(RunningServer(port: port, contract: contract))
                group.cancelAll()
                return result
            }
            throw CancellationError()
        }
    }

    /// Sends a request and reads the whole response.
    func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        type: String? = "application/json",
        token: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body {
            request.body = .bytes(ByteBuffer(string: body))
            if let type { request.headers.add(name: "Content-Type", value: type) }
        }
        return try await send(request, path, Array((body ?? "").utf8))
    }

    /// Sends bytes as JSON in these parts, without announcing their length.
    func send(_ method: String, _ path: String, parts: [[UInt8]]) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = HTTPMethod(rawValue: method)
        request.headers.add(name: "Content-Type", value: "application/json")
        let body = AsyncStream<ByteBuffer> { continuation in
            for part in parts { continuation.yield(ByteBuffer(bytes: part)) }
            continuation.finish()
        }
        request.body = .stream(body, length: .unknown)
        return try await send(request, path, parts.flatMap { $0 })
    }

    /// A redirect is an answer like any other.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private func send(_ request: HTTPClientRequest, _ path: String, _ body: [UInt8]) async throws -> Answer {
        let response = try await Self.client.execute(request, timeout: .seconds(60))
        let answer = Answer(
            status: Int(response.status.code),
            headers: response.headers.map { ($0.name, $0.value) },
            body: String(buffer: try await response.body.collect(upTo: 1 << 20))
        )
        let headers = request.headers.map { (name: $0.name, value: $0.value) }
        check(Exchange(request.method.rawValue, path, headers: headers, body: body, answer: answer))
        return answer
    }

    /// Sends bytes as they are, for what no proper client would send, and reads everything until the server closes the
    /// connection.
    ///
    /// - Parameters:
    ///   - head: the request line, and headers besides `Host` and `Connection: close`.
    ///   - isHTTP: whether it is a request at all. If not, it never gets to our routes.
    func sendRaw(_ head: String, _ body: String = "", isHTTP: Bool = true) async throws -> Answer {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let answer = try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(
                ByteBuffer(string: head + "\r\nHost: localhost\r\nConnection: close\r\n\r\n" + body)
            )
            var bytes = ByteBuffer()
            for try await part in inbound { bytes.writeImmutableBuffer(part) }
            return Answer(parsing: String(buffer: bytes))
        }
        if isHTTP { check(Exchange(head, body, answer)) }
        return answer
    }

    /// Compares an exchange with the document.
    func check(_ exchange: Exchange) {
        for fault in contract?.faults(of: exchange) ?? [] {
            let answer = "\(exchange.answer.status) \(exchange.answer.body)"
            Issue.record("\(exchange.method) \(exchange.target) and the document part: \(fault); answer: \(answer)")
        }
    }
}

extension Answer {
    fileprivate init(parsing text: String) {
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let head = lines.prefix { !$0.isEmpty }
        self.init(
            status: Int(head.first?.split(separator: " ").dropFirst().first ?? "") ?? 0,
            headers: head.dropFirst().map(field),
            body: lines.dropFirst(head.count + 1).joined(separator: "\r\n")
        )
    }
}

extension Exchange {
    fileprivate init(_ head: String, _ body: String, _ answer: Answer) {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        self.init(
            String(words[0]),
            String(words[1]),
            headers: lines.dropFirst().map(field),
            body: Array(body.utf8),
            answer: answer
        )
    }
}

/// The name and the value of a line such as `Host: localhost`.
private func field(_ line: Substring) -> (name: String, value: String) {
    let name = line.prefix { $0 != ":" }
    return (String(name), String(line.dropFirst(name.count + 2)))
}
