import NIOCore

/// The deadlines of one connection. A connection that misses one is closed without a response: a client that sends a
/// byte now and then, or reads nothing, would not read it either.
///
/// Confined to the connection's event loop.
final class ConnectionDeadlines {
    private enum Stage {
        /// Before the first byte.
        case opening
        case idle
        case header
        case body
        /// The requests are complete; how long their responses take is up to the service.
        case response
        /// After the last response.
        case closing
    }

    private let limits: ConnectionLimits
    private let reading: DeadlineTimer
    private let writing: DeadlineTimer
    private let quiescing: DeadlineTimer
    private var stage = Stage.opening
    /// Whether the stage has begun since the timer was set: most requests arrive whole, and need none.
    private var isUnsettled = false
    private var pendingResponses = 0
    private var streams = 0
    private var unsent = 0
    private var isQuiescing = false

    init(limits: ConnectionLimits, channel: any Channel) {
        self.limits = limits
        (reading, writing, quiescing) = (
            DeadlineTimer(closing: channel), DeadlineTimer(closing: channel), DeadlineTimer(closing: channel)
        )
        reading.set(in: limits.firstByteTimeout)
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
            for alarm in [reading, writing, quiescing] { alarm.cancel() }
        }
    }

    func bytesReceived() {
        switch stage {
        case .opening, .idle, .response: enter(.header)
        case .header, .body, .closing: break
        }
    }

    func headReceived() {
        pendingResponses += 1
        enter(.body)
    }

    func requestEnded() { enter(pendingResponses > 0 ? .response : .idle) }

    func responseEnded() {
        pendingResponses -= 1
        if stage == .response, pendingResponses == 0 { enter(.idle) }
        settle()
    }

    /// The last response is being written.
    func connectionCloses() {
        enter(.closing)
        settle()
    }

    /// From here on each stream has deadlines of its own.
    func http2Begins() {
        stage = .response
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

    /// A little longer than the client gets to close in order.
    private func waitForStream() { reading.set(in: limits.idleTimeout + ConnectionLimits.lingerTimeout) }

    /// Sets the timer for the current stage. Call after a batch of input.
    func settle() {
        guard isUnsettled else { return }
        isUnsettled = false
        switch stage {
        case .opening: reading.set(in: limits.firstByteTimeout)
        case .idle: reading.set(in: limits.idleTimeout)
        case .header: reading.set(in: limits.headerTimeout)
        case .body: reading.set(in: limits.bodyTimeout)
        case .response: reading.clear()
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

    func shutdownBegins() {
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

/// Runs an action, mostly closing a channel, at a deadline, unless it is postponed or cancelled before.
///
/// Every request postpones a deadline, so that reschedules nothing: one task stays in the event loop, and finds out
/// when it runs whether it is due.
///
/// Confined to the channel's event loop.
final class DeadlineTimer {
    private let eventLoop: any EventLoop
    private let action: () -> Void
    private var due: NIODeadline?
    private var task: (moment: NIODeadline, scheduled: Scheduled<Void>)?

    convenience init(closing channel: any Channel) {
        self.init(on: channel.eventLoop) { channel.close(promise: nil) }
    }

    init(on eventLoop: any EventLoop, _ action: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.action = action
    }

    /// Replaces the deadline.
    func set(in duration: Duration) {
        let moment = eventLoop.now + TimeAmount(duration)
        due = moment
        if let task {
            guard moment < task.moment else { return }
            task.scheduled.cancel()
        }
        schedule(at: moment)
    }

    /// Removes the deadline; another may be set.
    func clear() { due = nil }

    /// Call once, at the end.
    func cancel() {
        due = nil
        task?.scheduled.cancel()
        task = nil
    }

    private func schedule(at moment: NIODeadline) {
        let scheduled = eventLoop.assumeIsolated().scheduleTask(deadline: moment) { self.run() }
        task = (moment, scheduled)
    }

    private func run() {
        task = nil
        guard let due else { return }
        if due <= eventLoop.now {
            self.due = nil
            action()
        } else {
            schedule(at: due)
        }
    }
}
