import NIOCore
import NIOHTTP1

/// Stands between the decoder and whatever answers, and holds a connection to what HTTP/1.1 says of connections.
///
/// Hummingbird's own channel leaves that to others: it keeps a connection open that an HTTP/1.0 client waits for the end
/// of, and answers what is no HTTP with an empty 400.
final class HTTP1Handler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let bytes: ByteHandler
    private let deadlines: ConnectionDeadlines
    private let refusals: Refusals
    private var conversation: HTTP1Conversation
    private var isClosing = false
    private var hasHungUp = false

    init(bytes: ByteHandler, deadlines: ConnectionDeadlines, limits: ConnectionLimits, refusals: Refusals) {
        self.bytes = bytes
        self.deadlines = deadlines
        self.refusals = refusals
        conversation = HTTP1Conversation(limits: limits)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = data
        let action: HTTP1Conversation.Inbound
        switch unwrapInboundIn(data) {
        case .head(var head):
            action = conversation.headCame(&head)
            data = wrapInboundOut(.head(head))
            if action == .pass { deadlines.headerCame() }
        case .body(let body):
            action = conversation.bodyCame(count: body.readableBytes)
        case .end:
            action = conversation.requestEnded()
            if action == .pass { deadlines.requestEnded() }
        }
        act(action, context) { context.fireChannelRead(data) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        let action = conversation.faultCame(error == .headerOverflow ? .headerTooLarge : .malformed)
        act(action, context) {
            deadlines.requestEnded()
            context.fireErrorCaught(error)
        }
    }

    private func act(_ action: HTTP1Conversation.Inbound, _ context: ChannelHandlerContext, pass: () -> Void) {
        updateIntake()
        switch action {
        case .pass: pass()
        case .drop: if conversation.isOver { close(context, after: context.eventLoop.makeSucceededVoidFuture()) }
        case .refuse(let fault): refuse(fault, context)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // What Hummingbird says of an error that has been answered here already.
        if conversation.isOver {
            promise?.succeed()
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            conversation.answerBegins(&head)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            answerEnds(context, data, promise)
        }
    }

    private func answerEnds(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        switch conversation.answerEnded() {
        case .goOn:
            context.write(data, promise: promise)
            deadlines.answerEnded()
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
        guard event is BodyWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if conversation.bodyWanted() {
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
        promise?.succeed()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            if !conversation.serviceEnds() { context.close(promise: nil) }
            updateIntake()
        }
        // Both sides have hung up.
        if let event = event as? ChannelEvent, event == .inputClosed, hasHungUp { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func updateIntake() {
        bytes.setIntake(conversation.isDeaf ? .closed : conversation.isFull ? .held : .open)
    }

    private func refuse(_ fault: HTTP1Conversation.Fault, _ context: ChannelHandlerContext) {
        let (head, body) = refusals.answer(to: fault)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let promise = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
        close(context, after: promise.futureResult)
    }

    /// Hangs up, and listens on for a while to what is thrown away.
    private func close(_ context: ChannelHandlerContext, after written: EventLoopFuture<Void>) {
        guard !isClosing else { return }
        isClosing = true
        deadlines.connectionCloses()
        written.assumeIsolated().whenComplete { [self] _ in
            hasHungUp = true
            context.close(mode: .output, promise: nil)
        }
    }
}
