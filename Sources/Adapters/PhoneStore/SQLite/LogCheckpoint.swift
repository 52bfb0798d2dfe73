import CSQLite
import Glibc
import Synchronization

/// Copies the write-ahead log to the database beside the batches, so that hardly any caller waits for it.
///
/// SQLite does so itself within the commit that makes the log too long (https://www.sqlite.org/wal.html#ckpt,
/// "automatic checkpoint"): its batch and those behind it wait until every changed page is in its place, wide apart in
/// a large file, and on the disk. Here another connection copies and flushes while batches go on, a step at a time. It
/// never catches up with what they write meanwhile, and only a log of which all is copied begins anew; so now and then
/// the writer copies what is left.
///
/// After a failed flush it is unknown what the disk holds, and another try would report success. Then the log, which
/// has everything, is kept beyond the end of the process, and nothing is changed until the database is opened anew,
/// which copies all of it once more. After any other failure the log only grows, and the next step tries again.
final class LogCheckpoint: Sendable {
    enum Stage {
        case gathering
        case copying
        /// All is copied but what was written during the step.
        case copied
    }

    fileprivate enum Work { case step, rest }

    struct State {
        var stage = Stage.gathering
        /// Pages that were written since the last step began.
        var pages = 0
        /// Pages that were written since the writer copied the rest.
        var length = 0
        var failure: SQLiteStoreError?

        fileprivate mutating func batchEnded(pages written: Int, step: Int, limit: Int) -> Work? {
            pages += written
            length += written
            switch stage {
            case .copied where length >= limit:
                (stage, pages, length) = (.gathering, 0, 0)
                return .rest
            case .gathering, .copied:
                guard failure == nil, pages >= step else { return nil }
                (stage, pages) = (.copying, 0)
                return .step
            case .copying: return nil
            }
        }
    }

    let connection: SQLiteThread
    private let writer: SQLiteThread
    private let step: Int
    private let limit: Int
    private let flush: @Sendable (SQLiteConnection) throws(SQLiteStoreError) -> Void
    let state = Mutex(State())

    /// - Parameters:
    ///   - writer: whose batches are observed; it must do no checkpoints of its own.
    ///   - step: how many pages the log gathers before they are copied, 4 KiB each: few enough that the disk is soon
    ///     done.
    ///   - limit: with how many pages the log is to begin anew. A page that many batches have changed is kept once by
    ///     each, so that a longer log makes for less work; SQLite's own 1,000 are but a few batches
    ///     (https://www.sqlite.org/wal.html, "Avoiding Excessively Large WAL Files").
    init(
        _ connection: SQLiteThread,
        beside writer: SQLiteThread,
        step: Int = 1_024,
        limit: Int = 8_192,
        flush: @escaping @Sendable (SQLiteConnection) throws(SQLiteStoreError) -> Void = {
            db throws(SQLiteStoreError) in try db.flushFile()
        }
    ) {
        (self.connection, self.writer) = (connection, writer)
        (self.step, self.limit, self.flush) = (step, limit, flush)
    }

    /// - Throws: what made an earlier flush fail.
    func requireSound() throws(SQLiteStoreError) { if let failure = state.withLock(\.failure) { throw failure } }

    /// Call on the writer's connection between two batches.
    func batchEnded(in db: SQLiteConnection) {
        // Else the batch came too late and was refused.
        guard db.handle != nil else { return }
        let written = db.takePagesWritten()
        switch state.withLock({ $0.batchEnded(pages: written, step: step, limit: limit) }) {
        case .step: onThread(of: connection) { self.copy($0) }
        case .rest: recordingFlushFailure { () throws(SQLiteStoreError) in try db.copyLog() }
        case nil: break
        }
    }

    private func copy(_ db: SQLiteConnection) {
        recordingFlushFailure { () throws(SQLiteStoreError) in
            try db.copyLog()
            try flush(db)
        }
        state.withLock { $0.stage = $0.failure == nil ? .copied : .gathering }
    }

    private func recordingFlushFailure(_ work: () throws(SQLiteStoreError) -> Void) {
        do throws(SQLiteStoreError) {
            try work()
        } catch {
            guard case .failed(SQLiteConnection.flushFailure, let reason) = error else { return }
            state.withLock { $0.failure = .unflushed(path: connection.path, reason: reason) }
            // Whichever of them is closed last would delete the log.
            for connection in [connection, writer] { onThread(of: connection) { $0.keepLog() } }
        }
    }

    /// A connection that was closed before its turn came has nothing left to copy or to keep, and SQLite does not check
    /// for that.
    private func onThread(of connection: SQLiteThread, _ work: @escaping @Sendable (SQLiteConnection) -> Void) {
        connection.async { db in if db.handle != nil { work(db) } }
    }

    /// Copies all of the log and leaves it without a byte.
    ///
    /// - Throws: ``SQLiteStoreError/logInUse``, and what made an earlier flush fail: the log is needed then.
    func emptyLog() async throws {
        // Behind a step that may be under way: two at a time are refused.
        try await connection.run { [self] db in
            try requireSound()
            guard try db.emptyLog() else { throw SQLiteStoreError.logInUse }
        }
    }
}

extension SQLiteConnection {
    /// `SQLITE_IOERR_FSYNC`, a macro that Swift does not see.
    static let flushFailure = SQLITE_IOERR | 4 << 8

    /// - Returns: whether the log is without a byte, and nobody stood in the way
    ///   (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint).
    func emptyLog() throws -> Bool { try integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 }

    /// How many pages this connection has written since it was asked last
    /// (https://www.sqlite.org/c3ref/c_dbstatus_options.html, "SQLITE_DBSTATUS_CACHE_WRITE").
    fileprivate func takePagesWritten() -> Int {
        var (count, highest): (CInt, CInt) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 1)
        return Int(count)
    }

    /// Copies of the log what nobody reads any more, and waits for no one.
    ///
    /// - Returns: whether that was all of it.
    @discardableResult func copyLog() throws(SQLiteStoreError) -> Bool {
        guard handle != nil else { throw .closed }
        var (length, copied): (CInt, CInt) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, &length, &copied)
        guard code == SQLITE_OK else { throw .init(code) }
        return length == copied
    }

    /// Leaves the log in its place when the database is closed
    /// (https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html, "SQLITE_FCNTL_PERSIST_WAL").
    fileprivate func keepLog() {
        var isKept: CInt = 1
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }

    /// Whether there is a log beside a file that has never had one: that of another database, which was in its place
    /// before. SQLite would replay it into this one. Call before the first statement.
    ///
    /// A file that has had a log says so in its header, at 18 (https://www.sqlite.org/fileformat.html#file_format_version_numbers).
    func hasForeignLog() throws(SQLiteStoreError) -> Bool {
        var status = stat()
        guard stat(path + "-wal", &status) == 0, status.st_size > 0 else { return false }
        var header = [UInt8](repeating: 0, count: 100)
        // A shorter file is a new one, beside which SQLite itself deletes a log.
        let file = try file()
        let isRead = file.pointee.pMethods?.pointee.xRead(file, &header, CInt(header.count), 0) == SQLITE_OK
        return isRead && header[18] == 1
    }

    /// SQLite's own descriptor: if another of the same file were ever closed, all locks of this process would be gone
    /// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    private func file() throws(SQLiteStoreError) -> UnsafeMutablePointer<sqlite3_file> {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file else {
            throw .failed(resultCode: SQLITE_IOERR, reason: "no file")
        }
        return file
    }

    /// Waits until whatever was written to the file is on the disk.
    fileprivate func flushFile() throws(SQLiteStoreError) {
        let file = try file()
        guard let flush = file.pointee.pMethods?.pointee.xSync else {
            throw .failed(resultCode: Self.flushFailure, reason: "no file")
        }
        let code = flush(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY)
        guard code == SQLITE_OK else { throw .init(code) }
    }
}
