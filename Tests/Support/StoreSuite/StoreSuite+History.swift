import PhoneDomain
public import PhoneStore
import PhoneTestSupport
import Testing

extension StoreSuite {
    private static let historySteps = TestSize.isFull ? 1000 : 400

    static let historyRules = (1...5).map { seed in
        StoreRule("random history \(seed) gives what it gives in memory", policy: { try .hurried() }) { scene in
            var history = RandomHistory(seed: UInt64(seed))
            var model = history
            let modelScene = try StoreScene(store: MemoryStore(), policy: scene.policy)
            var answers: Set<[AnyHashable]> = []
            for step in 1...historySteps {
                let answer = try await history.step(scene)
                let expected = try await model.step(modelScene)
                guard answer == expected else {
                    Issue.record("step \(step): \(answer), where memory gives \(expected)")
                    return
                }
                answers.insert(answer)
            }
            #expect(history.violations == [])
            // A history in which everything is refused would prove little.
            #expect(answers.count > historySteps * 2 / 5)
        }
    }

    /// A day of a small service, made up from a seed, with its database closed and opened again now and then.
    ///
    /// - Parameter reopen: closes the store and opens it once more.
    /// - Returns: how many different answers there were, and what must never happen, and has.
    public static func day(
        _ seed: Int,
        steps: Int,
        in store: any SQLStore,
        reopen: () throws -> any SQLStore
    ) async throws -> (answers: Int, violations: [String]) {
        var scene = try StoreScene(store: store, policy: .hurried())
        var (history, restarts) = (RandomHistory(seed: UInt64(seed)), SplitMix64(seed: UInt64(seed)))
        var answers: Set<[AnyHashable]> = []
        for _ in 1...steps {
            answers.insert(try await history.step(scene))
            if Int.random(in: 0..<40, using: &restarts) == 0 { scene = try scene.moved(to: reopen()) }
            guard history.violations.isEmpty else { break }
        }
        return (answers.count, history.violations)
    }
}
