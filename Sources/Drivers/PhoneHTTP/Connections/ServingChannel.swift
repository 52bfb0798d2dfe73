import NIOCore
import NIOSSL
import NIOTLS

/// Sets up every accepted connection: HTTP/1.1, or with TLS what ALPN negotiates (RFC 7301), preferably HTTP/2.
///
/// - `maxConnectionsPerAddress` and `maxOpenStreams`: ``Admission``;
/// - `firstByteTimeout`, `headerTimeout`, `bodyTimeout` and `writeTimeout`: ``ConnectionDeadlines``;
/// - HTTP/1.1's rules, `maxPipelinedRequests`, and responses to what is not HTTP: ``HTTP1Connection``;
/// - `maxHeaderBytes`, `maxBodyBytes` and the timeouts of one stream: ``HTTP2StreamHandler``;
/// - frames that cost a client nothing: ``HTTP2FrameHandler``;
/// - requests and their responses: ``Responder``.
struct ServingChannel: Sendable {
    private struct TooManyConnections: Error {}

    let limits: ConnectionLimits
    let admission: Admission
    let identity: TLSIdentityInUse?
    let refusals: Refusals
    let respond: Responder.Respond
    let streamedResponses: AsyncStream<StreamedResponse>.Continuation

    /// - Returns: a future that fails if the connection must be closed.
    func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            guard admission.admit(channel) else { throw TooManyConnections() }
            let deadlines = ConnectionDeadlines(limits: limits, channel: channel)
            guard let identity else { return try setUpHTTP1(channel, deadlines, isSecure: false) }
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
            let negotiation = ApplicationProtocolNegotiationHandler { result, channel in
                channel.pipeline.syncOperations.removeHandler(end, promise: nil)
                return channel.eventLoop.makeCompletedFuture {
                    switch result {
                    case .negotiated("h2"): try setUpHTTP2(channel, deadlines)
                    // Nothing else is offered.
                    case .negotiated, .fallback: try setUpHTTP1(channel, deadlines, isSecure: true)
                    }
                }
            }
            try pipeline.addHandler(negotiation)
        }
    }

    private func setUpHTTP1(_ channel: any Channel, _ deadlines: ConnectionDeadlines, isSecure: Bool) throws {
        let connection = HTTP1Connection(
            responder(for: channel),
            deadlines: deadlines,
            limits: limits,
            refusals: refusals,
            isSecure: isSecure
        )
        try connection.addHandlers(to: channel.pipeline.syncOperations)
    }

    private func setUpHTTP2(_ channel: any Channel, _ deadlines: ConnectionDeadlines) throws {
        try limits.addHTTP2Handlers(
            to: channel,
            deadlines: deadlines,
            admission: admission,
            refusals: refusals,
            responder: responder(for: channel)
        )
    }

    private func responder(for channel: any Channel) -> Responder {
        Responder(respond, streamedResponses: streamedResponses, for: channel)
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
