import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// Keeps time on one stream of HTTP/2, as ``ConnectionDeadlines`` does on a connection of HTTP/1.1. A stream that misses a
/// deadline is reset; the connection and its other streams go on.
///
/// The header needs no time of its own: a stream comes to be when its header is there. How much of one may come, and in how
/// many frames, NIOHTTP2 sees to.
final class HTTP2StreamHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private let reading: Alarm
    private let writing: Alarm
    private var hasEnded = false
    private var isTimed = false
    private var holdsBodyBack = false
    private var unsent = 0

    init(limits: ConnectionLimits, channel: any Channel) {
        self.limits = limits
        (reading, writing) = (Alarm(closing: channel), Alarm(closing: channel))
        channel.closeFuture.assumeIsolated().whenComplete { [reading, writing] _ in
            reading.cancel()
            writing.cancel()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): holdsBodyBack = head.headerFields[.expect]?.lowercased() == "100-continue"
        case .body: holdsBodyBack = false
        case .end:
            hasEnded = true
            reading.clear()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests come whole.
        if !hasEnded, !isTimed {
            isTimed = true
            reading.set(in: limits.bodyTimeout)
        }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        let part = unwrapOutboundIn(data)
        unsent += 1
        if unsent == 1 { writing.set(in: limits.writeTimeout) }
        promise.futureResult.assumeIsolated().whenComplete { [self] result in
            unsent -= 1
            if unsent > 0 { writing.set(in: limits.writeTimeout) } else { writing.clear() }
            guard case .end = part, case .success = result, !hasEnded else { return }
            // The rest of the body is of no use to anybody (RFC 9113 section 8.1).
            context.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: .noError), promise: nil)
        }
        context.write(data, promise: promise)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if holdsBodyBack {
            holdsBodyBack = false
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        promise?.succeed()
    }
}
