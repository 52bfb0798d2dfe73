import PhoneDomain
import PhoneStore
import StoreSuite
import Synchronization

/// Several stores over one database, as several instances of the service have them, each asked in its turn.
final class Instances: Sendable {
    private let database: TestDatabase
    private let stores: [PostgreSQLStore]
    private let turn = Atomic(0)

    init(_ database: TestDatabase) throws {
        self.database = database
        stores = try (0..<3).map { _ in
            try database.open(
                records: StoreSuite.types,
                announcing: EventSubscription(to: Set(Event.Kind.standard + [.messageFeedback]))
            )
        }
    }

    /// One of them.
    var one: PostgreSQLStore { stores[0] }

    private var next: PostgreSQLStore {
        stores[turn.wrappingAdd(1, ordering: .relaxed).oldValue % stores.count]
    }

    private static let permits = Permits(4)
    private static let idle = Mutex<[Instances]>([])

    /// Does something with instances over an empty database. They are used again and again: their connections take
    /// longer to make than most tests take.
    static func use(_ work: (Instances) async throws -> Void) async throws {
        await permits.take()
        defer { permits.giveBack() }
        let instances =
            if let used = idle.withLock({ $0.popLast() }) { used } else { try Instances(await TestDatabase()) }
        defer { idle.withLock { $0.append(instances) } }
        try instances.database.empty()
        try await work(instances)
    }
}

extension Instances: SQLStore {
    var recordTypes: RecordTypes { one.recordTypes }
    var dialect: any SQLDialect { one.dialect }
    var observer: (any StoreObserver)? { nil }
    var events: EventSubscription { one.events }
    var scans: PurgeScans { one.scans }

    func submit<Value: Sendable>(
        _ kind: CommandKind,
        then answer: @escaping Callback<Value>,
        _ work: @escaping @Sendable (CommandSession) throws -> Value
    ) {
        next.submit(kind, then: answer, work)
    }

    func find<R: Record>(_ type: R.Type, _ key: R.Key) async throws -> R? {
        try await next.find(type, key)
    }

    func run<Value: Sendable>(
        isReadOnly: Bool,
        _ work: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try await next.run(isReadOnly: isReadOnly, work)
    }

    func rows<Value: Sendable>(
        _ sql: SQL,
        _ read: @escaping @Sendable (Row) throws -> Value
    ) async throws -> [Value] {
        try await next.rows(sql, read)
    }

    func ping() async throws { try await next.ping() }
    func removeTraces() async throws { try await next.removeTraces() }
    func close() { next.close() }
}
