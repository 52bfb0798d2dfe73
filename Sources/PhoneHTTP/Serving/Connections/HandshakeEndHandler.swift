import NIOCore

/// Ends a connection at once on which nothing is spoken yet when the service ends: one who has not shaken hands has asked
/// for nothing. It stands in front of TLS, and goes when it is known what is spoken.
final class HandshakeEndHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
