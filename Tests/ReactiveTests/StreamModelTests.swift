import Reactive
import Testing

@Suite struct StreamModelTests {
    /// A thousand runs of each seed; a failure names the seed, and the run within it.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func everyGraphDoesWhatTheModelSays(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var outputs = 0
        for run in 0..<1_000 {
            let graph = StreamGraph.random(depth: Int.random(in: 1...4, using: &generator), using: &generator)
            let sends = (0..<60).map { _ in
                StreamModel.Send(
                    isPublished: Bool.random(using: &generator),
                    relay: Int.random(in: 0..<2, using: &generator),
                    value: Int.random(in: 0..<10, using: &generator)
                )
            }
            let disposal = Int.random(in: 0...sends.count, using: &generator)
            var model = StreamModel(sends: Array(sends[..<disposal]))
            let expected = model.stream(graph).map(\.value)
            outputs += expected.count
            let actual = play(sends, disposingAfter: disposal, graph)
            guard actual == expected else {
                Issue.record("seed \(seed), run \(run): got \(actual), expected \(expected), of \(graph), \(sends)")
                return
            }
        }
        // Otherwise the runs would say little.
        #expect(outputs > 5_000)
    }

    private func play(_ sends: [StreamModel.Send], disposingAfter disposal: Int, _ graph: StreamGraph) -> [Int] {
        let published = [PublishRelay<Int>(), PublishRelay<Int>()]
        let current = [BehaviorRelay(value: 0), BehaviorRelay(value: 0)]
        let recorder = Recorder<Int>()
        let subscription = graph.build(published, current).subscribe(recorder.record)
        for (index, send) in sends.enumerated() {
            if index == disposal {
                subscription.dispose()
            }
            if send.isPublished {
                published[send.relay].accept(send.value)
            } else {
                current[send.relay].accept(send.value)
            }
        }
        subscription.dispose()
        return recorder.history
    }
}
