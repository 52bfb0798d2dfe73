import PhoneDomain
import Records

/// A store that somebody else meddles with, just before a kind of record is read for the so-manieth time.
actor MeddledStore: PortableStore {
    private let store: any PortableStore
    private let kind: String
    private var timesLeft: Int
    private let meddle: @Sendable () async throws -> Void

    init(
        _ store: any PortableStore,
        beforeReading kind: String,
        time: Int,
        meddle: @escaping @Sendable () async throws -> Void
    ) {
        self.store = store
        self.kind = kind
        timesLeft = time
        self.meddle = meddle
    }

    nonisolated var recordTypes: RecordTypes { store.recordTypes }

    func count(of type: any Record.Type) async throws -> Int { try await store.count(of: type) }

    func records(of type: any Record.Type, after key: SQLValue?, limit: Int) async throws -> [StoredRecord] {
        if type.table.name == kind {
            timesLeft -= 1
            if timesLeft == 0 { try await meddle() }
        }
        return try await store.records(of: type, after: key, limit: limit)
    }

    func restore(_ records: [StoredRecord]) async throws {
        try await store.restore(records)
    }
}
