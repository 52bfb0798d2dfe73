import HangLimit
import Reactive
import Synchronization
import Testing

/// Elements where a user interface can use them.
@Suite struct MainActorTests {
    @Test func elementsComeWhereTheyAreRun() {
        let relay = PublishRelay<Int>()
        let waiting = Mutex<[@Sendable () -> Void]>([])
        let seen = Mutex<[Int]>([])
        let subscription = relay.asObservable()
            .observe { delivery in waiting.withLock { $0.append(delivery) } }
            .subscribe { element in seen.withLock { $0.append(element) } }
        relay.accept(1)
        relay.accept(2)
        #expect(seen.withLock { $0 } == [])
        for delivery in waiting.withLock({ $0.prefix(1) }) { delivery() }
        #expect(seen.withLock { $0 } == [1])
        subscription.dispose()
        for delivery in waiting.withLock({ $0 }) { delivery() }
        #expect(seen.withLock { $0 } == [1])
    }

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
