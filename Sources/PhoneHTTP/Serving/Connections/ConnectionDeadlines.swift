import NIOCore

/// The deadlines of one connection. What misses one is closed without a word: who sends a byte now and then, or reads
/// nothing, would not read that either.
///
/// Lives on the connection's event loop.
final class ConnectionDeadlines {
    private enum Stage {
        /// Nothing has come yet.
        case opening
        case idle
        case header
        case body
        /// The requests are there; how long their answers take is ours to see to.
        case answer
        /// The last answer has been given.
        case closing
    }

    private let limits: ConnectionLimits
    private let reading: Alarm
    private let writing: Alarm
    private let quiescing: Alarm
    private var stage = Stage.opening
    /// Whether the stage has begun since the alarm was set for one: most requests come whole, and need none.
    private var isUnsettled = false
    private var unanswered = 0
    private var streams = 0
    private var unsent = 0
    private var isQuiescing = false

    init(limits: ConnectionLimits, channel: any Channel) {
        self.limits = limits
        (reading, writing, quiescing) = (Alarm(closing: channel), Alarm(closing: channel), Alarm(closing: channel))
        reading.set(in: limits.firstByteTimeout)
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
            for alarm in [reading, writing, quiescing] { alarm.cancel() }
        }
    }

    /// Bytes have come, of which nothing more is known.
    func bytesCame() {
        switch stage {
        case .opening, .idle, .answer: enter(.header)
        case .header, .body, .closing: break
        }
    }

    func headerCame() {
        unanswered += 1
        enter(.body)
    }

    func requestEnded() {
        enter(unanswered > 0 ? .answer : .idle)
    }

    func answerEnded() {
        unanswered -= 1
        if stage == .answer, unanswered == 0 { enter(.idle) }
        settle()
    }

    /// The last answer is under way.
    func connectionCloses() {
        enter(.closing)
        settle()
    }

    /// What is spoken from here on is HTTP/2, where each stream keeps time by itself.
    func http2Begins() {
        stage = .answer
        reading.set(in: min(limits.firstByteTimeout, limits.idleTimeout + ConnectionLimits.lingerTimeout))
    }

    func streamOpened() {
        streams += 1
        if stage != .closing { reading.clear() }
    }

    func streamClosed() {
        streams -= 1
        if streams == 0, stage != .closing { waitForStream() }
    }

    /// A little longer than the client is given to take its leave in order.
    private func waitForStream() {
        reading.set(in: limits.idleTimeout + ConnectionLimits.lingerTimeout)
    }

    /// Sets the alarm for what the connection waits for now. Call when everything that came at a time has been taken in.
    func settle() {
        guard isUnsettled else { return }
        isUnsettled = false
        switch stage {
        case .opening: reading.set(in: limits.firstByteTimeout)
        case .idle: reading.set(in: limits.idleTimeout)
        case .header: reading.set(in: limits.headerTimeout)
        case .body: reading.set(in: limits.bodyTimeout)
        case .answer: reading.clear()
        case .closing: reading.set(in: ConnectionLimits.lingerTimeout)
        }
    }

    func writeBegan() {
        unsent += 1
        if unsent == 1 { writing.set(in: limits.writeTimeout) }
    }

    func writeEnded() {
        unsent -= 1
        if unsent > 0 { writing.set(in: limits.writeTimeout) } else { writing.clear() }
    }

    func serviceEnds() {
        guard !isQuiescing else { return }
        isQuiescing = true
        quiescing.set(in: ConnectionLimits.quiesceTimeout)
    }

    private func enter(_ stage: Stage) {
        guard self.stage != .closing else { return }
        self.stage = stage
        isUnsettled = true
    }
}
