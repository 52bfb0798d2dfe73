import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import NIOSSL
import NIOTLS

/// Sets up every connection that is accepted: HTTP/1.1, or what the client and TLS agree on (ALPN, RFC 7301): HTTP/2 if it
/// speaks that, else HTTP/1.1.
///
/// Hummingbird's own channels know neither certificates that change nor most of the limits.
struct ServingChannel: ServerChildChannel {
    typealias HTTP1Connection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    typealias HTTP2Connection = NIOHTTP2Handler.AsyncStreamMultiplexer<HTTP1Connection>

    enum Conversation: Sendable {
        case http1(HTTP1Connection)
        case http2(HTTP2Connection)
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// What is spoken, once that is known.
        let conversation: EventLoopFuture<Conversation>
    }

    private let limits: ConnectionLimits
    private let identity: TLSIdentityInUse?
    private let refusals: Refusals
    private let responder: HTTPChannelHandler.Responder

    /// - Parameters:
    ///   - limits: what a connection may use up.
    ///   - identity: the certificate to show; nil for no TLS.
    ///   - refusals: what is answered to what is no HTTP.
    ///   - responder: answers requests.
    init(
        limits: ConnectionLimits,
        identity: TLSIdentityInUse?,
        refusals: Refusals,
        responder: @escaping HTTPChannelHandler.Responder
    ) {
        self.limits = limits
        self.identity = identity
        self.refusals = refusals
        self.responder = { [limits] request, writer, channel in
            var request = request
            request.limitBody(to: limits.maxBodyBytes, on: channel)
            try await responder(request, writer, channel)
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
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
            case .http2(let connection): try await handle(connection, logger)
            }
        } catch {
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
        let pipeline = channel.pipeline.syncOperations
        let bytes = ByteHandler(deadlines, isPortioning: false)
        // Takes leave in order, of one who is silent and when the service ends.
        let manager = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: NIOHTTP2ServerConnectionManagementHandler.Configuration(
                maxIdleTime: TimeAmount(limits.idleTimeout),
                maxAge: nil,
                maxGraceTime: TimeAmount(ConnectionLimits.quiesceTimeout),
                keepalive: nil
            )
        )
        let bound = NIOLoopBound(deadlines, eventLoop: channel.eventLoop)
        deadlines.http2Begins()
        try pipeline.addHandler(bytes)
        let connection: HTTP2Connection = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server,
            streamDelegate: manager.http2StreamDelegate,
            frameDelegate: HTTP2FaultWatch(channel: channel, bytes: bytes, deadlines: deadlines),
            configuration: limits.http2
        ) { stream in
            bound.value.streamOpened()
            stream.closeFuture.whenComplete { _ in bound.value.streamClosed() }
            return stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                try pipeline.addHandler(HTTP2StreamHandler(limits: limits, channel: stream))
                return try NIOAsyncChannel(wrappingChannelSynchronously: stream)
            }
        }
        try pipeline.addHandler(manager)
        try pipeline.addHandler(HTTP2EndHandler())
        return connection
    }

    private func handle(_ connection: HTTP2Connection, _ logger: Logger) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for try await stream in connection.inbound {
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
