struct SQLiteFloor {
    init(arguments: [String]) throws { throw UsageError() }
    func run() throws {}
}
