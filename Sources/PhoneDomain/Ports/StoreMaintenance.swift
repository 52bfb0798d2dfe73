/// The upkeep of a store. Every method throws if the store cannot be reached or cannot write.
public protocol StoreMaintenance: Sendable {
    /// Asks the store for a sign of life: reads and could write.
    func ping() async throws

    /// Deletes what ended before `moment` and nobody needs any more: verifications, their messages and signups, and
    /// the activity of numbers that have been silent since; at most `limit` rows of each, so that others get their
    /// turn in between. Verifications and messages are those of the `limit` verifications that ended first, so that it
    /// costs the same however many there are; one goes when all its messages have gone.
    ///
    /// - Returns: how many rows were deleted; 0 when there is nothing left to do.
    func purge(before moment: Timestamp, limit: Int) async throws -> Int

    /// Closes pending verifications whose time has run out (``Verification/close(at:)``), at most `limit` of them.
    ///
    /// - Returns: how many were closed; 0 when there is none left.
    func close(at now: Timestamp, limit: Int) async throws -> Int

    /// Deletes signups whose time was over before `moment`, at most `limit` of them: nobody can read them any more, and
    /// anyone can make them.
    ///
    /// - Returns: how many were deleted; 0 when there is nothing left to do.
    func purgeSignups(before moment: Timestamp, limit: Int) async throws -> Int

    /// Deletes what limits and guard have no more use for at this moment, since one request may leave several rows:
    /// meters that are full again, traffic that has been silent for ``Traffic/longestMemory`` and is not blocked, and
    /// rules whose time is over; at most `limit` rows of each.
    ///
    /// - Returns: how many rows were deleted; 0 when there is nothing left to do.
    func purgeTraffic(at now: Timestamp, limit: Int) async throws -> Int
}
