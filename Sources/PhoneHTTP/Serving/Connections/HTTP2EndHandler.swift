import NIOCore
import NIOHTTP2
import NIOSSL

/// Closes a connection of HTTP/2 whose client has gone. Half of one is of no use: on HTTP/1.1 one may hang up and wait for
/// the answer, here the frames that say how much may be sent go missing.
final class HTTP2EndHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The end without the leave that TLS has for it.
        if error is NIOSSLError { context.close(promise: nil) }
        context.fireErrorCaught(error)
    }
}
