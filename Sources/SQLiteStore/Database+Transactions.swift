import GRDB

extension Database {
    /// How a transaction begins (https://www.sqlite.org/lang_transaction.html).
    enum TransactionBeginning: String {
        /// With nobody else who writes, from the beginning: two that both read first and want to write then would wait for
        /// each other.
        case writing = "BEGIN IMMEDIATE"
        /// With the first statement, of one moment; it never waits for a writer.
        case reading = "BEGIN"
    }

    /// Does the work in a transaction. GRDB's own has SQLite compile its statements each time.
    ///
    /// - Throws: what the work throws, and ``DatabaseError``; then nothing is kept.
    func transact<Value>(_ beginning: TransactionBeginning, _ work: () throws -> Value) throws -> Value {
        try run(beginning.rawValue)
        do {
            let value = try work()
            try run("COMMIT")
            return value
        } catch {
            // Where SQLite has not undone it itself. Why it failed is of more use than why it could not be undone, and
            // then the next one cannot begin.
            if isInsideTransaction { _ = try? run("ROLLBACK") }
            throw error
        }
    }
}
