import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOSSL
import NIOTLS

/// Sets up every connection that is accepted: HTTP/1.1, or what the client and TLS agree on (ALPN, RFC 7301): HTTP/2 if it
/// speaks that, else HTTP/1.1.
///
/// Hummingbird's own channels know neither certificates that change nor most of the limits.
struct ServingChannel: ServerChildChannel {
    typealias HTTP1Connection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    /// The streams with requests, as they come.
    typealias HTTP2Connection = AsyncStream<HTTP1Connection>

    enum Conversation: Sendable {
        case http1(HTTP1Connection)
        case http2(HTTP2Connection)
    }

    private struct TooManyConnections: Error {}

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// What is spoken, once that is known.
        let conversation: EventLoopFuture<Conversation>
    }

    private let limits: ConnectionLimits
    private let admission: Admission
    private let identity: TLSIdentityInUse?
    private let refusals: Refusals
    private let responder: HTTPChannelHandler.Responder

    /// - Parameters:
    ///   - limits: what a connection may use up.
    ///   - proxies: those that may have as many connections as there are.
    ///   - identity: the certificate to show; nil for no TLS.
    ///   - refusals: what is answered to what is no HTTP.
    ///   - responder: answers requests.
    init(
        limits: ConnectionLimits,
        proxies: TrustedProxies,
        identity: TLSIdentityInUse?,
        refusals: Refusals,
        responder: @escaping HTTPChannelHandler.Responder
    ) {
        self.limits = limits
        admission = Admission(limits: limits, proxies: proxies)
        self.identity = identity
        self.refusals = refusals
        self.responder = { [limits] request, writer, channel in
            var request = request
            request.limitBody(to: limits.maxBodyBytes, on: channel)
            try await responder(request, writer, channel)
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard admission.admit(channel) else {
            // The server takes an error here for its own.
            let refused: EventLoopFuture<Conversation> = channel.eventLoop.makeFailedFuture(TooManyConnections())
            return channel.eventLoop.makeSucceededFuture(Value(channel: channel, conversation: refused))
        }
        let deadlines = ConnectionDeadlines(limits: limits, channel: channel)
        return channel.eventLoop.makeCompletedFuture {
            guard let identity else {
                let conversation = Conversation.http1(try setUpHTTP1(channel, deadlines, isSecure: false))
                return Value(channel: channel, conversation: channel.eventLoop.makeSucceededFuture(conversation))
            }
            let pipeline = channel.pipeline.syncOperations
            let end = HandshakeEndHandler()
            try pipeline.addHandler(end)
            try pipeline.addHandler(
                NIOSSLServerHandler(
                    context: identity.context,
                    customVerificationCallback: nil,
                    configuration: NIOSSLHandler.Configuration()
                )
            )
            let bound = NIOLoopBound((deadlines: deadlines, end: end), eventLoop: channel.eventLoop)
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Conversation> { result, channel in
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
            return Value(channel: channel, conversation: negotiation.protocolNegotiationResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            // The wait for it is not one that cancellation would end.
            let conversation = try await withTaskCancellationHandler {
                try await value.conversation.get()
            } onCancel: {
                value.channel.close(promise: nil)
            }
            switch conversation {
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
                // A stream is to it a connection with one request.
                group.addTask { await HTTP1Channel(responder: responder).handle(value: stream, logger: logger) }
            }
        }
    }
}

extension Request {
    fileprivate mutating func limitBody(to limit: Int, on channel: any Channel) {
        let isHeldBack = headers[.expect] != nil
        body = RequestBody(
            asyncSequence: LimitedBody(
                body: body,
                announced: headers[.contentLength].map { Int($0) ?? .max },
                limit: limit,
                begin: { if isHeldBack { channel.triggerUserOutboundEvent(BodyWanted(), promise: nil) } }
            )
        )
    }
}
