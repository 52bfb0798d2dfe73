import NIOCore
import NIOHTTP1

/// Puts the two handlers that see to deadlines where they see what they need: bytes at the one end, whole heads behind
/// the decoder. Hummingbird lets handlers in behind both.
final class DeadlineInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let limits: ConnectionLimits

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let deadlines = ConnectionDeadlines(limits: limits, channel: context.channel)
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(RequestDeadlineHandler(deadlines), position: .after(decoder))
            try pipeline.addHandler(ByteDeadlineHandler(deadlines), position: .first)
        } catch {
            // Without deadlines it is better not served.
            context.close(promise: nil)
        }
    }
}

/// Notes that bytes come and that bytes go.
private final class ByteDeadlineHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let deadlines: ConnectionDeadlines

    init(_ deadlines: ConnectionDeadlines) {
        self.deadlines = deadlines
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        deadlines.bytesCame()
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        deadlines.writeBegan()
        promise.futureResult.assumeIsolated().whenComplete { [deadlines] _ in deadlines.writeEnded() }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { deadlines.serviceEnds() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadlines.connectionEnded()
        context.fireChannelInactive()
    }
}

/// Notes where requests and answers begin and end.
private final class RequestDeadlineHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart

    private let deadlines: ConnectionDeadlines

    init(_ deadlines: ConnectionDeadlines) {
        self.deadlines = deadlines
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: deadlines.headerCame()
        case .body: break
        case .end: deadlines.requestEnded()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { deadlines.answerEnded() }
        context.write(data, promise: promise)
    }
}
