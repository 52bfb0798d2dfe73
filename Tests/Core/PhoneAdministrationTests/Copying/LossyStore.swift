import PhoneDomain
import PhoneStore

/// A store that keeps what it likes of what it is given.
struct LossyStore: PortableStore {
    private let store: any PortableStore
    private let kept: @Sendable (StoredRecord) -> StoredRecord?

    init(_ store: any PortableStore, kept: @escaping @Sendable (StoredRecord) -> StoredRecord?) {
        self.store = store
        self.kept = kept
    }

    var recordTypes: RecordTypes { store.recordTypes }

    func count(of type: any Record.Type) async throws -> Int { try await store.count(of: type) }

    func records(of type: any Record.Type, after key: SQLValue?, limit: Int) async throws -> [StoredRecord] {
        try await store.records(of: type, after: key, limit: limit)
    }

    func restore(_ records: [StoredRecord]) async throws {
        try await store.restore(records.compactMap(kept))
    }
}
