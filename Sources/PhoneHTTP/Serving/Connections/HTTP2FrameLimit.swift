import NIOCore
import NIOHTTP2

/// Counts the frames of a client that cost it nothing and that NIOHTTP2 does not count, WINDOW_UPDATE and those of types
/// that nobody knows, and closes a connection that sends too many of them.
///
/// How many are right depends on what is done: who reads an answer gives room for the next bytes with each part of it, and
/// a browser sends PRIORITY_UPDATE (RFC 9218) with each request. So a request and a part of an answer each stand for some.
final class HTTP2FrameLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let framesPerRequest = 4
    private static let framesPerPart = 10

    private var frames = HTTP2FrameTypes()
    /// How many are still right for what was done.
    private var allowance = 0
    private var count = 0
    private var windowEnd: NIODeadline?
    private var isOver = false

    /// A part of an answer has been sent.
    func partSent() {
        allowance += Self.framesPerPart
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        frames.read(unwrapInboundIn(data)) { type in
            if type == .headers { allowance += Self.framesPerRequest }
            if type.isUncounted { note(at: context.eventLoop.now) }
        }
        guard count <= ConnectionLimits.maxIdleFrames else {
            isOver = true
            // As NIOHTTP2 does itself: none of its streams goes on.
            let end = HTTP2Frame.FramePayload.goAway(
                lastStreamID: .rootStream,
                errorCode: .enhanceYourCalm,
                opaqueData: nil
            )
            context.channel.writeAndFlush(HTTP2Frame(streamID: .rootStream, payload: end), promise: nil)
            return
        }
        context.fireChannelRead(data)
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
}

/// Finds the frames in what a client sends (RFC 9113 sections 3.4 and 4.1), however it is cut, and keeps none of it.
struct HTTP2FrameTypes {
    struct FrameType: RawRepresentable, Equatable {
        let rawValue: UInt8

        static let headers = FrameType(rawValue: 1)
        private static let windowUpdate: UInt8 = 8
        private static let continuation: UInt8 = 9
        private static let alternativeService: UInt8 = 10
        private static let origin: UInt8 = 12

        /// Whether NIOHTTP2 counts none of them.
        var isUncounted: Bool {
            switch rawValue {
            case Self.windowUpdate: true
            case ...Self.continuation, Self.alternativeService, Self.origin: false
            default: true
            }
        }
    }

    /// As many bytes as come before the next frame: of the one before, and at first of the client's preface.
    private var skipped = 24
    private var header = 0
    private var length = 0

    /// Calls back with the type of each frame whose length and type are there.
    mutating func read(_ bytes: ByteBuffer, _ found: (FrameType) -> Void) {
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
                    found(FrameType(rawValue: byte))
                    // The flags and the stream, and the payload.
                    skipped = 5 + length
                    (header, length) = (0, 0)
                }
            }
        }
    }
}
