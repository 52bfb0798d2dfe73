import NIOCore
import NIOHTTP2

extension ConnectionLimits {
    /// What NIOHTTP2 is to hold a connection to. What is not set here keeps its standard there: of frames that cost
    /// nothing to send and something to take, PING and SETTINGS among them, 200 in 30 seconds; 5 CONTINUATION frames.
    var http2: NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: maxStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: maxHeaderBytes),
        ]
        configuration.stream.streamResetFrameRateLimit.maximumCount = maxStreamResets
        configuration.stream.streamResetFrameRateLimit.windowLength = TimeAmount(Self.resetWindow)
        return configuration
    }
}
