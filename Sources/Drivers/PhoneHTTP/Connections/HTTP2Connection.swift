import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2

extension ConnectionLimits {
    func addHTTP2Handlers(
        to channel: any Channel,
        deadlines: ConnectionDeadlines,
        admission: Admission,
        refusals: Refusals,
        responder: Responder
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        let frames = HTTP2FrameHandler(channel: channel, deadlines: deadlines)
        // Closes in order (GOAWAY) when idle, and at shutdown.
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
            (deadlines: deadlines, streams: Admission.Streams(admission)),
            eventLoop: channel.eventLoop
        )
        deadlines.http2Begins()
        try pipeline.addHandler(frames)
        // Its sequence of streams is not used: those with a request are enough.
        _ = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server,
            streamDelegate: manager.http2StreamDelegate,
            frameDelegate: frames,
            configuration: http2
        ) { stream in
            let (deadlines, streams) = bound.value
            deadlines.streamOpened()
            stream.closeFuture.whenComplete { _ in bound.value.deadlines.streamClosed() }
            return stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                try pipeline.addHandler(
                    HTTP2StreamHandler(
                        limits: self,
                        streams: streams,
                        refusals: refusals,
                        channel: stream,
                        responder: responder
                    )
                )
            }
        }
        try pipeline.addHandler(manager)
    }

    /// The limits that NIOHTTP2 enforces. The rest has its defaults: 200 in 30 seconds of frames that cost nothing to
    /// send and something to handle, such as PING and SETTINGS.
    private var http2: NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: maxStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: maxHeaderBytesRead),
        ]
        // As many frames as that takes.
        configuration.connection.maximumSequentialContinuationFrames = maxHeaderBytesRead / 16_384
        configuration.stream.streamResetFrameRateLimit.maximumCount = maxStreamResets
        configuration.stream.streamResetFrameRateLimit.windowLength = TimeAmount(Self.resetWindow)
        return configuration
    }
}

/// Where bytes enter and leave an HTTP/2 connection, inside TLS: reports what is written to the deadlines, and closes a
/// connection whose client sends too many frames that cost it nothing, whose client has closed its side, or
/// which has sent GOAWAY with an error, after which NIOHTTP2 leaves the rest to others.
///
/// The frames are those that NIOHTTP2 does not count: WINDOW_UPDATE and unknown types. How many are legitimate depends
/// on the traffic: a client grants credit with each part of a response, and browsers send PRIORITY_UPDATE (RFC 9218)
/// with each request. So each request and each part of a response allows for some.
final class HTTP2FrameHandler: ChannelDuplexHandler, NIOHTTP2FrameDelegate {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData

    private static let framesPerRequest = 4
    private static let framesPerPart = 10

    private let channel: any Channel
    private let deadlines: ConnectionDeadlines
    private var settings = HTTP2SettingsInForce()
    private var frames = HTTP2FrameTypes()
    /// How many more the traffic so far allows for.
    private var allowance = 0
    private var count = 0
    private var windowEnd: NIODeadline?
    private var isFinished = false

    init(channel: any Channel, deadlines: ConnectionDeadlines) {
        (self.channel, self.deadlines) = (channel, deadlines)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isFinished else { return }
        frames.read(unwrapInboundIn(data)) { type in
            // HEADERS.
            if type == 1 { allowance += Self.framesPerRequest }
            if Self.isUncounted(type) { note(at: context.eventLoop.now) }
        }
        guard count <= ConnectionLimits.maxIdleFrames else {
            isFinished = true
            // As NIOHTTP2 itself does: none of its streams continues.
            let end = HTTP2Frame.FramePayload.goAway(
                lastStreamID: .rootStream,
                errorCode: .enhanceYourCalm,
                opaqueData: nil
            )
            return channel.writeAndFlush(HTTP2Frame(streamID: .rootStream, payload: end), promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(settings.pass(unwrapInboundIn(data))))
    }

    private static func isUncounted(_ type: UInt8) -> Bool {
        switch type {
        // WINDOW_UPDATE.
        case 8: true
        // DATA to CONTINUATION; ALTSVC; ORIGIN.
        case 0...9, 10, 12: false
        default: true
        }
    }

    private func note(at now: NIODeadline) {
        if allowance > 0 {
            allowance -= 1
            return
        }
        if windowEnd.map({ now >= $0 }) ?? true {
            windowEnd = now + TimeAmount(ConnectionLimits.resetWindow)
            count = 0
        }
        count += 1
    }

    /// An error of one stream ends only that stream; errors in the pipeline do not say which kind they are, but the
    /// frames sent do.
    func wroteFrame(_ frame: HTTP2Frame) {
        if case .data = frame.payload { allowance += Self.framesPerPart }
        guard case .goAway(_, let code, _) = frame.payload, code != .noError else { return }
        isFinished = true
        deadlines.connectionCloses()
        // The frame is sent first.
        channel.eventLoop.assumeIsolated().execute { [channel] in channel.close(mode: .output, promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: deadlines.writing.tracking(promise, on: context.eventLoop))
    }

    /// On HTTP/1.1 a client may close its side and wait for the response; on HTTP/2 the frames that grant flow-control
    /// credit would be missing.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { deadlines.shutdownBegins() }
        if let event = event as? ChannelEvent, event == .inputClosed { channel.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

/// Puts the server's settings into force before the client's first request: it acknowledges them on the client's behalf,
/// behind the client's own, and leaves the client's acknowledgement out.
///
/// NIOHTTP2 applies them when they are acknowledged, and until then its default of 16 KiB for a header list. But clients
/// send their first request before they have seen any settings.
struct HTTP2SettingsInForce {
    private static let acknowledgement: [UInt8] = [0, 0, 0, 4, 1, 0, 0, 0, 0]

    /// The bytes until the next frame; initially the client's preface.
    private var skipped = 24
    /// What has come of the next frame's header.
    private var header: [UInt8] = []
    private var hasHeader = false
    private var isAcknowledged = false
    /// Whether the client's own acknowledgement has come.
    private var isDone = false

    /// Returns what NIOHTTP2 is to get of these bytes.
    mutating func pass(_ bytes: ByteBuffer) -> ByteBuffer {
        if isDone { return bytes }
        var (bytes, passed) = (bytes, ByteBuffer())
        while !isDone, bytes.readableBytes > 0 {
            if skipped > 0 {
                let part = bytes.readSlice(length: min(skipped, bytes.readableBytes)) ?? ByteBuffer()
                skipped -= part.readableBytes
                passed.writeImmutableBuffer(part)
            } else {
                let missing = Self.acknowledgement.count - header.count
                header += bytes.readBytes(length: min(missing, bytes.readableBytes)) ?? []
                guard header.count == Self.acknowledgement.count else { break }
                isDone = isAcknowledged && header == Self.acknowledgement
                if !isDone { passed.writeBytes(header) }
                skipped = header.prefix(3).reduce(0) { $0 << 8 | Int($1) }
                (header, hasHeader) = ([], true)
            }
            if hasHeader, skipped == 0, !isAcknowledged {
                isAcknowledged = true
                passed.writeBytes(Self.acknowledgement)
            }
        }
        passed.writeBuffer(&bytes)
        return passed
    }
}

/// Finds the frames in a byte stream (RFC 9113 sections 3.4 and 4.1), however it is split, without buffering.
struct HTTP2FrameTypes {
    /// The bytes until the next frame; initially the client's preface.
    private var skipped = 24
    private var header = 0
    private var length = 0

    mutating func read(_ bytes: ByteBuffer, _ found: (_ type: UInt8) -> Void) {
        bytes.withUnsafeReadableBytes { bytes in
            var index = 0
            while index < bytes.count {
                if skipped > 0 {
                    let step = min(skipped, bytes.count - index)
                    skipped -= step
                    index += step
                    continue
                }
                let byte = bytes[index]
                index += 1
                if header < 3 {
                    length = length << 8 | Int(byte)
                    header += 1
                } else {
                    found(byte)
                    // The flags and the stream ID, and the payload.
                    skipped = 5 + length
                    (header, length) = (0, 0)
                }
            }
        }
    }
}
