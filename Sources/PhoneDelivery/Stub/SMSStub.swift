public import PhoneDomain

/// The SMS stub in memory: keeps the newest messages, codes and all, for whoever develops or tries things out.
///
/// It keeps nothing over a restart, and writes nothing anywhere else. A message that takes its time
/// (``StubBehavior/step``, or one that is scheduled) moves on while ``run()`` runs, and when somebody asks.
public actor SMSStub: StubInbox {
    /// How each message fared that took its time, told when it is at its end: of one that is there as soon as it is taken,
    /// ``message(sid:)`` tells. Of those that nobody read yet, the newest thousand. Read by one reader, once.
    public nonisolated let receipts: AsyncStream<DeliveryReceipt>
    /// Every change of a message whose sender wants to be told; of those that nobody read yet, the newest thousand. Read by
    /// one reader, once.
    public nonisolated let changes: AsyncStream<StubChange>

    /// Clocks are set, and none is asked less often than this.
    private static let longestSleep: Duration = .seconds(60)

    private let receiptSource: AsyncStream<DeliveryReceipt>.Continuation
    private let changeSource: AsyncStream<StubChange>.Continuation
    private let identifiers: any IdentifierSource
    private let wallClock: any WallClock
    private let clock: any Clock<Duration>
    private let behaviorChanged = WakeSignal()
    private let nextChangeSet = WakeSignal()
    private var behavior = StubBehavior.deliver
    /// Oldest first.
    private var taken: Ring<StubJourney>
    private var lastSerial = 0
    /// No message changes by itself before this; nil if none does.
    private var nextChangeAt: Timestamp?

    /// An empty stub that delivers.
    ///
    /// - Parameters:
    ///   - capacity: how many messages it keeps, at least 1; the oldest go first.
    ///   - identifiers: names messages.
    ///   - wallClock: says when a message came.
    ///   - clock: measures delays.
    public init(
        capacity: Int = 1000,
        identifiers: any IdentifierSource,
        wallClock: any WallClock,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (receipts, receiptSource) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1000))
        (changes, changeSource) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1000))
        taken = Ring(capacity: max(1, capacity))
        self.identifiers = identifiers
        self.wallClock = wallClock
        self.clock = clock
    }

    /// Moves messages on when it is time, until the task is cancelled.
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

    public func accept(_ order: StubOrder) async throws(StubRefusal) -> StubMessage {
        if let refusal = order.magicRefusal { throw refusal }
        let behavior = try await behaviorThatAnswers(to: order.to)
        if behavior.mode == .reject {
            throw StubRefusal(errorCode: behavior.errorCode ?? 21610, detail: "The stub was told to refuse messages.")
        }
        let now = wallClock.now()
        var journey = StubJourney(
            order,
            sid: try makeSID(order.isCall ? "CA" : "SM"),
            serial: lastSerial + 1,
            segments: SegmentCount(of: order.body).segments,
            behavior: behavior,
            at: now
        )
        lastSerial += 1
        let message = journey.message
        for change in journey.advance(to: now) { call(journey.callback, with: change) }
        taken.append(journey)
        if let next = journey.nextChangeAt {
            nextChangeAt = min(next, nextChangeAt ?? next)
            nextChangeSet.wake()
        }
        return message
    }

    /// The messages it has taken and that a filter asks for, newest first.
    ///
    /// - Parameter limit: no more than so many; none if it is negative.
    public func messages(matching filter: StubFilter, limit: Int) -> [StubMessage] {
        advance(to: wallClock.now())
        return taken.lazy.map(\.message).matching(filter, limit: limit)
    }

    public func message(sid: String) -> StubMessage? {
        index(of: sid).map { taken[$0].message }
    }

    public func redact(sid: String) -> StubMessage? {
        guard let index = index(of: sid) else { return nil }
        taken[index].redact(at: wallClock.now())
        return taken[index].message
    }

    public func cancel(sid: String) throws(StubRefusal) -> StubMessage? {
        guard let index = index(of: sid) else { return nil }
        try taken[index].cancel(at: wallClock.now())
        tell(taken[index].message, of: taken[index])
        return taken[index].message
    }

    public func delete(sid: String) throws(StubRefusal) -> Bool {
        guard let index = index(of: sid) else { return false }
        try taken[index].requireEnd()
        taken.remove(at: index)
        return true
    }

    public func clear() {
        taken.removeAll()
        nextChangeAt = nil
    }

    public func setBehavior(_ behavior: StubBehavior) {
        self.behavior = behavior
        behaviorChanged.wake()
    }

    /// How many messages hang.
    var waiterCount: Int { behaviorChanged.waiterCount }

    /// Waits as long as the stub is told to, and says by which behaviour the message then fares; never one that hangs.
    private func behaviorThatAnswers(to: String) async throws(StubRefusal) -> StubBehavior {
        while true {
            let changes = behaviorChanged.count
            let behavior = behavior(to: to)
            if behavior.mode == .hang {
                await behaviorChanged.wait(beyond: changes)
            } else if behavior.delay > .zero {
                try? await clock.sleep(for: behavior.delay)
            }
            if Task.isCancelled {
                throw StubRefusal(errorCode: 20503, detail: "The sender went away before the stub answered.")
            }
            if behavior.mode != .hang { return behavior }
        }
    }

    private func behavior(to: String) -> StubBehavior {
        behavior.toPrefix.map(to.hasPrefix) ?? true ? behavior : .deliver
    }

    /// Where the message of this sid is, with all its changes up to now.
    private func index(of sid: String) -> Int? {
        advance(to: wallClock.now())
        return taken.lastIndex { $0.message.sid == sid }
    }

    /// Makes the changes that are due, and tells of them.
    private func advance(to now: Timestamp) {
        guard let due = nextChangeAt, due <= now else { return }
        nextChangeAt = nil
        for index in taken.indices {
            guard let next = taken[index].nextChangeAt else { continue }
            if next <= now {
                for message in taken[index].advance(to: now) { tell(message, of: taken[index]) }
            }
            nextChangeAt = [nextChangeAt, taken[index].nextChangeAt].compactMap(\.self).min()
        }
    }

    private func tell(_ message: StubMessage, of journey: StubJourney) {
        call(journey.callback, with: message)
        if let outcome = message.outcome {
            receiptSource.yield(DeliveryReceipt(messageID: message.sid, outcome: outcome))
        }
    }

    private func call(_ callback: StubCallback?, with message: StubMessage) {
        if let callback { changeSource.yield(StubChange(message: message, callback: callback)) }
    }

    private func makeSID(_ prefix: String) throws(StubRefusal) -> String {
        do {
            let (high, low) = try identifiers.makeBits()
            return prefix + Identifier<OutboxMessage>(bits: high, low).hexadecimal
        } catch {
            throw StubRefusal(errorCode: 20500, detail: "The stub could not name the message.")
        }
    }
}
