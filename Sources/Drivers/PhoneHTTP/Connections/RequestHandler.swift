import HTTPTypes
public import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import PhoneDomain

/// Responds to the requests of an HTTP/1.1 connection or of an HTTP/2 stream: in order, one at a time, and on the event
/// loop of the connection. It is the last handler.
///
/// Most requests arrive whole and most responses are in memory; then a request takes one task, and its response one
/// write.
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
    /// The rest of the request whose body is arriving, if its response has begun already.
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
            if let announced = head.headerFields[.contentLength], Int(announced) ?? .max > maxBodyBytes {
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
            handle(Request(head: head, body: error.map(failing) ?? .whole(body)))
        } else if let rest {
            self.rest = nil
            if let error { rest.fail(error) } else { rest.succeed(body) }
        }
    }

    private func failing(_ error: any Error) -> RequestBody {
        .arriving(executor.eventLoop.makeFailedFuture(error), awaitedBy: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let head {
            let promise = context.eventLoop.makePromise(of: ByteBuffer.self)
            rest = promise
            self.head = nil
            let awaited = head.headerFields.contains(.expect) ? context.channel : nil
            handle(Request(head: head, body: .arriving(promise.futureResult, awaitedBy: awaited)))
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
        // What is being written is sent first.
        context?.close(mode: .output, promise: nil)
    }

    private func handle(_ request: Request) {
        guard !isResponding else { return waiting.append(request) }
        isResponding = true
        let handler = NIOLoopBound(self, eventLoop: executor.eventLoop)
        Task(executorPreference: executor) { [respond, peer] in
            let response = await respond(request, peer)
            switch response.body {
            case .whole(let bytes): handler.value.send(response.head, bytes)
            case .streamed(let write): handler.value.stream(response.head, write, handler)
            }
        }
    }

    private func send(_ head: HTTPResponse, _ body: ByteBuffer) {
        guard let context else { return }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        responseEnded()
    }

    private func stream(
        _ head: HTTPResponse,
        _ write: @escaping StreamedResponse.Body,
        _ handler: NIOLoopBound<RequestHandler>
    ) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        let streamed = StreamedResponse(write: write, channel: context.channel) { handler.value.responseEnded() }
        if case .terminated = streamedResponses.yield(streamed) { context.close(promise: nil) }
    }

    private func responseEnded() {
        isResponding = false
        if waiting.isEmpty { closeIfFinished() } else { handle(waiting.removeFirst()) }
    }
}

/// The other end of a connection.
public struct Peer: Sendable {
    /// The address of a client or a proxy; nil if it is unknown. A Unix domain socket's is 127.0.0.1: the other end is
    /// on this machine, and as behind any proxy on it, clients are distinguished if `server.trusted_proxies` lists that
    /// address.
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

/// A response whose body is made while it is sent. It ends when the client has gone.
struct StreamedResponse: Sendable {
    typealias Body = @Sendable (_ send: @Sendable (ByteBuffer) async throws -> Void) async throws -> Void

    let write: Body
    let channel: any NIOCore.Channel
    /// Called on the event loop.
    let didEnd: @Sendable () -> Void

    func run() async {
        let task = Task {
            try await write { part in try await channel.writeAndFlush(HTTPResponsePart.body(part)) }
            try await channel.writeAndFlush(HTTPResponsePart.end(nil))
        }
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
}
