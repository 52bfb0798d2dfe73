import Reactive
import Testing

@Suite struct BehaviorRelayTests {
    @Test func replaysTheCurrentValueBeforeSubscribeReturns() {
        let relay = BehaviorRelay(value: 1)
        relay.accept(2)
        let recorder = Recorder<Int>()
        let subscription = relay.asObservable().subscribe(recorder.record)
        #expect(recorder.history == [2])
        relay.accept(3)
        #expect(recorder.history == [2, 3])
        subscription.dispose()
        relay.accept(4)
        #expect(recorder.history == [2, 3])
        #expect(relay.value == 4)
    }

    @Test(arguments: [false, true])
    func valueIsCurrentAsSoonAsItIsAcceptedOrUpdated(isUpdated: Bool) {
        let relay = BehaviorRelay(value: 0)
        let recorder = Recorder<String>()
        let increment: @Sendable () -> Void = {
            if isUpdated { relay.update { $0 += 1 } } else { relay.accept(relay.value + 1) }
        }
        let subscription = relay.asObservable().subscribe { element in
            if element == 1 { increment() }
            recorder.record("\(element) of \(relay.value)")
        }
        increment()
        #expect(recorder.history == ["0 of 0", "1 of 2", "2 of 2"])
        subscription.dispose()
    }

    @Test func subscribingWithinADeliveryReplaysTheValueOnceAndNothingOlder() {
        let relay = BehaviorRelay(value: 0)
        let recorder = Recorder<String>()
        let bag = DisposeBag()
        relay.asObservable()
            .subscribe { element in
                recorder.record("a\(element)")
                if element == 1 {
                    relay.accept(2)
                    relay.accept(3)
                    relay.asObservable().subscribe { recorder.record("b\($0)") }.disposed(by: bag)
                    relay.accept(4)
                }
            }
            .disposed(by: bag)
        relay.accept(1)
        #expect(recorder.history == ["a0", "a1", "b3", "a2", "a3", "a4", "b4"])
    }

    @Test func whatASubscriberSendsDuringItsReplayComesAfterIt() {
        let relay = BehaviorRelay(value: 1)
        let recorder = Recorder<String>()
        let subscription = relay.asObservable().subscribe { element in
            recorder.record("begin \(element)")
            if element < 3 {
                relay.accept(element + 1)
            }
            recorder.record("end \(element)")
        }
        #expect(recorder.history == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
        subscription.dispose()
    }

    @Test func whatAnOperatorSendsDuringTheReplayComesAfterItForTheOperatorToo() {
        let relay = BehaviorRelay(value: 1)
        let recorder = Recorder<String>()
        let subscription = relay.asObservable()
            .do { element in
                recorder.record("begin \(element)")
                if element < 3 {
                    relay.accept(element + 1)
                }
                recorder.record("end \(element)")
            }
            .subscribe { recorder.record("\($0)") }
        #expect(
            recorder.history == [
                "begin 1", "end 1", "1", "begin 2", "end 2", "2", "begin 3", "end 3", "3",
            ]
        )
        subscription.dispose()
    }

    @Test func deinitialiserOfAReplacedOrUpdatedValueMayUseTheRelay() {
        let seen = Recorder<String>()
        let relay = BehaviorRelay(value: Token())
        relay.accept(Token("old") { [weak relay] in seen.record(relay?.value.name ?? "gone") })
        relay.accept(Token("new") { [weak relay] in seen.record(relay?.value.name ?? "gone") })
        relay.update { $0 = Token("newest") }
        #expect(seen.history == ["new", "newest"])
    }

    @Test func updateMakesTheNextValueOfThePresentOneAndSendsIt() {
        let relay = BehaviorRelay(value: "a")
        let recorder = Recorder<String>()
        let subscription = relay.asObservable().subscribe(recorder.record)
        relay.update { $0 += "b" }
        relay.update { $0 += "c" }
        #expect(recorder.history == ["a", "ab", "abc"])
        #expect(relay.value == "abc")
        subscription.dispose()
    }

    @Test func updateLosesNothingThatIsSentWhileItIsAtWork() {
        let relay = BehaviorRelay(value: 0)
        let recorder = Recorder<Int>()
        let subscription = relay.asObservable().subscribe(recorder.record)
        relay.update { value in
            if relay.value == 0 { relay.accept(10) }
            value += 1
        }
        #expect(recorder.history == [0, 10, 11])
        subscription.dispose()
    }
}
