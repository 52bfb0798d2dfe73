import PhoneAdministration
import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Synchronization
import Testing

@Suite struct StoreCopyTests {
    private let source = MemoryStore()
    private let target = MemoryStore()

    /// Five meters, three rules and nothing else.
    private static let records: [StoredRecord] = (1...5).map(meter) + ["+1", "+2", "+3"].map(rule)

    private static func meter(_ serial: Int) -> StoredRecord {
        .meter(MeterInUse(key: LimitKey(rawValue: "key-\(serial)"), meter: RateMeter(fullAt: Int64(serial))))
    }

    private static func rule(_ prefix: String) -> StoredRecord {
        let rule = GuardRule(prefix: prefix, action: .allow, until: nil, createdAt: Timestamp(seconds: 0))
        guard let rule else { preconditionFailure("not a prefix") }
        return .guardRule(rule)
    }

    init() async throws {
        try await source.restore(Self.records)
    }

    private func copy(
        from source: (any PortableStore)? = nil,
        to target: (any PortableStore)? = nil,
        pageSize: Int = 2,
        reporting report: @escaping @Sendable (CopyProgress) -> Void = { _ in }
    ) async throws -> CopyResult {
        let copy = StoreCopy(
            from: source ?? self.source,
            to: target ?? self.target,
            digester: PlainRequestAuthenticator(),
            pageSize: pageSize
        )
        return try await copy.run(reporting: report)
    }

    private func held(by store: any PortableStore) async throws -> [StoredRecord] {
        var all: [StoredRecord] = []
        for type in RecordTypes.core.all { all += try await store.records(of: type, after: nil, limit: 100) }
        return all
    }

    private func tally(_ records: [StoredRecord]) throws -> RecordTally {
        var tally = RecordTally()
        try tally.add(records, by: PlainRequestAuthenticator())
        return tally
    }

    @Test(arguments: [1, 2, 3, 1000])
    func `all records are copied, and progress is reported kind by kind`(pageSize: Int) async throws {
        let result = try await copy(pageSize: pageSize)
        let (meters, rules) = (try tally(Array(Self.records[..<5])), try tally(Array(Self.records[5...])))
        let expected = RecordTypes.core.tables.map { table in
            let tally = table === MeterInUse.table ? meters : table === GuardRule.table ? rules : RecordTally()
            return CopyResult.Part(kind: table.name, copied: tally, source: tally, target: tally)
        }
        #expect(result == CopyResult(parts: expected, heldBefore: 0))
        #expect(result.isComplete)
        #expect(meters.count == 5)
        #expect(try await held(by: target) == Self.records)
    }

    @Test func `progress is reported after every page`() async throws {
        try await target.restore(Array(Self.records[..<3]))
        let progress = Mutex<[CopyProgress]>([])
        let result = try await copy { step in progress.withLock { $0.append(step) } }
        #expect(result.heldBefore == 3)
        #expect(
            progress.withLock { $0 } == [
                CopyProgress(phase: .comparing, kind: "rate_meter", done: 2, total: 5),
                CopyProgress(phase: .comparing, kind: "rate_meter", done: 3, total: 5),
                CopyProgress(phase: .copying, kind: "rate_meter", done: 5, total: 5),
                CopyProgress(phase: .copying, kind: "guard_rule", done: 2, total: 3),
                CopyProgress(phase: .copying, kind: "guard_rule", done: 3, total: 3),
                CopyProgress(phase: .checking, kind: "rate_meter", done: 2, total: 5),
                CopyProgress(phase: .checking, kind: "rate_meter", done: 4, total: 5),
                CopyProgress(phase: .checking, kind: "rate_meter", done: 5, total: 5),
                CopyProgress(phase: .checking, kind: "guard_rule", done: 2, total: 3),
                CopyProgress(phase: .checking, kind: "guard_rule", done: 3, total: 3),
            ]
        )
    }

    @Test(arguments: 0...4)
    func `a copy that fails in the middle is gone on with`(pages: Int) async throws {
        struct Full: Error {}
        let room = Mutex(pages)
        let full = AlteredStore(store: target) { records in
            try room.withLock { room in
                guard room > 0 else { throw Full() }
                room -= 1
            }
            return records
        }
        await #expect(throws: Full.self) { try await copy(to: full) }
        let left = try await held(by: target)
        #expect(left.count == [0, 2, 4, 5, 7][pages])
        let result = try await copy(pageSize: 3)
        #expect(result.isComplete)
        #expect(result.heldBefore == left.count)
        #expect(try await held(by: target) == Self.records)
        // Once more there is nothing to do.
        let again = try await copy()
        #expect(again == CopyResult(parts: result.parts, heldBefore: 8))
    }

    @Test(arguments: [
        // In the place of the second, between, in front of and behind all; and of a kind that comes later.
        ([meter(1), .meter(MeterInUse(key: LimitKey(rawValue: "key-2"), meter: .unused))], "rate_meter"),
        ([meter(1), meter(3)], "rate_meter"),
        ([.meter(MeterInUse(key: LimitKey(rawValue: "a"), meter: .unused))], "rate_meter"),
        ((1...6).map(meter), "rate_meter"), ([rule("+9")], "guard_rule"), ([meter(1), rule("+2")], "guard_rule"),
    ])
    func `a target that holds anything else is left alone`(records: [StoredRecord], kind: String) async throws {
        try await target.restore(records)
        await #expect(throws: StoreCopyError.targetHoldsOther(kind)) { try await copy() }
        #expect(try await held(by: target) == records)
    }

    @Test func `a source that is written to meanwhile shows`() async throws {
        /// A source that gets a meter just before the third page of a kind is read.
        func changed(_ serial: Int, _ kind: String) -> AlteredStore {
            let pages = Mutex(0)
            return AlteredStore(
                store: source,
                beforeReading: { [source] read in
                    guard read == kind else { return }
                    let page = pages.withLock { pages in
                        pages += 1
                        return pages
                    }
                    if page == 3 { try await source.restore([Self.meter(serial)]) }
                }
            )
        }
        // The meters have been read twice by then, and the rules have not.
        let unseen = try await copy(from: changed(9, "guard_rule"), pageSize: 100)
        #expect(unseen.isComplete)
        let result = try await copy(from: changed(7, "rate_meter"), to: MemoryStore(), pageSize: 100)
        #expect(!result.isComplete)
        #expect(result.parts.filter(\.hasSourceChanged).map(\.kind) == ["rate_meter"])
        #expect(result.parts.filter { !$0.isSame } == [])
    }

    @Test func `a target that does not keep what it is given shows`() async throws {
        let lossy = AlteredStore(store: target) { $0.filter { $0 != Self.meter(4) } }
        let lost = try await copy(to: lossy)
        #expect(!lost.isComplete)
        #expect(lost.parts.filter { !$0.isSame }.map(\.kind) == ["rate_meter"])
        #expect(Self.counts(lost) == ["rate_meter": 4, "guard_rule": 3])
        #expect(lost.parts.contains(where: \.hasSourceChanged) == false)

        let wrong = AlteredStore(store: MemoryStore()) { $0.map { $0 == Self.rule("+2") ? Self.rule("+22") : $0 } }
        let changed = try await copy(to: wrong)
        #expect(!changed.isComplete)
        #expect(changed.parts.filter { !$0.isSame }.map(\.kind) == ["guard_rule"])
        #expect(Self.counts(changed) == ["rate_meter": 5, "guard_rule": 3])
    }

    /// How many records of each kind there are in the target, of which there are any.
    private static func counts(_ copy: CopyResult) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: copy.parts.map { ($0.kind, $0.target.count) }).filter { $1 > 0 }
    }
}

/// A store that others change before a page of it is read, or that keeps something else of a page than it was given.
private struct AlteredStore: PortableStore {
    let store: any PortableStore
    var kept: @Sendable ([StoredRecord]) throws -> [StoredRecord] = { $0 }
    var beforeReading: @Sendable (_ kind: String) async throws -> Void = { _ in }

    var recordTypes: RecordTypes { store.recordTypes }

    func count(of type: any Record.Type) async throws -> Int { try await store.count(of: type) }

    func records(of type: any Record.Type, after key: SQLValue?, limit: Int) async throws -> [StoredRecord] {
        try await beforeReading(type.table.name)
        return try await store.records(of: type, after: key, limit: limit)
    }

    func restore(_ records: [StoredRecord]) async throws { try await store.restore(kept(records)) }
}
