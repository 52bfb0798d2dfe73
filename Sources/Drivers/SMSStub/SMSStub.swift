public import PhoneDelivery
public import PhoneDomain
public import PhoneSignup
import Synchronization

/// The SMS stub: keeps the newest messages, codes and all, in memory, for development and tests.
///
/// A message with intermediate statuses (``StubBehavior/step``, or a scheduled one) advances while ``run()`` runs, and
/// at each request.
public actor SMSStub {
    /// The final outcomes of messages that do not have theirs at once; the newest thousand that are unread. Read once,
    /// by one reader.
    nonisolated let receipts: AsyncStream<DeliveryReceipt>
    /// A message with a callback after each of its changes; the newest thousand that are unread. Read once, by one
    /// reader.
    public nonisolated let changes: AsyncStream<StubMessage>

    /// The wall clock may be set, so it is read at least this often.
    private static let longestSleep: Duration = .seconds(60)
    private static let maxWatchers = 50

    private let receiptSource: AsyncStream<DeliveryReceipt>.Continuation
    private let changeSource: AsyncStream<StubMessage>.Continuation
    private let identifiers: any IdentifierSource
    private let wallClock: any WallClock
    private let clock: any Clock<Duration>
    private let behaviorChanged = WakeSignal()
    private let nextChangeSet = WakeSignal()
    private(set) var behavior = StubBehavior.deliver
    private let answersAtOnce = Atomic(true)
    /// Oldest first. A slice, since that loses its first element without moving the others.
    private var messages: ArraySlice<StubMessage> = [] {
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

    /// Accepts a message by the current behavior, or throws ``StubRefusal``.
    ///
    /// - Returns: the message as it was accepted, and as it is now.
    func accept(_ request: StubRequest) async throws(StubRefusal) -> (accepted: StubMessage, now: StubMessage) {
        if let refusal = request.magicRefusal { throw refusal }
        let behavior = try await awaitBehavior(to: request.to)
        if behavior.mode == .reject {
            throw StubRefusal(behavior.errorCode ?? 21610, "The stub is set to reject messages.")
        }
        guard let (high, low) = try? identifiers.makeBits() else {
            throw StubRefusal(20500, "The stub could not name the message.")
        }
        let sid = (request.isCall ? "CA" : "SM") + Identifier<OutboxMessage>(bits: high, low).hexadecimal
        lastSerial += 1
        let now = wallClock.now()
        let accepted = StubMessage(request, sid: sid, serial: lastSerial, behavior: behavior, at: now)
        var message = accepted
        // What is final at once needs no receipt: the sender gets its outcome with the answer.
        for change in message.advance(to: now) where change.request.callback != nil { changeSource.yield(change) }
        if messages.count == capacity { messages.removeFirst() }
        messages.append(message)
        if let next = message.nextChangeAt {
            nextChangeAt = min(next, nextChangeAt ?? next)
            nextChangeSet.wake()
        }
        return (accepted, message)
    }

    /// The messages that match a filter, newest first.
    ///
    /// - Parameter limit: none if it is negative.
    func messages(matching filter: StubFilter, limit: Int) -> [StubMessage] {
        advance(to: wallClock.now())
        return filter.matches(in: messages, limit: limit)
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

    func message(sid: String) -> StubMessage? { index(of: sid).map { messages[$0] } }

    /// Deletes the text of a message. Returns what is left of the message, or nil if it does not exist.
    func redact(sid: String) -> StubMessage? {
        guard let index = index(of: sid) else { return nil }
        messages[index].redact(at: wallClock.now())
        return messages[index]
    }

    /// Returns the message, or nil if it does not exist. Throws ``StubRefusal`` if it is too late to cancel it.
    func cancel(sid: String) throws(StubRefusal) -> StubMessage? {
        guard let index = index(of: sid) else { return nil }
        try messages[index].cancel(at: wallClock.now())
        notify(of: messages[index])
        return messages[index]
    }

    /// Returns whether the message existed. Throws ``StubRefusal`` while it is on its way
    /// (https://www.twilio.com/docs/api/errors/20009).
    func delete(sid: String) throws(StubRefusal) -> Bool {
        guard let index = index(of: sid) else { return false }
        guard messages[index].outcome != nil else {
            throw StubRefusal(20009, "This message cannot be deleted before it is at its end.")
        }
        messages.remove(at: index)
        return true
    }

    func clear() { (messages, nextChangeAt) = ([], nil) }

    /// Sets how the next messages are treated; messages that hang are answered by the new behavior.
    func setBehavior(_ behavior: StubBehavior) {
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
            let behavior = behavior.toPrefix.map(to.hasPrefix) ?? true ? behavior : .deliver
            if behavior.mode == .hang {
                await behaviorChanged.wait(beyond: changes)
            } else if behavior.delay > .zero {
                try? await clock.sleep(for: behavior.delay)
            }
            if Task.isCancelled { throw StubRefusal(20503, "The sender went away before the stub answered.") }
            if behavior.mode != .hang { return behavior }
        }
    }

    private func index(of sid: String) -> Int? {
        advance(to: wallClock.now())
        return messages.lastIndex { $0.sid == sid }
    }

    private func advance(to now: Timestamp) {
        guard let due = nextChangeAt, due <= now else { return }
        for index in messages.indices where messages[index].nextChangeAt.map({ $0 <= now }) ?? false {
            for change in messages[index].advance(to: now) { notify(of: change) }
        }
        nextChangeAt = messages.lazy.compactMap(\.nextChangeAt).min()
    }

    private func notify(of message: StubMessage) {
        if message.request.callback != nil { changeSource.yield(message) }
        if let outcome = message.outcome {
            receiptSource.yield(DeliveryReceipt(messageID: message.sid, outcome: outcome))
        }
    }
}

extension SMSStub {
    /// A message to be sent at once, by no messaging service, without a status callback. Throws ``StubRefusal`` where
    /// it rejects the message.
    public func accept(to: String, from: String, body: String) async throws(StubRefusal) -> StubMessage {
        try await accept(StubRequest(to: to, from: from, body: body)).accepted
    }

    public func messages(to: String?, limit: Int) -> [StubMessage] {
        messages(matching: StubFilter(to: to), limit: limit)
    }
}

/// Sends messages to an SMS stub in the same process.
public struct StubGateway: MessageGateway {
    public let name = "stub"
    public let channels: Set<Channel>

    private let stub: SMSStub
    private let sender: String

    public init(stub: SMSStub, sender: String, channels: Set<Channel> = [.sms]) {
        (self.stub, self.sender, self.channels) = (stub, sender, channels)
    }

    public var isImmediate: Bool { stub.isImmediate }

    public var receipts: AsyncStream<DeliveryReceipt>? { stub.receipts }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        do {
            // It has its final status by now, unless the stub is set to take its time.
            let isCall = message.channel == .call
            let request = StubRequest(to: message.address, from: sender, body: message.body, isCall: isCall)
            let accepted = try await stub.accept(request).now
            return GatewayReceipt(messageID: accepted.sid, outcome: accepted.outcome)
        } catch {
            // The stub hung: a sender cannot know what a carrier did that does not respond.
            if error.errorCode == 20503, Task.isCancelled { throw .ambiguous("no response in time") }
            throw .refusal(twilioCode: error.errorCode)
        }
    }
}
