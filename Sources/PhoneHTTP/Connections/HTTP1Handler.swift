import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Enforces HTTP/1.1's rules for connections, between the decoder and the responder.
///
/// Hummingbird's own channel does not: it keeps a connection open whose HTTP/1.0 client waits for its end, and answers
/// input that is not HTTP with an empty 400.
final class HTTP1Handler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let bytes: ByteHandler
    private let deadlines: ConnectionDeadlines
    private let refusals: Refusals
    private var state: HTTP1ConnectionState
    private var isClosing = false
    private var hasClosedOutput = false

    init(bytes: ByteHandler, deadlines: ConnectionDeadlines, limits: ConnectionLimits, refusals: Refusals) {
        (self.bytes, self.deadlines, self.refusals) = (bytes, deadlines, refusals)
        state = HTTP1ConnectionState(limits: limits)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = data
        let action: HTTP1ConnectionState.Inbound
        switch unwrapInboundIn(data) {
        case .head(var head):
            action = state.headReceived(&head)
            data = wrapInboundOut(.head(head))
            if action == .pass { deadlines.headReceived() }
        case .body(let body): action = state.bodyReceived(count: body.readableBytes)
        case .end:
            action = state.requestEnded()
            if action == .pass { deadlines.requestEnded() }
        }
        act(action, context) { context.fireChannelRead(data) }
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
        // Hummingbird's own response to an error that has its response already.
        if state.isFinished {
            promise?.succeed()
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            state.responseBegins(&head)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end: endResponse(context, data, promise)
        }
    }

    private func endResponse(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        switch state.responseEnded() {
        case .keepAlive:
            context.write(data, promise: promise)
            deadlines.responseEnded()
        case .close:
            let promise = promise ?? context.eventLoop.makePromise()
            context.writeAndFlush(data, promise: promise)
            close(context, after: promise.futureResult)
        case .refuse(let fault):
            context.write(data, promise: promise)
            refuse(fault, context)
        }
        updateIntake()
        bytes.resume()
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyRequested else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if state.bodyRequested() {
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
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
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let promise = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
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
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            // The types of responses allow no line break in a field.
            withOutboundHeaderValidation: false,
            withEncoderConfiguration: HTTPResponseEncoder.Configuration(),
            withDecoderLimitConfiguration: decoding
        )
        try pipeline.addHandler(HTTP1Handler(bytes: bytes, deadlines: deadlines, limits: self, refusals: refusals))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
    }
}
