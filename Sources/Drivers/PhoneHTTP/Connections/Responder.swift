public import NIOCore
import NIOHTTPTypes
import PhoneDomain

/// What responds to the requests of a connection, on its event loop.
struct Responder: Sendable {
    /// Calls back once, on any thread, with what makes the response on the event loop.
    typealias Respond =
        @Sendable (
            Request, Peer, any TaskExecutor, @escaping @Sendable (@escaping @Sendable () -> Response) -> Void
        ) -> Void

    private let respond: Respond
    private let streamedResponses: AsyncStream<StreamedResponse>.Continuation
    private let peer: Peer
    private let executor: EventLoopExecutor

    init(
        _ respond: @escaping Respond,
        streamedResponses: AsyncStream<StreamedResponse>.Continuation,
        for channel: any NIOCore.Channel
    ) {
        (self.respond, self.streamedResponses) = (respond, streamedResponses)
        (peer, executor) = (Peer(channel), EventLoopExecutor(channel.eventLoop))
    }

    var eventLoop: any EventLoop { executor.eventLoop }

    /// Call on the event loop, on which the closure is called later.
    func respond(to request: Request, _ send: @escaping (Response) -> Void) {
        let (send, eventLoop) = (NIOLoopBound(send, eventLoop: executor.eventLoop), executor.eventLoop)
        respond(request, peer, executor) { make in eventLoop.execute { send.value(make()) } }
    }

    /// Writes a body to the channel while it is made, and its end.
    func stream(_ write: @escaping StreamedResponse.Body, to channel: any NIOCore.Channel) {
        let streamed = StreamedResponse(write: write, channel: channel)
        if case .terminated = streamedResponses.yield(streamed) { channel.close(promise: nil) }
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
        if case .failure = result { channel.close(promise: nil) }
    }
}
