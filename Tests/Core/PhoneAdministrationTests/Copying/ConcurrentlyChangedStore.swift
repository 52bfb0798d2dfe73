import PhoneDomain
import PhoneStore

/// A store that another program changes, just before the Nth page of one kind of record is read.
actor ConcurrentlyChangedStore: PortableStore {
    private let store: any PortableStore
    private let kind: String
    private var timesLeft: Int
    private let change: @Sendable () async throws -> Void

    init(
        _ store: any PortableStore,
        beforeReading kind: String,
        time: Int,
        change: @escaping @Sendable () async throws -> Void
    ) {
        self.store = store
        self.kind = kind
        timesLeft = time
        self.change = change
    }

    nonisolated var recordTypes: RecordTypes { store.recordTypes }

    func count(of type: any Record.Type) async throws -> Int { try await store.count(of: type) }

    func records(of type: any Record.Type, after key: SQLValue?, limit: Int) async throws -> [StoredRecord] {
        if type.table.name == kind {
            timesLeft -= 1
            if timesLeft == 0 { try await change() }
        }
        return try await store.records(of: type, after: key, limit: limit)
    }

    func restore(_ records: [StoredRecord]) async throws {
        try await store.restore(records)
    }
}
