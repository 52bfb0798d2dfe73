import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// Keeps a request of HTTP/2 until all of it is there, and hands it over then: a stream that a client has only begun costs
/// no more than what has come of it. What answers a request costs several times that.
///
/// Keeps time on the stream too, as ``ConnectionDeadlines`` does on a connection of HTTP/1.1. A stream that misses a
/// deadline is reset; the connection and its other streams go on. The header needs no time of its own: a stream comes to be
/// when its header is there. How much of one may come, and in how many frames, NIOHTTP2 sees to.
final class HTTP2StreamHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart
    typealias Stream = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    private enum Stage {
        case opening
        case collecting(HTTPRequest, body: ByteBuffer)
        /// What is still to come of the request is thrown away.
        case handedOver
    }

    private let limits: ConnectionLimits
    private let streams: Admission.Streams
    private let channel: any Channel
    private let handOver: (Stream) -> Void
    private var reading: Alarm
    private let writing: Alarm
    private var stage = Stage.opening
    private var hasEnded = false
    private var isTimed = false
    /// Whether the client sends its body only when it is asked for it, which it is not.
    private var holdsBodyBack = false
    private var unsent = 0

    /// - Parameters:
    ///   - limits: how much of a request may come, and in what time.
    ///   - streams: those of the connection.
    ///   - channel: the stream.
    ///   - handOver: takes the stream when the request is there.
    init(
        limits: ConnectionLimits,
        streams: Admission.Streams,
        channel: any Channel,
        handOver: @escaping (Stream) -> Void
    ) {
        self.limits = limits
        self.streams = streams
        self.channel = channel
        self.handOver = handOver
        (reading, writing) = (Alarm(closing: channel), Alarm(closing: channel))
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
            reading.cancel()
            writing.cancel()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (stage, unwrapInboundIn(data)) {
        case (.opening, .head(let head)): begin(head, context)
        case (.collecting(let head, var body), .body(var part)):
            // Small parts would each keep the bytes of their frame.
            stage = .handedOver
            body.writeBuffer(&part)
            stage = .collecting(head, body: body)
            if body.readableBytes > limits.maxBodyBytes { complete(nil, context) }
        case (_, .end(let trailers)):
            hasEnded = true
            reading.clear()
            complete(trailers, context)
        case (.opening, .body), (.collecting, .head), (.handedOver, _): break
        }
    }

    private func begin(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        guard streams.open() else {
            stage = .handedOver
            return reset(context, .refusedStream)
        }
        channel.closeFuture.assumeIsolated().whenComplete { [streams] _ in streams.close() }
        stage = .collecting(head, body: ByteBuffer())
        let asksFirst = head.headerFields[.expect]?.lowercased() == "100-continue"
        // One that is too great to be read is too great.
        if let announced = head.headerFields[.contentLength], Int(announced) ?? .max > limits.maxBodyBytes {
            holdsBodyBack = asksFirst
            complete(nil, context)
        } else if asksFirst {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
    }

    /// Hands over what is there of a request, once.
    private func complete(_ trailers: HTTPFields?, _ context: ChannelHandlerContext) {
        guard case .collecting(let head, let body) = stage else { return }
        stage = .handedOver
        do {
            handOver(try Stream(wrappingChannelSynchronously: channel))
        } catch {
            return reset(context, .internalError)
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
        if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
        context.fireChannelRead(wrapInboundOut(.end(trailers)))
        context.fireChannelReadComplete()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests come whole.
        if !hasEnded, !isTimed {
            isTimed = true
            reading.set(in: limits.bodyTimeout)
        }
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIOHTTP2 takes some fields that are none to others; nobody waits for such a request.
        if case .opening = stage {
            stage = .handedOver
            reset(context, .protocolError)
        }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        let part = unwrapOutboundIn(data)
        unsent += 1
        if unsent == 1 { writing.set(in: limits.writeTimeout) }
        promise.futureResult.assumeIsolated().whenComplete { [self] result in
            unsent -= 1
            if unsent > 0 { writing.set(in: limits.writeTimeout) } else { writing.clear() }
            if case .end = part, case .success = result, !hasEnded { passOver(context) }
        }
        context.write(data, promise: promise)
    }

    /// The answer is there, and the rest of the body is of no use to anybody (RFC 9113 section 8.1). Some clients read no
    /// answer before they have sent it all the same, and some wait for ever then if the stream is reset.
    private func passOver(_ context: ChannelHandlerContext) {
        if holdsBodyBack { return reset(context, .noError) }
        reading.cancel()
        reading = Alarm(on: context.eventLoop) { [channel] in
            channel.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: .noError), promise: nil)
        }
        reading.set(in: ConnectionLimits.lingerTimeout)
    }

    private func reset(_ context: ChannelHandlerContext, _ code: NIOHTTP2.HTTP2ErrorCode) {
        context.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: code), promise: nil)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        // The body has been passed on already.
        guard event is BodyWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed()
    }
}
