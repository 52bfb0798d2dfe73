import PhoneDomain
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
            // A history in which everything is refused would prove little.
            #expect(answers.count > historySteps * 2 / 5)
        }
    }
}
