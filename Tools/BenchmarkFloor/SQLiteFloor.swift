import CSQLite

/// What a start reads and writes, by SQLite's own interface: each statement is prepared once, and N starts share
/// a transaction. Whatever else PhoneProof does for a start is missing: no rule is applied, no row is made a value.
struct SQLiteFloor {
    private let path: String
    private let synchronous: String
    private let duration: Duration
    private let batch: Int

    /// - Throws: ``UsageError``.
    init(arguments: [String]) throws {
        guard arguments.count == 4, ["full", "normal"].contains(arguments[1]), let seconds = Double(arguments[2]),
            seconds > 0, let batch = Int(arguments[3]), batch > 0
        else {
            throw UsageError()
        }
        (path, synchronous, duration) = (arguments[0], arguments[1], .seconds(seconds))
        self.batch = batch
    }

    /// Does transactions until the time is over, and prints how many starts that were and how many seconds it took.
    ///
    /// - Throws: ``SQLiteFailure``.
    func run() throws {
        let connection = try SQLiteConnection(path: path)
        try connection.run("PRAGMA journal_mode = WAL")
        try connection.run("PRAGMA synchronous = \(synchronous)")
        try connection.run("PRAGMA foreign_keys = ON")
        let begin = try connection.prepare("BEGIN IMMEDIATE")
        let commit = try connection.prepare("COMMIT")
        let start = try StartStatements(connection)
        let clock = ContinuousClock()
        let (began, end) = (clock.now, clock.now + duration)
        var count = 0
        while clock.now < end {
            try begin.run()
            for _ in 0..<batch {
                try start.run(count)
                count += 1
            }
            try commit.run()
        }
        let seconds = (clock.now - began) / .seconds(1)
        print("{\"starts\":\(count),\"seconds\":\(seconds)}")
    }
}
