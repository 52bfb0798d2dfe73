import HTTPTypes
import Hummingbird
import HummingbirdCore
public import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import PhoneDomain

/// Responds to the requests of an HTTP/1.1 connection or of an HTTP/2 stream: in order, one at a time, and on the event
/// loop of the connection. It is the last handler.
///
/// Most requests arrive whole and most responses are in memory; then a request takes one task, and its response one write.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart
    typealias Responder = @Sendable (Request, Peer) async -> Response

    private let respond: Responder
    private let streamedResponses: AsyncStream<StreamedResponse>.Continuation
    private let peer: Peer
    private let maxBodyBytes: Int
    private let executor: EventLoopExecutor
    private var context: ChannelHandlerContext?
    /// The request whose body is arriving, unless its response has begun already.
    private var head: HTTPRequest?
    private var body = ByteBuffer()
    /// Of the request whose body is arriving, if its response has begun already.
    private var rest: EventLoopPromise<ByteBuffer>?
    private var waiting: [Request] = []
    private var isResponding = false
    private var isInputClosed = false

    init(
        _ respond: @escaping Responder,
        streamedResponses: AsyncStream<StreamedResponse>.Continuation,
        peer: Peer,
        maxBodyBytes: Int,
        eventLoop: any EventLoop
    ) {
        (self.respond, self.streamedResponses, self.peer) = (respond, streamedResponses, peer)
        (self.maxBodyBytes, executor) = (maxBodyBytes, EventLoopExecutor(eventLoop))
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        discardRequests()
    }

    func channelInactive(context: ChannelHandlerContext) {
        discardRequests()
        context.fireChannelInactive()
    }

    private func discardRequests() {
        waiting = []
        head = nil
        endBody(ChannelError.inputClosed)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            // A number too large to parse is too large.
            if let announced = head.headerFields.value(of: .contentLength), Int(announced) ?? .max > maxBodyBytes {
                endBody(Problem.bodyTooLarge(limit: maxBodyBytes))
            }
        case .body(var part):
            guard head != nil || rest != nil else { return }
            body.writeBuffer(&part)
            if body.readableBytes > maxBodyBytes { endBody(Problem.bodyTooLarge(limit: maxBodyBytes)) }
        case .end: endBody()
        }
    }

    /// - Parameter error: why there is no more of it.
    private func endBody(_ error: (any Error)? = nil) {
        let body = body
        self.body = ByteBuffer()
        if let head {
            self.head = nil
            handle(Request(head: head, body: error.map(failing) ?? RequestBody(buffer: body)))
        } else if let rest {
            self.rest = nil
            if let error { rest.fail(error) } else { rest.succeed(body) }
        }
    }

    private func failing(_ error: any Error) -> RequestBody {
        RequestBody(asyncSequence: BodyInTransit(bytes: executor.eventLoop.makeFailedFuture(error), awaited: nil))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let head {
            let promise = context.eventLoop.makePromise(of: ByteBuffer.self)
            rest = promise
            self.head = nil
            let awaited = head.headerFields.contains(.expect) ? context.channel : nil
            let body = BodyInTransit(bytes: promise.futureResult, awaited: awaited)
            handle(Request(head: head, body: RequestBody(asyncSequence: body)))
        }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { endInput() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        endBody(error)
        // After an invalid body the response says so.
        if !(error is HTTPParserError) { endInput() }
    }

    private func endInput() {
        isInputClosed = true
        closeIfFinished()
    }

    private func closeIfFinished() {
        guard isInputClosed, !isResponding, head == nil, rest == nil else { return }
        // After what is being written.
        context?.close(mode: .output, promise: nil)
    }

    private func handle(_ request: Request) {
        guard !isResponding else { return waiting.append(request) }
        isResponding = true
        let handler = NIOLoopBound(self, eventLoop: executor.eventLoop)
        Task(executorPreference: executor) { [respond, peer] in
            let response = await respond(request, peer)
            if response.body.contentLength == nil { return handler.value.stream(response, handler) }
            let body = BodyInMemory()
            // It throws nothing.
            try? await response.body.write(body)
            handler.value.send(response.head, body.bytes)
        }
    }

    private func send(_ head: HTTPResponse, _ body: ByteBuffer) {
        guard let context else { return }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        responseEnded()
    }

    private func stream(_ response: Response, _ handler: NIOLoopBound<RequestHandler>) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(.head(response.head)), promise: nil)
        let streamed = StreamedResponse(body: response.body, channel: context.channel) { handler.value.responseEnded() }
        if case .terminated = streamedResponses.yield(streamed) { context.close(promise: nil) }
    }

    private func responseEnded() {
        isResponding = false
        if waiting.isEmpty { closeIfFinished() } else { handle(waiting.removeFirst()) }
    }
}

/// The other end of a connection.
public struct Peer: Sendable {
    /// Of a client or a proxy; nil if it is unknown. A Unix domain socket's is 127.0.0.1: the other end is on this machine, and as
    /// behind any proxy on it, clients are distinguished if `server.trusted_proxies` lists that address.
    let address: IPAddress?
    /// Whether the connection has been closed already, so that its address is lost.
    let isAbandoned: Bool

    public init(_ channel: any NIOCore.Channel) {
        let remote = channel.remoteAddress
        let isOfUnixDomain = if case .unixDomainSocket? = channel.localAddress { true } else { false }
        address = isOfUnixDomain ? IPAddress(v4: 0x7F00_0001) : remote?.ipAddress.flatMap { IPAddress($0) }
        // A closed connection has no address.
        isAbandoned = remote == nil && !isOfUnixDomain
    }
}

/// Runs tasks on an event loop. They must not block it.
final class EventLoopExecutor: TaskExecutor {
    let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A body of which not everything has arrived: one part, or an error.
private struct BodyInTransit: AsyncSequence, Sendable {
    let bytes: EventLoopFuture<ByteBuffer>
    /// The channel whose client may wait for the body to be requested; nil if it does not.
    let awaited: (any NIOCore.Channel)?

    struct Iterator: AsyncIteratorProtocol {
        var body: BodyInTransit?

        mutating func next() async throws -> ByteBuffer? {
            guard let body else { return nil }
            self.body = nil
            body.awaited?.triggerUserOutboundEvent(BodyRequested(), promise: nil)
            return try await body.bytes.get()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }
}

/// The outbound event before the body of a request is read, whose client may wait for that (`Expect: 100-continue`).
struct BodyRequested: Sendable {}

/// The body of a response that is in memory already.
private final class BodyInMemory: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) {
        if bytes.readableBytes == 0 { bytes = buffer } else { bytes.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailers: HTTPFields?) {}
}

/// A response whose body is made while it is sent. It ends when the client has gone.
struct StreamedResponse: Sendable {
    let body: ResponseBody
    let channel: any NIOCore.Channel
    /// Called on the event loop.
    let didEnd: @Sendable () -> Void

    func run() async {
        let task = Task { try await body.write(Writer(channel: channel)) }
        channel.closeFuture.whenComplete { _ in task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        switch result {
        case .success: channel.eventLoop.execute(didEnd)
        case .failure: channel.close(promise: nil)
        }
    }

    private struct Writer: ResponseBodyWriter {
        let channel: any NIOCore.Channel

        func write(_ buffer: ByteBuffer) async throws { try await channel.writeAndFlush(HTTPResponsePart.body(buffer)) }

        func finish(_ trailers: HTTPFields?) async throws {
            try await channel.writeAndFlush(HTTPResponsePart.end(trailers))
        }
    }
}
