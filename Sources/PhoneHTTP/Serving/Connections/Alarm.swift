import NIOCore

/// Does something, closing a channel for most, when a moment has passed, unless that is put off or called off before.
///
/// Whoever keeps time puts his deadline off with every request, so nothing is scheduled anew for that: one task stays in
/// the event loop, which finds out how late it is only when it runs.
///
/// Lives on the channel's event loop.
final class Alarm {
    private let eventLoop: any EventLoop
    private let ring: () -> Void
    private var due: NIODeadline?
    private var task: (moment: NIODeadline, scheduled: Scheduled<Void>)?

    convenience init(closing channel: any Channel) {
        self.init(on: channel.eventLoop) { channel.close(promise: nil) }
    }

    init(on eventLoop: any EventLoop, _ ring: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.ring = ring
    }

    /// Sets it, in place of what was set before.
    func set(in duration: Duration) {
        let moment = eventLoop.now + TimeAmount(duration)
        due = moment
        if let task {
            guard moment < task.moment else { return }
            task.scheduled.cancel()
        }
        schedule(at: moment)
    }

    /// Calls it off; it may be set again.
    func clear() {
        due = nil
    }

    /// Ends it.
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
            ring()
        } else {
            schedule(at: due)
        }
    }
}
