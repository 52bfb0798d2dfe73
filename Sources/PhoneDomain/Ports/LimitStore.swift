/// What operators see of limits and undo. Every method throws if the store cannot be reached or cannot write.
public protocol LimitStore: Sendable {
    /// The meters that are not full at this moment, those that will be last first, at most `limit` of them.
    func metersInUse(at now: Timestamp, limit: Int) async throws -> [MeterInUse]

    /// The numbers with at least so many messages or so many wrong codes in a row, in order of their digits, at most
    /// `limit` of them. Whether that closes them is ``NumberActivity/closure(at:policy:)``'s to say: what is kept may be
    /// past its time.
    func busyNumbers(sends: Int, failures: Int, limit: Int) async throws -> [BusyNumber]

    /// Gives a key its whole quota again.
    ///
    /// - Returns: whether anything was known of it.
    func clear(_ key: LimitKey) async throws -> Bool

    /// Forgets what a number has been through.
    ///
    /// - Returns: whether anything was known of it.
    func clearActivity(of number: PhoneNumber) async throws -> Bool
}
