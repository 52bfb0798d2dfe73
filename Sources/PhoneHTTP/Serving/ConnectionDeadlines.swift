import NIOCore

/// The deadlines of one connection. What misses one is closed without a word: who sends a byte now and then, or reads
/// nothing, would not read that either.
///
/// Lives on the connection's event loop.
final class ConnectionDeadlines {
    private enum Stage {
        case idle
        case header
        case body
        /// The request is there; how long its answer takes is ours to see to.
        case answer
    }

    private let limits: ConnectionLimits
    private let channel: any Channel
    private var stage = Stage.idle
    private var isAnswered = false
    private var reading: Scheduled<Void>?
    private var unsent = 0
    private var writing: Scheduled<Void>?
    private var quiescing: Scheduled<Void>?

    init(limits: ConnectionLimits, channel: any Channel) {
        self.limits = limits
        self.channel = channel
    }

    func bytesCame() {
        if stage == .idle { enter(.header, atMost: limits.headerTimeout) }
    }

    func headerCame() {
        isAnswered = false
        enter(.body, atMost: limits.bodyTimeout)
    }

    func requestEnded() {
        enter(isAnswered ? .idle : .answer, atMost: nil)
    }

    func answerEnded() {
        isAnswered = true
        if stage == .answer { enter(.idle, atMost: nil) }
    }

    func writeBegan() {
        unsent += 1
        if unsent == 1 { writing = close(in: limits.writeTimeout) }
    }

    func writeEnded() {
        unsent -= 1
        writing?.cancel()
        writing = unsent > 0 ? close(in: limits.writeTimeout) : nil
    }

    func serviceEnds() {
        if quiescing == nil { quiescing = close(in: ConnectionLimits.quiesceTimeout) }
    }

    func connectionEnded() {
        for scheduled in [reading, writing, quiescing] { scheduled?.cancel() }
    }

    private func enter(_ stage: Stage, atMost duration: Duration?) {
        self.stage = stage
        reading?.cancel()
        reading = duration.map(close(in:))
    }

    private func close(in duration: Duration) -> Scheduled<Void> {
        let channel = channel
        return channel.eventLoop.scheduleTask(in: TimeAmount(duration)) { channel.close(promise: nil) }
    }
}
