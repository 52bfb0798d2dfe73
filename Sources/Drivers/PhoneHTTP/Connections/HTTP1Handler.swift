import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Enforces HTTP/1.1's rules for connections, between the decoder and the responder, and writes responses as bytes: a
/// response that is complete at the next flush is one write.
final class HTTP1Handler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = IOData

    /// Larger parts of a body are not copied.
    private static let copiedBytes = 8192

    private let bytes: ByteHandler
    private let deadlines: ConnectionDeadlines
    private let refusals: Refusals
    private let isSecure: Bool
    /// What is written with the next flush, and who waits for that.
    private var output = ByteBuffer()
    private var written: EventLoopPromise<Void>?
    private var isChunked = false
    private var state: HTTP1ConnectionState
    private var isClosing = false
    private var hasClosedOutput = false

    init(
        bytes: ByteHandler,
        deadlines: ConnectionDeadlines,
        limits: ConnectionLimits,
        refusals: Refusals,
        isSecure: Bool
    ) {
        (self.bytes, self.deadlines, self.refusals, self.isSecure) = (bytes, deadlines, refusals, isSecure)
        state = HTTP1ConnectionState(limits: limits)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            act(state.headReceived(&head), context) {
                deadlines.headReceived()
                do {
                    context.fireChannelRead(wrapInboundOut(.head(try request(head))))
                } catch {
                    context.fireErrorCaught(error)
                }
            }
        case .body(let body):
            act(state.bodyReceived(count: body.readableBytes), context) {
                context.fireChannelRead(wrapInboundOut(.body(body)))
            }
        case .end:
            act(state.requestEnded(), context) {
                deadlines.requestEnded()
                context.fireChannelRead(wrapInboundOut(.end(nil)))
            }
        }
    }

    private func request(_ head: HTTPRequestHead) throws -> HTTPRequest {
        HTTPRequest(
            method: try HTTPRequest.Method(head.method),
            scheme: isSecure ? "https" : "http",
            authority: head.headers.first(name: "Host"),
            path: head.uri,
            headerFields: HTTPFields(head.headers, splitCookie: false)
        )
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        let action = state.faultReceived(error == .headerOverflow ? .headerTooLarge : .malformed)
        act(action, context) {
            deadlines.requestEnded()
            context.fireErrorCaught(error)
        }
    }

    private func act(_ action: HTTP1ConnectionState.Inbound, _ context: ChannelHandlerContext, pass: () -> Void) {
        updateIntake()
        switch action {
        case .pass: pass()
        case .drop: if state.isFinished { close(context, after: context.eventLoop.makeSucceededVoidFuture()) }
        case .refuse(let fault): refuse(fault, context)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // The connection has ended with another response.
        if state.isFinished {
            promise?.succeed()
            return
        }
        if let promise {
            if let written { written.futureResult.cascade(to: promise) } else { written = promise }
        }
        switch unwrapOutboundIn(data) {
        case .head(let head): begin(head, connection: state.responseBegins(), context)
        case .body(let body): writeBody(body, context)
        case .end:
            if isChunked { output.writeStaticString("0\r\n\r\n") }
            endResponse(context)
        }
    }

    private func begin(_ head: HTTPResponse, connection: StaticString?, _ context: ChannelHandlerContext) {
        if output.readableBytes == 0 { output = context.channel.allocator.buffer(capacity: 1024) }
        // RFC 9110 section 8.6 forbids a length where there can be no body.
        let hasBody = head.status.code >= 200 && head.status != .noContent && head.status != .notModified
        let hasLength = head.headerFields.contains(.contentLength)
        isChunked = hasBody && !hasLength
        var text = "HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)"
        for field in head.headerFields where hasBody || field.name != .contentLength {
            text += "\r\n\(field.name.rawName): \(field.value)"
        }
        if let connection { text += "\r\nConnection: \(connection)" }
        output.writeString(text + (isChunked ? "\r\ntransfer-encoding: chunked\r\n\r\n" : "\r\n\r\n"))
    }

    private func writeBody(_ body: ByteBuffer, _ context: ChannelHandlerContext) {
        // An empty chunk would be the last one.
        guard body.readableBytes > 0 else { return }
        if isChunked { output.writeString(String(body.readableBytes, radix: 16) + "\r\n") }
        if body.readableBytes > Self.copiedBytes {
            writeOutput(context)
            context.write(wrapOutboundOut(.byteBuffer(body)), promise: nil)
        } else {
            output.writeImmutableBuffer(body)
        }
        if isChunked { output.writeStaticString("\r\n") }
    }

    func flush(context: ChannelHandlerContext) {
        if output.readableBytes > 0 || written != nil { writeOutput(context) }
        context.flush()
    }

    private func writeOutput(_ context: ChannelHandlerContext) {
        let (bytes, promise) = (output, written)
        (output, written) = (ByteBuffer(), nil)
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
    }

    private func endResponse(_ context: ChannelHandlerContext) {
        switch state.responseEnded() {
        case .keepAlive: deadlines.responseEnded()
        case .close: closeAfterOutput(context)
        case .refuse(let fault): refuse(fault, context)
        }
        updateIntake()
        bytes.resume()
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyRequested else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if state.bodyRequested() {
            output.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n")
            flush(context: context)
        }
        promise?.succeed()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            if !state.shutdownBegins() { context.close(promise: nil) }
            updateIntake()
        }
        // Both sides have closed.
        if let event = event as? ChannelEvent, event == .inputClosed, hasClosedOutput { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func updateIntake() {
        bytes.setIntake(state.ignoresInput ? .closed : state.isFull ? .paused : .open)
    }

    private func refuse(_ fault: HTTP1ConnectionState.Fault, _ context: ChannelHandlerContext) {
        let (head, body) = refusals.response(to: fault)
        begin(head, connection: nil, context)
        writeBody(body, context)
        closeAfterOutput(context)
    }

    private func closeAfterOutput(_ context: ChannelHandlerContext) {
        let promise = written ?? context.eventLoop.makePromise()
        written = promise
        flush(context: context)
        close(context, after: promise.futureResult)
    }

    /// Closes the output, and discards input for a while.
    private func close(_ context: ChannelHandlerContext, after written: EventLoopFuture<Void>) {
        guard !isClosing else { return }
        isClosing = true
        deadlines.connectionCloses()
        written.assumeIsolated().whenComplete { [self] _ in
            hasClosedOutput = true
            context.close(mode: .output, promise: nil)
        }
    }
}

extension ConnectionLimits {
    func addHTTP1Handlers(
        to pipeline: ChannelPipeline.SynchronousOperations,
        deadlines: ConnectionDeadlines,
        refusals: Refusals,
        isSecure: Bool
    ) throws {
        let bytes = ByteHandler(deadlines, isPortioning: true)
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = maxHeaderBytes
        decoding.maxHeaderListSize = maxHeaderBytes
        decoding.maxHeaderFieldCount = Self.maxHeaderFields
        try pipeline.addHandler(bytes)
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: decoding)))
        try pipeline.addHandler(
            HTTP1Handler(bytes: bytes, deadlines: deadlines, limits: self, refusals: refusals, isSecure: isSecure)
        )
    }
}
