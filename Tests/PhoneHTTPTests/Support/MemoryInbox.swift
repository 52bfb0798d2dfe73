import PhoneDomain

/// A stub without delay. Messages are final as soon as they are accepted, unless the behavior has steps: then they
/// progress with the clock.
actor MemoryInbox: StubInbox {
    private let clock: any WallClock
    private var kept: [StubLifecycle] = []
    private(set) var orders: [StubRequest] = []
    private(set) var behavior = StubBehavior.deliver

    init(clock: any WallClock) {
        self.clock = clock
    }

    func accept(_ order: StubRequest) throws(StubRefusal) -> StubMessage {
        if let refusal = order.magicRefusal { throw refusal }
        if behavior.mode == .reject {
            throw StubRefusal(errorCode: behavior.errorCode ?? 21610, detail: "The recipient does not want messages.")
        }
        orders.append(order)
        let number = String(orders.count, radix: 16)
        let journey = StubLifecycle(
            order,
            sid: (order.isCall ? "CA" : "SM") + String(repeating: "0", count: 32 - number.count) + number,
            serial: orders.count,
            segments: 1,
            behavior: behavior,
            at: clock.now()
        )
        kept.append(journey)
        return journey.message
    }

    func messages(matching filter: StubFilter, limit: Int) -> [StubMessage] {
        moveOn()
        return kept.map(\.message).matching(filter, limit: limit)
    }

    func message(sid: String) -> StubMessage? { index(of: sid).map { kept[$0].message } }

    func redact(sid: String) -> StubMessage? {
        guard let index = index(of: sid) else { return nil }
        kept[index].redact(at: clock.now())
        return kept[index].message
    }

    func cancel(sid: String) throws(StubRefusal) -> StubMessage? {
        guard let index = index(of: sid) else { return nil }
        try kept[index].cancel(at: clock.now())
        return kept[index].message
    }

    func delete(sid: String) throws(StubRefusal) -> Bool {
        guard let index = index(of: sid) else { return false }
        try kept[index].requireEnd()
        kept.remove(at: index)
        return true
    }

    func clear() { kept = [] }

    func setBehavior(_ behavior: StubBehavior) { self.behavior = behavior }

    private func index(of sid: String) -> Int? {
        moveOn()
        return kept.firstIndex { $0.message.sid == sid }
    }

    private func moveOn() {
        for index in kept.indices { _ = kept[index].advance(to: clock.now()) }
    }
}
