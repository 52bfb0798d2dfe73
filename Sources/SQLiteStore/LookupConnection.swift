import GRDB
import PhoneDomain

/// A connection for what nearly every call looks up first: a row by its name.
///
/// The work is done on the caller's thread, since the way to the thread of another connection and back takes longer. So it
/// must be short however large the tables are; what takes longer, or must be on the disk before it is told, is
/// ``BatchedConnection``'s.
final class LookupConnection: Sendable {
    private let connection: DatabaseQueue
    private let files: DatabaseFiles?
    private let observer: (any StoreObserver)?

    /// - Parameters:
    ///   - connection: used by this alone.
    ///   - files: the files of the database, if it has any; a lookup succeeds only while they are in place.
    ///   - observer: is told of each lookup.
    init(_ connection: DatabaseQueue, files: DatabaseFiles?, observer: (any StoreObserver)?) {
        self.connection = connection
        self.files = files
        self.observer = observer
    }

    /// Reads the rows of one moment. What another operation has committed is seen, though it may not be on the disk yet.
    ///
    /// - Throws: what the work throws, and ``SQLiteStoreError``.
    func perform<Value>(_ work: (Batch) throws -> Value) throws -> Value {
        let start = ContinuousClock.now
        let result = Result {
            try connection.writeWithoutTransaction { db in
                try db.transact(.reading) {
                    let value = try work(Batch(db))
                    try files?.requireInPlace()
                    return value
                }
            }
        }
        observer?.observe(
            StoreBatch(kind: .read, operations: 1, duration: .now - start, isFailed: (try? result.get()) == nil)
        )
        return try result.mapError(\.asToldByStore).get()
    }
}
