import PhoneTestSupport
import Reactive
import Synchronization
import Testing

/// Elements where a user interface can use them.
@Suite struct MainActorTests {
    @Test(.hangLimit) @MainActor func theMainActorGetsAllInOrderUntilItDisposes() async {
        let relay = BehaviorRelay(value: 0)
        let seen = Mutex<[Int]>([])
        let subscription = relay.asObservable().subscribeOnMainActor { element in
            MainActor.assertIsolated()
            seen.withLock { $0.append(element) }
        }
        await Task.detached { for element in 1...100 { relay.accept(element) } }.value
        while seen.withLock({ $0.count }) < 101 { await Task.yield() }
        #expect(seen.withLock { $0 } == Array(0...100))
        relay.accept(101)
        subscription.dispose()
        for _ in 0..<100 { await Task.yield() }
        #expect(seen.withLock { $0.count } == 101)
    }
}
