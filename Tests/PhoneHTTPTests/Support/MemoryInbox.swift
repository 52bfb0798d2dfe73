import PhoneDomain

/// A stub that keeps messages and behaves as it is told, without delay.
actor MemoryInbox: StubInbox {
    private var kept: [StubMessage] = []
    private(set) var behavior = StubBehavior.deliver

    func accept(to: String, from: String, body: String) throws(StubRefusal) -> StubMessage {
        if behavior.mode == .reject {
            throw StubRefusal(errorCode: behavior.errorCode ?? 21610, detail: "The recipient does not want messages.")
        }
        let isLost = behavior.mode == .fail
        let number = String(kept.count + 1, radix: 16)
        let message = StubMessage(
            sid: "SM" + String(repeating: "0", count: 32 - number.count) + number,
            to: to,
            from: from,
            body: body,
            status: isLost ? .undelivered : .delivered,
            errorCode: isLost ? behavior.errorCode ?? 30008 : nil,
            segments: 1,
            createdAt: Timestamp(seconds: 1_767_225_600)
        )
        kept.insert(message, at: 0)
        return message
    }

    func messages(to: String?, limit: Int) -> [StubMessage] {
        Array(kept.filter { to == nil || $0.to == to }.prefix(limit))
    }

    func message(sid: String) -> StubMessage? { kept.first { $0.sid == sid } }

    func clear() { kept = [] }

    func setBehavior(_ behavior: StubBehavior) { self.behavior = behavior }
}
