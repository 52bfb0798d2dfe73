import NIOCore

/// Where bytes come in and go out, within TLS where there is TLS: notes both for the deadlines, and lets in no more than
/// is wanted.
///
/// The decoder cannot be stopped in the midst of what it is given, and 64 KiB may hold thousands of requests. So it is
/// given little at a time, and the rest waits here, undecoded, until there is room.
final class ByteHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    enum Intake {
        case open
        /// What comes waits, and nothing more is read.
        case held
        /// What comes is thrown away.
        case closed
    }

    /// As many bytes as the decoder is given at a time. The shortest request has 16.
    private static let portion = 1024

    private let deadlines: ConnectionDeadlines
    private let isPortioning: Bool
    private var intake = Intake.open
    private var waiting = ByteBuffer()
    private var isFeeding = false
    private var isReadOwed = false
    private var isEndOwed = false
    private var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - deadlines: those of the connection.
    ///   - isPortioning: whether requests begin and end in what comes, as with HTTP/1.1; HTTP/2 has limits of its own.
    init(_ deadlines: ConnectionDeadlines, isPortioning: Bool) {
        self.deadlines = deadlines
        self.isPortioning = isPortioning
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    /// Says what is to become of what comes. Call on the event loop.
    func setIntake(_ intake: Intake) {
        guard self.intake != .closed else { return }
        self.intake = intake
        if intake == .closed { waiting.clear() }
    }

    /// Lets in what has waited, as far as there is room now.
    func resume() {
        guard let context, !isFeeding, intake != .held else { return }
        if waiting.readableBytes > 0 {
            feed(context)
            deadlines.settle()
            context.fireChannelReadComplete()
        }
        guard !mustWait else { return }
        if isEndOwed {
            isEndOwed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if isReadOwed {
            isReadOwed = false
            context.read()
        }
    }

    private var mustWait: Bool { intake == .held || waiting.readableBytes > 0 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if intake == .closed { return }
        guard isPortioning else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        if !mustWait, !isFeeding, bytes.readableBytes <= Self.portion {
            deadlines.bytesCame()
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
            deadlines.bytesCame()
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
        if mustWait { isReadOwed = true } else { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        deadlines.writeBegan()
        promise.futureResult.assumeIsolated().whenComplete { [deadlines] _ in deadlines.writeEnded() }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { deadlines.serviceEnds() }
        // The end must not overtake what came before it.
        if let event = event as? ChannelEvent, event == .inputClosed, mustWait {
            isEndOwed = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
