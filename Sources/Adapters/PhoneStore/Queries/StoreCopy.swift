import PhoneAccounts
public import PhoneAdministration
public import PhoneDomain

/// Copies all that a store holds into another, and checks that it is the same there.
///
/// Kind after kind, in order of the keys, a page at a time: so what an interrupted copy leaves is the beginning of the
/// source, and the next one goes on behind it. A target that holds anything else is left alone.
///
/// Nothing may be written to either side meanwhile. What is written to the source until the end is noticed there.
public struct StoreCopy: Sendable {
    private let source: any PortableStore
    private let target: any PortableStore
    private let digester: any RequestAuthenticator
    private let pageSize: Int

    /// - Parameters:
    ///   - target: empty, or as an interrupted copy of the same source left it.
    ///   - pageSize: how many records are held in memory and kept in one transaction, at least 1.
    public init(
        from source: any PortableStore,
        to target: any PortableStore,
        digester: any RequestAuthenticator,
        pageSize: Int = 2000
    ) {
        (self.source, self.target, self.digester) = (source, target, digester)
        self.pageSize = max(1, pageSize)
    }

    /// - Parameter report: is called after every page.
    /// - Returns: what both sides hold, which ``CopyResult/isComplete`` judges.
    /// - Throws: ``StoreCopyError`` before anything is written, else what the stores throw; what was written stays.
    public func run(
        reporting report: @escaping @Sendable (CopyProgress) -> Void = { _ in }
    ) async throws -> CopyResult {
        let types = source.recordTypes.all
        var totals: [Int] = []
        for type in types { totals.append(try await source.count(of: type)) }
        func progress(_ phase: CopyProgress.Phase, _ index: Int) -> @Sendable (Int) -> Void {
            let (kind, total) = (types[index].table.name, totals[index])
            return { report(CopyProgress(phase: phase, kind: kind, done: $0, total: total)) }
        }

        // All kinds before the first is written to.
        var places: [Place] = []
        for (index, type) in types.enumerated() {
            places.append(try await beginning(of: type, progress(.comparing, index)))
        }
        var copied: [RecordTally] = []
        for (index, type) in types.enumerated() {
            let report = progress(.copying, index)
            copied.append(try await pass(type, of: source, from: places[index], into: target, report))
        }
        var parts: [CopyResult.Part] = []
        for (index, type) in types.enumerated() {
            let report = progress(.checking, index)
            async let source = pass(type, of: source)
            async let target = pass(type, of: target, report)
            parts.append(
                CopyResult.Part(
                    kind: type.table.name,
                    copied: copied[index],
                    source: try await source,
                    target: try await target
                )
            )
        }
        return CopyResult(parts: parts, heldBefore: places.reduce(0) { $0 + $1.tally.count })
    }

    /// A place in the records of a kind, and what those before it come to.
    private struct Place {
        var key: SQLValue?
        var tally = RecordTally()

        mutating func pass(_ records: [StoredRecord], by digester: any RequestAuthenticator) throws {
            try tally.add(records, by: digester)
            key = records.last?.key ?? key
        }
    }

    /// How much of the source the target holds already.
    private func beginning(of type: any Record.Type, _ report: (Int) -> Void) async throws -> Place {
        var place = Place()
        while true {
            let held = try await target.records(of: type, after: place.key, limit: pageSize)
            if held.isEmpty { return place }
            let expected = try await source.records(of: type, after: place.key, limit: held.count)
            guard held == expected else { throw StoreCopyError.targetHoldsOther(type.table.name) }
            try place.pass(expected, by: digester)
            report(place.tally.count)
        }
    }

    /// Counts what a store has behind this place, and keeps it in another. While one page is kept and its digests are
    /// made, the next is read.
    private func pass(
        _ type: any Record.Type,
        of store: any PortableStore,
        from start: Place = Place(),
        into other: (any PortableStore)? = nil,
        _ report: @Sendable (Int) -> Void = { _ in }
    ) async throws -> RecordTally {
        var place = start
        var page = try await store.records(of: type, after: place.key, limit: pageSize)
        while !page.isEmpty {
            let current = page
            async let next = store.records(of: type, after: current.last?.key, limit: pageSize)
            async let kept: Void? = other?.restore(current)
            try place.pass(current, by: digester)
            _ = try await kept
            report(place.tally.count)
            page = try await next
        }
        return place.tally
    }
}

/// Why a store was not copied.
public enum StoreCopyError: Error, Hashable, Sendable {
    /// The target holds records that the source does not hold at that place: it is in use, or was filled from another
    /// source or from an earlier state of this one. Nothing was written. It has the name of their table.
    case targetHoldsOther(String)
}

/// What a store can be moved to another place by: everything that it holds, kind by kind and page by page.
///
/// Keys are asked for, never positions, so that the millionth page costs what the first one does.
public protocol PortableStore: Sendable {
    var recordTypes: RecordTypes { get }

    /// How many records of this type there are. It may read them all.
    func count(of type: any Record.Type) async throws -> Int

    /// The records of this type behind this key, in the order of their keys.
    ///
    /// - Parameters:
    ///   - key: of the last record of the page before, or nil for the first page.
    ///   - limit: how many records are returned, unless there are no more; at least 1.
    /// - Throws: also if a record makes no sense; then none of the page is returned.
    func records(of type: any Record.Type, after key: SQLValue?, limit: Int) async throws -> [StoredRecord]

    /// Keeps records as they are, all of them or none: their names, moments and places stay, and what is written later
    /// comes behind them.
    ///
    /// - Throws: also if one of them, by its key, is there already.
    func restore(_ records: [StoredRecord]) async throws
}

extension RecordTally {
    /// Counts these too.
    public mutating func add(_ records: [StoredRecord], by digester: any RequestAuthenticator) throws {
        for record in records { add(RecordDigest(bytes: try digester.sha256(of: record.encoded))) }
    }
}
