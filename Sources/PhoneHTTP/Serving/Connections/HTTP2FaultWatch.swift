import NIOCore
import NIOHTTP2

/// Ends a connection on which its client has been told that it is at fault. NIOHTTP2 says so, and leaves the rest to
/// others.
///
/// What is at fault with one stream only ends that stream; the errors that come through the pipeline do not tell which
/// they are, but the frames that are sent do. They also say how much of answers has gone out, for ``HTTP2FrameLimit``.
final class HTTP2FaultWatch: NIOHTTP2FrameDelegate {
    private let channel: any Channel
    private let bytes: ByteHandler
    private let frames: HTTP2FrameLimit
    private let deadlines: ConnectionDeadlines

    init(channel: any Channel, bytes: ByteHandler, frames: HTTP2FrameLimit, deadlines: ConnectionDeadlines) {
        self.channel = channel
        self.bytes = bytes
        self.frames = frames
        self.deadlines = deadlines
    }

    func wroteFrame(_ frame: HTTP2Frame) {
        if case .data = frame.payload { frames.partSent() }
        guard case .goAway(_, let code, _) = frame.payload, code != .noError else { return }
        bytes.setIntake(.closed)
        deadlines.connectionCloses()
        // Behind what sends the frame.
        channel.eventLoop.assumeIsolated().execute { [channel] in channel.close(mode: .output, promise: nil) }
    }
}
