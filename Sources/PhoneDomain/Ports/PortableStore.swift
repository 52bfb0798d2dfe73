/// What a store can be moved to another place by: everything that it holds, kind by kind and page by page. Every method
/// throws if the store cannot be reached or cannot write.
///
/// Keys are asked for, never positions, so that the millionth page costs what the first one does.
public protocol PortableStore: Sendable {
    /// How many records of this kind there are. It may read them all.
    func count(of kind: RecordKind) async throws -> Int

    /// The records of this kind behind this key, in the order of their keys.
    ///
    /// - Parameters:
    ///   - kind: what is wanted.
    ///   - key: of the last record of the page before, or nil for the first page.
    ///   - limit: no more than so many, at least 1.
    /// - Returns: no fewer than `limit`, unless there are no more.
    /// - Throws: also if a record makes no sense; then none of the page is told.
    func records(of kind: RecordKind, after key: RecordKey?, limit: Int) async throws -> [StoredRecord]

    /// Keeps records as they are, all of them or none: their names, moments and places stay, and what is written later
    /// comes behind them. They are of one kind, and what they refer to is there.
    ///
    /// - Throws: also if one of them, by its key, is there already.
    func restore(_ records: [StoredRecord]) async throws
}
