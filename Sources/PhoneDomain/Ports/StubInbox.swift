/// The SMS stub: takes messages in place of a carrier and shows them to anyone who asks.
public protocol StubInbox: Sendable {
    /// Takes a message as its present behaviour has it.
    ///
    /// - Returns: the message as it was when it was taken; what became of it since, ``message(sid:)`` tells.
    /// - Throws: ``StubRefusal`` where it refuses.
    func accept(_ order: StubOrder) async throws(StubRefusal) -> StubMessage

    /// The messages it has taken and that a filter asks for, newest first.
    ///
    /// - Parameter limit: no more than so many.
    func messages(matching filter: StubFilter, limit: Int) async -> [StubMessage]

    /// The message of this sid, or nil.
    func message(sid: String) async -> StubMessage?

    /// Forgets the text of a message.
    ///
    /// - Returns: what is left of the message, or nil if there is none of this sid.
    func redact(sid: String) async -> StubMessage?

    /// Calls a message back.
    ///
    /// - Returns: the message, or nil if there is none of this sid.
    /// - Throws: ``StubRefusal`` if it is too late for that.
    func cancel(sid: String) async throws(StubRefusal) -> StubMessage?

    /// Forgets a message.
    ///
    /// - Returns: whether there was one of this sid.
    /// - Throws: ``StubRefusal`` while it is on its way.
    func delete(sid: String) async throws(StubRefusal) -> Bool

    /// Forgets all messages.
    func clear() async

    /// Changes how the next messages fare; messages that hang are answered by the new behaviour.
    func setBehavior(_ behavior: StubBehavior) async
}

extension StubInbox {
    /// Takes a message to be sent at once, by no messaging service, of which nobody is told.
    ///
    /// - Throws: ``StubRefusal`` where it refuses.
    public func accept(to: String, from: String, body: String) async throws(StubRefusal) -> StubMessage {
        try await accept(StubOrder(to: to, from: from, body: body))
    }

    /// The messages it has taken, newest first.
    ///
    /// - Parameters:
    ///   - to: only those to this number; nil for all.
    ///   - limit: no more than so many.
    public func messages(to: String?, limit: Int) async -> [StubMessage] {
        await messages(matching: StubFilter(to: to), limit: limit)
    }
}
