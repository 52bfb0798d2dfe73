public import PhoneDomain

/// The SMS stub in memory: keeps the newest messages, codes and all, for whoever develops or tries things out.
///
/// It keeps nothing over a restart, and writes nothing anywhere else.
public actor SMSStub: StubInbox {
    /// How each message fared, told when it was taken; of those that nobody read yet, the newest thousand. Read by one
    /// reader, once.
    public nonisolated let receipts: AsyncStream<DeliveryReceipt>

    private let receiptSource: AsyncStream<DeliveryReceipt>.Continuation
    private let capacity: Int
    private let identifiers: any IdentifierSource
    private let wallClock: any WallClock
    private let clock: any Clock<Duration>
    private let behaviorChanged = WakeSignal()
    private var behavior = StubBehavior.deliver
    /// Oldest first.
    private var taken: [StubMessage] = []

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
        self.capacity = max(1, capacity)
        self.identifiers = identifiers
        self.wallClock = wallClock
        self.clock = clock
    }

    public func accept(to: String, from: String, body: String) async throws(StubRefusal) -> StubMessage {
        let behavior = try await behaviorThatAnswers(to: to)
        if behavior.mode == .reject {
            throw StubRefusal(errorCode: behavior.errorCode ?? 21610, detail: "The stub was told to refuse messages.")
        }
        let isLost = behavior.mode == .fail
        let message = StubMessage(
            sid: try makeSID(),
            to: to,
            from: from,
            body: body,
            status: isLost ? .undelivered : .delivered,
            errorCode: isLost ? behavior.errorCode ?? 30008 : nil,
            segments: SegmentCount(of: body).segments,
            createdAt: wallClock.now()
        )
        if taken.count == capacity { taken.removeFirst() }
        taken.append(message)
        let outcome: RecordReceipt.Outcome = isLost ? .undelivered(code: message.errorCode) : .delivered
        receiptSource.yield(DeliveryReceipt(messageID: message.sid, outcome: outcome))
        return message
    }

    /// The messages it has taken, newest first.
    ///
    /// - Parameters:
    ///   - to: only those to this number, letter by letter as the sender wrote it; nil for all.
    ///   - limit: no more than so many; none if it is negative.
    public func messages(to: String?, limit: Int) -> [StubMessage] {
        Array(taken.reversed().lazy.filter { to == nil || $0.to == to }.prefix(max(0, limit)))
    }

    public func message(sid: String) -> StubMessage? {
        taken.last { $0.sid == sid }
    }

    public func clear() {
        taken.removeAll()
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

    private func makeSID() throws(StubRefusal) -> String {
        do {
            let (high, low) = try identifiers.makeBits()
            return "SM" + Identifier<OutboxMessage>(bits: high, low).hexadecimal
        } catch {
            throw StubRefusal(errorCode: 20500, detail: "The stub could not name the message.")
        }
    }
}
