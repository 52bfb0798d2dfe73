import Reactive
import Testing

@Suite struct ReduceTests {
    @Test func chainsRunFirstAndAsLongAsWhatTheyRunFor() {
        let log = Recorder<String>()
        let lanes = Marbles()
        let text = BehaviorRelay(value: "")
        let subscription = lanes.digits.stream.noting("a", in: log)
            .running(
                lanes.letters.stream.noting("b", in: log).reduce(into: text) { $0 += $1 },
                lanes.capitals.stream.noting("c", in: log).reduce(into: text) { $0 += $1 }
            )
            .subscribe { log.record("\($0) with \(text.value)") }
        lanes.send("1 x A 2 y 3")
        subscription.dispose()
        subscription.dispose()
        lanes.send("4 z B")
        #expect(log.history == ["+b", "+c", "+a", "1 with ", "2 with xA", "3 with xAy", "-b", "-c", "-a"])
        #expect(text.value == "xAy")
    }

    @Test func aRelayMayBeReducedIntoAndObservedAtOnce() {
        let relay = PublishRelay<Int>()
        let recorder = Recorder<Int>()
        let sum = BehaviorRelay(value: 0)
        let subscription = sum.asObservable()
            .running(Observable.merged(.just(5), relay.asObservable()).reduce(into: sum) { $0 += $1 })
            .subscribe(recorder.record)
        [1, 2].forEach(relay.accept)
        #expect(recorder.history == [5, 6, 8])
        subscription.dispose()
    }
}
