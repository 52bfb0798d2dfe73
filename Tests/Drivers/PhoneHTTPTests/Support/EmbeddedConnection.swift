import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import PhoneTestSupport

@testable import PhoneHTTP

/// An HTTP/1.1 connection without a network, with a manual clock. It records what the server would see of requests; the
/// test responds.
final class EmbeddedConnection {
    private let channel = EmbeddedChannel()
    private let wire = Wire()

    init(_ limits: ConnectionLimits = ConnectionLimits()) throws {
        let deadlines = ConnectionDeadlines(limits: limits, channel: channel)
        let refusals = Refusals.plain(limits)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(wire)
        try limits.addHTTP1Handlers(to: pipeline, deadlines: deadlines, refusals: refusals, isSecure: false)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Whether the output is closed, though input may still be read.
    var isHungUp: Bool { wire.isHungUp }

    var isClosed: Bool { !channel.isActive }

    /// How many reads there were since the last call.
    func reads() -> Int {
        defer { wire.reads = 0 }
        return wire.reads
    }

    func receive(_ text: String) throws {
        try channel.writeInbound(ByteBuffer(string: text))
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

    /// Responds with this body.
    func answer(_ body: String, status: HTTPResponse.Status = .ok, beforeEnd: () -> Void = {}) throws {
        let head = HTTPResponse(status: status, headerFields: [.contentLength: String(body.utf8.count)])
        try channel.writeOutbound(HTTPResponsePart.head(head))
        try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: body)))
        beforeEnd()
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    /// What has been seen of requests since the last call.
    func seen(withAuthority: Bool = false) throws -> [String] {
        var parts: [String] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            switch part {
            case .head(let head):
                let authority = withAuthority ? " of \(head.authority ?? "")" : ""
                parts.append("\(head.method) \(head.path ?? "")\(authority)")
            case .body(let body): parts.append("body \(body.readableBytes)")
            case .end: parts.append("end")
            }
        }
        return parts
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
        var reads = 0

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
