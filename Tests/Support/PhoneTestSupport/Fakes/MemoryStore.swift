import PhoneAdministration
public import PhoneDomain
public import PhoneStore
import Synchronization

/// A database in memory that fails, and is interrupted, when a test says so.
public final class MemoryStore: SQLStore {
    private struct Faults {
        var outage: (any Error)?
        var interruption: (@Sendable () async throws -> Void)?
    }

    private let store: SQLiteStore
    private let faults = Mutex(Faults())

    public var recordTypes: RecordTypes { store.recordTypes }
    public var dialect: any SQLDialect { store.dialect }
    public var scans: PurgeScans { store.scans }
    public var events: EventSubscription { store.events }
    public var observer: (any StoreObserver)? { store.observer }

    public init(
        records types: RecordTypes = .core,
        announcing events: EventSubscription = .none,
        observer: (any StoreObserver)? = nil
    ) {
        // swift-format-ignore: NeverUseForceTry
        store = try! SQLiteStore.inMemory(records: types, announcing: events, observer: observer)
    }

    /// From now on every operation throws this, until it is nil again.
    public func fail(with error: (any Error)?) { faults.withLock { $0.outage = error } }

    /// Does this right after the next command, before the client has its result.
    public func interrupt(with work: @escaping @Sendable () async throws -> Void) {
        faults.withLock { $0.interruption = work }
    }

    /// Whether the interruption is still to come.
    public var isInterruptionPending: Bool { faults.withLock { $0.interruption != nil } }

    /// All messages, oldest first.
    public var outbox: [OutboxMessage] {
        get async { (try? await store.messages(status: nil, limit: .max))?.reversed().map(\.message) ?? [] }
    }

    /// The audit log, oldest first: each act with the address of its client, such as `begin 203.0.113.7`.
    public var acts: [String] {
        get async {
            let entries = (try? await store.entries(AuditQuery(limit: 1000)))?.entries ?? []
            return entries.reversed().map { "\($0.action.rawValue) \($0.address?.description ?? "-")" }
        }
    }

    public var accountCount: Int { get async { (try? await store.count(of: Account.self)) ?? 0 } }

    private func requireNoOutage() throws { if let outage = faults.withLock({ $0.outage }) { throw outage } }

    public func submit<Value: Sendable>(
        _ kind: CommandKind,
        then answer: @escaping Callback<Value>,
        _ work: @escaping @Sendable (CommandSession) throws -> Value
    ) {
        if let outage = faults.withLock({ $0.outage }) { return answer(.failure(outage)) }
        let interrupted: Callback<Value> = { [self] result in
            let interruption = faults.withLock { faults in
                defer { if case .success = result { faults.interruption = nil } }
                return faults.interruption
            }
            guard case .success(let value) = result, let interruption else { return answer(result) }
            Task {
                do {
                    try await interruption()
                    answer(.success(value))
                } catch {
                    answer(.failure(error))
                }
            }
        }
        store.submit(kind, then: interrupted, work)
    }

    public func find<R: Record>(_ type: R.Type, _ key: R.Key) async throws -> R? {
        try requireNoOutage()
        return try await store.find(type, key)
    }

    public func run<Value: Sendable>(
        isReadOnly: Bool,
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try requireNoOutage()
        return try await store.run(isReadOnly: isReadOnly, work)
    }

    public func rows<Value: Sendable>(
        _ sql: SQL,
        _ read: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value] {
        try requireNoOutage()
        return try await store.rows(sql, read)
    }

    public func ping() async throws {
        try requireNoOutage()
        try await store.ping()
    }

    public func removeTraces() async throws { try await store.removeTraces() }
    public func close() { store.close() }
}
