import NIOCore

/// Where bytes enter and leave the pipeline, inside TLS: reports both to the deadlines, and applies backpressure.
///
/// The decoder cannot be paused within a buffer, and 64 KiB can contain thousands of requests. So it gets small
/// portions, and the rest waits here, undecoded, until there is room.
final class ByteHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    enum Intake {
        case open
        /// Input waits, and nothing more is read.
        case paused
        /// Input is discarded.
        case closed
    }

    /// The most bytes that the decoder gets at a time. The shortest request has 16.
    private static let portion = 1024

    private let deadlines: ConnectionDeadlines
    private let isPortioning: Bool
    private var intake = Intake.open
    private var waiting = ByteBuffer()
    private var isFeeding = false
    private var isReadPending = false
    private var isEndPending = false
    private var context: ChannelHandlerContext?

    /// - Parameter isPortioning: true for HTTP/1.1; HTTP/2 has limits of its own.
    init(_ deadlines: ConnectionDeadlines, isPortioning: Bool) {
        self.deadlines = deadlines
        self.isPortioning = isPortioning
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Call on the event loop.
    func setIntake(_ intake: Intake) {
        guard self.intake != .closed else { return }
        self.intake = intake
        if intake == .closed { waiting.clear() }
    }

    func resume() {
        guard let context, !isFeeding, intake != .paused else { return }
        if waiting.readableBytes > 0 {
            feed(context)
            deadlines.settle()
            context.fireChannelReadComplete()
        }
        guard !isPaused else { return }
        if isEndPending {
            isEndPending = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadPending {
            isReadPending = false
            context.read()
        }
    }

    private var isPaused: Bool { intake == .paused || waiting.readableBytes > 0 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if intake == .closed { return }
        guard isPortioning else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        if !isPaused, !isFeeding, bytes.readableBytes <= Self.portion {
            deadlines.bytesReceived()
            context.fireChannelRead(data)
            return
        }
        waiting.writeBuffer(&bytes)
        if !isFeeding { feed(context) }
    }

    private func feed(_ context: ChannelHandlerContext) {
        isFeeding = true
        while intake == .open, let portion = waiting.readSlice(length: min(waiting.readableBytes, Self.portion)),
            portion.readableBytes > 0
        {
            deadlines.bytesReceived()
            context.fireChannelRead(wrapInboundOut(portion))
        }
        isFeeding = false
        // A buffer that was large once must not stay so for as long as the connection lasts.
        if waiting.readableBytes == 0 { waiting = ByteBuffer() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isPortioning { deadlines.settle() }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isPaused { isReadPending = true } else { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        deadlines.writing.track(promise.futureResult)
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { deadlines.shutdownBegins() }
        // The end must not overtake what came before it.
        if let event = event as? ChannelEvent, event == .inputClosed, isPaused {
            isEndPending = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
