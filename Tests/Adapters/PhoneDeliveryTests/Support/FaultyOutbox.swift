import PhoneDomain
import PhoneSignup
import PhoneStore
import PhoneTestSupport

/// A store that counts claims, fails as scripted, and runs a test's code after claims.
actor FaultyOutbox: OutboxStore {
    private let store: MemoryStore
    private var lostSettles: Int
    private let claimsNothing: Bool
    private var unluckyMessage: OutboxMessage.ID?
    private var afterClaim: (@Sendable ([OutboxClaim]) async throws -> Void)?
    private(set) var claimCount = 0
    /// How many results each transaction was to record.
    private(set) var settled: [Int] = []

    /// - Parameters:
    ///   - lostSettles: how many records of the message that is settled first are lost.
    ///   - claimsNothing: whether no message can be claimed, not even one that is due.
    ///   - afterClaim: called with what was claimed, before it is returned.
    init(
        _ store: MemoryStore,
        lostSettles: Int = 0,
        claimsNothing: Bool = false,
        afterClaim: (@Sendable ([OutboxClaim]) async throws -> Void)? = nil
    ) {
        self.store = store
        self.lostSettles = lostSettles
        self.claimsNothing = claimsNothing
        self.afterClaim = afterClaim
    }

    func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim] {
        claimCount += 1
        if claimsNothing { return [] }
        let claims = try await store.claim(limit: limit, at: now, until: end)
        try await afterClaim?(claims)
        return claims
    }

    func settle(_ commands: [SettleMessage]) async throws -> [Bool] {
        settled.append(commands.count)
        if lostSettles > 0, let id = unluckyMessage ?? commands.first?.id, commands.contains(where: { $0.id == id }) {
            unluckyMessage = id
            lostSettles -= 1
            throw Outage()
        }
        return try await store.settle(commands)
    }

    func backlog() async throws -> OutboxBacklog { try await store.backlog() }
    func nextAttempt() async throws -> Timestamp? { try await store.nextAttempt() }
    func record(_ command: RecordReceipt) async throws -> Bool { try await store.record(command) }

    func takeFallbacks(limit: Int, at now: Timestamp) async throws -> [OutboxClaim] {
        try await store.takeFallbacks(limit: limit, at: now)
    }

    func awaitingReceipts(_ question: AwaitedReceipts) async throws -> [SentMessage] {
        try await store.awaitingReceipts(question)
    }

    func routeSamples(from first: Timestamp, to end: Timestamp, limit: Int) async throws -> [RouteSample] {
        try await store.routeSamples(from: first, to: end, limit: limit)
    }

    func take(_ turn: TakeTurn) async throws -> TakeTurn.Turn { try await store.take(turn) }
    func gatewaysUsed(by id: Verification.ID) async throws -> [String] { try await store.gatewaysUsed(by: id) }
}
