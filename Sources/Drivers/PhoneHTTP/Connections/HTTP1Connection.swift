import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// One HTTP/1.0 or HTTP/1.1 connection, inside TLS: has its requests responded to in order and one at a time, and writes
/// the responses as bytes.
///
/// Most requests arrive whole and most responses are in memory; then a request takes one task, and its response one
/// write.
///
/// The decoder cannot be paused within a buffer, and 64 KiB can contain thousands of requests. So it gets small
/// portions, and the rest waits here, undecoded, until there is room.
final class HTTP1Connection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    /// The body of a streamed response, in parts, and its end.
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = IOData

    /// The most bytes that the decoder gets at a time. The shortest request has 16.
    private static let portion = 1024
    /// Larger parts of a body are not copied.
    private static let copiedBytes = 8192

    private let responder: Responder
    private let deadlines: ConnectionDeadlines
    private let limits: ConnectionLimits
    private let refusals: Refusals
    private let isSecure: Bool
    private let decoder: HTTPRequestDecoder
    private var context: ChannelHandlerContext?

    /// What the decoder has not consumed, of which it has seen the first bytes: the beginning of a field.
    private var input = ByteBuffer()
    private var seenBytes = 0
    private var isDecoding = false
    private var isReadPending = false
    private var isEndPending = false
    private var isInputClosed = false

    /// Those that wait for their responses, oldest first.
    private var exchanges: [HTTP1Exchange] = []
    private var isReadingBody = false
    private var bodyBytes = 0
    private var body = ByteBuffer()
    /// The rest of the request whose body is arriving, if the service has the request already.
    private var rest: EventLoopPromise<ByteBuffer>?
    private var takesRequests = true
    /// What came after the last valid request; it gets its response after theirs.
    private var fault: Refusals.Fault?

    private var isResponding = false
    private var isChunked = false
    /// Whether the response being written is the last one.
    private var isEnding = false
    private var isClosing = false
    private var hasClosedOutput = false

    init(
        _ responder: Responder,
        deadlines: ConnectionDeadlines,
        limits: ConnectionLimits,
        refusals: Refusals,
        isSecure: Bool
    ) {
        (self.responder, self.deadlines, self.limits) = (responder, deadlines, limits)
        (self.refusals, self.isSecure) = (refusals, isSecure)
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = limits.maxHeaderBytes
        decoding.maxHeaderListSize = limits.maxHeaderBytes
        decoding.maxHeaderFieldCount = ConnectionLimits.maxHeaderFields
        decoder = HTTPRequestDecoder(limitConfiguration: decoding)
    }

    /// The decoder passes what it finds on to the next handler, which brings it back.
    private final class Parts: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart

        private let connection: HTTP1Connection

        init(of connection: HTTP1Connection) { self.connection = connection }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): connection.headReceived(head)
            case .body(let part): connection.bodyReceived(part)
            case .end: connection.requestEnded()
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { connection.faultReceived(error) }
    }

    func addHandlers(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.addHandler(self)
        try pipeline.addHandler(Parts(of: self))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        decoder.decoderAdded(context: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        decoder.decoderRemoved(context: context)
        self.context = nil
        discardRequests()
    }

    func channelInactive(context: ChannelHandlerContext) {
        decodeEnd(context)
        discardRequests()
    }

    private func discardRequests() {
        (exchanges, isResponding) = ([], false)
        endBody(ChannelError.inputClosed)
    }

    // MARK: - Bytes

    private var ignoresInput: Bool { !takesRequests && !isReadingBody }
    private var isFull: Bool { exchanges.count >= limits.maxPipelinedRequests && !isReadingBody && takesRequests }
    private var isPaused: Bool { isFull || input.readableBytes > seenBytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if ignoresInput { return }
        var bytes = unwrapInboundIn(data)
        if input.readableBytes == 0 {
            input = bytes
        } else {
            input.discardReadBytes()
            input.writeBuffer(&bytes)
        }
        decode(context)
    }

    private func decode(_ context: ChannelHandlerContext) {
        guard !isDecoding else { return }
        isDecoding = true
        while !isFull, !ignoresInput, input.readableBytes > seenBytes {
            let count = min(input.readableBytes, seenBytes + Self.portion)
            guard var portion = input.getSlice(at: input.readerIndex, length: count) else { break }
            deadlines.bytesReceived()
            do { _ = try decoder.decode(context: context, buffer: &portion) } catch { faultReceived(error) }
            seenBytes = portion.readableBytes
            input.moveReaderIndex(forwardBy: count - seenBytes)
        }
        isDecoding = false
        // A buffer that was large once must not stay so for as long as the connection lasts.
        if ignoresInput || input.readableBytes == 0 { (input, seenBytes) = (ByteBuffer(), 0) }
    }

    private func decodeEnd(_ context: ChannelHandlerContext) {
        guard !isInputClosed, !ignoresInput, !isPaused else { return }
        do { _ = try decoder.decodeLast(context: context, buffer: &input, seenEOF: true) } catch {
            faultReceived(error)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let exchange = exchanges.last, !exchange.isReady {
            let promise = context.eventLoop.makePromise(of: ByteBuffer.self)
            rest = promise
            let awaiting = exchange.request.headers.contains(.expect) ? context.channel : nil
            exchange.request.body = .arriving(promise.futureResult, awaitedBy: awaiting)
            exchange.isReady = true
            respondToNext()
        }
        deadlines.settle()
    }

    func read(context: ChannelHandlerContext) {
        if isPaused { isReadPending = true } else { context.read() }
    }

    private func resume() {
        guard let context, !isDecoding, !isFull else { return }
        if input.readableBytes > seenBytes {
            decode(context)
            channelReadComplete(context: context)
        }
        guard !isPaused else { return }
        if isEndPending {
            isEndPending = false
            inputClosed(context)
        }
        if isReadPending {
            isReadPending = false
            context.read()
        }
    }

    // MARK: - Requests

    private func headReceived(_ head: HTTPRequestHead) {
        guard takesRequests else { return }
        do {
            let exchange = try HTTP1Exchange(head, limits: limits, isSecure: isSecure)
            exchanges.append(exchange)
            (isReadingBody, bodyBytes) = (true, 0)
            deadlines.headReceived()
            if exchange.isTooLong { endBody(Problem.bodyTooLarge(limit: limits.maxBodyBytes)) }
        } catch {
            refuse(error)
        }
    }

    private func bodyReceived(_ part: ByteBuffer) {
        guard isReadingBody else { return }
        exchanges.last?.expectsContinue = false
        bodyBytes += part.readableBytes
        if bodyBytes > limits.maxBodyBytes {
            endBody(Problem.bodyTooLarge(limit: limits.maxBodyBytes))
            // It has its response already, so its client does not wait for the rest.
            if exchanges.isEmpty { closeAfterBody() }
        } else if rest != nil || exchanges.last?.isReady == false {
            body.writeImmutableBuffer(part)
        }
    }

    private func requestEnded() {
        guard isReadingBody else { return }
        isReadingBody = false
        if let exchange = exchanges.last, exchange.isLast { takesRequests = false }
        deadlines.requestEnded()
        endBody()
    }

    /// - Parameter error: why there is no more of it.
    private func endBody(_ error: (any Error)? = nil) {
        let body = body
        self.body = ByteBuffer()
        if let exchange = exchanges.last, !exchange.isReady {
            exchange.isReady = true
            exchange.request.body = error.map { .failing($0, on: responder.eventLoop) } ?? .whole(body)
            respondToNext()
        } else if let rest {
            self.rest = nil
            if let error { rest.fail(error) } else { rest.succeed(body) }
        }
    }

    /// The input is not HTTP.
    private func faultReceived(_ error: any Error) {
        guard !ignoresInput else { return }
        guard isReadingBody else {
            return refuse((error as? HTTPParserError) == .headerOverflow ? .headerTooLarge : .malformed)
        }
        if exchanges.isEmpty { return closeAfterBody() }
        exchanges.last?.isLast = true
        (takesRequests, isReadingBody) = (false, false)
        deadlines.requestEnded()
        // Its response says so.
        endBody(error)
    }

    private func refuse(_ fault: Refusals.Fault) {
        takesRequests = false
        if !exchanges.isEmpty { self.fault = fault } else if let context { respond(to: fault, context) }
    }

    // MARK: - Responses

    private func respondToNext() {
        guard !isResponding, let exchange = exchanges.first, exchange.isReady else { return }
        isResponding = true
        responder.respond(to: exchange.request, send)
    }

    private func send(_ response: Response) {
        guard let context, let exchange = exchanges.first else { return }
        // A body that was never requested may come or not: it could not be distinguished from the next request.
        isEnding = exchange.isLast || exchange.expectsContinue
        if isEnding { takesRequests = false }
        let connection: StaticString? = isEnding ? "close" : exchange.isVersion10 ? "keep-alive" : nil
        let written = write(response, connection: connection, context)
        if case .streamed(let write) = response.body {
            responder.stream(write, to: context.channel)
        } else {
            responseEnded(written, context)
        }
    }

    private func respond(to fault: Refusals.Fault, _ context: ChannelHandlerContext) {
        close(after: write(refusals.response(to: fault), connection: "close", context), context)
    }

    private func write(
        _ response: Response,
        connection: StaticString?,
        _ context: ChannelHandlerContext
    ) -> EventLoopFuture<Void> {
        var output = context.channel.allocator.buffer(capacity: 1024)
        isChunked = output.writeHead(of: response, connection: connection)
        guard case .whole(let body) = response.body else { return write([output], context) }
        if body.readableBytes > Self.copiedBytes { return write([output, body], context) }
        output.writeImmutableBuffer(body)
        return write([output], context)
    }

    /// - Returns: when the last of it has been written.
    private func write(
        _ parts: [ByteBuffer],
        _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>? = nil
    ) -> EventLoopFuture<Void> {
        let written = deadlines.writing.tracking(promise, on: context.eventLoop)
        for part in parts.dropLast() { context.write(wrapOutboundOut(.byteBuffer(part)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(parts.last ?? ByteBuffer())), promise: written)
        return written.futureResult
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .body(let part) where part.readableBytes > 0 && isResponding:
            let size = ByteBuffer(string: String(part.readableBytes, radix: 16) + "\r\n")
            let parts = isChunked ? [size, part, ByteBuffer(string: "\r\n")] : [part]
            _ = write(parts, context, promise)
        case .end where isResponding:
            let end = isChunked ? ByteBuffer(string: "0\r\n\r\n") : ByteBuffer()
            responseEnded(write([end], context, promise), context)
        // An empty chunk would be the last one; and the connection may have ended with another response.
        case .head, .body, .end: promise?.succeed()
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyRequested else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if let exchange = exchanges.first, exchange.expectsContinue, !isEnding {
            exchange.expectsContinue = false
            _ = write([ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")], context)
        }
        promise?.succeed()
    }

    private func responseEnded(_ written: EventLoopFuture<Void>, _ context: ChannelHandlerContext) {
        // A write that fails closes the channel, which discards the requests.
        guard isResponding else { return }
        isResponding = false
        // It may have become the last one since its response began.
        if exchanges.removeFirst().isLast || isEnding {
            close(after: written, context)
        } else if exchanges.isEmpty, let fault {
            respond(to: fault, context)
        } else {
            deadlines.responseEnded()
            respondToNext()
        }
        closeIfFinished(context)
        resume()
    }

    // MARK: - The end

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { shutdownBegins(context) }
        guard let event = event as? ChannelEvent, event == .inputClosed else { return }
        // The end must not overtake what came before it.
        if isPaused { isEndPending = true } else { inputClosed(context) }
    }

    /// The requests received so far are the last ones.
    private func shutdownBegins(_ context: ChannelHandlerContext) {
        deadlines.shutdownBegins()
        takesRequests = false
        if let exchange = exchanges.last { exchange.isLast = true } else { context.close(promise: nil) }
    }

    private func inputClosed(_ context: ChannelHandlerContext) {
        decodeEnd(context)
        isInputClosed = true
        // Both sides have closed.
        if hasClosedOutput { context.close(promise: nil) }
        closeIfFinished(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        endBody(error)
        isInputClosed = true
        closeIfFinished(context)
    }

    private func closeIfFinished(_ context: ChannelHandlerContext) {
        guard isInputClosed, exchanges.isEmpty, rest == nil else { return }
        // What is being written is sent first.
        context.close(mode: .output, promise: nil)
    }

    private func closeAfterBody() {
        (takesRequests, isReadingBody) = (false, false)
        if let context { close(after: context.eventLoop.makeSucceededVoidFuture(), context) }
    }

    /// Closes the output, and discards input for a while.
    private func close(after written: EventLoopFuture<Void>, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        isClosing = true
        deadlines.connectionCloses()
        written.assumeIsolated().whenComplete { [self] _ in
            hasClosedOutput = true
            context.close(mode: .output, promise: nil)
        }
    }
}
