import CoreEncodings
import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// Buffers an HTTP/2 request until it is complete, and has it responded to then: a stream that a client has only begun
/// costs no more than its bytes. Handling a request costs several times that.
///
/// It also enforces the deadlines of the stream, as ``ConnectionDeadlines`` does for an HTTP/1.1 connection. A stream
/// that misses one is reset; the connection and its other streams continue. Headers need no deadline: a stream exists
/// only once they are complete. NIOHTTP2 limits how much of them is read (``ConnectionLimits/maxHeaderBytesRead``).
final class HTTP2StreamHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Stage {
        case opening
        case collecting(HTTPRequest, body: ByteBuffer)
        /// The rest of the request is discarded.
        case forwarded
    }

    private let limits: ConnectionLimits
    private let streams: Admission.Streams
    private let refusals: Refusals
    private let channel: any Channel
    private let responder: Responder
    private var reading: DeadlineTimer
    private let writing: WriteDeadline
    private var stage = Stage.opening
    private var hasEnded = false
    private var isTimed = false
    /// Whether the client waits for 100 (Continue), which it does not get.
    private var expectsContinue = false

    init(
        limits: ConnectionLimits,
        streams: Admission.Streams,
        refusals: Refusals,
        channel: any Channel,
        responder: Responder
    ) {
        (self.limits, self.streams, self.refusals) = (limits, streams, refusals)
        (self.channel, self.responder) = (channel, responder)
        reading = DeadlineTimer(of: channel)
        writing = WriteDeadline(limits.writeTimeout, of: channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (stage, unwrapInboundIn(data)) {
        case (.opening, .head(let head)): begin(head, context)
        case (.collecting(let head, var body), .body(var part)):
            // Small parts would each keep the buffer of their frame.
            stage = .forwarded
            body.writeBuffer(&part)
            stage = .collecting(head, body: body)
            if body.readableBytes > limits.maxBodyBytes { complete(isTooLong: true) }
        case (_, .end):
            hasEnded = true
            reading.clear()
            complete()
        case (.opening, .body), (.collecting, .head), (.forwarded, _): break
        }
    }

    private func begin(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        guard streams.open() else {
            stage = .forwarded
            return reset(context, .refusedStream)
        }
        channel.closeFuture.assumeIsolated().whenComplete { [streams] _ in streams.close() }
        guard head.listSize <= limits.maxHeaderBytes else {
            stage = .forwarded
            return send(refusals.response(to: .headerTooLarge))
        }
        stage = .collecting(head, body: ByteBuffer())
        let asksFirst = head.headerFields[.expect]?.asciiLowercased == "100-continue"
        // A number too large to parse is too large.
        if let announced = head.headerFields[.contentLength], Int(announced) ?? .max > limits.maxBodyBytes {
            expectsContinue = asksFirst
            complete(isTooLong: true)
        } else if asksFirst {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
    }

    private func complete(isTooLong: Bool = false) {
        guard case .collecting(let head, let body) = stage else { return }
        stage = .forwarded
        let error = isTooLong ? Problem.bodyTooLarge(limit: limits.maxBodyBytes) : nil
        let request = Request(
            head.method,
            head.path ?? "",
            scheme: head.scheme ?? "",
            authority: head.authority,
            headers: HeaderFields(head.headerFields),
            body: error.map { .failing($0, on: channel.eventLoop) } ?? .whole(body)
        )
        responder.respond(to: request, send)
    }

    private func send(_ response: Response) {
        let head = HTTPResponse(status: response.status, headerFields: response.headers.httpFields)
        channel.write(HTTPResponsePart.head(head), promise: nil)
        switch response.body {
        case .whole(let bytes):
            if bytes.readableBytes > 0 { channel.write(HTTPResponsePart.body(bytes), promise: nil) }
            channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
        case .streamed(let write):
            channel.flush()
            responder.stream(write, to: channel)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests arrive whole.
        if !hasEnded, !isTimed {
            isTimed = true
            reading.set(in: limits.bodyTimeout)
        }
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIOHTTP2 accepts some headers that the codec rejects; nobody waits for such a request.
        if case .opening = stage {
            stage = .forwarded
            reset(context, .protocolError)
        }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = writing.tracking(promise, on: context.eventLoop)
        if case .end = unwrapOutboundIn(data) {
            promise.futureResult.assumeIsolated().whenSuccess { [self] in if !hasEnded { discardBody(context) } }
        }
        context.write(data, promise: promise)
    }

    /// The response is complete, and nobody needs the rest of the body (RFC 9113 section 8.1). Some clients read no
    /// response before they have sent everything, and some wait forever if the stream is reset.
    private func discardBody(_ context: ChannelHandlerContext) {
        if expectsContinue { return reset(context, .noError) }
        reading.clear()
        reading = DeadlineTimer(of: channel) { [channel] in
            channel.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: .noError), promise: nil)
        }
        reading.set(in: ConnectionLimits.lingerTimeout)
    }

    private func reset(_ context: ChannelHandlerContext, _ code: NIOHTTP2.HTTP2ErrorCode) {
        context.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: code), promise: nil)
    }
}

extension HTTPRequest {
    /// The size of its header list (RFC 9113 section 6.5.2): 32 bytes for each field, its name and its value.
    fileprivate var listSize: Int {
        let pseudoFields = [
            (":method", method.rawValue), (":scheme", scheme ?? ""), (":authority", authority ?? ""),
            (":path", path ?? ""),
        ]
        let size = pseudoFields.reduce(0) { $0 + 32 + $1.0.utf8.count + $1.1.utf8.count }
        return headerFields.reduce(size) { $0 + 32 + $1.name.rawName.utf8.count + $1.value.utf8.count }
    }
}
