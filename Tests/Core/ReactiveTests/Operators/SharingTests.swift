import Reactive
import Testing

@Suite struct SharingTests {
    @Test func oneUpstreamSubscriptionServesAll() {
        let log = Recorder<String>()
        let relay = PublishRelay<Int>()
        let shared = relay.asObservable().map { "\($0)" }.noting("source", in: log).shareReplayingLatest()
        #expect(log.history == [])
        let a = shared.subscribe { log.record("a\($0)") }
        let b = shared.subscribe { log.record("b\($0)") }
        relay.accept(1)
        a.dispose()
        a.dispose()
        relay.accept(2)
        b.dispose()
        relay.accept(3)
        #expect(log.history == ["+source", "a1", "b1", "b2", "-source"])
    }

    @Test func startsAnewAfterTheLastHasLeft() {
        let log = Recorder<String>()
        let relay = BehaviorRelay(value: 1)
        let shared = relay.asObservable().map { "\($0)" }.noting("source", in: log).shareReplayingLatest()
        shared.subscribe { log.record("a\($0)") }.dispose()
        relay.accept(2)
        shared.subscribe { log.record("b\($0)") }.dispose()
        #expect(log.history == ["+source", "a1", "-source", "+source", "b2", "-source"])
    }

    @Test func aSubscriberThatLeavesAtTheFirstElementEndsTheSubscription() {
        let log = Recorder<String>()
        let relay = BehaviorRelay(value: 1)
        let shared = relay.asObservable().map { "\($0)" }.noting("source", in: log).shareReplayingLatest()
        let bag = DisposeBag()
        shared.subscribe { log.record($0) }.disposed(by: bag)
        bag.dispose()
        shared.do { _ in bag.dispose() }.subscribe { log.record($0) }.disposed(by: bag)
        relay.accept(2)
        #expect(log.history == ["+source", "1", "-source", "+source", "1", "-source"])
    }

    @Test func replayingLatestBeginsWithTheLatestElementIfThereIsOne() {
        let relay = PublishRelay<Int?>()
        let recorder = Recorder<String>()
        let shared = relay.asObservable().map { $0.map { "\($0)" } ?? "nil" }.shareReplayingLatest()
        let a = shared.subscribe { recorder.record("a\($0)") }
        relay.accept(1)
        relay.accept(nil)
        let b = shared.subscribe { recorder.record("b\($0)") }
        relay.accept(2)
        #expect(recorder.history == ["a1", "anil", "bnil", "a2", "b2"])
        a.dispose()
        b.dispose()
        let c = shared.subscribe { recorder.record("c\($0)") }
        relay.accept(3)
        #expect(recorder.history == ["a1", "anil", "bnil", "a2", "b2", "c3"])
        c.dispose()
    }
}
