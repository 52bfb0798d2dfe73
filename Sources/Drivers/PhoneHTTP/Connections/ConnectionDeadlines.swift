import NIOCore

/// The deadlines of one connection. A connection that misses one is closed without a response: a client that sends a
/// byte now and then, or reads nothing, would not read it either.
///
/// Confined to the connection's event loop.
final class ConnectionDeadlines {
    private enum Stage {
        /// The client has sent nothing yet.
        case opening
        case idle
        case header
        case body
        /// The requests are complete; how long their responses take is up to the service.
        case response
        /// How long after the last response.
        case closing
    }

    private let limits: ConnectionLimits
    private let reading: DeadlineTimer
    let writing: WriteDeadline
    private let quiescing: DeadlineTimer
    private var stage = Stage.opening
    /// Whether the stage has begun since the timer was set: most requests arrive whole, and need none.
    private var isUnsettled = false
    private var pendingResponses = 0
    private var streams = 0
    private var isQuiescing = false

    init(limits: ConnectionLimits, channel: any Channel) {
        self.limits = limits
        (reading, quiescing) = (DeadlineTimer(of: channel), DeadlineTimer(of: channel))
        writing = WriteDeadline(limits.writeTimeout, of: channel)
        reading.set(in: limits.firstByteTimeout)
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
        // A little longer than the client gets to close in order.
        if streams == 0, stage != .closing { reading.set(in: limits.idleTimeout + ConnectionLimits.lingerTimeout) }
    }

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

/// Closes a channel that writes nothing for too long while something is waiting to be sent.
///
/// Confined to the channel's event loop.
final class WriteDeadline {
    private let timeout: Duration
    private let timer: DeadlineTimer
    private var unsent = 0

    init(_ timeout: Duration, of channel: any Channel) {
        self.timeout = timeout
        timer = DeadlineTimer(of: channel)
    }

    /// The promise for the next write.
    ///
    /// - Parameter promise: whose write it is; nil for a new one.
    func tracking(_ promise: EventLoopPromise<Void>?, on eventLoop: any EventLoop) -> EventLoopPromise<Void> {
        let promise = promise ?? eventLoop.makePromise()
        unsent += 1
        if unsent == 1 { timer.set(in: timeout) }
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            unsent -= 1
            if unsent > 0 { timer.set(in: timeout) } else { timer.clear() }
        }
        return promise
    }
}

/// Closes a channel at a deadline, or runs another action, unless the deadline is postponed or removed before.
///
/// Every request postpones a deadline, so that reschedules nothing: one task stays in the event loop until the channel
/// closes, and finds out when it runs whether it is due.
///
/// Confined to the channel's event loop.
final class DeadlineTimer {
    private let eventLoop: any EventLoop
    private let action: () -> Void
    private var due: NIODeadline?
    private var task: (moment: NIODeadline, scheduled: Scheduled<Void>)?

    /// - Parameter action: nil to close the channel.
    init(of channel: any Channel, _ action: (() -> Void)? = nil) {
        eventLoop = channel.eventLoop
        self.action = action ?? { channel.close(promise: nil) }
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
            due = nil
            task?.scheduled.cancel()
            task = nil
        }
    }

    func set(in duration: Duration) {
        let moment = eventLoop.now + TimeAmount(duration)
        due = moment
        if let task {
            guard moment < task.moment else { return }
            task.scheduled.cancel()
        }
        schedule(at: moment)
    }

    func clear() { due = nil }

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
