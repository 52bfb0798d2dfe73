import Reactive
import Testing

@Suite struct PublishRelayTests {
    @Test func deliversInOrderOfSubscription() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<String>()
        let bag = DisposeBag()
        for name in ["a", "b", "c", "d", "e"] {
            relay.asObservable().subscribe { recorder.record("\(name)\($0)") }.disposed(by: bag)
        }
        relay.accept(1)
        relay.accept(2)
        #expect(recorder.history == ["a1", "b1", "c1", "d1", "e1", "a2", "b2", "c2", "d2", "e2"])
    }

    @Test func replaysNothing() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        relay.accept(1)
        let subscription = relay.asObservable().subscribe(recorder.record)
        relay.accept(2)
        #expect(recorder.history == [2])
        subscription.dispose()
    }

    @Test func reentrantSendIsDeliveredAfterTheOneUnderWay() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<String>()
        let bag = DisposeBag()
        relay.asObservable().subscribe { element in
            recorder.record("a\(element)")
            if element == 1 {
                relay.accept(2)
                relay.accept(3)
            }
        }
        .disposed(by: bag)
        relay.asObservable().subscribe { recorder.record("b\($0)") }.disposed(by: bag)
        relay.accept(1)
        #expect(recorder.history == ["a1", "b1", "a2", "b2", "a3", "b3"])
    }

    @Test func aMillionReentrantSendsDoNotRecurse() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        let subscription = relay.asObservable().subscribe { element in
            if element < 1_000_000 {
                relay.accept(element + 1)
            } else {
                recorder.record(element)
            }
        }
        relay.accept(1)
        #expect(recorder.history == [1_000_000])
        subscription.dispose()
    }

    @Test func relaysThatSendToEachOtherDoNotRecurse() {
        let ping = PublishRelay<Int>()
        let pong = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        let bag = DisposeBag()
        ping.asObservable().subscribe { pong.accept($0 + 1) }.disposed(by: bag)
        pong.asObservable()
            .subscribe { element in
                if element < 100_000 {
                    ping.accept(element + 1)
                } else {
                    recorder.record(element)
                }
            }
            .disposed(by: bag)
        ping.accept(1)
        #expect(recorder.history == [100_000])
    }

    @Test func aSubscriberReceivesWhatIsSentAfterItSubscribedOnly() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<String>()
        let bag = DisposeBag()
        relay.asObservable()
            .subscribe { element in
                recorder.record("a\(element)")
                if element == 1 {
                    relay.accept(2)
                    relay.asObservable().subscribe { recorder.record("b\($0)") }.disposed(by: bag)
                    relay.accept(3)
                }
            }
            .disposed(by: bag)
        relay.accept(1)
        #expect(recorder.history == ["a1", "a2", "a3", "b3"])
    }

    @Test func aSubscriberMayDisposeItself() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        let bag = DisposeBag()
        relay.asObservable()
            .subscribe { element in
                recorder.record(element)
                relay.accept(element + 1)
                bag.dispose()
            }
            .disposed(by: bag)
        relay.accept(1)
        relay.accept(10)
        #expect(recorder.history == [1])
    }

    @Test func nobodyIsSkippedWhenAnEarlierSubscriberLeaves() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<String>()
        let leaving = DisposeBag()
        relay.asObservable()
            .subscribe { element in
                recorder.record("a\(element)")
                leaving.dispose()
            }
            .disposed(by: leaving)
        let others = ["b", "c"].map { name in
            relay.asObservable().subscribe { recorder.record("\(name)\($0)") }
        }
        relay.accept(1)
        #expect(recorder.history == ["a1", "b1", "c1"])
        others.forEach { $0.dispose() }
    }

    @Test func aSubscriberMayDisposeAnotherBeforeItsTurn() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<String>()
        let others = DisposeBag()
        let first = relay.asObservable().subscribe { element in
            recorder.record("a\(element)")
            others.dispose()
        }
        relay.asObservable().do { recorder.record("b\($0)") }.subscribe { _ in }.disposed(by: others)
        let last = relay.asObservable().subscribe { recorder.record("c\($0)") }
        relay.accept(1)
        relay.accept(2)
        #expect(recorder.history == ["a1", "c1", "a2", "c2"])
        first.dispose()
        last.dispose()
    }

    @Test func disposingOneLeavesTheOthersInOrder() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<String>()
        let subscriptions = ["a", "b", "c"].map { name in
            relay.asObservable().subscribe { recorder.record("\(name)\($0)") }
        }
        relay.accept(1)
        subscriptions[1].dispose()
        relay.accept(2)
        #expect(recorder.history == ["a1", "b1", "c1", "a2", "c2"])
        subscriptions.forEach { $0.dispose() }
        relay.accept(3)
        #expect(recorder.history == ["a1", "b1", "c1", "a2", "c2"])
    }
}
