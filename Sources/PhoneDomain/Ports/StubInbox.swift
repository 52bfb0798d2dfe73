/// The SMS stub: takes messages in place of a carrier and shows them to anyone who asks.
public protocol StubInbox: Sendable {
    /// Takes a message as its present behaviour has it.
    ///
    /// - Throws: ``StubRefusal`` where it refuses.
    func accept(to: String, from: String, body: String) async throws(StubRefusal) -> StubMessage

    /// The messages it has taken, newest first.
    ///
    /// - Parameters:
    ///   - to: only those to this number; nil for all.
    ///   - limit: no more than so many.
    func messages(to: String?, limit: Int) async -> [StubMessage]

    /// The message of this sid, or nil.
    func message(sid: String) async -> StubMessage?

    /// Forgets all messages.
    func clear() async

    /// Changes how the next messages fare; messages that hang are answered by the new behaviour.
    func setBehavior(_ behavior: StubBehavior) async
}
