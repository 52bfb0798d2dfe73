import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import PhoneTestSupport

@testable import PhoneHTTP

/// An HTTP/1.1 connection without a network, with a manual clock. It records the requests that the service would see;
/// the test responds.
final class EmbeddedConnection {
    private let channel = EmbeddedChannel()
    private let wire = Wire()
    private let responses = HeldResponses()
    private var answered = 0
    private var seenRequests = 0

    init(_ limits: ConnectionLimits = ConnectionLimits()) throws {
        let connection = HTTP1Connection(
            responses.responder(for: channel),
            deadlines: ConnectionDeadlines(limits: limits, channel: channel),
            limits: limits,
            refusals: .plain(limits),
            isSecure: false
        )
        try channel.pipeline.syncOperations.addHandler(wire)
        try connection.addHandlers(to: channel.pipeline.syncOperations)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Whether the output is closed, though input may still be read.
    var isHungUp: Bool { wire.isHungUp }

    var isClosed: Bool { !channel.isActive }

    /// From here on a write closes the connection, as one does whose client has gone.
    func breakWrites() { wire.breaksWrites = true }

    /// How many reads there were since the last call.
    func reads() -> Int {
        defer { wire.reads = 0 }
        return wire.reads
    }

    func receive(_ text: String) throws {
        try channel.writeInbound(ByteBuffer(string: text))
        channel.embeddedEventLoop.run()
    }

    func pass(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }

    func fire(_ event: any Sendable) {
        channel.pipeline.fireUserInboundEventTriggered(event)
    }

    func askForBody() throws {
        try channel.triggerUserOutboundEvent(BodyRequested()).wait()
    }

    func read() {
        channel.pipeline.read()
    }

    /// Responds with this body to the request that has waited longest.
    func answer(_ body: String, status: HTTPResponse.Status = .ok) {
        respond(Response(status: status, body: .whole(ByteBuffer(string: body))))
    }

    /// Begins a response whose parts the test writes.
    func beginStream(_ headers: HeaderFields = [:]) {
        respond(Response(status: .ok, headers: headers, body: .streamed { _ in }))
    }

    func stream(_ part: String) throws {
        try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: part)))
    }

    func endStream() throws {
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        channel.embeddedEventLoop.run()
    }

    private func respond(_ response: Response) {
        responses.answer(answered, response)
        answered += 1
        channel.embeddedEventLoop.run()
    }

    /// The requests since the last call that the service has, whole or not.
    func seen() -> [String] {
        defer { seenRequests = responses.requests.count }
        return responses.requests[seenRequests...].map { request in
            let length = if case .whole(let body) = request.body { "\(body.readableBytes)" } else { "…" }
            return "\(request.method) \(request.target) of \(request.authority ?? "") \(length)"
        }
    }

    /// The length of the body of the last request, once it is whole; nil if it is not, or is invalid.
    func bodyLength() -> Result<Int, any Error>? {
        guard case .arriving(let body, _)? = responses.requests.last?.body else { return nil }
        var result: Result<Int, any Error>?
        body.assumeIsolated().whenComplete { result = $0.map(\.readableBytes) }
        channel.embeddedEventLoop.run()
        return result
    }

    /// What has been sent since the last call.
    func sent() throws -> String {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    /// What is between the handlers and the network.
    private final class Wire: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = ByteBuffer

        var isHungUp = false
        var breaksWrites = false
        var reads = 0

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard breaksWrites else { return context.write(data, promise: promise) }
            context.close(promise: nil)
            promise?.fail(ChannelError.ioOnClosedChannel)
        }

        func read(context: ChannelHandlerContext) {
            reads += 1
            context.read()
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            guard mode == .output else { return context.close(mode: mode, promise: promise) }
            isHungUp = true
            promise?.succeed()
        }
    }
}

extension Refusals {
    static func plain(_ limits: ConnectionLimits) -> Refusals {
        Refusals(
            limits: limits,
            fields: CommonHeaders(),
            clock: ManualClock(),
            requestMetrics: RequestMetrics(Instruments.none.metrics),
            logger: LogRecorder().logger
        )
    }
}
