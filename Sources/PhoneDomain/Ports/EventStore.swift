/// The events that are to be told. Every method throws if the store cannot be reached or cannot write.
///
/// Kinds that a newer program announced in the same store are passed over: it tells them.
///
/// They come to be in the same transaction as what they tell of (`Event+Announcing.swift`), if somebody has subscribed to them (``EventSubscription``).
public protocol EventStore: Sendable {
    /// Takes up to `limit` events that are due, oldest first, so that nobody else takes them before `end`. Those that are
    /// about something that is no more, or that it does not bear out (``Event/isBorneOut(by:)``), are deleted instead.
    func claimEvents(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [EventClaim]

    /// Records what came of an attempt.
    ///
    /// - Returns: whether the attempt still counted (``SettleEvent/attempt``).
    func settle(_ command: SettleEvent) async throws -> Bool

    /// When the next queued event is due, or nil if none is queued.
    func nextEvent() async throws -> Timestamp?

    /// The events of this status, or all, newest first (by ``Event/occurredAt``, then by name); at most `limit`, none if it
    /// is negative.
    func events(status: Event.Status?, limit: Int) async throws -> [Event]

    /// Deletes events that occurred before `moment`, told or not; at most `limit` of each status, oldest first.
    ///
    /// - Returns: how many were deleted; 0 when there is nothing left to do.
    func purgeEvents(before moment: Timestamp, limit: Int) async throws -> Int

    /// Has an event that was set aside told after all.
    func retry(_ command: RetryEvent) async throws -> RetryEvent.Outcome
}
