import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOSSL
import NIOTLS

/// Sets up every accepted connection: HTTP/1.1, or with TLS what ALPN negotiates (RFC 7301), preferably HTTP/2.
///
/// Hummingbird's own channels have the codecs, limits for headers and an idle timeout. What they do not have:
/// - certificates that change while the server runs;
/// - HTTP/1.1's rules for connections, and responses to what is not HTTP: ``HTTP1Handler``;
/// - `maxPipelinedRequests`: ``ByteHandler``;
/// - `firstByteTimeout`, `headerTimeout`, `bodyTimeout` and `writeTimeout`: ``ConnectionDeadlines``;
/// - `maxConnectionsPerAddress` and `maxOpenStreams`: ``Admission``;
/// - `maxBodyBytes` and the timeouts of one stream: ``HTTP2StreamHandler``;
/// - frames that cost a client nothing: ``HTTP2FrameHandler``.
struct ServingChannel: ServerChildChannel {
    typealias HTTP1Connection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    /// The streams with requests, as they arrive.
    typealias HTTP2Connection = AsyncStream<HTTP1Connection>

    enum NegotiatedConnection: Sendable {
        case http1(HTTP1Connection)
        case http2(HTTP2Connection)
    }

    private struct TooManyConnections: Error {}

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// Known after the TLS handshake.
        let connection: EventLoopFuture<NegotiatedConnection>
    }

    private let limits: ConnectionLimits
    private let admission: Admission
    private let identity: TLSIdentityInUse?
    private let refusals: Refusals
    private let responder: HTTPChannelHandler.Responder

    init(
        limits: ConnectionLimits,
        proxies: TrustedProxies,
        identity: TLSIdentityInUse?,
        refusals: Refusals,
        responder: @escaping HTTPChannelHandler.Responder
    ) {
        (self.limits, self.identity, self.refusals) = (limits, identity, refusals)
        admission = Admission(limits: limits, proxies: proxies)
        self.responder = { [limits] request, writer, channel in
            var request = request
            request.limitBody(to: limits.maxBodyBytes, on: channel)
            try await responder(request, writer, channel)
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard admission.admit(channel) else {
            // The server would take an error of this future for its own.
            let refused: EventLoopFuture<NegotiatedConnection> = channel.eventLoop.makeFailedFuture(
                TooManyConnections()
            )
            return channel.eventLoop.makeSucceededFuture(Value(channel: channel, connection: refused))
        }
        let deadlines = ConnectionDeadlines(limits: limits, channel: channel)
        return channel.eventLoop.makeCompletedFuture {
            guard let identity else {
                let connection = NegotiatedConnection.http1(try setUpHTTP1(channel, deadlines, isSecure: false))
                return Value(channel: channel, connection: channel.eventLoop.makeSucceededFuture(connection))
            }
            let pipeline = channel.pipeline.syncOperations
            let end = HandshakeShutdownHandler()
            try pipeline.addHandler(end)
            try pipeline.addHandler(
                NIOSSLServerHandler(
                    context: identity.current.context,
                    customVerificationCallback: nil,
                    configuration: NIOSSLHandler.Configuration()
                )
            )
            let bound = NIOLoopBound((deadlines: deadlines, end: end), eventLoop: channel.eventLoop)
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<NegotiatedConnection> { result, channel in
                channel.pipeline.syncOperations.removeHandler(bound.value.end, promise: nil)
                let deadlines = bound.value.deadlines
                return channel.eventLoop.makeCompletedFuture {
                    switch result {
                    case .negotiated("h2"): .http2(try setUpHTTP2(channel, deadlines))
                    // Nothing else is offered.
                    case .negotiated, .fallback: .http1(try setUpHTTP1(channel, deadlines, isSecure: true))
                    }
                }
            }
            try pipeline.addHandler(negotiation)
            return Value(channel: channel, connection: negotiation.protocolNegotiationResult)
        }
    }

    /// On the connection's own event loop, so that what a request does that waits for nothing needs no other thread.
    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) { await serve(value, logger) }
    }

    private func serve(_ value: Value, _ logger: Logger) async {
        do {
            // Cancellation alone would not end the wait.
            let connection = try await withTaskCancellationHandler {
                try await value.connection.get()
            } onCancel: {
                value.channel.close(promise: nil)
            }
            switch connection {
            case .http1(let connection):
                await HTTP1Channel(responder: responder).handle(value: connection, logger: logger)
            case .http2(let connection): await handle(connection, logger)
            }
        } catch {
            if error is TooManyConnections { value.channel.close(promise: nil) }
            logger.debug("a connection has ended", metadata: ["error": "\(error)"])
        }
    }

    private func setUpHTTP1(
        _ channel: any Channel,
        _ deadlines: ConnectionDeadlines,
        isSecure: Bool
    ) throws -> HTTP1Connection {
        try limits.addHTTP1Handlers(
            to: channel.pipeline.syncOperations,
            deadlines: deadlines,
            refusals: refusals,
            isSecure: isSecure
        )
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: NIOAsyncChannel.Configuration(isOutboundHalfClosureEnabled: true)
        )
    }

    private func setUpHTTP2(_ channel: any Channel, _ deadlines: ConnectionDeadlines) throws -> HTTP2Connection {
        let (requests, continuation) = HTTP2Connection.makeStream()
        try limits.addHTTP2Handlers(to: channel, deadlines: deadlines, admission: admission) { stream in
            if case .terminated = continuation.yield(stream) { stream.channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { _ in continuation.finish() }
        return requests
    }

    private func handle(_ connection: HTTP2Connection, _ logger: Logger) async {
        await withDiscardingTaskGroup { group in
            for await stream in connection {
                // To Hummingbird a stream is a connection with one request.
                group.addTask { await HTTP1Channel(responder: responder).handle(value: stream, logger: logger) }
            }
        }
    }
}

/// Runs tasks on an event loop. They must not block it.
private final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension Request {
    fileprivate mutating func limitBody(to limit: Int, on channel: any Channel) {
        let awaitsContinue = headers[.expect] != nil
        body = RequestBody(
            asyncSequence: LimitedBody(
                body: body,
                announced: headers[.contentLength].map { Int($0) ?? .max },
                limit: limit,
                begin: { if awaitsContinue { channel.triggerUserOutboundEvent(BodyRequested(), promise: nil) } }
            )
        )
    }
}

/// At shutdown closes connections that are still in the TLS handshake: they have requested nothing. It is in front of
/// TLS until the protocol is known.
final class HandshakeShutdownHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}

/// The body of a request, which throws a ``Problem`` where it exceeds the limit. If the announced
/// length is too long, reading does not even begin.
struct LimitedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let announced: Int?
    let limit: Int
    /// Called when the first part is read.
    let begin: @Sendable () -> Void

    struct Iterator: AsyncIteratorProtocol {
        let sequence: LimitedBody
        var base: RequestBody.AsyncIterator
        var count = 0
        var hasBegun = false

        mutating func next() async throws -> ByteBuffer? {
            if !hasBegun {
                hasBegun = true
                if let announced = sequence.announced, announced > sequence.limit {
                    throw Problem.bodyTooLarge(limit: sequence.limit)
                }
                sequence.begin()
            }
            guard let bytes = try await base.next(isolation: #isolation) else { return nil }
            count += bytes.readableBytes
            guard count <= sequence.limit else { throw Problem.bodyTooLarge(limit: sequence.limit) }
            return bytes
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self, base: body.makeAsyncIterator()) }
}

/// The outbound event before the body of a request is read, whose client may wait for that (`Expect: 100-continue`).
struct BodyRequested: Sendable {}
