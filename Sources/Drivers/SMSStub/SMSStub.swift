public import PhoneDelivery
public import PhoneDomain
import Synchronization

/// The SMS stub: keeps the newest messages, codes and all, in memory, for development and tests.
///
/// A message with intermediate statuses (``StubBehavior/step``, or a scheduled one) advances while ``run()`` runs, and
/// at each request.
public actor SMSStub {
    /// The final outcomes of messages that do not have theirs at once; the newest thousand that are unread. Read once,
    /// by one reader.
    public nonisolated let receipts: AsyncStream<DeliveryReceipt>
    /// Every change of a message with a callback; the newest thousand that are unread. Read once, by one reader.
    public nonisolated let changes: AsyncStream<StubChange>

    /// The wall clock may be set, so it is read at least this often.
    private static let longestSleep: Duration = .seconds(60)
    private static let maxWatchers = 50

    private let receiptSource: AsyncStream<DeliveryReceipt>.Continuation
    private let changeSource: AsyncStream<StubChange>.Continuation
    private let identifiers: any IdentifierSource
    private let wallClock: any WallClock
    private let clock: any Clock<Duration>
    private let behaviorChanged = WakeSignal()
    private let nextChangeSet = WakeSignal()
    private(set) var behavior = StubBehavior.deliver
    private let answersAtOnce = Atomic(true)
    /// Oldest first. A slice, since that loses its first element without moving the others.
    private var messages: ArraySlice<StubLifecycle> = [] {
        didSet { for watcher in watchers.values { watcher.yield() } }
    }
    private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastWatcher = 0
    private let capacity: Int
    private var lastSerial = 0
    /// When the next message advances; nil if none does.
    private var nextChangeAt: Timestamp?

    /// - Parameter capacity: how many messages it keeps, at least 1; the oldest are dropped.
    public init(
        capacity: Int = 1000,
        identifiers: any IdentifierSource,
        wallClock: any WallClock,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (receipts, receiptSource) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1000))
        (changes, changeSource) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1000))
        self.capacity = max(1, capacity)
        (self.identifiers, self.wallClock, self.clock) = (identifiers, wallClock, clock)
    }

    /// Advances messages when it is time, until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            let seen = nextChangeSet.count
            let now = wallClock.now()
            advance(to: now)
            if let nextChangeAt {
                await nextChangeSet.wait(beyond: seen, atMost: min(nextChangeAt - now, Self.longestSleep), on: clock)
            } else {
                await nextChangeSet.wait(beyond: seen)
            }
        }
    }

    /// Accepts a message by the current behavior. Returns the message as it was then; see ``message(sid:)`` for its
    /// later status. Throws ``StubRefusal`` where it rejects the message.
    public func accept(_ order: StubRequest) async throws(StubRefusal) -> StubMessage {
        try await take(order).accepted
    }

    /// Returns the message as it was accepted, and as it is now.
    fileprivate func take(_ order: StubRequest) async throws(StubRefusal) -> (accepted: StubMessage, now: StubMessage) {
        if let refusal = order.magicRefusal { throw refusal }
        let behavior = try await awaitBehavior(to: order.to)
        if behavior.mode == .reject {
            throw StubRefusal(behavior.errorCode ?? 21610, "The stub is set to reject messages.")
        }
        let now = wallClock.now()
        var journey = StubLifecycle(
            order,
            sid: try makeSID(order.isCall ? "CA" : "SM"),
            serial: lastSerial + 1,
            segments: SegmentCount(of: order.body).segments,
            behavior: behavior,
            at: now
        )
        lastSerial += 1
        let message = journey.message
        for change in journey.advance(to: now) { notify(journey.callback, of: change) }
        if messages.count == capacity { messages.removeFirst() }
        messages.append(journey)
        if let next = journey.nextChangeAt {
            nextChangeAt = min(next, nextChangeAt ?? next)
            nextChangeSet.wake()
        }
        return (message, journey.message)
    }

    /// The messages that match a filter, newest first.
    ///
    /// - Parameter limit: none if it is negative.
    public func messages(matching filter: StubFilter, limit: Int) -> [StubMessage] {
        advance(to: wallClock.now())
        return messages.lazy.map(\.message).matching(filter, limit: limit)
    }

    /// Emits at once, and when messages have changed; several changes may be one element. It ends after a minute, since
    /// a client may have disconnected unnoticed. Nil if there are too many already.
    public func updates() -> AsyncStream<Void>? {
        guard watchers.count < Self.maxWatchers else { return nil }
        let (updates, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        lastWatcher += 1
        let ticket = lastWatcher
        watchers[ticket] = watcher
        watcher.yield()
        let end = Task { [clock] in
            try? await clock.sleep(for: Self.longestSleep)
            watcher.finish()
        }
        watcher.onTermination = { _ in
            end.cancel()
            Task { await self.forget(ticket) }
        }
        return updates
    }

    private func forget(_ watcher: Int) { watchers[watcher] = nil }

    public func message(sid: String) -> StubMessage? { index(of: sid).map { messages[$0].message } }

    /// Deletes the text of a message. Returns what is left of the message, or nil if it does not exist.
    public func redact(sid: String) -> StubMessage? {
        guard let index = index(of: sid) else { return nil }
        messages[index].redact(at: wallClock.now())
        return messages[index].message
    }

    /// Returns the message, or nil if it does not exist. Throws ``StubRefusal`` if it is too late to cancel it.
    public func cancel(sid: String) throws(StubRefusal) -> StubMessage? {
        guard let index = index(of: sid) else { return nil }
        try messages[index].cancel(at: wallClock.now())
        notify(messages[index].message, of: messages[index])
        return messages[index].message
    }

    /// Returns whether the message existed. Throws ``StubRefusal`` while it is on its way.
    public func delete(sid: String) throws(StubRefusal) -> Bool {
        guard let index = index(of: sid) else { return false }
        try messages[index].requireEnd()
        messages.remove(at: index)
        return true
    }

    public func clear() {
        messages.removeAll()
        nextChangeAt = nil
    }

    /// Sets how the next messages are treated; messages that hang are answered by the new behavior.
    public func setBehavior(_ behavior: StubBehavior) {
        self.behavior = behavior
        answersAtOnce.store(behavior.mode != .hang && behavior.delay == .zero, ordering: .relaxed)
        behaviorChanged.wake()
    }

    /// Whether it answers without delay.
    nonisolated var isImmediate: Bool { answersAtOnce.load(ordering: .relaxed) }

    /// How many requests hang.
    var waiterCount: Int { behaviorChanged.waiterCount }

    /// Waits as long as the behaviour requires. It never returns one that hangs.
    private func awaitBehavior(to: String) async throws(StubRefusal) -> StubBehavior {
        while true {
            let changes = behaviorChanged.count
            let behavior = behavior(to: to)
            if behavior.mode == .hang {
                await behaviorChanged.wait(beyond: changes)
            } else if behavior.delay > .zero {
                try? await clock.sleep(for: behavior.delay)
            }
            if Task.isCancelled {
                throw StubRefusal(20503, "The sender went away before the stub answered.")
            }
            if behavior.mode != .hang { return behavior }
        }
    }

    private func behavior(to: String) -> StubBehavior {
        behavior.toPrefix.map(to.hasPrefix) ?? true ? behavior : .deliver
    }

    private func index(of sid: String) -> Int? {
        advance(to: wallClock.now())
        return messages.lastIndex { $0.message.sid == sid }
    }

    private func advance(to now: Timestamp) {
        guard let due = nextChangeAt, due <= now else { return }
        nextChangeAt = nil
        for index in messages.indices {
            guard let next = messages[index].nextChangeAt else { continue }
            if next <= now {
                for message in messages[index].advance(to: now) { notify(message, of: messages[index]) }
            }
            nextChangeAt = [nextChangeAt, messages[index].nextChangeAt].compactMap(\.self).min()
        }
    }

    private func notify(_ message: StubMessage, of journey: StubLifecycle) {
        notify(journey.callback, of: message)
        if let outcome = message.outcome {
            receiptSource.yield(DeliveryReceipt(messageID: message.sid, outcome: outcome))
        }
    }

    private func notify(_ callback: StubCallback?, of message: StubMessage) {
        if let callback { changeSource.yield(StubChange(message: message, callback: callback)) }
    }

    private func makeSID(_ prefix: String) throws(StubRefusal) -> String {
        do {
            let (high, low) = try identifiers.makeBits()
            return prefix + Identifier<OutboxMessage>(bits: high, low).hexadecimal
        } catch {
            throw StubRefusal(20500, "The stub could not name the message.")
        }
    }
}

extension SMSStub {
    /// A message to be sent at once, by no messaging service, without a status callback. Throws ``StubRefusal`` where
    /// it rejects the message.
    public func accept(to: String, from: String, body: String) async throws(StubRefusal) -> StubMessage {
        try await accept(StubRequest(to: to, from: from, body: body))
    }

    public func messages(to: String?, limit: Int) -> [StubMessage] {
        messages(matching: StubFilter(to: to), limit: limit)
    }
}

extension StubMessage {
    /// The final outcome; nil while it is in transit.
    var outcome: RecordReceipt.Outcome? {
        switch status {
        case .delivered: .delivered
        case .undelivered, .failed: .undelivered(code: errorCode)
        case .canceled: .undelivered(code: nil)
        case .accepted, .scheduled, .queued, .sending, .sent: nil
        }
    }
}

/// Sends messages to an SMS stub in the same process.
public struct StubGateway: MessageGateway {
    public let name = "stub"
    public let channels = Set(Channel.outbound)

    private let stub: SMSStub
    private let sender: String

    public init(stub: SMSStub, sender: String) { (self.stub, self.sender) = (stub, sender) }

    public var isImmediate: Bool { stub.isImmediate }

    public var receipts: AsyncStream<DeliveryReceipt>? { stub.receipts }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        do {
            // It has its final status by now, unless the stub is set to take its time.
            let isCall = message.channel == .call
            let request = StubRequest(to: message.address, from: sender, body: message.body, isCall: isCall)
            let accepted = try await stub.take(request).now
            return GatewayReceipt(messageID: accepted.sid, outcome: accepted.outcome)
        } catch {
            // The stub hung: a sender cannot know what a carrier did that does not respond.
            if error.errorCode == 20503, Task.isCancelled { throw .ambiguous("no response in time") }
            throw .refusal(twilioCode: error.errorCode)
        }
    }
}
