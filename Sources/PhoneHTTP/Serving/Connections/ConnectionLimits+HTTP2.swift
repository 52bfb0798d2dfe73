import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2

extension ConnectionLimits {
    /// Adds what makes requests out of frames, and frames out of answers, and holds both to these limits.
    ///
    /// - Parameters:
    ///   - channel: the connection.
    ///   - deadlines: its deadlines.
    ///   - admission: counts its streams.
    ///   - handOver: takes each stream whose request is there; called on the event loop.
    func addHTTP2Handlers(
        to channel: any Channel,
        deadlines: ConnectionDeadlines,
        admission: Admission,
        handOver: @escaping (HTTP2StreamHandler.Stream) -> Void
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let bytes = ByteHandler(deadlines, isPortioning: false)
        let frames = HTTP2FrameLimit()
        // Takes leave in order, of one who is silent and when the service ends.
        let manager = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: NIOHTTP2ServerConnectionManagementHandler.Configuration(
                maxIdleTime: TimeAmount(idleTimeout),
                maxAge: nil,
                maxGraceTime: TimeAmount(ConnectionLimits.quiesceTimeout),
                keepalive: nil
            )
        )
        let bound = NIOLoopBound(
            (deadlines: deadlines, streams: Admission.Streams(admission), handOver: handOver),
            eventLoop: channel.eventLoop
        )
        deadlines.http2Begins()
        try pipeline.addHandler(bytes)
        try pipeline.addHandler(frames)
        // Nobody reads its sequence of streams: those that are ready are enough.
        _ = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server,
            streamDelegate: manager.http2StreamDelegate,
            frameDelegate: HTTP2FaultWatch(channel: channel, bytes: bytes, frames: frames, deadlines: deadlines),
            configuration: http2
        ) { stream in
            let (deadlines, streams, handOver) = bound.value
            deadlines.streamOpened()
            stream.closeFuture.whenComplete { _ in bound.value.deadlines.streamClosed() }
            return stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                try pipeline.addHandler(
                    HTTP2StreamHandler(limits: self, streams: streams, channel: stream, handOver: handOver)
                )
            }
        }
        try pipeline.addHandler(manager)
        try pipeline.addHandler(HTTP2EndHandler())
    }

    /// What NIOHTTP2 is to hold a connection to. What is not set here keeps its standard there: of frames that cost
    /// nothing to send and something to take, PING and SETTINGS among them, 200 in 30 seconds; 5 CONTINUATION frames.
    private var http2: NIOHTTP2Handler.Configuration {
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
