import PhoneDomain
import PhoneStore

/// A store that takes N pages and no more.
actor FullStore: PortableStore {
    struct Full: Error {}

    private let store: any PortableStore
    private var pages: Int

    init(_ store: any PortableStore, pages: Int) {
        self.store = store
        self.pages = pages
    }

    nonisolated var recordTypes: RecordTypes { store.recordTypes }

    func count(of type: any Record.Type) async throws -> Int { try await store.count(of: type) }

    func records(of type: any Record.Type, after key: SQLValue?, limit: Int) async throws -> [StoredRecord] {
        try await store.records(of: type, after: key, limit: limit)
    }

    func restore(_ records: [StoredRecord]) async throws {
        guard pages > 0 else { throw Full() }
        pages -= 1
        try await store.restore(records)
    }
}
